// What each mail says: how its texts, which stand in the message catalogues, hang together.
import { languageOf } from '#lib/messages/pick-language.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import type { Messages } from '#lib/messages/messages.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'
import { readUserAgent } from '#lib/net/user-agent.ts'
import {
  countMissed,
  handle,
  named,
  quote,
  quotedBy,
  quotedPost,
  type Decided,
  type Draft,
  type MailContent,
} from './mails.ts'

type Texts = Messages['mails']

type Writers = {
  [K in MailContent['kind']]: (content: Extract<MailContent, { kind: K }>, t: Texts, server: string) => Draft
}

const writers: Writers = {
  confirmation: ({ username, link, changing }, { confirmation: t }, server) => ({
    subject: changing ? t.subjectChanging({ server }) : t.subject({ server }),
    before: [changing ? t.changing({ username, server }) : t.made({ username, server })],
    link: { label: t.link, url: link },
    after: [t.after],
  }),
  reset: ({ username, link }, { reset: t }, server) => ({
    subject: t.subject({ server }),
    before: [t.asked({ username, server })],
    link: { label: t.link, url: link },
    after: [t.after],
  }),
  'email-changed': ({ username, newEmail, done }, { emailChanged: t, notMe }, server) => {
    const params = { username, server, email: quote(newEmail) }
    return {
      subject: done ? t.subjectDone({ server }) : t.subjectAsked({ server }),
      before: [done ? t.done(params) : t.asked(params)],
      after: [notMe],
    }
  },
  'password-changed': ({ username, link }, { passwordChanged: t }, server) => ({
    subject: t.subject({ server }),
    before: [t.changed({ username, server })],
    link: { label: t.link, url: link },
    after: [],
  }),
  'sign-up-waiting': ({ waiting: { username, email, reason } }, { signUpWaiting: t }, server) => ({
    subject: t.subject({ username, server }),
    before: [
      t.waits({ username, email: quote(email), server }),
      ...(reason ? [t.reason({ reason: quote(reason) })] : []),
    ],
    after: [t.after({ username })],
  }),
  report: ({ report }, { report: t }, server) => ({
    subject: t.subject({ target: handle(report.target), server }),
    before: [
      t.told({
        reporter: report.reporter ? handle(report.reporter) : t.somebody,
        target: handle(report.target),
        category: pickText(t.categories, report.category) ?? report.category,
      }),
      ...(report.comment ? [t.comment({ comment: quote(report.comment) })] : []),
      ...(report.statuses > 0 ? [t.posts({ count: report.statuses })] : []),
    ],
    after: [t.after],
  }),
  approved: ({ username, link }, { approved: t }, server) => ({
    subject: t.subject({ server }),
    before: [t.approved({ username, server })],
    link: { label: t.link, url: link },
    after: [],
  }),
  'approval-required': ({ username }, { approvalRequired: t }, server) => ({
    subject: t.subject({ server }),
    before: [t.why({ server })],
    after: [t.reopen, t.goesTo({ username, server })],
  }),
  'scheduled-status-refused': ({ post, time, username }, { scheduledStatusRefused: t }, server) => ({
    subject: t.subject({ server }),
    before: [
      t.refused({ username, time, reason: quote(post.reason) }),
      { quoted: post.text, ...(post.warning && { warning: post.warning }) },
    ],
    after: [t.after],
  }),
  'archive-ready': ({ username, link, days }, { archiveReady: t }, server) => ({
    subject: t.subject({ server }),
    before: [t.ready({ username, server })],
    link: { label: t.link, url: link },
    after: [days === null ? t.onlyYou : t.deletedAfter({ days })],
  }),
  terms: ({ username, link, day, isInForce, changelog }, { terms: t }, server) => ({
    subject: t.subject({ server }),
    before: [
      isInForce ? t.inForce({ username, server, day }) : t.coming({ username, server, day }),
      ...(changelog === '' ? [] : [t.changes, { quoted: changelog }]),
    ],
    link: { label: t.link, url: link },
    after: [t.after({ server })],
  }),
  welcome: ({ username, link }, { welcome: t }, server) => ({
    subject: t.subject({ server }),
    before: [t.yours({ username, server }), t.begin],
    link: { label: t.link, url: link },
    after: [],
  }),
  'new-sign-in': ({ username, link, time, address, userAgent }, { newSignIn: t }, server) => ({
    subject: t.subject({ server }),
    before: [
      t.signedIn({ username, server }),
      {
        facts: [
          [t.time, time],
          [t.address, quote(address)],
          [t.browser, describeBrowser(t, userAgent)],
        ],
      },
      t.whatToDo,
    ],
    link: { label: t.link, url: link },
    after: [],
  }),
  identity: ({ username, link, provider, added }, { identity: t, notMe }, server) => ({
    subject: added ? t.addedSubject({ username, server }) : t.removedSubject({ username, server }),
    before: [(added ? t.added : t.removed)({ username, server, provider: quote(provider) })],
    link: { label: t.link, url: link },
    after: [notMe],
  }),
  'second-factor': ({ username, link, change, name }, { secondFactor: t, notMe }, server) => {
    const { subject, told } = t.changes[change]
    return {
      subject: t.subject({ change: subject, username, server }),
      before: [told({ username, server, passkey: quote(name ?? '') })],
      link: { label: t.link, url: link },
      after: [notMe],
    }
  },
  warning: ({ username, warning, link, until }, { warning: t, theySay }, server) => {
    const decision = pickText(t.decisions, warning.action) ?? t.decisions.unknown
    return {
      subject: t.subject({ decision: decision.subject, username, server }),
      before: [
        decision.told({ username, server }),
        ...(warning.text ? [theySay, { quoted: warning.text }] : []),
        ...(warning.statuses > 0 ? [t.posts({ count: warning.statuses })] : []),
      ],
      link: { label: t.link, url: link },
      after: [t.after({ day: until })],
    }
  },
  appeal: ({ warning }, { appeal: t, theySay }, server) => ({
    subject: t.subject({ username: warning.username, server }),
    before: [
      t.objects({ username: warning.username, day: warning.day, decision: nameDecision(t, warning) }),
      ...(warning.appeal ? [theySay, { quoted: warning.appeal }] : []),
    ],
    after: [],
  }),
  'appeal-answered': ({ username, warning, approved }, { appealAnswered: t }, server) => {
    const params = { day: warning.day, username, server }
    return {
      subject: approved ? t.subjectApproved({ server }) : t.subjectRejected({ server }),
      before: [approved ? t.approved(params) : t.rejected(params)],
      after: [],
    }
  },
  notification: ({ notification, link }, { notification: texts }, server) => {
    const t = texts[notification.kind]
    return {
      subject: t.subject({ name: handle(notification.from), server }),
      before: [t.told({ name: named(notification.from) }), ...quotedPost(notification.status)],
      link: { label: t.link, url: link },
      after: [],
    }
  },
  digest: ({ missed, link, username }, { digest: t }, server) => {
    const { mentionsCount, followersCount } = missed
    const followers = {
      shown: countMissed(followersCount),
      count: followersCount,
      names: missed.followers.map(named).join(', '),
    }
    const isMore = followersCount > missed.followers.length
    return {
      subject: t.subject({ server }),
      before: [
        t.away({ server, username }),
        ...(mentionsCount > 0
          ? [t.mentions({ shown: countMissed(mentionsCount), count: mentionsCount })]
          : []),
        ...missed.mentions.flatMap((notification) => quotedBy(notification)),
        ...(followersCount > 0 ? [isMore ? t.followersAmong(followers) : t.followers(followers)] : []),
      ],
      link: { label: t.link, url: link },
      after: [],
    }
  },
}

