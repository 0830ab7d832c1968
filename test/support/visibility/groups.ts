// Every operation and page, classified by hand: how it shows statuses, or that it shows none. One that is missing here
// fails the test, so that nobody forgets to say.

/**
 * How statuses are shown, and what besides `canSee` decides. `exact`: the very set is expected. `sound`: only that
 * nothing is shown which `canSee` forbids; what is left out, and why, is in the words and in other tests.
 * What a stranger, or somebody without a right to it, must not see is checked of every answer, in all groups.
 */
export const groups = {
  account: { how: 'exact', excludes: 'suspended authors; blocks and mutes of the viewer change nothing' },
  home: {
    how: 'exact',
    excludes:
      'blocked, muted (authors, boosted, named); boosts by choice; replies to strangers; exclusive lists; hidden servers; later boosts',
  },
  catchUp: { how: 'exact', excludes: 'as home; what the viewer wrote and boosted' },
  list: { how: 'exact', excludes: 'as home, without exclusive lists; replies by the policy; direct ones' },
  public: {
    how: 'exact',
    excludes: 'blocks both ways, mutes, hidden servers, limited authors, boosts, replies to others',
  },
  tag: { how: 'exact', excludes: 'as public, replies are in' },
  link: { how: 'exact', excludes: 'as tag; authors who do not want to be found' },
  trends: {
    how: 'exact',
    excludes: 'as link; limited authors, warnings, replies, local-only, quotes of such',
  },
  favourites: { how: 'exact', excludes: 'nothing' },
  bookmarks: { how: 'exact', excludes: 'nothing' },
  mutedConversations: {
    how: 'sound',
    excludes: 'all but the first visible one of each: test/api/reading/conversations.test.ts',
  },
  batch: { how: 'exact', excludes: 'nothing' },
  status: { how: 'exact', excludes: 'nothing: there exactly when `canSee`, 404 otherwise' },
  context: { how: 'exact', excludes: 'nothing, also not what is below a hidden reply' },
  quotes: { how: 'exact', excludes: 'quotes without consent, by blocked or muted people, of hidden servers' },
  poll: { how: 'exact', excludes: 'nothing: there exactly when `canSee`' },
  search: {
    how: 'exact',
    excludes:
      'outside the library what is not public and indexable; blocks both ways, mutes, hidden servers, limited strangers',
  },
  notifications: {
    how: 'exact',
    excludes: 'blocked, muted with notifications, in such company, hidden servers, suspended; of five kinds',
  },
  notification: { how: 'exact', excludes: 'as the list; one by one' },
  grouped: { how: 'exact', excludes: 'as notifications: the same statuses' },
  requests: {
    how: 'sound',
    excludes: 'the policy decides: test/api/notifications/notification-matrix.test.ts',
  },
  conversations: { how: 'sound', excludes: 'the policy decides: test/api/reading/conversations.test.ts' },
  reports: { how: 'exact', excludes: 'nothing' },
  embed: { how: 'exact', excludes: 'as strangers; boosts, other servers’ posts' },
  page: { how: 'exact', excludes: 'as strangers; boosts lead on, other servers’ posts have none' },
  profile: { how: 'exact', excludes: 'as strangers' },
  feed: {
    how: 'exact',
    excludes: 'as strangers; public only, no boosts; in the main feed no replies to others',
  },
  front: { how: 'exact', excludes: 'as strangers: the newest of the local timeline' },
  publicPage: { how: 'exact', excludes: 'as strangers: the newest of each public timeline' },
  tagPage: { how: 'exact', excludes: 'as strangers: the hashtag timeline' },
  document: { how: 'exact', excludes: 'as strangers; those of suspended people are forbidden' },
  /** Statuses beside each other, as other servers read them: what is in each is told by `canSee`. */
  documents: {
    how: 'sound',
    excludes: 'as strangers; the rules of each: test/federation/documents/collections.test.ts',
  },
  /** Says something of a status that tells nothing of its text: hidden ones are 404. */
  guarded: { how: 'sound', excludes: 'nothing: 404 for what is hidden' },
  /** Does something with a status, and may answer with it: hidden ones are 404, or told by their id alone. */
  acts: { how: 'sound', excludes: 'nothing: 404, or the bare id where something of one’s own is taken back' },
  /** Shows what nobody but its owner has: test/security/acc-hidden.test.ts, ACC-7. */
  own: { how: 'sound', excludes: 'everybody else’s' },
  /**
   * What was reported, decided about or trends, to staff: test/api/admin/admin-reports.test.ts, test/api/moderation/appeals.test.ts,
   * test/api/admin/admin-trends.test.ts.
   */
  staff: {
    how: 'sound',
    excludes: 'what nobody reported, decided about or made trend; everybody without the role',
  },
  /** Shows no status. */
  none: { how: 'sound', excludes: 'all' },
} as const

