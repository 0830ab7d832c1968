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
    readonly about: string
    readonly shortcuts: string
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
  }
  readonly post: {
    readonly label: Say<{ name: string | number; time: string | number }>
    readonly boosted: string
    readonly reply: string
    readonly boost: string
    readonly favourite: string
    readonly bookmark: string
    readonly more: string
  }
  readonly visibility: {
    readonly public: string
    readonly unlisted: string
    readonly private: string
    readonly direct: string
  }
  readonly compose: {
    readonly form: string
    readonly placeholder: string
    readonly warning: string
    readonly warningText: string
    readonly visibility: string
    readonly publish: string
    readonly published: string
  }
}
