// Words for kinds of notifications that an app may not know. Apps that name the kinds they know get them for others.
import type { NotificationSubject } from './render-notification.ts'
import type { NotificationFallback } from '#entities/notification.ts'
import type { Account } from '#entities/account.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import type { Messages } from '#lib/messages/messages.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'

/** The words for a notification of this kind in a language, or null where none are asked for or there are none. */
export function fallbackFor(
  type: string,
  {
    supportedTypes: supported,
    language,
  }: { supportedTypes: readonly string[] | undefined; language: Language },
  { account, subject }: { account: Account; subject: NotificationSubject },
): NotificationFallback | null {
  const t = textsIn(language).notificationFallbacks
  const title = pickText(t.titles, type.replaceAll(/[.:]/g, '_'))
  if (supported === undefined || supported.includes(type) || title === undefined) return null
  const params = {
    name: account.display_name || account.acct,
    emoji: subject.emoji ?? '',
    collection: subject.collection?.name ?? '',
    year: subject.annual_report?.year ?? '',
    target: subject.event?.target_name ?? '',
  }
  return {
    title: typeof title === 'string' ? title : title(params),
    summary: t.summary,
    details: describe(t, type, subject) || null,
  }
}

function describe(t: Messages['notificationFallbacks'], type: string, subject: NotificationSubject): string {
  if (type === 'moderation_warning') return subject.moderation_warning?.text ?? ''
  if (type !== 'severed_relationships') return ''
  const { followers_count: followers = 0, following_count: following = 0 } = subject.event ?? {}
  return t.lost({ followers, following })
}
