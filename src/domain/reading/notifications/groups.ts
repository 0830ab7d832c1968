// Notifications of one kind about one thing as one item of a list, for version 2 of the API.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { compareIds } from '#lib/ids.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { describeGroups, groupOfOne, type NotificationGroup } from './describe-groups.ts'
import { belongsTo, idInKey, inGroup, keyFor } from './group-key.ts'
import {
  getNotification,
  newerThanMarker,
  notificationColumns,
  notificationSource,
  type NotificationRow,
  type Recipient,
} from './queries.ts'
import { rangeOf, walkGroups, type GroupFilter, type Walk } from './walk-groups.ts'
import type { AccountId, NotificationId, StatusId } from '#lib/id.ts'

/** Notifications that a page may reach over, at first for each group that is wanted, and at most. */
const usualReach = 10
const maxReach = 5000

/**
 * A page of groups, those with the newest notification on it first. Cursors are ids of notifications: a page is a
 * range of them with as many groups as are wanted, and a group that goes on beyond comes again on the next page. When
 * very many belong to few groups the page ends early.
 */
export async function listGroups(
  reader: Reader,
  recipient: Recipient,
  filter: GroupFilter,
  page: PageRequest,
): Promise<Page<NotificationGroup>> {
  let found = await walkGroups(reader, recipient, { filter, page, reach: usualReach * page.limit })
  if (found.rows.length < page.limit && found.end !== null) {
    found = await walkGroups(reader, recipient, { filter, page, reach: maxReach })
  }
  const groups = await describeGroups(reader, recipient, {
    filter,
    rows: found.rows,
    range: rangeOf(found, page),
  })
  return {
    items: groups.toSorted((a, b) => compareIds(b.page.maxId, a.page.maxId)),
    ...cursorsOf(groups, found, page),
    full: found.rows.length >= page.limit || found.end !== null,
  }
}

/** The ends of what was read: where a walk had to stop, even when nothing there is shown. */
function cursorsOf(groups: readonly NotificationGroup[], { rows, end }: Walk, page: PageRequest) {
  const stopped = rows.length < page.limit ? end : null
  const ids = groups.flatMap((group) => [group.page.minId, group.page.maxId])
  if (stopped !== null) ids.push(stopped)
  const sorted = ids.toSorted(compareIds)
  return { newest: sorted.at(-1) ?? null, oldest: sorted[0] ?? null }
}

/** One group: of what is shown, or else of what is set aside. Throws `not_found`. */
export async function getGroup(
  reader: Reader,
  recipient: Recipient,
  key: string,
): Promise<NotificationGroup> {
  const id = idInKey(key)
  if (id !== null) return groupOfOne({ ...(await getNotification(reader, recipient, id)), key })
  for (const filter of [{}, { includeFiltered: true }]) {
    const { rows } = await sql<NotificationRow>`
      select ${notificationColumns('n')} ${await notificationSource(reader, recipient, filter)} and ${inGroup('n', key)}
      order by n.id desc limit 1`.execute(reader.db)
    const found = rows.map((row) => ({ ...row, key }))
    const [group] = await describeGroups(reader, recipient, { filter, rows: found, range: null })
    if (group) return group
  }
  throw notFound()
}

/** A page of the accounts behind a group, the latest first. The cursors are ids of notifications. */
export async function listGroupAccounts(
  reader: Reader,
  recipient: Recipient,
  key: string,
  page: PageRequest,
): Promise<Page<AccountId>> {
  const { rows } = await sql<{ id: NotificationId; from_account_id: AccountId }>`
    select n.id, n.from_account_id ${await notificationSource(reader, recipient, {})} and ${belongsTo('n', key)}
      and ${inPage('n.id', page)} ${orderAndLimit('n.id', page)}`.execute(reader.db)
  const found = toPage(rows, page, (row) => row.id)
  return { ...found, items: found.items.map((row) => row.from_account_id) }
}

/**
 * The groups with something newer than the recipient's marker, as `listUnreadSubjects` has single notifications. When
 * very many belong to few groups, not all are found.
 */
export async function listUnreadGroups(
  reader: Reader,
  recipient: Recipient,
  filter: GroupFilter,
  max: number,
): Promise<(StatusId | null)[]> {
  const { rows } = await sql<{ key: string; status_id: StatusId | null }>`
    select distinct w.key, w.status_id from (
      select ${keyFor('n', filter.groupedTypes)} as key, n.status_id ${await notificationSource(reader, recipient, filter)}
        and ${newerThanMarker('n', recipient)} order by n.id desc limit ${Math.min(usualReach * max, maxReach)}) w
    limit ${max}`.execute(reader.db)
  return rows.map((row) => row.status_id)
}