function describeBrowser(t: Texts['newSignIn'], userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent)
  if (browser && system) return t.browserOn({ browser, system })
  return browser ?? system ?? t.unknown
}

/** A decision as it stands in a sentence. */
const nameDecision = ({ decisions }: Texts['appeal'], { action }: Decided) =>
  pickText(decisions, action) ?? action

/** Returns what the mail says in this language. `server` is the domain that people know the server by. */
export function writeMail(content: MailContent, language: Language, server: string): Draft {
  const write = writers[content.kind] as (content: MailContent, t: Texts, server: string) => Draft
  return write(content, textsIn(language).mails, server)
}

/** Returns a moment as the reader of a mail says it, in their time zone. UTC where that is not known. */
export function formatMoment(at: Date, locale: string, timeZone: string | null): string {
  const options = { dateStyle: 'long', timeStyle: 'long' } as const
  return formatDate(at, locale, { ...options, timeZone: timeZone ?? 'UTC' })
}

/** Returns the day of it. */
export function formatDay(at: Date, locale: string, timeZone: string | null): string {
  return formatDate(at, locale, { dateStyle: 'long', timeZone: timeZone ?? 'UTC' })
}

function formatDate(at: Date, locale: string, options: Intl.DateTimeFormatOptions): string {
  const { dateLocale } = textsIn(languageOf(locale))
  try {
    return new Intl.DateTimeFormat(dateLocale, options).format(at)
  } catch {
    // A time zone that this machine does not know.
    return new Intl.DateTimeFormat(dateLocale, { ...options, timeZone: 'UTC' }).format(at)
  }
}
