import { sql, type QueryExecutorProvider, type RawBuilder, type Selectable } from 'kysely'
import { keepStatement } from '#db/keep-statement.ts'
import type { NotificationsTable } from '#db/schema/feeds.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit, pageArguments, pageFrom } from '#db/paging.ts'
import { loadLinesOfAll, type AccountLine } from '#domain/identity/accounts/load.ts'
import { hasPermission, type Permission } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { loadStatusStates, type StatusState } from '#domain/content/statuses/load-viewer-state.ts'
import { unique } from '#lib/collections.ts'
import { readWalked } from '#db/walked-page.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'
import type { AccountId, NotificationId, StatusId } from '#lib/id.ts'

export type NotificationType =
  | 'mention'
  | 'status'
  | 'reblog'
  | 'follow'
  | 'follow_request'
  | 'favourite'
  | 'poll'
  | 'update'
  | 'quote'
  | 'quoted_update'
  | 'admin.sign_up'
  | 'admin.report'
  | 'severed_relationships'
  | 'moderation_warning'
  | 'annual_report'
  | 'added_to_collection'
  | 'collection_update'
  | 'pleroma:emoji_reaction'

/** A notification as it is stored. */
export interface NotificationRow extends Pick<
  Selectable<NotificationsTable>,
  | 'id'
  | 'from_account_id'
  | 'status_id'
  | 'collection_id'
  | 'reaction_id'
  | 'annual_report_id'
  | 'severance_id'
  | 'warning_id'
  | 'report_id'
  | 'group_key'
  | 'filtered'
  | 'created_at'
> {
  type: NotificationType
}

/** Whose notifications are read, and what they may see of them. */
export type Recipient = Pick<Viewer, 'accountId' | 'permissions'>

/** Which notifications are asked for. Kinds that do not exist match nothing. */
export interface NotificationFilter {
  types?: readonly string[] | undefined
  excludeTypes?: readonly string[] | undefined
  /** Only those that this account caused, the filtered ones among them. */
  fromAccountId?: AccountId | undefined
  includeFiltered?: boolean | undefined
}

/** What Pleroma's API calls the notification of an emoji reaction. */
export const reactionKind = 'pleroma:emoji_reaction'

/** The columns of `NotificationRow`, from the notification that is called so. */
export function notificationColumns(notification: string): RawBuilder<unknown> {
  const n = sql.id(notification)
  return sql`${n}.id, ${n}.type, ${n}.from_account_id, ${n}.status_id, ${n}.collection_id, ${n}.reaction_id,
  ${n}.annual_report_id, ${n}.severance_id, ${n}.warning_id, ${n}.report_id, ${n}.group_key, ${n}.filtered, ${n}.created_at`
}

/** Kinds for staff alone, and the permission without which they are hidden again. */
const staffKinds: Readonly<Record<string, Permission>> = {
  'admin.report': 'manage_reports',
  'admin.sign_up': 'manage_users',
}

/**
 * The notifications `n` that match, as far as the recipient is to see them: FROM and WHERE, to which conditions may be
 * added. Version 1 and version 2 of the API read this and nothing else.
 */
export async function notificationSource(
  reader: Reader,
  recipient: Recipient,
  filter: NotificationFilter,
): Promise<RawBuilder<unknown>> {
  return sourceOf(await sightOf(reader, recipient), filter)
}

/** What decides what a recipient is shown. */
interface Sight {
  accountId: AccountId
  hiddenKinds: readonly string[]
  now: Date
}

const sightOf = async (reader: Reader, recipient: Recipient): Promise<Sight> => ({
  accountId: recipient.accountId,
  hiddenKinds: await hiddenKinds(reader, recipient),
  now: new Date(reader.clock.now()),
})

const sourceOf = (sight: Sight, filter: NotificationFilter): RawBuilder<unknown> =>
  sql`from notifications n
    join accounts a on a.id = n.from_account_id
    left join statuses s on s.id = n.status_id
    where n.account_id = ${sight.accountId} and ${matches(filter)} and ${shownTo(sight)}
      and n.type <> all(${sight.hiddenKinds}::text[])`

/**
 * The same of notifications about one thing, of which one is known to be shown: only their senders are looked at, each
 * at little cost.
 */
export function notificationsOfShown(
  reader: Reader,
  recipient: Recipient,
  filter: NotificationFilter,
): RawBuilder<unknown> {
  return sql`from notifications n
    join accounts a on a.id = n.from_account_id
    where n.account_id = ${recipient.accountId} and ${matches(filter)} and ${senderShownTo(recipient.accountId, new Date(reader.clock.now()))}`
}

/** The same but for what is hidden, to look at how far a list reaches: not to be shown. */
export function notificationRange(recipient: Recipient, filter: NotificationFilter): RawBuilder<unknown> {
  return sql`from notifications n where n.account_id = ${recipient.accountId} and ${matches(filter)}`
}

/** Not from those who are suspended or now muted, nor about what the viewer may no longer see. */
function shownTo({ accountId, now }: Sight): RawBuilder<boolean> {
  return sql`(${senderShownTo(accountId, now)} and (n.status_id is null or ${visibleTo(accountId, 's')}))`
}

function senderShownTo(accountId: AccountId, now: Date): RawBuilder<boolean> {
  return sql`(a.suspended_at is null and a.deleted_at is null and not ${isSenderMuted(accountId, now)})`
}

const isSenderMuted = (accountId: AccountId, now: Date): RawBuilder<boolean> =>
  isMuted({ muter: accountId, muted: sql`n.from_account_id` }, now, 'notifications')

