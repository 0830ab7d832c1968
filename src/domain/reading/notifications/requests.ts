import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { NotificationRequestsTable } from '#db/schema/people-and-reach.ts'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import type { AccountId, NotificationRequestId, StatusId } from '#lib/id.ts'

/** Somebody whose notifications the policy has set aside. */
export interface RequestRow extends Pick<
  Selectable<NotificationRequestsTable>,
  'id' | 'from_account_id' | 'created_at' | 'updated_at'
> {
  /** Counted up to 100. */
  notifications_count: number
  /** Of the newest message among them. */
  last_status_id: StatusId | null
}

/** The newest notifications of a request that are counted and looked through. */
const maxCounted = 100

const columns = sql`r.id, r.from_account_id, r.created_at, r.updated_at, w.notifications_count, w.last_status_id`

/**
 * An account's requests `r` with what waits `w`, counted from the notifications themselves, so that it is right
 * whatever took some of them away. Nobody who is gone, muted, or of whom nothing is left.
 */
export function requestSource(reader: Reader, accountId: AccountId): RawBuilder<unknown> {
  const pair = { muter: sql`r.account_id`, muted: sql`r.from_account_id` }
  const muted = isMuted(pair, new Date(reader.clock.now()), 'notifications')
  return sql`from notification_requests r
    join accounts a on a.id = r.from_account_id and a.suspended_at is null and a.deleted_at is null
    cross join lateral (
      select count(*)::int as notifications_count, (array_agg(n.status_id order by n.id desc) filter (
        where n.type in ('mention', 'quote')))[1] as last_status_id
      from (
        select id, type, status_id from notifications
        where account_id = r.account_id and from_account_id = r.from_account_id and filtered
        order by id desc limit ${maxCounted}) n) w
    where r.account_id = ${accountId} and w.notifications_count > 0 and not ${muted}`
}

/** A page of the account's requests, the newest first. */
export async function listRequests(
  reader: Reader,
  accountId: AccountId,
  page: PageRequest,
): Promise<Page<RequestRow>> {
  const { rows } = await sql<RequestRow>`
    select ${columns} ${requestSource(reader, accountId)} and ${inPage('r.id', page)}
    ${orderAndLimit('r.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** One of the account's requests. Throws `not_found`, also for those of others. */
export async function getRequest(
  reader: Reader,
  accountId: AccountId,
  id: NotificationRequestId,
): Promise<RequestRow> {
  const { rows } = await sql<RequestRow>`
    select ${columns} ${requestSource(reader, accountId)} and r.id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}