export type Group = keyof typeof groups

const statusActs = ['favourite', 'bookmark', 'mute', 'pin', 'reblog'].flatMap((verb) => [
  `POST /api/v1/statuses/:id/${verb}`,
  `POST /api/v1/statuses/:id/un${verb}`,
])

export const showing: Readonly<Partial<Record<Group, readonly string[]>>> = {
  account: ['GET /api/v1/accounts/:id/statuses'],
  home: ['GET /api/v1/timelines/home'],
  catchUp: ['GET /api/v1/catch_up/statuses', 'GET /api/v1/catch_up'],
  list: ['GET /api/v1/timelines/list/:id'],
  public: ['GET /api/v1/timelines/public'],
  tag: ['GET /api/v1/timelines/tag/:hashtag'],
  link: ['GET /api/v1/timelines/link'],
  trends: ['GET /api/v1/trends/statuses'],
  favourites: ['GET /api/v1/favourites'],
  bookmarks: ['GET /api/v1/bookmarks'],
  mutedConversations: ['GET /api/v1/muted_conversations'],
  batch: ['GET /api/v1/statuses'],
  status: ['GET /api/v1/statuses/:id', 'GET /api/v1/statuses/:id/history', 'GET /api/v1/statuses/:id/source'],
  context: ['GET /api/v1/statuses/:id/context'],
  quotes: ['GET /api/v1/statuses/:id/quotes'],
  poll: ['GET /api/v1/polls/:id'],
  search: ['GET /api/v2/search'],
  notifications: ['GET /api/v1/notifications'],
  notification: ['GET /api/v1/notifications/:id', 'GET /api/v2/notifications/:group_key'],
  grouped: ['GET /api/v2/notifications'],
  requests: ['GET /api/v1/notifications/requests', 'GET /api/v1/notifications/requests/:id'],
  conversations: [
    'GET /api/v1/conversations',
    'POST /api/v1/conversations/:id/read',
    'POST /api/v1/conversations/:id/unread',
  ],
  reports: ['GET /api/v1/annual_reports', 'GET /api/v1/annual_reports/:year'],
  embed: ['GET /api/oembed'],
  page: ['GET /:handle{@[^/]+}/:id{[0-9]+}', 'GET /:handle{@[^/]+}/:id{[0-9]+}/embed'],
  profile: [
    'GET /:handle{@[^/]+}',
    'GET /:handle{@[^/]+}/with_replies',
    'GET /:handle{@[^/]+}/media',
    'GET /:handle{@[^/]+}/tagged/:tag',
  ],
  feed: [
    'GET /:handle{@[^/]+\\.rss}',
    'GET /:handle{@[^/]+}/with_replies.rss',
    'GET /:handle{@[^/]+}/media.rss',
    'GET /:handle{@[^/]+}/tagged/:tag{[^/]+\\.rss}',
  ],
  front: ['GET /'],
  publicPage: ['GET /public', 'GET /public/local', 'GET /public/remote'],
  document: [
    'GET /users/:username/statuses/:id{[0-9]+} as a document',
    'GET /users/:username/statuses/:id{[0-9]+}/activity as a document',
    'GET /:handle{@[^/]+}/:id{[0-9]+} as a document',
  ],
  documents: [
    'GET /users/:username/outbox as a document',
    'GET /users/:username/collections/featured as a document',
    'GET /users/:username/statuses/:id{[0-9]+}/replies as a document',
    'GET /contexts/:id{[0-9]+} as a document',
  ],
  tagPage: ['GET /tags/:tag', 'GET /tags/:tag{[^/]+\\.rss}'],
  guarded: [
    'GET /api/v1/statuses/:id/favourited_by',
    'GET /api/v1/statuses/:id/reblogged_by',
    'GET /api/v1/pleroma/statuses/:id/reactions',
    'GET /api/v1/pleroma/statuses/:id/reactions/:emoji',
    'POST /api/v1/statuses/:id/translate',
    'GET /media_proxy/:id/:part',
    'GET /api/v1/media/:id',
  ],
  acts: [
    ...statusActs,
    'POST /api/v1/statuses',
    'PUT /api/v1/statuses/:id',
    'DELETE /api/v1/statuses/:id',
    'PUT /api/v1/statuses/:id/interaction_policy',
    'POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke',
    'PUT /api/v1/pleroma/statuses/:id/reactions/:emoji',
    'DELETE /api/v1/pleroma/statuses/:id/reactions/:emoji',
    'POST /api/v1/polls/:id/votes',
    'PUT /api/v1/media/:id',
    'DELETE /api/v1/media/:id',
  ],
  staff: [
    'GET /api/v1/admin/trends/statuses',
    'POST /api/v1/admin/trends/statuses/:id/approve',
    'POST /api/v1/admin/trends/statuses/:id/reject',
    'GET /api/v1/admin/reports',
    'GET /api/v1/admin/reports/:id',
    'PUT /api/v1/admin/reports/:id',
    'POST /api/v1/admin/reports/:id/actions',
    'POST /api/v1/admin/reports/:id/assign_to_self',
    'POST /api/v1/admin/reports/:id/reopen',
    'POST /api/v1/admin/reports/:id/resolve',
    'POST /api/v1/admin/reports/:id/unassign',
    'POST /api/v1/admin/spam_rules/dry_run',
    'GET /api/v1/admin/appeals',
    'GET /api/v1/admin/appeals/:id',
    'POST /api/v1/admin/appeals/:id/approve',
    'POST /api/v1/admin/appeals/:id/reject',
  ],
  own: [
    // Those of one's own that staff decided about: test/api/moderation/strikes.test.ts.
    'GET /disputes/strikes/:id{[0-9]+}',
    'POST /disputes/strikes/:id{[0-9]+}/appeal',
    // Counts, of one's own alone: test/api/reading/statistics.test.ts.
    'GET /api/v1/statistics/:month',
    'GET /api/v1/statuses/:id/statistics',
    'GET /api/v1/scheduled_statuses',
    'GET /api/v1/scheduled_statuses/:id',
    'PUT /api/v1/scheduled_statuses/:id',
    'DELETE /api/v1/scheduled_statuses/:id',
    'GET /api/v1/drafts',
    'POST /api/v1/drafts',
    'GET /api/v1/drafts/:id',
    'PUT /api/v1/drafts/:id',
    'DELETE /api/v1/drafts/:id',
    'POST /api/v1/drafts/:id/publish',
    // Of conversations that one muted, the first status that one may see: test/api/pages/settings-people.test.ts.
    'GET /settings/muted_conversations',
    // Addresses of bookmarks among them, no texts: test/api/portability/portability.test.ts.
    'GET /settings/exports/:file',
    // Everything of one's own: ACC-25 in test/api/portability/archive-export.test.ts.
    'GET /settings/backups/:id',
    // What one may see, to who is signed in on pages: test/federation/documents/actors.test.ts.
    'GET /authorize_interaction',
    'POST /authorize_interaction',
    // By names that nobody can guess (ACC-21).
    'GET /media/:key{.+}',
  ],
}
