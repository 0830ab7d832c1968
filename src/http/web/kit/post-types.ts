// What pages read of the entities that the views make.
import type { AccountJson } from '#views/identity/accounts.ts'
import type { StatusJson } from '#views/render/status.ts'

export interface ShownEmoji {
  shortcode: string
  static_url: string
}

export interface ShownAccount {
  id: string
  username: string
  acct: string
  display_name: string
  note: string
  url: string
  uri: string
  avatar_static: string
  avatar_description?: string
  header_static: string
  header_description?: string
  bot: boolean
  locked: boolean
  noindex?: boolean
  limited?: boolean
  memorial?: boolean
  created_at: string
  statuses_count: number
  following_count: number
  followers_count: number
  hide_collections: boolean | null
  emojis: ShownEmoji[]
  roles?: { name: string }[]
  fields: { name: string; value: string; verified_at: string | null }[]
  moved?: ShownAccount
  show_media?: boolean
  show_media_replies?: boolean
  show_featured?: boolean
}

export interface ShownSize {
  width?: number
  height?: number
}

export interface ShownMedia {
  id: string
  type: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string | null
  preview_url: string | null
  remote_url: string | null
  description: string | null
  meta?: {
    original?: ShownSize & { duration?: number }
    small?: ShownSize
    /** Where people look at when a picture is cropped: -1 to 1, from the left and from below. */
    focus?: { x: number; y: number }
  } | null
}

export interface ShownPoll {
  expires_at: string | null
  expired: boolean
  multiple: boolean
  votes_count: number
  voters_count: number | null
  /** Null while the author keeps the numbers back. */
  options: { title: string; votes_count: number | null }[]
  emojis: ShownEmoji[]
}

/** What pages show of a preview. It has HTML too, of other sites: no page puts that in (CNT-4). */
export interface ShownCard {
  url: string
  type: 'link' | 'photo' | 'video' | 'rich'
  title: string
  description: string
  language: string | null
  author_name: string
  provider_name: string
  image: string | null
  image_description: string
  width: number
  height: number
}

export interface ShownQuote {
  state: string
  quoted_status?: ShownPost | null
  /** In place of the post, in what is quoted itself. */
  quoted_status_id?: string | null
}

export interface ShownReaction {
  name: string
  count: number
  static_url?: string
}

export interface ShownPost {
  id: string
  created_at: string
  edited_at: string | null
  in_reply_to_id: string | null
  visibility: 'public' | 'unlisted' | 'private' | 'direct'
  language: string | null
  sensitive: boolean
  spoiler_text: string
  uri: string
  url: string | null
  content: string
  account: ShownAccount
  reblog: ShownPost | null
  media_attachments: ShownMedia[]
  tags: { name: string; url: string }[]
  emojis: ShownEmoji[]
  card: ShownCard | null
  poll: ShownPoll | null
  quote: ShownQuote | null
  /** Not there where the extension is off. */
  reactions?: ShownReaction[]
  local_only?: boolean
  replies_count: number
  reblogs_count: number
  favourites_count: number
}

/** The entity as pages read it: the views promise these fields to every client. */
export const asPost = (status: StatusJson) => status as unknown as ShownPost
export const asAccount = (account: AccountJson) => account as unknown as ShownAccount
