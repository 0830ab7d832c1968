import type { ReplyPolicy, UserSettings, Visibility } from './viewer.ts'

/** What a user prefers, with defaults for what they did not choose. */
export interface Preferences {
  privacy: Visibility
  sensitive: boolean
  /** null: the language of the interface. */
  language: string | null
  quotePolicy: 'public' | 'followers' | 'nobody'
  replyPolicy: ReplyPolicy
  expandMedia: 'default' | 'show_all' | 'hide_all'
  expandSpoilers: boolean
  autoplayGifs: boolean
}

/** Locked accounts post to their followers unless they chose otherwise. */
export function preferencesOf(settings: UserSettings, locked: boolean): Preferences {
  const privacy = settings.default_privacy ?? (locked ? 'private' : 'public')
  return {
    privacy,
    sensitive: settings.default_sensitive ?? false,
    language: settings.default_language ?? null,
    quotePolicy: settings.default_quote_policy ?? 'public',
    replyPolicy: settings.default_reply_policy ?? 'public',
    expandMedia: settings.expand_media ?? 'default',
    expandSpoilers: settings.expand_spoilers ?? false,
    autoplayGifs: settings.autoplay_gifs ?? false,
  }
}
