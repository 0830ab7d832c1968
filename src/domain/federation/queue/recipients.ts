// To which inboxes of other servers an activity goes, each question one statement. Many inboxes of a server are one
// where it has a shared inbox. What is for one account alone goes to its own inbox.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { groupBy } from '#lib/collections.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { timeToId } from '#lib/ids.ts'
import type { AccountId, ReportId, StatusId } from '#lib/id.ts'

/** Rows `accounts a` of other servers that can be sent to. */
const present = sql`a.domain is not null and a.inbox_url is not null and a.deleted_at is null`
const reachable = sql`${present} and a.suspended_at is null`

const shared = sql`coalesce(a.shared_inbox_url, a.inbox_url)`

async function listInboxes(reader: Reader, accounts: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ inbox: string }>`
    select distinct ${shared} as inbox from accounts a
    where a.id in (${accounts}) and ${reachable}`.execute(reader.db)
  return rows.map((row) => row.inbox)
}

const followersOf = (account: RawBuilder<unknown>) => sql`
  select f.account_id from follows f where f.target_account_id = ${account}`

/**
 * `new`: those it is for. `changed`: also whom it has reached since, because they boosted, favourited, answered or quoted
 * it or voted, as far as it is still for them. `gone`: these too where it is for them no more, as they still have it.
 */
export type Reach = 'new' | 'changed' | 'gone'

/**
 * The inboxes of those who get a local status, deleted or not: by its visibility the author's followers, those it
 * names (of a limited author only those who follow, or ask to), and, when it is open to all, whom it answers, quotes and
 * boosts, and the followers of a local account that it answers, but for those of servers that the author hides.
 */
export const listStatusInboxes = (reader: Reader, statusId: StatusId, reach: Reach): Promise<string[]> =>
  inboxesOf[reach](reader, statusId)

/** Of statuses that are told of together, one query. */
const inboxLoader = (reach: Reach) =>
  createBatchLoader<Reader, StatusId, string[]>({
    max: 50,
    run: (reader, statusIds) => loadStatusInboxes(reader, statusIds, reach),
  })

const inboxesOf = { new: inboxLoader('new'), changed: inboxLoader('changed'), gone: inboxLoader('gone') }

async function loadStatusInboxes(
  reader: Reader,
  statusIds: readonly StatusId[],
  reach: Reach,
): Promise<string[][]> {
  const open = reach === 'gone' ? sql`true` : sql`s.open`
  const since = sql`
    union all select b.account_id from statuses b, s where ${open} and b.reblog_of_id = s.id
      and (b.deleted_at is null or b.deleted_at = s.deleted_at)
    union all select v.account_id from favourites v, s where ${open} and v.status_id = s.id
    union all select r.account_id from status_reactions r, s where ${open} and r.status_id = s.id
    union all select w.account_id from statuses w, s where ${open} and w.in_reply_to_id = s.id
    union all select q.account_id from quotes q, s where ${open} and q.quoted_status_id = s.id
    union all select p.account_id from poll_votes p, s where ${open} and p.poll_id = s.poll_id`
  const { rows } = await sql<{ status_id: StatusId; inbox: string }>`
    select w.id as status_id, r.inbox from unnest(${statusIds}::bigint[]) w (id) cross join lateral (
    with s as (
      select t.id, t.account_id, t.visibility, t.in_reply_to_account_id, t.reblog_of_id, t.poll_id, t.deleted_at,
        t.visibility in ('public', 'unlisted') as open, author.silenced_at is not null as limited
      from statuses t join accounts author on author.id = t.account_id
      where t.id = w.id and t.local and not t.local_only),
    reached as (
      select f.account_id from follows f, s
        where f.target_account_id = s.account_id and s.visibility in ('public', 'unlisted', 'private')
      union all select m.account_id from mentions m, s where m.status_id = s.id and (not s.limited or ${reach === 'gone'}
        or exists (
          select 1 from follows f where f.account_id = m.account_id and f.target_account_id = s.account_id offset 0)
        or exists (
          select 1 from follow_requests r
          where r.account_id = m.account_id and r.target_account_id = s.account_id offset 0))
        and (${reach !== 'changed'} or s.open or not ${isBlocked({ blocker: sql`s.account_id`, blocked: sql`m.account_id` })})
      union all select s.in_reply_to_account_id from s where s.open
      union all select o.account_id from statuses o, s where o.id = s.reblog_of_id
      union all select q.quoted_account_id from quotes q, s where q.status_id = s.id and s.open
      union all select f.account_id from follows f, s
        where s.open and s.reblog_of_id is null and f.target_account_id = s.in_reply_to_account_id
          and exists (select 1 from accounts p where p.id = s.in_reply_to_account_id and p.domain is null offset 0)
          and not exists (
            select 1 from accounts g join account_domain_blocks h on h.domain = g.domain
            where g.id = f.account_id and h.account_id = s.account_id offset 0)
      ${reach === 'new' ? sql`` : since})
    select distinct ${shared} as inbox from accounts a
    where a.id in (select account_id from reached) and ${reachable}) r`.execute(reader.db)
  const found = groupBy(rows, (row) => row.status_id)
  return statusIds.map((id) => (found.get(id) ?? []).map((row) => row.inbox))
}

