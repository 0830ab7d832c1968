// What each mail says in English.
import {
  countMissed as upTo,
  handle,
  named,
  quote,
  quotedBy,
  quotedPost,
  type Decisions,
  type FactorTexts,
  type NewsTexts,
  type Writer,
} from './mails.ts'
import { readUserAgent } from '#lib/net/user-agent.ts'

const reportCategories: Readonly<Record<string, string>> = {
  spam: 'spam',
  legal: 'against the law',
  violation: 'against the rules',
  other: 'something else',
}

const newsTexts: NewsTexts = {
  mention: { did: 'mentioned you', link: 'Read and answer' },
  quote: { did: 'quoted your post', link: 'Read it' },
  follow: { did: 'follows you now', link: 'See their profile' },
  follow_request: { did: 'asks to follow you', link: 'See their profile' },
  reblog: { did: 'boosted your post', link: 'See your post' },
  favourite: { did: 'likes your post', link: 'See your post' },
}

const decisions: Decisions = {
  none: {
    subject: 'Warning',
    told: (name, server) => `The staff of ${server} have warned @${name}.`,
  },
  disable: {
    subject: 'Account locked',
    told: (name, server) =>
      `The staff of ${server} have locked @${name}: you cannot sign in now. What you wrote stays.`,
  },
  mark_statuses_as_sensitive: {
    subject: 'Posts marked as sensitive',
    told: (name, server) => `The staff of ${server} have marked posts of @${name} as sensitive.`,
  },
  delete_statuses: {
    subject: 'Posts deleted',
    told: (name, server) => `The staff of ${server} have deleted posts of @${name}.`,
  },
  sensitive: {
    subject: 'Media marked as sensitive',
    told: (name, server) =>
      `From now on pictures and films of @${name} on ${server} are marked as sensitive.`,
  },
  silence: {
    subject: 'Account limited',
    told: (name, server) =>
      `The staff of ${server} have limited @${name}: only those who follow you already see your posts in their timelines.`,
  },
  suspend: {
    subject: 'Account suspended',
    told: (name, server) =>
      `The staff of ${server} have suspended @${name}: nobody sees the profile and its posts any more.`,
  },
}

const factorTexts: FactorTexts = {
  'otp-added': {
    subject: 'Sign-in with codes turned on',
    told: (name, server) =>
      `From now on @${name} on ${server} signs in with a code from an app besides the password.`,
  },
  'otp-removed': {
    subject: 'Sign-in with codes turned off',
    told: (name, server) => `@${name} on ${server} no longer signs in with a code from an app.`,
  },
  'passkey-added': {
    subject: 'New passkey',
    told: (name, server, passkey) => `@${name} on ${server} can sign in with a new passkey: ${passkey}.`,
  },
  'passkey-removed': {
    subject: 'Passkey removed',
    told: (name, server, passkey) => `A passkey of @${name} on ${server} was removed: ${passkey}.`,
  },
  'recovery-codes-renewed': {
    subject: 'New recovery codes',
    told: (name, server) =>
      `New recovery codes were made for @${name} on ${server}. The earlier ones no longer work.`,
  },
  'recovery-code-used': {
    subject: 'A recovery code was used',
    told: (name, server) => `Somebody used a recovery code of @${name} on ${server}. It does not work again.`,
  },
  'codes-guessed': {
    subject: 'Many wrong codes at sign-in',
    told: (name, server) =>
      `Somebody has given the right password of @${name} on ${server}, and then too many wrong codes. Whoever it was knows the password.`,
  },
  'all-removed': {
    subject: 'Second factor taken away',
    told: (name, server) =>
      `The staff of ${server} have taken all second factors of @${name} away: the password alone signs in now.`,
  },
}

function describeBrowser(userAgent: string): string {
  const { browser, system } = readUserAgent(userAgent)
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? 'unknown'
}