/** Those of an extension that is off, and those for which the recipient is no longer entitled. */
async function hiddenKinds(reader: Reader, recipient: Recipient): Promise<string[]> {
  const reactionsOn = (await getSettings(reader)).emoji_reactions
  const closed = Object.entries(staffKinds).filter(([, permission]) => !hasPermission(recipient, permission))
  return [...(reactionsOn ? [] : [reactionKind]), ...closed.map(([kind]) => kind)]
}

function matches(filter: NotificationFilter): RawBuilder<boolean> {
  const { types, excludeTypes, fromAccountId } = filter
  const conditions = [sql`true`]
  // One kind alone is a range of an index of its own.
  if (types?.length === 1) conditions.push(sql`n.type = ${types[0]}`)
  else if (types && types.length > 0) conditions.push(sql`n.type = any(${types}::text[])`)
  if (excludeTypes && excludeTypes.length > 0) conditions.push(sql`n.type <> all(${excludeTypes}::text[])`)
  if (fromAccountId !== undefined) conditions.push(sql`n.from_account_id = ${fromAccountId}`)
  else if (!filter.includeFiltered) conditions.push(sql`not n.filtered`)
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** A page of somebody's notifications, and what they see of the statuses that these are about. */
export interface NotificationPage extends Page<NotificationRow> {
  states: ReadonlyMap<StatusId, StatusState>
}

/** What decides which of some notifications are shown: as `shownTo`, but for the mutes. */
interface Subjects {
  states: ReadonlyMap<StatusId, StatusState>
  senders: ReadonlyMap<AccountId, AccountLine>
}

export async function listNotifications(
  ctx: Ctx,
  recipient: Recipient,
  filter: NotificationFilter,
  page: PageRequest,
): Promise<NotificationPage> {
  const sight = await sightOf(ctx, recipient)
  const { accountId, hiddenKinds: hidden, now } = sight
  const isPlain = Object.values(filter).every((value) => value === undefined)
  const { rows, known } = await readWalked<NotificationRow, Subjects>(page, {
    walk: async (longer) => {
      const { rows: walked } = isPlain
        ? await askAll(ctx.db, accountId, hidden, now, ...pageArguments(longer))
        : await selectWalk(sight, filter, longer).execute(ctx.db)
      return walked
    },
    know: async (some) => ({
      senders: await loadLinesOfAll(ctx, unique(some.map((row) => row.from_account_id))),
      states: await loadStatusStates(ctx, accountId, unique(some.flatMap((row) => row.status_id ?? []))),
    }),
    has: ({ from_account_id: from, status_id: statusId }, { senders, states }) => {
      const sender = senders.get(from)
      if (!sender || sender.suspended || sender.deleted) return false
      return statusId === null || states.has(statusId)
    },
    exact: async (asked) => (await selectPage(sight, filter, asked).execute(ctx.db)).rows,
  })
  return { ...toPage(rows, page, (row) => row.id), states: known.states }
}

const selectPage = (sight: Sight, filter: NotificationFilter, page: PageRequest) =>
  sql<NotificationRow>`
    select ${notificationColumns('n')} ${sourceOf(sight, filter)} and ${inPage('n.id', page)}
    ${orderAndLimit('n.id', page)}`

/** Whoever they are from and whatever they are about: of these, only mutes are looked at. */
const selectWalk = (
  { accountId, hiddenKinds: hidden, now }: Sight,
  filter: NotificationFilter,
  page: PageRequest,
) =>
  sql<NotificationRow>`
    select ${notificationColumns('n')} from notifications n
    where n.account_id = ${accountId} and ${matches(filter)} and not ${isSenderMuted(accountId, now)}
      and n.type <> all(${hidden}::text[]) and ${inPage('n.id', page)}
    ${orderAndLimit('n.id', page)}`

type PageOfAll = [
  accountId: AccountId,
  hiddenKinds: readonly string[],
  now: Date,
  ...cut: ReturnType<typeof pageArguments>,
]

const askAll = keepStatement((db: QueryExecutorProvider, ...[accountId, hidden, now, ...cut]: PageOfAll) =>
  selectWalk({ accountId, hiddenKinds: hidden, now }, {}, pageFrom(...cut)).execute(db),
)

/** One of somebody's notifications. Throws `not_found`, also for those of others. */
export async function getNotification(
  reader: Reader,
  recipient: Recipient,
  id: NotificationId,
): Promise<NotificationRow> {
  const { rows } = await sql<NotificationRow>`
    select ${notificationColumns('n')} ${await notificationSource(reader, recipient, { includeFiltered: true })}
      and n.id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The condition that a notification is newer than its recipient's marker. */
export function newerThanMarker(notification: string, { accountId }: Recipient): RawBuilder<boolean> {
  return sql`${sql.id(notification)}.id > coalesce((
    select k.last_read_id from markers k where k.account_id = ${accountId} and k.timeline = 'notifications'), 0)`
}

/** What is newer than the recipient's marker, `max` at the most: the status of each, null for those about none. */
export async function listUnreadSubjects(
  reader: Reader,
  recipient: Recipient,
  filter: NotificationFilter,
  max: number,
): Promise<(StatusId | null)[]> {
  const { rows } = await sql<{ status_id: StatusId | null }>`
    select n.status_id ${await notificationSource(reader, recipient, filter)} and ${newerThanMarker('n', recipient)}
    order by n.id desc limit ${max}`.execute(reader.db)
  return rows.map((row) => row.status_id)
}
