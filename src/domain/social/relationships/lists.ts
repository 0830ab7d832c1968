import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { groupBy } from '#lib/collections.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { AccountFacts } from '#domain/identity/accounts/queries.ts'
import { muteHoldsSql } from './mute-policy.ts'
import { isBlocking } from './queries.ts'
import { notFilteredFor } from './rules.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

/** Lists by the table they come from, whose they are and who stands in them. */
const sources = {
  followers: { table: 'follows', owner: 'target_account_id', other: 'account_id' },
  following: { table: 'follows', owner: 'account_id', other: 'target_account_id' },
  requests: { table: 'follow_requests', owner: 'target_account_id', other: 'account_id' },
  blocks: { table: 'blocks', owner: 'account_id', other: 'target_account_id' },
  mutes: { table: 'mutes', owner: 'account_id', other: 'target_account_id' },
  endorsements: { table: 'endorsements', owner: 'account_id', other: 'target_account_id' },
} as const

export type RelationList = keyof typeof sources
/** The lists of an account that others may read. */
export type NetworkList = 'followers' | 'following' | 'endorsements'

/** Accounts in one of the account's own lists, newest first. The cursors are ids of the join record. */
export async function listRelated(
  reader: Reader,
  kind: RelationList,
  accountId: AccountId,
  page: PageRequest,
): Promise<Page<AccountId>> {
  return read(reader, { kind, accountId, meetsId: null }, page)
}

/**
 * Accounts in a list of `account` as somebody reads it. It is empty for an account that is suspended, hides its
 * network, or blocks the reader; it leaves out whom the reader will not meet. Owners read all of their own.
 */
export async function listNetwork(
  reader: Reader,
  query: { kind: NetworkList; account: AccountFacts; viewerId: AccountId | null },
  page: PageRequest,
): Promise<Page<AccountId>> {
  const { kind, account, viewerId } = query
  if (account.suspended_at) return toPage<AccountId>([], page, (id) => id)
  if (account.id === viewerId) return listRelated(reader, kind, account.id, page)
  const hidden = kind !== 'endorsements' && account.hide_collections === true
  if (hidden || (viewerId !== null && (await isBlocking(reader, account.id, viewerId)))) {
    return toPage<AccountId>([], page, (id) => id)
  }
  return read(reader, { kind, accountId: account.id, meetsId: viewerId }, page)
}

async function read(
  reader: Reader,
  query: { kind: RelationList; accountId: AccountId; meetsId: AccountId | null },
  page: PageRequest,
): Promise<Page<AccountId>> {
  const { table, owner, other } = sources[query.kind]
  const l = (column: string) => sql.ref(`l.${column}`)
  const now = new Date(reader.clock.now())
  const { rows } = await sql<{ cursor: IdCursor; id: AccountId }>`
    select l.id as cursor, a.id from ${sql.table(table)} l join accounts a on a.id = ${l(other)}
    where ${l(owner)} = ${query.accountId} and a.suspended_at is null and a.deleted_at is null
      and ${query.kind === 'mutes' ? muteHoldsSql('l', now) : sql`true`}
      and ${notFilteredFor(query.meetsId, 'a', now)} and ${inPage('l.id', page)}
    ${orderAndLimit('l.id', page)}`.execute(reader.db)
  const found = toPage(rows, page, (row) => row.cursor)
  return { ...found, items: found.items.map((row) => row.id) }
}

/** Accounts named for one familiar account at most: apps show a few faces and a number. */
const familiarLimit = 80

/**
 * Whom the viewer follows among the followers of each account, by one query. Every account that exists has an
 * entry; it is empty where the network is hidden or the account blocks the viewer.
 */
export async function loadFamiliarFollowers(
  reader: Reader,
  viewerId: AccountId,
  ids: readonly AccountId[],
): Promise<Map<AccountId, AccountId[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ target: AccountId; follower: AccountId | null }>`
    select t.id as target, k.id as follower from accounts t
    left join lateral (
      select a.id, f.id as cursor from follows mine
      join follows f on f.account_id = mine.target_account_id and f.target_account_id = t.id
      join accounts a on a.id = f.account_id
      where mine.account_id = ${viewerId} and t.hide_collections is not true and a.hide_collections is not true
        and a.suspended_at is null and a.deleted_at is null and ${notFilteredFor(viewerId, 'a', new Date(reader.clock.now()))}
        and not ${isBlocked({ blocker: sql`t.id`, blocked: viewerId })}
      order by f.id desc limit ${familiarLimit}) k on true
    where t.id = any(${[...new Set(ids)]}::bigint[]) and t.suspended_at is null and t.deleted_at is null
    order by k.cursor desc`.execute(reader.db)
  const groups = groupBy(rows, (row) => row.target)
  return new Map([...groups].map(([id, group]) => [id, group.flatMap((row) => row.follower ?? [])]))
}
