import type { Ctx } from '#ports/ctx.ts'
import type { Found } from '#ports/remote.ts'
import type { Id } from '#db/schema/types.ts'
import { readHandle } from '#domain/accounts/lookup.ts'
import { findAccountByHandle } from '#domain/accounts/queries.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { isUrl } from './find-named.ts'

/**
 * What a text names as a whole, by its address or its handle, fetched from its server when it is not known. Null for
 * anything else, and for what cannot be found. Not inside a transaction.
 */
export async function resolveNamed(ctx: Ctx, text: string): Promise<Found | null> {
  if (isUrl(text)) return ctx.remote.findByUrl(text)
  const handle = /^@?[^@\s]+@[^@\s]+$/.test(text) ? readHandle(ctx.config, text) : null
  const id = handle?.domain ? await ctx.remote.findAccount(handle.username, handle.domain) : null
  return id === null ? null : { kind: 'account', id }
}

/**
 * The account of a handle, asked for at its server when it is not known. Throws `not_found`, and `invalid` for one that
 * can only be reached by OStatus, which this server does not speak.
 */
export async function findOrFetchAccount(ctx: Ctx, text: string): Promise<Id> {
  const handle = readHandle(ctx.config, text)
  if (!handle) throw notFound()
  const { username, domain } = handle
  const known = await findAccountByHandle(ctx, username, domain)
  const id = known?.id ?? (domain === null ? null : await ctx.remote.findAccount(username, domain))
  if (id !== null) return id
  if (domain !== null && (await ctx.remote.speaksOtherProtocol(username, domain))) {
    throw invalid('This account can only be reached by OStatus, which is no longer supported')
  }
  throw notFound()
}
