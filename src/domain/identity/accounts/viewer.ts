import type { SentenceCode } from '#lib/messages/describe-error.ts'
import type { AccountId, ApplicationId, OauthTokenId, UserId } from '#lib/id.ts'

/** The person on whose behalf something is asked: a user with a functional login, or one being repaired. */
export interface Viewer {
  readonly accountId: AccountId
  readonly userId: UserId
  readonly username: string
  readonly locked: boolean
  readonly silenced: boolean
  /** Bits of the role and of the everyone role. 1 is administrator. */
  readonly permissions: bigint
  /** The position of their role; -1 without one. Higher ones act on lower ones. */
  readonly rank: number
  readonly locale: string
  readonly settings: UserSettings
  readonly chosenLanguages: readonly string[] | null
  /** Rises with every change of their filters; 0: they never had any. */
  readonly filtersVersion: number
  /** Why this login may not act now, or null. */
  readonly refusal: Refusal | null
}

/** `factorless`: their role demands a second factor, which they have yet to set up. */
export type Refusal = 'unconfirmed' | 'pending' | 'disabled' | 'factorless'

/** What they are told. Clients match on these words. */
export const refusalSentences = {
  unconfirmed: 'login_unconfirmed',
  pending: 'login_pending',
  disabled: 'login_disabled',
  factorless: 'login_disabled',
} as const satisfies Readonly<Record<Refusal, SentenceCode>>

/** Who may answer a status, besides its author and those it names. */
export const replyPolicies = ['public', 'followers', 'following', 'mentioned'] as const
export type ReplyPolicy = (typeof replyPolicies)[number]

/** Preferences of a user. Missing ones have their default. */
export interface UserSettings {
  readonly default_privacy?: Visibility
  readonly default_sensitive?: boolean
  readonly default_language?: string
  readonly default_quote_policy?: 'public' | 'followers' | 'nobody'
  readonly default_reply_policy?: ReplyPolicy
  readonly expand_media?: 'default' | 'show_all' | 'hide_all'
  readonly expand_spoilers?: boolean
  readonly autoplay_gifs?: boolean
  readonly aggregate_reblogs?: boolean
  readonly show_application?: boolean
  readonly noindex?: boolean
  /** See mail-settings.ts. */
  readonly notification_emails?: { readonly [kind: string]: boolean }
  /** Mails come also while they are here, or are told by push. */
  readonly always_send_emails?: boolean
  /** How pages and the app look; what is missing is as the system has it. */
  readonly theme?: 'light' | 'dark'
  readonly contrast?: 'more'
  readonly motion?: 'less'
  readonly density?: 'compact'
  readonly text_size?: 'large' | 'larger'
  /** `one`: nothing stands beside the timeline. */
  readonly columns?: 'one'
  /** Of pages and the app; without it what the browser asks for. */
  readonly interface_language?: string
  /** See reading/timelines/columns.ts. */
  readonly deck?: readonly Column[]
  /** See reading/statistics/setting.ts. */
  readonly statistics?: boolean
}

/** A timeline among those that are read beside each other. `about`: the id of a list, or the name of a tag. */
export interface Column {
  readonly kind:
    | 'home'
    | 'notifications'
    | 'local'
    | 'everything'
    | 'remote'
    | 'bookmarks'
    | 'favourites'
    | 'conversations'
    | 'list'
    | 'tag'
    | 'account'
    | 'search'
  readonly about?: string | undefined
}

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

/** Who calls: found once per request, by one function, from the token or the session. */
export interface Caller {
  readonly viewer: Viewer | null
  readonly token: CallerToken | null
  /** The address of the client, proxies resolved. */
  readonly address: string
}

export interface CallerToken {
  readonly id: OauthTokenId
  readonly applicationId: ApplicationId | null
  readonly scopes: readonly string[]
}
