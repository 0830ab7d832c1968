import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { createEventPace } from '#db/pace-events.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid } from '#lib/errors.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { deleteFollows, deleteRequests, lockAccounts, type Actor, type Pair } from './rows.ts'
import { findLosses, recordLosses, severanceOfDomain } from './severances.ts'
import type { AccountDomainBlockId, AccountId } from '#lib/id.ts'

/** Accounts of a domain that one transaction parts from. */
const batch = 100
/** Domains that one account hides at most: as many as one import may name. */
const maxHidden = 20_000

/** Domains that the account hides from itself, the latest first. The cursors are ids of the join record. */
export async function listHiddenDomains(
  reader: Reader,
  accountId: AccountId,
  page: PageRequest,
): Promise<Page<string>> {
  const { rows } = await sql<{ id: AccountDomainBlockId; domain: string }>`
    select id, domain from account_domain_blocks where account_id = ${accountId} and ${inPage('id', page)}
    ${orderAndLimit('id', page)}`.execute(reader.db)
  const found = toPage(rows, page, (row) => row.id)
  return { ...found, items: found.items.map((row) => row.domain) }
}

/** The domain in its one spelling. Throws `invalid` for what is none. */
export function requireDomain(text: string | undefined): string {
  const given = text?.trim() ?? ''
  if (given === '') throw invalid('domain', 'blank')
  const domain = normaliseDomain(given.replace(/^@/, ''))
  if (domain === null) throw invalid('domain', 'not_a_domain_name')
  return domain
}

/**
 * Hides a domain: whoever follows from there is rejected, and follows of its accounts end. Idempotent. The
 * first part happens at once, the rest by the event. Throws `invalid` for what is no domain, and when the account hides as
 * many as it may.
 */
export async function hideDomain(ctx: Ctx, actor: Actor, text: string | undefined): Promise<void> {
  const domain = requireDomain(text)
  await ctx.transaction(async (tx) => {
    await assertRoom(tx, actor.accountId, domain)
    const { rows } = await sql`
      insert into account_domain_blocks (id, account_id, domain, created_at)
      values (${tx.newId()}, ${actor.accountId}, ${domain}, ${new Date(tx.clock.now())})
      on conflict (account_id, domain) do nothing returning id`.execute(tx.db)
    if (rows.length === 0) return
    await severSome(tx, actor.accountId, domain)
    await tx.emit({ type: 'domain-block.created', accountId: actor.accountId, domain })
  })
}

/** One after the other for each account: two at once must not pass the limit together. */
async function assertRoom(tx: Tx, accountId: AccountId, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`hidden-domains:${accountId}`}))`.execute(tx.db)
  const { rows } = await sql<{ has_room: boolean }>`
    select count(*) < ${maxHidden} or bool_or(domain = ${domain}) as has_room
    from account_domain_blocks where account_id = ${accountId}`.execute(tx.db)
  if (!rows[0]?.has_room) throw invalid('base', 'too_many_domain_blocks', { max: maxHidden })
}

/** Shows a domain again; what hiding it ended stays ended. Throws `invalid` for what is no domain. */
export async function showDomain(ctx: Ctx, actor: Actor, text: string | undefined): Promise<void> {
  const domain = requireDomain(text)
  const { accountId } = actor
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      delete from account_domain_blocks where account_id = ${accountId} and domain = ${domain} returning id`.execute(
      tx.db,
    )
    if (rows.length > 0) await tx.emit({ type: 'domain-block.deleted', accountId, domain })
  })
}

/** Ends what is left between an account and a domain that it hides. Safe to run again. */
export async function severDomain(ctx: Ctx, accountId: AccountId, domain: string): Promise<void> {
  const pace = createEventPace(ctx)
  while (await ctx.transaction((tx) => severSome(tx, accountId, domain))) await pace()
}

/** Parts from some accounts of a domain that is still hidden; false when no more are left. */
async function severSome(tx: Tx, accountId: AccountId, domain: string): Promise<boolean> {
  const others = await findTied(tx, accountId, domain)
  if (others.length === 0) return false
  await lockAccounts(tx, [accountId, ...others])
  const pairs = others.flatMap((other) => [
    { accountId, targetAccountId: other },
    { accountId: other, targetAccountId: accountId },
  ])
  const own = (gone: Pair) => gone.accountId === accountId
  const losses = await findLosses(tx, pairs, (id) => id === accountId)
  for (const gone of await deleteFollows(tx, pairs)) {
    await tx.emit({ type: own(gone) ? 'follow.deleted' : 'follow.rejected', ...gone })
  }
  for (const gone of await deleteRequests(tx, pairs)) {
    await tx.emit({ type: own(gone) ? 'follow-request.deleted' : 'follow-request.rejected', ...gone })
  }
  if (losses.length > 0) await recordLosses(tx, await severanceOfDomain(tx, accountId, domain), losses)
  return others.length === batch
}

async function findTied(tx: Tx, accountId: AccountId, domain: string): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    with tied as (
      select target_account_id as id from follows where account_id = ${accountId}
      union select account_id from follows where target_account_id = ${accountId}
      union select target_account_id from follow_requests where account_id = ${accountId}
      union select account_id from follow_requests where target_account_id = ${accountId})
    select a.id from tied t join accounts a on a.id = t.id
    where a.domain = ${domain} and exists (
      select 1 from account_domain_blocks d where d.account_id = ${accountId} and d.domain = ${domain})
    limit ${batch}`.execute(tx.db)
  return rows.map((row) => row.id)
}

export interface DomainTies {
  following_count: number
  followers_count: number
}

/** How many follows hiding a domain would end. Throws `invalid` for what is no domain. */
export async function countDomainTies(
  reader: Reader,
  accountId: AccountId,
  text: string | undefined,
): Promise<DomainTies> {
  const domain = requireDomain(text)
  const { rows } = await sql<DomainTies>`
    select
      (select count(*)::int from follows f join accounts a on a.id = f.target_account_id
        where f.account_id = ${accountId} and a.domain = ${domain}) as following_count,
      (select count(*)::int from follows f join accounts a on a.id = f.account_id
        where f.target_account_id = ${accountId} and a.domain = ${domain}) as followers_count`.execute(
    reader.db,
  )
  return rows[0] ?? { following_count: 0, followers_count: 0 }
}