export const english: Writer = {
  confirmation: (letter, server) => ({
    subject: letter.changing
      ? `Confirm your new e-mail address for ${server}`
      : `Confirm your account on ${server}`,
    before: [
      letter.changing
        ? `@${letter.username} on ${server} wants to use this e-mail address from now on. Follow the link to confirm that it is yours.`
        : `Somebody made the account @${letter.username} on ${server} with this e-mail address. If it was you, follow the link to confirm it.`,
    ],
    link: { label: 'Confirm this address', url: letter.link },
    after: ['The link works for two days. If it was not you, do nothing: without the link nothing happens.'],
  }),
  reset: (letter, server) => ({
    subject: `Choose a new password for ${server}`,
    before: [
      `Somebody asked for a new password for @${letter.username} on ${server}. Follow the link to choose one.`,
    ],
    link: { label: 'Choose a new password', url: letter.link },
    after: [
      'The link works once, for six hours. If it was not you, do nothing: your password stays as it is.',
    ],
  }),
  'email-changed': (letter, server) => ({
    subject: letter.done
      ? `Your e-mail address for ${server} has been changed`
      : `Another e-mail address was asked for on ${server}`,
    before: [
      letter.done
        ? `The e-mail address of @${letter.username} on ${server} is now ${quote(letter.newEmail)}.`
        : `@${letter.username} on ${server} asked to use the address ${quote(letter.newEmail)}. It takes the place of this one once it is confirmed.`,
    ],
    after: ['If it was not you, change your password at once and write to the staff of the server.'],
  }),
  'password-changed': (letter, server) => ({
    subject: `Your password for ${server} has been changed`,
    before: [
      `The password of @${letter.username} on ${server} has been changed, and all apps have been signed out.`,
    ],
    link: { label: 'It was not me: choose a new password', url: letter.link },
    after: [],
  }),
  'sign-up-waiting': ({ waiting }, server) => ({
    subject: `@${waiting.username} waits for approval on ${server}`,
    before: [
      `@${waiting.username} (${quote(waiting.email)}) has signed up on ${server} and waits for your approval.`,
      ...(waiting.reason ? [`Their reason: ${quote(waiting.reason)}`] : []),
    ],
    after: [`To let them in from the command line: stonechat accounts approve ${waiting.username}`],
  }),
  report: ({ report }, server) => ({
    subject: `New report about ${handle(report.target)} on ${server}`,
    before: [
      `${report.reporter ? handle(report.reporter) : 'Somebody'} has reported ${handle(report.target)} (${reportCategories[report.category] ?? report.category}).`,
      ...(report.comment ? [`What they say: ${quote(report.comment)}`] : []),
      ...(report.statuses > 0 ? [`Posts that they name: ${report.statuses}`] : []),
    ],
    after: ['No further mails about this account come until its reports are resolved.'],
  }),
  approved: (letter, server) => ({
    subject: `Welcome to ${server}`,
    before: [`Your account @${letter.username} on ${server} has been approved. You can sign in now.`],
    link: { label: 'Sign in', url: letter.link },
    after: [],
  }),
  'approval-required': (letter, server) => ({
    subject: `Sign-up on ${server} wants approval now`,
    before: [
      `Nobody who looks after new people on ${server} was seen for a week. So that the server is not left open to spam, whoever signs up now waits for approval.`,
    ],
    after: [
      'To open it again: stonechat settings registrations open',
      `This goes to all who look after ${server}, such as @${letter.username}.`,
    ],
  }),
  'scheduled-status-refused': ({ post, time, username }, server) => ({
    subject: `Your scheduled post was not published on ${server}`,
    before: [
      `A post that @${username} had scheduled for ${time} could not be published, and is no longer planned. The reason: ${quote(post.reason)}`,
      { quoted: post.text, ...(post.warning && { warning: post.warning }) },
    ],
    after: ['To publish it all the same, write it anew. Its pictures and files are kept for a week.'],
  }),
  'archive-ready': (letter, server) => ({
    subject: `Your archive from ${server} is ready`,
    before: [`The archive of @${letter.username} on ${server} that you asked for can be downloaded now.`],
    link: { label: 'Download the archive', url: letter.link },
    after: [
      letter.days === null
        ? 'Only you can download it, after signing in.'
        : `Only you can download it, after signing in. It is deleted ${letter.days === 1 ? 'after a day' : `after ${letter.days} days`}.`,
    ],
  }),
  terms: (letter, server) => ({
    subject: `The terms of service of ${server} change`,
    before: [
      letter.isInForce
        ? `Hello @${letter.username}, there are new terms of service of ${server}. They hold from ${letter.day}.`
        : `Hello @${letter.username}, new terms of service of ${server} will hold from ${letter.day}.`,
      ...(letter.changelog === '' ? [] : ['What changes:', { quoted: letter.changelog }]),
    ],
    link: { label: 'Read the terms', url: letter.link },
    after: [
      `By using ${server} from that day on you agree to them. If you do not, you can delete your account before.`,
    ],
  }),
  welcome: (letter, server) => ({
    subject: `Welcome to ${server}`,
    before: [
      `Your address is confirmed, and @${letter.username} is yours. Others find you as @${letter.username}@${server}.`,
      'Say a few words about yourself in your profile, follow some people, and write your first post with any app that works with Mastodon.',
    ],
    link: { label: 'Sign in', url: letter.link },
    after: [],
  }),
  'new-sign-in': (letter, server) => ({
    subject: `New sign-in to your account on ${server}`,
    before: [
      `Somebody has signed in as @${letter.username} on ${server} from a place that you had not signed in from before.`,
      {
        facts: [
          ['Time', letter.time],
          ['Address', quote(letter.address)],
          ['Browser', describeBrowser(letter.userAgent)],
        ],
      },
      'If it was you, there is nothing to do. If it was not you, change your password at once: that signs out everybody else.',
    ],
    link: { label: 'Change the password', url: letter.link },
    after: [],
  }),
  'second-factor': (letter, server) => ({
    subject: `${factorTexts[letter.change].subject}: @${letter.username} on ${server}`,
    before: [factorTexts[letter.change].told(letter.username, server, quote(letter.name ?? ''))],
    link: { label: 'Look at the second factors', url: letter.link },
    after: ['If it was not you, change your password at once and write to the staff of the server.'],
  }),
  warning: (letter, server) => ({
    subject: `${decisions[letter.warning.action]?.subject ?? 'A message from the staff'}: @${letter.username} on ${server}`,
    before: [
      decisions[letter.warning.action]?.told(letter.username, server) ??
        `The staff of ${server} write to you about @${letter.username}.`,
      ...(letter.warning.text ? ['What they say:', { quoted: letter.warning.text }] : []),
      ...(letter.warning.statuses > 0 ? [`Posts that it is about: ${letter.warning.statuses}`] : []),
    ],
    link: { label: 'See what it is about, or object', url: letter.link },
    after: [
      `If you think that this is a mistake, you can object there once, until ${letter.until}. Whoever has the link can do that, so keep it to yourself.`,
    ],
  }),
  appeal: ({ warning }, server) => ({
    subject: `@${warning.username} objects to a decision on ${server}`,
    before: [
      `@${warning.username} objects to what was decided on ${warning.day}: ${(decisions[warning.action]?.subject ?? warning.action).toLowerCase()}.`,
      ...(warning.appeal ? ['What they say:', { quoted: warning.appeal }] : []),
    ],
    after: [],
  }),
  'appeal-answered': (letter, server) => ({
    subject: letter.approved
      ? `Your objection was accepted on ${server}`
      : `Your objection was rejected on ${server}`,
    before: [
      letter.approved
        ? `Your objection to the decision of ${letter.warning.day} about @${letter.username} on ${server} was accepted: the decision no longer holds.`
        : `Your objection to the decision of ${letter.warning.day} about @${letter.username} on ${server} was rejected: the decision holds.`,
    ],
    after: [],
  }),
  news: ({ news, link }, server) => ({
    subject: `${handle(news.from)} ${newsTexts[news.kind].did} on ${server}`,
    before: [`${named(news.from)} ${newsTexts[news.kind].did}.`, ...quotedPost(news.status)],
    link: { label: newsTexts[news.kind].link, url: link },
    after: [],
  }),
  digest: ({ missed, link, username }, server) => ({
    subject: `What you missed on ${server}`,
    before: [
      `This happened on ${server} while @${username} was away.`,
      ...(missed.mentionsCount > 0
        ? [
            `${upTo(missed.mentionsCount)} ${missed.mentionsCount === 1 ? 'post mentions' : 'posts mention'} you:`,
          ]
        : []),
      ...missed.mentions.flatMap((news) => quotedBy(news)),
      ...(missed.followersCount > 0
        ? [
            `${upTo(missed.followersCount)} ${missed.followersCount === 1 ? 'person follows' : 'people follow'} you now${missed.followersCount > missed.followers.length ? ', among them ' : ': '}${missed.followers.map(named).join(', ')}.`,
          ]
        : []),
    ],
    link: { label: 'See it all', url: link },
    after: [],
  }),
}
