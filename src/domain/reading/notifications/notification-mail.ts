// Notifications that go out by mail, one by one, while somebody is not here.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { findMailFacts, functionalUser, type MailFacts } from '#domain/identity/accounts/mail-facts.ts'
import {
  mailDefaults,
  notificationMailKinds,
  type NotificationMailKind,
} from '#domain/identity/accounts/mail-settings.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { stripHtml } from '#lib/html/html.ts'
import { newerThanMarker, notificationSource } from './queries.ts'
import type { ConversationId, NotificationId, StatusId, UserId } from '#lib/id.ts'

/** Activity is written down once an hour at most, so that nothing can be said of less. Milliseconds. */
const awayAfter = 3_600_000
/** Notifications that are read within this time are not mailed. Milliseconds. */
export const notificationMailDelay = 120_000

export interface Person {
  username: string
  domain: string | null
  displayName: string
}

export interface MailedStatus {
  id: StatusId
  conversationId: ConversationId | null
  /** Plain text. */
  text: string
  /** The content warning, or ''. */
  warning: string
}

/** What has happened to somebody. */
export interface MailedNotification {
  id: NotificationId
  kind: NotificationMailKind
  from: Person
  /** The post that mentions or quotes them, or theirs that was favourited or boosted. */
  status: MailedStatus | null
}

export interface MailedNotificationRow extends Person {
  id: NotificationId
  type: NotificationMailKind
  status_id: StatusId | null
  conversation_id: ConversationId | null
  local: boolean | null
  text: string | null
  content: string | null
  spoiler_text: string | null
}

/** The columns of `MailedNotificationRow`, from a notification, its sender and its status (left joined). */
export function mailedColumns(rows: {
  notification: string
  sender: string
  status: string
}): RawBuilder<unknown> {
  const [n, a, s] = [sql.id(rows.notification), sql.id(rows.sender), sql.id(rows.status)]
  return sql`${n}.id, ${n}.type, ${a}.username, ${a}.domain, ${a}.display_name as "displayName", ${s}.id as status_id,
  ${s}.conversation_id, ${s}.local, ${s}.text, ${s}.content, ${s}.spoiler_text`
}

const onByDefault = notificationMailKinds.filter((kind) => mailDefaults[kind])

/** The kind of a notification `n` is one of which `users u` wants mails. */
const wantsKind: RawBuilder<boolean> = sql`(n.type = any(${[...notificationMailKinds]}::text[])
  and coalesce((u.settings -> 'notification_emails' ->> n.type)::boolean, n.type = any(${onByDefault}::text[])))`

/** `users u` will not see it otherwise: not here, and no app is told by push; or wants mails in any case. */
function needsMail(reader: Reader): RawBuilder<boolean> {
  const seen = new Date(reader.clock.now() - awayAfter)
  return sql`(coalesce((u.settings ->> 'always_send_emails')::boolean, false)
    or ((u.last_active_at is null or u.last_active_at <= ${seen})
      and not exists (select 1 from web_push_subscriptions w where w.account_id = u.account_id)))`
}

/** The user who wants a mail of this notification as things are, or null. Those asked for together are one query. */
export const findMailReader = createBatchLoader<Reader, NotificationId, UserId | null>({
  max: 50,
  async run(reader, notificationIds) {
    const { rows } = await sql<{ notification_id: NotificationId; id: UserId }>`
      select n.id as notification_id, u.id from notifications n
      join users u on u.account_id = n.account_id join accounts a on a.id = n.account_id
      where n.id = any(${notificationIds}::bigint[]) and not n.filtered and ${wantsKind} and ${functionalUser('u', 'a')}
        and ${needsMail(reader)}`.execute(reader.db)
    const found = new Map(rows.map((row) => [row.notification_id, row.id]))
    return notificationIds.map((id) => found.get(id) ?? null)
  },
})

/** The notification and whom to mail it, unless they no longer want it, have read it, or may no longer see it. */
export async function findNotificationMail(
  reader: Reader,
  notificationId: NotificationId,
): Promise<{ to: MailFacts; notification: MailedNotification } | null> {
  const userId = await findMailReader(reader, notificationId)
  const to = userId && (await findMailFacts(reader, userId))
  if (!to) return null
  const recipient = { accountId: to.accountId, permissions: 0n }
  const { rows } = await sql<MailedNotificationRow>`
    select ${mailedColumns({ notification: 'n', sender: 'a', status: 's' })} ${await notificationSource(reader, recipient, {})} and n.id = ${notificationId}
      and ${newerThanMarker('n', recipient)}`.execute(reader.db)
  return rows[0] ? { to, notification: toMailedNotification(rows[0]) } : null
}

export function toMailedNotification(row: MailedNotificationRow): MailedNotification {
  const { id, type: kind, username, domain, displayName } = row
  const status = row.status_id && {
    id: row.status_id,
    conversationId: row.conversation_id,
    text: row.local ? (row.text ?? '') : stripHtml(row.content ?? ''),
    warning: row.spoiler_text ?? '',
  }
  return { id, kind, from: { username, domain, displayName }, status: status || null }
}
