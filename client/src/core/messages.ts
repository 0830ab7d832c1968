// Written by scripts/messages.ts from client/locales/en.json.

/** A message into which something is put. */
export type Say<Params> = (params: Params) => string

/** All messages by their keys: a key that there is not, and a parameter that is missing, do not compile. */
export interface Messages {
  readonly common: {
    readonly title: Say<{ site: string | number; title: string | number }>
    readonly retry: string
    readonly close: string
    readonly loading: string
    readonly cancel: string
    readonly titleWithNews: Say<{ count: string | number; title: string | number }>
    readonly newer: string
    readonly loadNewer: string
  }
  readonly time: {
    readonly now: string
  }
  readonly errors: {
    readonly offline: string
    readonly offlineBar: string
    readonly rateLimited: Say<{ minutes: number }>
    readonly signedOut: string
    readonly notFound: string
    readonly refused: string
    readonly broken: string
    readonly missingTitle: string
    readonly missing: string
  }
  readonly navigation: {
    readonly label: string
    readonly skip: string
    readonly aside: string
    readonly home: string
    readonly explore: string
    readonly publish: string
    readonly notifications: string
    readonly search: string
    readonly public: string
    readonly conversations: string
    readonly bookmarks: string
    readonly favourites: string
    readonly lists: string
    readonly profile: string
    readonly signOut: string
    readonly settings: string
    readonly desk: string
    readonly about: string
    readonly shortcuts: string
    readonly more: string
    readonly news: Say<{ count: number }>
  }
  readonly timeline: {
    readonly home: string
    readonly public: string
    readonly everything: string
    readonly local: string
    readonly remote: string
    readonly bookmarks: string
    readonly favourites: string
    readonly list: string
    readonly link: Say<{ url: string | number }>
    readonly empty: string
    readonly homeEmpty: string
    readonly end: string
    readonly newPosts: Say<{ count: number }>
    readonly fillGap: string
    readonly leftOff: string
    readonly gap: string
  }
  readonly post: {
    readonly label: Say<{ name: string | number; time: string | number }>
    readonly boosted: string
    readonly reply: string
    readonly repliesClosed: {
      readonly followers: string
      readonly following: string
      readonly mentioned: string
    }
    readonly boost: string
    readonly favourite: string
    readonly bookmark: string
    readonly more: string
    readonly continues: string
    readonly answers: Say<{ name: string | number }>
    readonly isReply: string
    readonly editedAt: Say<{ time: string | number }>
    readonly localOnly: string
    readonly filtered: Say<{ titles: string | number }>
    readonly showAnyway: string
    readonly showMore: string
    readonly showLess: string
    readonly play: string
    readonly moreFrom: string
    readonly boosts: Say<{ count: number; shown: string | number }>
    readonly quotes: Say<{ count: number; shown: string | number }>
    readonly favourites: Say<{ count: number; shown: string | number }>
    readonly open: string
    readonly copyLink: string
    readonly copied: string
    readonly openOriginal: string
    readonly quote: string
    readonly muteConversation: string
    readonly unmuteConversation: string
    readonly pin: string
    readonly unpin: string
    readonly edit: string
    readonly delete: string
    readonly gone: Say<{ count: number }>
    readonly deleteQuestion: string
    readonly deleted: string
    readonly mention: Say<{ name: string | number }>
    readonly muteAccount: Say<{ name: string | number }>
    readonly muteQuestion: Say<{ name: string | number }>
    readonly mute: string
    readonly mutedAccount: Say<{ name: string | number }>
    readonly blockAccount: Say<{ name: string | number }>
    readonly blockQuestion: Say<{ name: string | number }>
    readonly block: string
    readonly blockedAccount: Say<{ name: string | number }>
    readonly redraft: string
    readonly redraftQuestion: string
    readonly filter: string
    readonly translate: string
    readonly translating: string
    readonly showOriginal: string
    readonly translated: Say<{ language: string | number; provider: string | number }>
  }
  readonly visibility: {
    readonly public: string
    readonly unlisted: string
    readonly private: string
    readonly direct: string
  }
  readonly compose: {
    readonly addDescriptions: string
    readonly addMedia: string
    readonly addOption: string
    readonly addPoll: string
    readonly addPost: string
    readonly askDescriptions: string
    readonly askDiscard: string
    readonly camera: string
    readonly cancelScheduled: string
    readonly changed: string
    readonly customEmoji: string
    readonly describe: string
    readonly description: string
    readonly discard: string
    readonly done: string
    readonly drafts: string
    readonly earlier: string
    readonly edit: string
    readonly editMedia: string
    readonly emoji: string
    readonly emojiGroups: {
      readonly smileys: string
      readonly people: string
      readonly animals: string
      readonly food: string
      readonly travel: string
      readonly activities: string
      readonly objects: string
      readonly symbols: string
      readonly flags: string
    }
    readonly focusAcross: string
    readonly focusHint: string
    readonly focusUp: string
    readonly form: string
    readonly goOn: Say<{ number: string | number }>
    readonly hideTotals: string
    readonly isReply: string
    readonly kept: string
    readonly language: string
    readonly later: string
    readonly left: Say<{ count: number }>
    readonly localOnly: string
    readonly markdown: string
    readonly media: string
    readonly mediaTooLarge: Say<{ megabytes: string | number; name: string | number }>
    readonly mediaUnknown: Say<{ name: string | number }>
    readonly more: string
    readonly multiple: string
    readonly noDrafts: string
    readonly noEmoji: string
    readonly noScheduled: string
    readonly noText: string
    readonly notSensitive: string
    readonly option: Say<{ number: string | number }>
    readonly optionTwice: string
    readonly placeholder: string
    readonly plainText: string
    readonly poll: string
    readonly pollEnds: string
    readonly post: string
    readonly postOfThread: Say<{ number: string | number }>
    readonly processing: string
    readonly publish: string
    readonly publishAnyway: string
    readonly published: string
    readonly publishing: string
    readonly quotePolicies: {
      readonly public: string
      readonly followers: string
      readonly nobody: string
    }
    readonly quotes: string
    readonly removeMedia: string
    readonly removeOption: Say<{ number: string | number }>
    readonly removePost: Say<{ number: string | number }>
    readonly removeReply: string
    readonly removeQuote: string
    readonly removeSchedule: string
    readonly replyPolicies: {
      readonly public: string
      readonly followers: string
      readonly following: string
      readonly mentioned: string
    }
    readonly replyTo: string
    readonly reschedule: string
    readonly schedule: string
    readonly scheduleAt: string
    readonly scheduleCancelled: string
    readonly scheduleTooSoon: string
    readonly scheduled: string
    readonly scheduledFor: Say<{ time: string | number }>
    readonly scheduledPosts: string
    readonly searchEmoji: string
    readonly searchLanguage: string
    readonly sensitive: string
    readonly sentLater: string
    readonly suggestionCount: Say<{ count: number }>
    readonly suggestions: string
    readonly threadOf: Say<{ count: number }>
    readonly thumbnail: string
    readonly thumbnailHint: string
    readonly titleEdit: string
    readonly titleQuote: string
    readonly titleReply: string
    readonly tooManyMedia: Say<{ count: number }>
    readonly undo: string
    readonly undone: string
    readonly uploading: string
    readonly visibility: string
    readonly visibilityHints: {
      readonly public: string
      readonly unlisted: string
      readonly private: string
      readonly direct: string
    }
    readonly waits: string
    readonly warning: string
    readonly warningText: string
    readonly whoQuotes: string
    readonly whoReplies: string
    readonly whoSees: string
    readonly withoutDescription: Say<{ count: number }>
    readonly writtenIn: Say<{ language: string | number }>
    readonly changedElsewhere: string
    readonly goneElsewhere: string
  }
  readonly media: {
    readonly show: string
    readonly showSensitive: string
    readonly hide: string
    readonly open: Say<{ label: string | number }>
    readonly noDescription: string
    readonly gif: string
    readonly alt: string
    readonly image: string
    readonly gifv: string
    readonly video: string
    readonly audio: string
    readonly processing: string
    readonly elsewhere: string
    readonly missing: string
    readonly viewer: Say<{ count: string | number; number: string | number }>
    readonly previous: string
    readonly next: string
    readonly zoom: string
  }
  readonly poll: {
    readonly one: string
    readonly several: string
    readonly vote: string
    readonly results: string
    readonly back: string
    readonly people: Say<{ count: number }>
    readonly over: string
    readonly open: string
    readonly until: Say<{ time: string | number }>
    readonly yours: string
  }
  readonly quote: {
    readonly pending: string
    readonly rejected: string
    readonly revoked: string
    readonly deleted: string
    readonly unauthorized: string
    readonly blocked_account: string
    readonly blocked_domain: string
    readonly muted_account: string
  }
  readonly shortcuts: {
    readonly newPost: string
    readonly search: string
    readonly down: string
    readonly up: string
    readonly open: string
    readonly profile: string
    readonly reply: string
    readonly favourite: string
    readonly boost: string
    readonly bookmark: string
    readonly showHidden: string
    readonly showMedia: string
    readonly openMedia: string
    readonly newPosts: string
    readonly back: string
    readonly home: string
    readonly notifications: string
    readonly local: string
    readonly federated: string
    readonly direct: string
    readonly favourites: string
    readonly bookmarks: string
    readonly explore: string
    readonly ownProfile: string
    readonly help: string
    readonly mention: string
    readonly quote: string
    readonly translate: string
    readonly followRequests: string
    readonly mutes: string
    readonly blocks: string
    readonly column: string
    readonly warning: string
    readonly leave: string
    readonly missing: string
  }
  readonly thread: {
    readonly post: string
    readonly deleted: string
    readonly title: Say<{ name: string | number }>
    readonly back: string
    readonly toPost: string
    readonly thread: string
    readonly newAnswers: Say<{ count: number }>
    readonly earlier: Say<{ count: number }>
    readonly noAnswers: string
    readonly answers: Say<{ count: number }>
    readonly return: string
    readonly more: Say<{ count: number }>
    readonly unfold: Say<{ count: number }>
    readonly fold: Say<{ count: number }>
    readonly upTo: Say<{ name: string | number }>
    readonly deeper: Say<{ count: number }>
    readonly about: string
    readonly boosts: string
    readonly quotes: string
    readonly favourites: string
    readonly history: string
    readonly edited: string
    readonly written: string
    readonly mediaChanged: string
    readonly descriptionsChanged: string
    readonly madeSensitive: string
    readonly madePlain: string
  }
  readonly people: {
    readonly follow: string
    readonly unfollow: string
    readonly withdraw: string
    readonly unblock: string
    readonly nobody: string
  }
  readonly profile: {
    readonly parts: string
    readonly posts: string
    readonly replies: string
    readonly media: string
    readonly featured: string
    readonly postsOf: Say<{ name: string | number }>
    readonly mediaOf: Say<{ name: string | number }>
    readonly blocked: string
    readonly hidden: string
    readonly followers: string
    readonly following: string
    readonly edit: string
    readonly locked: string
    readonly bot: string
    readonly group: string
    readonly memorial: string
    readonly moved: string
    readonly limited: string
    readonly postCount: Say<{ count: number; shown: string | number }>
    readonly followingCount: Say<{ shown: string | number }>
    readonly followerCount: Say<{ count: number; shown: string | number }>
    readonly since: Say<{ day: string | number }>
    readonly followsYou: string
    readonly asksToFollow: string
    readonly muted: string
    readonly domainBlocked: string
    readonly notify: string
    readonly verified: Say<{ day: string | number }>
    readonly familiar: string
    readonly andMore: Say<{ count: number }>
    readonly addNote: string
    readonly changeNote: string
    readonly note: string
    readonly noteHint: string
    readonly save: string
    readonly report: Say<{ name: string | number }>
    readonly followOptions: string
    readonly lists: string
    readonly noLists: string
    readonly endorse: string
    readonly unendorse: string
    readonly removeFollower: string
    readonly removeQuestion: Say<{ name: string | number }>
    readonly remove: string
    readonly unmute: Say<{ name: string | number }>
    readonly unblock: Say<{ name: string | number }>
    readonly blockDomain: Say<{ name: string | number }>
    readonly unblockDomain: Say<{ name: string | number }>
    readonly blockDomainQuestion: Say<{ name: string | number }>
    readonly blockDomainText: string
    readonly muteText: string
    readonly muteFor: string
    readonly forEver: string
    readonly muteNotifications: string
    readonly showBoosts: string
    readonly languages: string
    readonly languagesHint: Say<{ example: string | number }>
    readonly noMedia: string
    readonly pinned: string
    readonly tags: string
    readonly endorsed: string
    readonly desk: Say<{ name: string | number }>
  }
  readonly report: {
    readonly sent: string
    readonly comment: string
    readonly forward: Say<{ server: string | number }>
    readonly send: string
    readonly why: string
    readonly spam: string
    readonly legal: string
    readonly violation: string
    readonly other: string
    readonly rules: string
    readonly posts: string
    readonly mediaOnly: string
    readonly dislike: string
    readonly forYourself: string
    readonly unfollow: Say<{ name: string | number }>
  }
  readonly notifications: {
    readonly title: string
    readonly kinds: string
    readonly all: string
    readonly mentions: string
    readonly posts: string
    readonly boosts: string
    readonly favourites: string
    readonly follows: string
    readonly empty: string
    readonly unread: string
    readonly mediaOnly: string
    readonly asking: Say<{ count: number }>
    readonly kept: Say<{ count: number }>
  }
  readonly notified: {
    readonly others: Say<{ count: number }>
    readonly mention: string
    readonly status: string
    readonly reblog: Say<{ count: number }>
    readonly favourite: Say<{ count: number }>
    readonly follow: Say<{ count: number }>
    readonly followRequest: string
    readonly poll: string
    readonly update: string
    readonly quote: string
    readonly quotedUpdate: string
    readonly signUp: Say<{ count: number }>
    readonly report: Say<{ name: string | number }>
    readonly severed: Say<{ followers: number; following: number; name: string | number }>
    readonly warning: string
    readonly seeWhom: string
    readonly seeWhy: string
    readonly annualReport: Say<{ year: string | number }>
    readonly addedToCollection: Say<{ name: string | number }>
    readonly collectionUpdate: Say<{ name: string | number }>
    readonly reaction: Say<{ emoji: string | number }>
  }
  readonly requests: {
    readonly title: string
    readonly about: string
    readonly back: string
    readonly empty: string
    readonly count: Say<{ count: number }>
    readonly of: Say<{ name: string | number }>
    readonly accept: string
    readonly reject: string
    readonly dismiss: string
    readonly accepted: string
    readonly rejected: string
    readonly letThrough: Say<{ name: string | number }>
    readonly dismissed: Say<{ name: string | number }>
  }
  readonly tag: {
    readonly people: Say<{ count: number; shown: string | number }>
    readonly none: string
    readonly combine: string
    readonly any: string
    readonly all: string
    readonly show: string
    readonly empty: string
  }
  readonly explore: {
    readonly title: string
    readonly parts: string
    readonly posts: string
    readonly tags: string
    readonly links: string
    readonly suggestions: string
    readonly noPosts: string
    readonly noTags: string
    readonly noLinks: string
    readonly noSuggestions: string
    readonly sharedBy: Say<{ count: number; shown: string | number }>
    readonly dismiss: Say<{ name: string | number }>
  }
  readonly search: {
    readonly title: string
    readonly resultsFor: Say<{ words: string | number }>
    readonly field: string
    readonly search: string
    readonly kinds: string
    readonly all: string
    readonly accounts: string
    readonly statuses: string
    readonly hashtags: string
    readonly searching: string
    readonly nothing: string
    readonly nothingThere: string
    readonly more: string
    readonly end: string
    readonly help: string
    readonly phraseExample: string
    readonly phrase: string
    readonly withoutExample: string
    readonly without: string
    readonly fromMe: string
    readonly from: string
    readonly library: string
    readonly public: string
    readonly has: string
    readonly is: string
    readonly language: string
    readonly before: string
    readonly after: string
    readonly during: string
    readonly handle: string
    readonly address: string
  }
  readonly own: {
    readonly followRequests: string
    readonly nobodyAsks: string
    readonly blocks: string
    readonly nobodyBlocked: string
    readonly mutes: string
    readonly nobodyMuted: string
    readonly unmute: string
    readonly followedTags: string
    readonly noTags: string
    readonly muted: string
    readonly mutedConversations: string
    readonly noMutedConversations: string
  }
  readonly conversations: {
    readonly begin: string
    readonly came: Say<{ names: string | number }>
    readonly delete: string
    readonly deleteQuestion: string
    readonly deleteText: string
    readonly markRead: string
    readonly markUnread: string
    readonly muted: string
    readonly none: string
    readonly own: string
  }
  readonly domains: {
    readonly title: string
    readonly none: string
    readonly show: string
    readonly shown: Say<{ domain: string | number }>
    readonly hidden: Say<{ domain: string | number }>
    readonly hide: string
    readonly name: string
    readonly hint: string
    readonly ends: Say<{ followers: number; following: number }>
  }
  readonly filters: {
    readonly all: string
    readonly about: string
    readonly none: string
    readonly make: string
    readonly edit: string
    readonly editOne: Say<{ title: string | number }>
    readonly deleteOne: Say<{ title: string | number }>
    readonly deleteQuestion: Say<{ title: string | number }>
    readonly delete: string
    readonly save: string
    readonly title: string
    readonly titleHint: string
    readonly keywords: string
    readonly keyword: Say<{ number: string | number }>
    readonly wholeWord: string
    readonly addKeyword: string
    readonly removeKeyword: Say<{ number: string | number }>
    readonly action: string
    readonly actions: {
      readonly warn: string
      readonly blur: string
      readonly hide: string
    }
    readonly actionHints: {
      readonly warn: string
      readonly blur: string
      readonly hide: string
    }
    readonly where: string
    readonly contexts: {
      readonly home: string
      readonly notifications: string
      readonly public: string
      readonly thread: string
      readonly account: string
    }
    readonly expiry: string
    readonly never: string
    readonly until: Say<{ time: string | number }>
    readonly over: string
    readonly posts: Say<{ count: number }>
    readonly removePost: string
    readonly filterPost: string
    readonly filtered: Say<{ title: string | number }>
    readonly what: string
    readonly thisPost: string
    readonly aWord: string
    readonly word: string
    readonly which: string
    readonly add: string
  }
  readonly announcements: {
    readonly title: string
    readonly of: Say<{ time: string | number }>
    readonly one: string
    readonly span: Say<{ end: string | number; start: string | number }>
    readonly until: Say<{ end: string | number }>
    readonly dismiss: string
  }
  readonly reactions: {
    readonly label: string
    readonly add: string
    readonly none: string
    readonly who: string
    readonly with: Say<{ count: number; emoji: string | number }>
  }
  readonly catchUp: {
    readonly title: string
    readonly again: string
    readonly span: string
    readonly spans: {
      readonly evening: string
      readonly hours: string
      readonly day: string
      readonly days: string
      readonly week: string
    }
    readonly nothing: Say<{ time: string | number }>
    readonly summary: Say<{ people: number; posts: number }>
    readonly incomplete: string
    readonly people: string
    readonly quiet: Say<{ name: string | number }>
    readonly rarely: string
    readonly links: string
    readonly sharedBy: Say<{ count: number; shown: string | number }>
    readonly boosted: string
    readonly boostedBy: Say<{ count: number; shown: string | number }>
    readonly posts: string
    readonly order: string
    readonly orders: {
      readonly newest: string
      readonly oldest: string
      readonly author: string
      readonly thread: string
      readonly density: string
      readonly replies: string
      readonly reblogs: string
      readonly favourites: string
    }
    readonly kind: string
    readonly kinds: {
      readonly all: string
      readonly original: string
      readonly reply: string
      readonly reblog: string
      readonly followed_tag: string
      readonly links: string
      readonly quiet: string
    }
  }
  readonly statistics: {
    readonly title: string
    readonly about: string
    readonly count: string
    readonly months: string
    readonly posts: string
    readonly favourites: string
    readonly boosts: string
    readonly replies: string
    readonly quotes: string
    readonly followers: string
    readonly incomplete: string
    readonly written: string
    readonly came: string
    readonly onDay: Say<{ count: number; day: string | number }>
    readonly ofDay: Say<{ count: number; day: string | number }>
    readonly top: string
    readonly ofPost: string
    readonly hours: string
    readonly nothing: string
    readonly servers: string
    readonly serverCount: Say<{ count: number }>
    readonly days: string
  }
  readonly directory: {
    readonly title: string
    readonly order: string
    readonly active: string
    readonly new: string
    readonly where: string
    readonly everywhere: string
  }
  readonly lists: {
    readonly make: string
    readonly edit: string
    readonly editOne: Say<{ title: string | number }>
    readonly name: string
    readonly replies: string
    readonly policies: {
      readonly list: string
      readonly followed: string
      readonly none: string
    }
    readonly exclusive: string
    readonly members: string
    readonly find: string
    readonly delete: string
    readonly deleteQuestion: Say<{ title: string | number }>
    readonly empty: string
  }
  readonly collections: {
    readonly title: string
    readonly one: string
    readonly about: string
    readonly none: string
    readonly withYou: string
    readonly make: string
    readonly edit: string
    readonly name: string
    readonly description: string
    readonly tag: string
    readonly tagHint: string
    readonly discoverable: string
    readonly sensitive: string
    readonly people: Say<{ count: number; shown: string | number }>
    readonly by: string
    readonly add: string
    readonly find: string
    readonly added: Say<{ name: string | number }>
    readonly isIn: string
    readonly waits: string
    readonly remove: Say<{ name: string | number }>
    readonly leave: string
    readonly leaveQuestion: Say<{ name: string | number }>
    readonly delete: string
    readonly deleteQuestion: Say<{ name: string | number }>
    readonly empty: string
    readonly members: string
    readonly isSensitive: string
  }
  readonly deck: {
    readonly title: string
    readonly add: string
    readonly addTag: string
    readonly tag: string
    readonly addPerson: string
    readonly person: string
    readonly addSearch: string
    readonly words: string
    readonly menu: Say<{ title: string | number }>
    readonly earlier: string
    readonly later: string
    readonly remove: string
    readonly moved: Say<{ count: string | number; place: string | number; title: string | number }>
    readonly removed: Say<{ title: string | number }>
    readonly empty: string
  }
  readonly push: {
    readonly accept: string
    readonly choose: string
    readonly failed: string
    readonly favourite: string
    readonly favourited: string
    readonly here: string
    readonly isOff: string
    readonly isOn: string
    readonly many: Say<{ count: number }>
    readonly more: Say<{ count: number; title: string | number }>
    readonly refused: string
    readonly reject: string
    readonly reply: string
  }
}
