import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { isOwnDomain } from '#domain/identity/accounts/lookup.ts'
import { mayLookUp } from '#domain/server/hosts/look-ups.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { unique } from '#lib/collections.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'
import { findMentioned, type MentionedAccount } from './mentioned.ts'
import type { AccountId } from '#lib/id.ts'

interface Handle {
  username: string
  domain: string | null
}

/** Accounts that one text may have looked up, and the milliseconds that it waits for all of them. */
const max = 20
const patience = 5_000

/**
 * As `findMentioned`, after those of other servers that are not known here were looked up there. Servers that do not
 * answer in time, and those beyond what one person may have asked, leave their handles what they are: text. Not inside a transaction.
 */
export async function ensureMentioned(
  ctx: Ctx,
  authorId: AccountId,
  handles: readonly Handle[],
): Promise<MentionedAccount[]> {
  const missing = await findMissing(ctx, handles)
  if (missing.length > 0) {
    const lookUps = missing.map(
      async ({ username, domain }) =>
        (await mayLookUp(ctx, authorId)) && (await ctx.remote.findAccount(username, domain)),
    )
    await withTimeout(patience, Promise.allSettled(lookUps))
  }
  return findMentioned(ctx, authorId, handles)
}

async function findMissing(
  ctx: Ctx,
  handles: readonly Handle[],
): Promise<{ username: string; domain: string }[]> {
  const remote = handles.flatMap(({ username, domain }) => {
    const host = domain === null ? null : normaliseDomain(domain)
    return host === null || isOwnDomain(ctx.config, host)
      ? []
      : [{ username: username.toLowerCase(), domain: host }]
  })
  const wanted = unique(remote, ({ username, domain }) => `${username}@${domain}`).slice(0, max)
  if (wanted.length === 0) return []
  const { rows } = await sql<{ username: string; domain: string }>`
    select w.username, w.domain
    from unnest(${wanted.map((one) => one.username)}::text[], ${wanted.map((one) => one.domain)}::text[]) w (username, domain)
    where not exists (
      select 1 from accounts a where lower(a.username) = w.username and coalesce(a.domain, '') = w.domain offset 0)`.execute(
    ctx.db,
  )
  return rows
}
