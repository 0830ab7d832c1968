// What the server pushes, as the system shows it: grouped, with what can be done about it, and the way to what it is about.
// The message has the token of the session that subscribed; it is used at once and kept nowhere (AUTH-22).
import { texts } from 'virtual:worker-texts'
import type { UnreadCount, Notification as Subject } from '#entities/notification.ts'
import { setMessageLanguage } from '../core/icu.ts'
import type { Messages } from '../core/messages.ts'
import { worker } from './worker.ts'

/** As src/views/push/message.ts of the server writes it. */
interface Pushed {
  access_token?: string
  preferred_locale?: string
  notification_id?: number
  notification_type?: string
  title?: string
  body?: string
  icon?: string
}

/** What is kept with a notification. No token. */
export interface ShownData {
  /** The view of what it is about. */
  path: string
  /** The post, or whoever asks to follow. */
  id: string | null
  /** How many it stands for. */
  count: number
}

/** As many are shown one by one. */
const maxShown = 5
const manyTag = 'many'
/** In one colour, for status bars. */
const badge = '/instance/badge.png'
/** Milliseconds for which the system waits no longer. */
const patience = 8_000

const dataOf = (shown: Notification) => shown.data as ShownData | null
const countOf = (shown: Notification) => dataOf(shown)?.count ?? 1

function textsFor(locale: string) {
  const language = [locale, locale.split('-')[0] ?? ''].find((one) => one in texts) ?? 'en'
  setMessageLanguage(language)
  return { t: texts[language] as Pick<Messages, 'push'>, language }
}

async function ask<T>(path: string, token: string): Promise<T | null> {
  const headers = { authorization: `Bearer ${token}` }
  try {
    const response = await fetch(path, {
      headers,
      credentials: 'omit',
      signal: AbortSignal.timeout(patience),
    })
    return response.ok ? ((await response.json()) as T) : null
  } catch {
    return null
  }
}

function pathOf({ type, account, status, report }: Subject): string {
  if (status) return `/@${status.account.acct}/${status.id}`
  if (type === 'follow_request') return '/follow_requests'
  if (type === 'admin.report') return report ? `/admin/reports/${report.id}` : '/admin/reports'
  if (type === 'admin.sign_up') return `/admin/accounts/${account.id}`
  if (type === 'moderation_warning') return '/disputes/strikes'
  return type === 'follow' ? `/@${account.acct}` : '/notifications'
}

const answered: ReadonlySet<string> = new Set(['mention', 'quote', 'status'])

/** The buttons that it has: each by what is done, see clicked.ts. */
function actionsOf({ type }: Subject, { t }: ReturnType<typeof textsFor>) {
  if (type === 'follow_request')
    return [
      { action: 'authorize', title: t.push.accept },
      { action: 'reject', title: t.push.reject },
    ]
  if (!answered.has(type)) return []
  return [
    { action: 'reply', title: t.push.reply },
    { action: 'favourite', title: t.push.favourite },
  ]
}

/** A picture of the post, unless its author or a filter covers it. */
function pictureOf({ status }: Subject): string | undefined {
  const [first] = status?.media_attachments ?? []
  if (!status || status.sensitive || status.spoiler_text !== '' || (status.filtered ?? []).length > 0)
    return undefined
  return first?.type === 'image' ? (first.preview_url ?? undefined) : undefined
}

/** What is shown depends on what is there already: one after the other, however many are pushed at once. */
let showing = Promise.resolve()

/** Shows what was pushed, and how many are new on the icon of the app. */
export async function showPushed(pushed: Pushed): Promise<void> {
  const { access_token: token = '', notification_id: id } = pushed
  const [subject, unread] = await Promise.all([
    ask<Subject>(`/api/v1/notifications/${id}`, token),
    ask<UnreadCount>('/api/v2/notifications/unread_count', token),
  ])
  if (unread) await (navigator as Partial<Navigator>).setAppBadge?.(unread.count).catch(() => {})
  showing = showing.catch(() => {}).then(() => show(pushed, subject))
  await showing
}

async function show(pushed: Pushed, subject: Subject | null): Promise<void> {
  const { title = '', body = '', icon, notification_id: id, preferred_locale: locale = 'en' } = pushed
  const spoken = textsFor(locale)
  const tag = subject?.group_key ?? `ungrouped-${id}`
  const shown = await worker.registration.getNotifications()
  const same = shown.find((one) => one.tag === tag)
  const isTooMany = shown.some((one) => one.tag === manyTag) || (!same && shown.length >= maxShown)
  if (isTooMany) return showMany(shown, { title, icon, ...spoken })
  const count = (same ? countOf(same) : 0) + 1
  const about = subject && (subject.status?.id ?? subject.account.id)
  const data: ShownData = { path: subject ? pathOf(subject) : '/notifications', id: about, count }
  const picture = subject ? pictureOf(subject) : undefined
  await worker.registration.showNotification(
    count > 1 ? spoken.t.push.more({ title, count: count - 1 }) : title,
    {
      body,
      tag,
      data,
      badge,
      lang: spoken.language,
      dir: 'auto',
      actions: subject ? actionsOf(subject, spoken) : [],
      ...(subject && { timestamp: Date.parse(subject.created_at) }),
      ...(icon !== undefined && { icon }),
      ...(picture !== undefined && { image: picture }),
    },
  )
}

interface Many extends ReturnType<typeof textsFor> {
  /** Of the newest. */
  title: string
  icon: string | undefined
}

/** One in the place of many. */
async function showMany(shown: readonly Notification[], { title, icon, t, language }: Many): Promise<void> {
  const count = shown.reduce((sum, one) => sum + countOf(one), 1)
  for (const one of shown) one.close()
  const data: ShownData = { path: '/notifications', id: null, count }
  await worker.registration.showNotification(t.push.many({ count }), {
    body: title,
    tag: manyTag,
    data,
    badge,
    lang: language,
    dir: 'auto',
    ...(icon !== undefined && { icon }),
  })
}
