// Words for kinds of notifications that an app may not know. Apps that name the kinds they know get them for others.
import type { NotificationSubject } from './render-notification.ts'
import type { NotificationFallback } from '#entities/notification.ts'
import type { Account } from '#entities/account.ts'

interface Told {
  name: string
  subject: NotificationSubject
}

const summary = 'This app does not show notifications of this kind in full. The website does.'

/** By kind; those that every app knows have none. */
const titles: Readonly<Record<string, (told: Told) => string>> = {
  'admin.report': ({ name }) => `${name} sent a report`,
  'admin.sign_up': ({ name }) => `${name} signed up`,
  'pleroma:emoji_reaction': ({ name, subject }) => `${name} reacted with ${subject.emoji} to your post`,
  added_to_collection: ({ name, subject }) => `${name} added you to the collection ${quoted(subject)}`,
  annual_report: ({ subject }) => `Your ${subject.annual_report?.year} in review is ready`,
  collection_update: ({ name, subject }) =>
    `${name} changed the collection ${quoted(subject)} that you are in`,
  moderation_warning: () => 'You have received a moderation warning',
  quote: ({ name }) => `${name} quoted your post`,
  quoted_update: ({ name }) => `${name} edited a post that you quoted`,
  severed_relationships: ({ subject }) => `You lost connections with ${subject.event?.target_name}`,
}

const details: Readonly<Record<string, (subject: NotificationSubject) => string>> = {
  moderation_warning: (subject) => subject.moderation_warning?.text ?? '',
  severed_relationships: (subject) => {
    const { followers_count: lost, following_count: left } = subject.event ?? {}
    return `Followers lost: ${lost}. Accounts you no longer follow: ${left}.`
  },
}

function quoted(subject: NotificationSubject): string {
  return `“${subject.collection?.name}”`
}

/** The words for a notification of this kind, or null where none are asked for or there are none. */
export function fallbackFor(
  type: string,
  supported: readonly string[] | undefined,
  { account, subject }: { account: Account; subject: NotificationSubject },
): NotificationFallback | null {
  const title = titles[type]
  if (supported === undefined || supported.includes(type) || !title) return null
  const name = account.display_name || account.acct
  return { title: title({ name, subject }), summary, details: details[type]?.(subject) || null }
}
