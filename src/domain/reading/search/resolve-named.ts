import type { Ctx } from '#ports/ctx.ts'
import type { Found } from '#ports/remote.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import { mayLookUp } from '#domain/server/hosts/look-ups.ts'
import { notFound, tooMany, unprocessable } from '#lib/errors.ts'
import { findNamed, isUrl } from './find-named.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * What a text names as a whole, by its address or its handle, fetched from its server when it is not known and the person
 * has not had too much looked up of late. Null for anything else, and for what cannot be found. Not inside a transaction.
 */
export async function resolveNamed(ctx: Ctx, accountId: AccountId, text: string): Promise<Found | null> {
  const handle = !isUrl(text) && /^@?[^@\s]+@[^@\s]+$/.test(text) ? readHandle(ctx.config, text) : null
  if (!isUrl(text) && !handle?.domain) return null
  if (!(await findNamed(ctx, text)) && !(await mayLookUp(ctx, accountId))) return null
  if (!handle?.domain) return ctx.remote.findByUrl(text)
  const id = await ctx.remote.findAccount(handle.username, handle.domain)
  return id === null ? null : { kind: 'account', id }
}

/**
 * The account of a handle, asked for at its server when it is not known. Throws `not_found`, `too_many` when the person
 * has had too much looked up of late, and `invalid` for one that can only be reached by OStatus, which this server does
 * not speak.
 */
export async function findOrFetchAccount(ctx: Ctx, viewerId: AccountId, text: string): Promise<AccountId> {
  const handle = readHandle(ctx.config, text)
  if (!handle) throw notFound()
  const { username, domain } = handle
  const known = await findAccountByHandle(ctx, username, domain)
  if (!known && domain !== null && !(await mayLookUp(ctx, viewerId))) throw tooMany()
  const id = known?.id ?? (domain === null ? null : await ctx.remote.findAccount(username, domain))
  if (id !== null) return id
  if (domain !== null && (await ctx.remote.speaksOtherProtocol(username, domain))) {
    throw unprocessable('only_ostatus')
  }
  throw notFound()
}
