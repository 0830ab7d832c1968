import { sql, type QueryExecutorProvider } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { valueOf } from '#lib/collections.ts'
import { loadLinesOfAll } from '#domain/identity/accounts/load.ts'
import { muteHoldsSql } from './mute-policy.ts'
import type { AccountId } from '#lib/id.ts'

/** How one account stands to another. It does not say whether the other blocks it: nobody is told. */
export interface Relation {
  id: AccountId
  following: boolean
  requested: boolean
  followed_by: boolean
  requested_by: boolean
  showing_reblogs: boolean
  notifying: boolean
  languages: string[] | null
  blocking: boolean
  muting: boolean
  muting_notifications: boolean
  muting_expires_at: Date | null
  domain_blocking: boolean
  endorsed: boolean
  note: string
}

/**
 * How an account stands to each of `ids`, by one query whatever their number, which finds only what there is between them.
 * Missing accounts are left out, and suspended ones unless asked for.
 */
export async function loadRelations(
  ctx: Ctx,
  accountId: AccountId,
  ids: readonly AccountId[],
  options: { withSuspended?: boolean | undefined } = {},
): Promise<Map<AccountId, Relation>> {
  const lines = await loadLinesOfAll(ctx, ids)
  const relations = new Map<AccountId, Relation>()
  const domains = new Set<string>()
  for (const line of lines.values()) {
    if (!line.present || (line.suspended && !options.withSuspended)) continue
    relations.set(line.id, strangerOf(line.id))
    if (line.domain !== null) domains.add(line.domain)
  }
  if (relations.size === 0) return relations
  const asked = domains.size === 0 ? null : [...domains]
  const { rows } = await askTies(ctx.db, accountId, [...relations.keys()], new Date(ctx.clock.now()), asked)
  const hidden = new Set<string | null>()
  for (const tie of rows) {
    const relation = valueOf(relations, tie.id)
    if (relation) addTie(relation, tie)
    else hidden.add(tie.text)
  }
  for (const relation of hidden.size === 0 ? [] : relations.values())
    relation.domain_blocking = hidden.has(lines.get(relation.id)?.domain ?? null)
  return relations
}

/** Somebody with whom there is nothing yet. */
const strangerOf = (id: AccountId): Relation => ({
  id,
  following: false,
  requested: false,
  followed_by: false,
  requested_by: false,
  showing_reblogs: false,
  notifying: false,
  languages: null,
  blocking: false,
  muting: false,
  muting_notifications: false,
  muting_expires_at: null,
  domain_blocking: false,
  endorsed: false,
  note: '',
})

/** One thing that is between two accounts, under the name that it has in `Relation`, and what is said of it. */
interface TieRow {
  tie: string
  /** The other account; null for a domain. */
  id: AccountId | null
  show_reblogs: boolean | null
  notify: boolean | null
  languages: string[] | null
  hide_notifications: boolean | null
  expires_at: Date | null
  /** A note, or a domain. */
  text: string | null
}

function addTie(relation: Relation, row: TieRow): void {
  switch (row.tie) {
    case 'following':
    case 'requested':
      relation[row.tie] = true
      // Whoever is followed already is told of as that, whatever was asked besides.
      if (row.tie === 'requested' && relation.following) break
      relation.showing_reblogs = row.show_reblogs === true
      relation.notifying = row.notify === true
      relation.languages = row.languages
      break
    case 'muting':
      relation.muting = true
      relation.muting_notifications = row.hide_notifications === true
      relation.muting_expires_at = row.expires_at
      break
    case 'note':
      relation.note = row.text ?? ''
      break
    case 'followed_by':
    case 'requested_by':
    case 'blocking':
    case 'endorsed':
      relation[row.tie] = true
  }
}

const askTies = keepStatement(
  (
    db: QueryExecutorProvider,
    ...[accountId, ids, now, domains]: [
      accountId: AccountId,
      ids: readonly AccountId[],
      now: Date,
      domains: readonly string[] | null,
    ]
  ) => {
    const their = sql`account_id = ${accountId} and target_account_id = any(${ids}::bigint[])`
    const theirs = sql`target_account_id = ${accountId} and account_id = any(${ids}::bigint[])`
    const none = sql`null, null, null, null, null`
    return sql<TieRow>`
    select 'following' as tie, target_account_id as id, show_reblogs, notify, languages,
      null::boolean as hide_notifications, null::timestamptz as expires_at, null as text
    from follows where ${their}
    union all select 'requested', target_account_id, show_reblogs, notify, languages, null, null, null
    from follow_requests where ${their}
    union all select 'followed_by', account_id, ${none}, null from follows where ${theirs}
    union all select 'requested_by', account_id, ${none}, null from follow_requests where ${theirs}
    union all select 'blocking', target_account_id, ${none}, null from blocks where ${their}
    union all select 'muting', target_account_id, null, null, null, hide_notifications, expires_at, null
    from mutes where ${their} and ${muteHoldsSql('mutes', now)}
    union all select 'endorsed', target_account_id, ${none}, null from endorsements where ${their}
    union all select 'note', target_account_id, ${none}, comment from account_notes where ${their}
    ${
      domains === null
        ? sql``
        : sql`
    union all select 'domain_blocking', null, ${none}, domain from account_domain_blocks
    where account_id = ${accountId} and domain = any(${domains}::text[])`
    }`.execute(db)
  },
)

type Table = 'follows' | 'blocks'

async function holds(
  reader: Reader,
  table: Table,
  accountId: AccountId,
  targetId: AccountId,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from ${sql.table(table)} where account_id = ${accountId} and target_account_id = ${targetId}`.execute(
    reader.db,
  )
  return rows.length > 0
}

export const isFollowing = (reader: Reader, accountId: AccountId, targetId: AccountId) =>
  holds(reader, 'follows', accountId, targetId)
export const isBlocking = (reader: Reader, accountId: AccountId, targetId: AccountId) =>
  holds(reader, 'blocks', accountId, targetId)

/** Whether there is a follow or a request: following again then only changes options. */
export async function hasFollowOrRequest(
  reader: Reader,
  accountId: AccountId,
  targetId: AccountId,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from follows where account_id = ${accountId} and target_account_id = ${targetId}
    union all
    select 1 from follow_requests where account_id = ${accountId} and target_account_id = ${targetId}`.execute(
    reader.db,
  )
  return rows.length > 0
}
