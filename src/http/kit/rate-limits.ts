// Every limit of requests, in one place. Routes and pages name a family; docs/rate-limits.md is made from this table.

/**
 * Whom a family counts: `account` and `user` who is signed in · `token` an app's token · `address` a network address, of
 * IPv6 its /64 · `mailbox` an e-mail address, however it is spelled · `login` whose password or code is guessed.
 */
export type Counted = 'account' | 'user' | 'token' | 'address' | 'mailbox' | 'login'

export interface RateLimit {
  by: Counted
  limit: number
  /** Length of the windows, which are aligned to the epoch. */
  seconds: number
  /** What is counted, for the page that operators read. */
  what: string
}

const minute = 60
const hour = 60 * minute
const day = 24 * hour

export const rateLimits = {
  // All requests pass these. For the API as rack-attack has it in Mastodon.
  'api-user': { by: 'user', limit: 1500, seconds: 5 * minute, what: 'requests to the API' },
  'api-token': { by: 'token', limit: 300, seconds: 5 * minute, what: 'requests to the API' },
  'api-ip': { by: 'address', limit: 300, seconds: 5 * minute, what: 'requests to the API by strangers' },
  'oauth-user': { by: 'user', limit: 1500, seconds: 5 * minute, what: 'requests below `/oauth`' },
  'oauth-token': { by: 'token', limit: 300, seconds: 5 * minute, what: 'requests below `/oauth`' },
  'oauth-ip': {
    by: 'address',
    limit: 300,
    seconds: 5 * minute,
    what: 'requests below `/oauth` by strangers',
  },
  'page-user': { by: 'user', limit: 1500, seconds: 5 * minute, what: 'pages' },
  'page-token': { by: 'token', limit: 300, seconds: 5 * minute, what: 'pages' },
  'page-ip': { by: 'address', limit: 300, seconds: 5 * minute, what: 'pages for strangers' },
  'paging-user': { by: 'user', limit: 300, seconds: 15 * minute, what: 'further pages of lists' },
  'paging-ip': {
    by: 'address',
    limit: 300,
    seconds: 15 * minute,
    what: 'further pages of lists for strangers',
  },

  // By address alone: a timeline has a hundred pictures, and of other servers each asks for many people.
  'files-ip': { by: 'address', limit: 10_000, seconds: 5 * minute, what: 'files' },
  'media-proxy': { by: 'address', limit: 30, seconds: 10 * minute, what: 'media of other servers' },
  'proxied-pictures-ip': {
    by: 'address',
    limit: 600,
    seconds: 10 * minute,
    what: 'profile pictures and emojis of other servers',
  },
  'documents-ip': {
    by: 'address',
    limit: 3000,
    seconds: 5 * minute,
    what: 'ActivityPub documents, `/.well-known` and `/nodeinfo`',
  },
  'inbox-ip': { by: 'address', limit: 30_000, seconds: 5 * minute, what: 'activities for an inbox' },

  // What people do.
  statuses: { by: 'account', limit: 300, seconds: 3 * hour, what: 'posts, boosts and edits' },
  follows: { by: 'account', limit: 400, seconds: day, what: 'new follows of accounts and hashtags' },
  reports: { by: 'account', limit: 400, seconds: day, what: 'reports' },
  'media-user': { by: 'user', limit: 30, seconds: 30 * minute, what: 'uploads of media' },
  unpublish: { by: 'user', limit: 30, seconds: 30 * minute, what: 'deleted posts and boosts taken back' },
  moves: { by: 'account', limit: 20, seconds: hour, what: 'tries to move to another account' },
  /** Each may bring twenty thousand lines, which are kept for a while. */
  imports: { by: 'account', limit: 30, seconds: day, what: 'imported lists' },
  /** Each may fill the disk a good deal. */
  archives: { by: 'account', limit: 10, seconds: day, what: 'imported archives' },
  invites: { by: 'user', limit: 100, seconds: day, what: 'new invites' },

  // Signing up and in.
  apps: { by: 'address', limit: 5, seconds: 10 * minute, what: 'registered apps' },
  registration: { by: 'address', limit: 5, seconds: 30 * minute, what: 'accounts made by apps' },
  interact: {
    by: 'address',
    limit: 30,
    seconds: 5 * minute,
    what: 'strangers who are led to their own server',
  },
  invite: { by: 'address', limit: 100, seconds: 5 * minute, what: 'looks at an invite' },
  'sign-up': { by: 'address', limit: 25, seconds: 5 * minute, what: 'sign-ups' },
  /** Whoever fills in a form for the first time is wrong now and then, and that counts too. */
  'sign-up-email': { by: 'mailbox', limit: 10, seconds: 30 * minute, what: 'sign-ups' },
  confirmation: { by: 'address', limit: 25, seconds: 5 * minute, what: 'mails that confirm an address' },
  'confirmation-user': { by: 'user', limit: 5, seconds: 30 * minute, what: 'mails that confirm an address' },
  'confirmation-email': {
    by: 'mailbox',
    limit: 5,
    seconds: 30 * minute,
    what: 'mails that confirm an address',
  },
  'password-reset': { by: 'address', limit: 25, seconds: 5 * minute, what: 'password resets' },
  'password-reset-email': { by: 'mailbox', limit: 5, seconds: 30 * minute, what: 'password resets' },
  'sign-in': { by: 'address', limit: 25, seconds: 5 * minute, what: 'tries to sign in' },
  'sign-in-login': { by: 'login', limit: 25, seconds: hour, what: 'tries to sign in' },
  'second-factor': { by: 'address', limit: 25, seconds: 5 * minute, what: 'second factors' },
  'second-factor-login': { by: 'login', limit: 15, seconds: hour, what: 'codes as second factor' },
  /** Wrong guesses at the current password count too. */
  'password-change': {
    by: 'user',
    limit: 10,
    seconds: 10 * minute,
    what: 'changes that want the current password',
  },
  /** Each change is a mail. */
  'mail-tests': { by: 'user', limit: 10, seconds: hour, what: 'test mails' },
  'second-factor-change': { by: 'user', limit: 60, seconds: hour, what: 'changes of second factors' },
} as const satisfies Record<string, RateLimit>

export type Family = keyof typeof rateLimits

/** The families that count one sort of caller. */
export type FamilyBy<C extends Counted> = {
  [F in Family]: (typeof rateLimits)[F]['by'] extends C ? F : never
}[Family]
