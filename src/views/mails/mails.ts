// What mails are about, and the parts that they are made of in every language. Pure: names and links come in.
import type { Missed } from '#domain/reading/notifications/digest.ts'
import type {
  MailedNotification,
  MailedStatus,
  Person,
} from '#domain/reading/notifications/notification-mail.ts'
import type { FactorChange } from '#ports/events.ts'
import { formatAcct } from '#lib/acct.ts'
import { cleanName } from '#lib/text/sanitize-name.ts'
import { truncatePlain } from '#lib/text/text.ts'

/** What a mail is about, with all that its text needs. */
export type MailContent =
  | { kind: 'confirmation'; username: string; link: string; changing: boolean }
  | { kind: 'reset'; username: string; link: string }
  | { kind: 'email-changed'; username: string; newEmail: string; done: boolean }
  | { kind: 'password-changed'; username: string; link: string }
  | {
      kind: 'sign-up-waiting'
      username: string
      waiting: { username: string; email: string; reason: string }
    }
  | { kind: 'report'; username: string; report: ReportedParts }
  | { kind: 'approved'; username: string; link: string }
  | { kind: 'approval-required'; username: string }
  | { kind: 'welcome'; username: string; link: string }
  /** `time` is ready to be read. */
  | { kind: 'scheduled-status-refused'; username: string; post: RefusedParts; time: string }
  /** `days`: for which it can be downloaded; null when there is no end. */
  | { kind: 'archive-ready'; username: string; link: string; days: number | null }
  /** `day` is ready to be read. */
  | {
      kind: 'terms'
      username: string
      link: string
      day: string
      isInForce: boolean
      changelog: string
    }
  /** `time` is ready to be read; `userAgent` is as it was sent. */
  | {
      kind: 'new-sign-in'
      username: string
      link: string
      time: string
      address: string
      userAgent: string
    }
  /** `name`: of the passkey. */
  | { kind: 'identity'; username: string; link: string; provider: string; added: boolean }
  | { kind: 'second-factor'; username: string; link: string; change: FactorChange; name: string | null }
  /** `until`: the last day on which they can object there. */
  | { kind: 'warning'; username: string; warning: Decided; link: string; until: string }
  | { kind: 'appeal'; username: string; warning: Decided }
  | { kind: 'appeal-answered'; username: string; warning: Decided; approved: boolean }
  | { kind: 'notification'; username: string; link: string; notification: MailedNotification }
  | { kind: 'digest'; username: string; link: string; missed: Missed }

interface Named {
  username: string
  domain: string | null
}

/** A scheduled post that was refused. `reason` is in the reader's language. */
export interface RefusedParts {
  text: string
  warning: string
  reason: string
}

export interface ReportedParts {
  target: Named
  /** Null when they are gone. */
  reporter: Named | null
  category: string
  comment: string
  statuses: number
}

/** What staff decided about an account of this server. `day` is ready to be read. */
export interface Decided {
  action: string
  text: string
  statuses: number
  day: string
  username: string
  /** What the person concerned says against it, when they do. */
  appeal: string | null
}

/** A paragraph of our own words; words of others, on lines of their own; or a list of names and values. */
export type Block =
  | string
  | { quoted: string; by?: string; warning?: string }
  | { facts: readonly (readonly [string, string])[] }

/** A mail before it becomes text and HTML. The link stands between the paragraphs. */
export interface Draft {
  subject: string
  before: Block[]
  link?: { label: string; url: string }
  after: string[]
}

const firstStrongIsolate = '\u2068'
const popIsolate = '\u2069'

/** Words of somebody else inside our own: on one line, and unable to turn the direction of what follows (CNT-9). */
export function quote(text: string): string {
  return `${firstStrongIsolate}${cleanName(text)}${popIsolate}`
}

export const handle = ({ username, domain }: Named) => quote(`@${formatAcct(username, domain)}`)

const maxNameLength = 60

/** Name and handle, or the handle alone where there is no name. */
export function named(person: Person): string {
  const name = cleanName(truncatePlain(person.displayName, maxNameLength))
  return name === '' ? handle(person) : `${quote(name)} (${handle(person)})`
}

/** The post that a notification is about. */
export function quotedPost(status: MailedStatus | null, by?: string): Block[] {
  if (!status) return []
  const { text, warning } = status
  return [{ quoted: warning === '' ? text : '', ...(by && { by }), ...(warning && { warning }) }]
}

export const quotedBy = (notification: MailedNotification): Block[] =>
  quotedPost(notification.status, named(notification.from))

/** A count as far as it was counted. */
export const countMissed = (count: number) => (count < 100 ? String(count) : '100+')
