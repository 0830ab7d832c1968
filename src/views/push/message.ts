import type { Account } from '#entities/account.ts'
import type { Notification } from '#entities/notification.ts'
import type { Status } from '#entities/status.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { NotificationRow } from '#domain/reading/notifications/queries.ts'
import { stripHtml } from '#lib/html/html.ts'
import { idToNumber } from '#lib/ids.ts'
import { cleanName } from '#lib/text/sanitize-name.ts'
import { previewLine } from '#lib/text/text.ts'
import { isHidden } from '../content/filters.ts'
import { findNotificationView } from '../reading/notifications.ts'
import { pushTitle } from './titles.ts'

/** Push services take 4,096 bytes, and what relays wrap around a message takes a third. In bytes of UTF-8. */
const max = { title: 400, body: 800, icon: 500 }

/**
 * The text of a push message, JSON in the form of Mastodon's, for whom the notification is. Null when its subject is
 * gone, or a filter of theirs hides it. `token` is the one that subscribed: apps with several accounts know by it whose
 * the message is.
 */
export async function writePushMessage(
  ctx: Ctx,
  viewer: Viewer,
  row: NotificationRow,
  token: string,
): Promise<string | null> {
  const view = await findNotificationView(ctx, viewer, row)
  const status = view?.status ?? null
  if (!view || isHidden(status, 'notifications')) return null
  const { account } = view
  const told = {
    name: previewLine(cleanName(account.display_name || account.acct), 100),
    own: row.from_account_id === viewer.accountId,
    subject: view,
  }
  const parts = {
    access_token: token,
    preferred_locale: viewer.locale,
    // A number in Mastodon, on which apps with types insist.
    notification_id: idToNumber(row.id),
    notification_type: row.type,
    icon: iconOf(ctx, account),
    title: cutBytes(pushTitle(row.type, viewer.locale, told), max.title),
    body: cutBytes(previewLine(bodyOf(row.type, view, status)), max.body),
  }
  return JSON.stringify(parts)
}

const picturesOfNobody = '/avatars/original/missing.png'

function iconOf(ctx: Ctx, account: Account): string {
  const icon = account.avatar_static
  return Buffer.byteLength(icon) <= max.icon ? icon : ctx.config.baseUrl + picturesOfNobody
}

/** Kinds that are about whoever caused them. */
const aboutPeople = new Set(['follow', 'follow_request', 'admin.sign_up'])

function bodyOf(type: string, view: Notification, status: Status | null): string {
  if (status) return filterTitle(status) ?? wordsOf(status)
  if (aboutPeople.has(type)) return textOf(view.account.note)
  if (type === 'admin.report') return view.report?.comment ?? ''
  if (type === 'moderation_warning') return view.moderation_warning?.text ?? ''
  return ''
}

/** What a quote begins with for software that shows none. */
const quoteFallback = /<p class="quote-inline">.*?<\/p>/s

function wordsOf({ spoiler_text: warning, content, quote }: Status): string {
  if (warning) return warning
  return textOf(quote ? content.replace(quoteFallback, '') : content)
}

const textOf = stripHtml

/** A filter that warns stands before the words, as apps show it. */
function filterTitle(status: Status): string | null {
  const warning = status.filtered?.find(
    ({ filter }) => filter.filter_action === 'warn' && filter.context.includes('notifications'),
  )
  return warning?.filter.title ?? null
}

/** Characters may be of any number of bytes. */
function cutBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text)
  if (encoded.length <= bytes) return text
  return `${new TextDecoder().decode(encoded.subarray(0, bytes - 3), { stream: true })}…`
}