/** The inboxes of an account's followers. */
export const listFollowerInboxes = (reader: Reader, accountId: AccountId): Promise<string[]> =>
  listInboxes(reader, followersOf(sql`${accountId}::bigint`))

/** How long ago somebody was named to be told of changes still, in milliseconds. */
const recent = 30 * 86_400_000
const maxContacts = 2_000

/**
 * The inboxes of those who should hear that a local account changed: its followers, those it follows or asks to, those
 * it blocks too when `blocked` is set, and whom it lately named.
 */
export async function listAccountInboxes(
  reader: Reader,
  accountId: AccountId,
  { blocked = false }: { blocked?: boolean } = {},
): Promise<string[]> {
  const since = timeToId(reader.clock.now() - recent)
  const blockers = sql`union all select b.account_id from blocks b where b.target_account_id = ${accountId}
    union all select b.target_account_id from blocks b where b.account_id = ${accountId}`
  return listInboxes(
    reader,
    sql`${followersOf(sql`${accountId}::bigint`)}
      union all select f.target_account_id from follows f where f.account_id = ${accountId}
      union all select r.target_account_id from follow_requests r where r.account_id = ${accountId}
      union all (select m.account_id from statuses s join mentions m on m.status_id = s.id
        where s.account_id = ${accountId} and s.id > ${since}::bigint and s.deleted_at is null
        order by s.id desc limit ${maxContacts})
      ${blocked ? blockers : sql``}`,
  )
}

/** One inbox of every server with which this one ever had to do. */
export async function listKnownInboxes(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ inbox: string }>`
    select distinct ${shared} as inbox from accounts a where ${reachable}`.execute(reader.db)
  return rows.map((row) => row.inbox)
}

/**
 * The inboxes a report is passed on to: of the reported account, where its server is among those named or none is, and
 * of those of the named servers whom its statuses answer.
 */
export async function listFlagInboxes(reader: Reader, reportId: ReportId): Promise<string[]> {
  const { rows } = await sql<{ inbox: string }>`
    with r as (select target_account_id, forwarded_to, status_ids from reports where id = ${reportId})
    select distinct a.inbox_url as inbox from r join accounts a on a.id = r.target_account_id
      and (r.forwarded_to = '{}' or a.domain = any(r.forwarded_to))
    where ${present}
    union
    select distinct ${shared} from r join statuses s on s.id = any(r.status_ids)
      join accounts a on a.id = s.in_reply_to_account_id and a.domain = any(r.forwarded_to)
    where ${present}`.execute(reader.db)
  return rows.map((row) => row.inbox)
}
