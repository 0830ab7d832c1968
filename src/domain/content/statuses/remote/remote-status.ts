import type { RemoteEmoji } from '#domain/server/instance/emojis/remote-emojis.ts'
import type { RemoteMedia } from '#domain/content/media/save-remote.ts'
import type { RemotePoll } from '#domain/content/polls/remote-poll.ts'
import type { RemoteQuote } from '../quotes/remote-quote.ts'
import type { StatusFacts } from '../queries.ts'
import type { StatusVisibility } from '../visibility.ts'
import type { AccountId, ConversationId } from '#lib/id.ts'

/** A status as another server tells of it, with what it names here. */
export interface RemoteStatus {
  uri: string
  url: string | null
  author: { id: AccountId; domain: string }
  /** Harmless HTML. */
  content: string
  spoilerText: string
  visibility: StatusVisibility
  sensitive: boolean
  language: string | null
  createdAt: Date
  editedAt: Date | null
  /** It says that it answers something, known or not. */
  reply: boolean
  parent: Pick<StatusFacts, 'id' | 'account_id' | 'in_reply_to_account_id' | 'conversation_id'> | null
  conversation: { uri: string } | { id: ConversationId } | null
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  replyAutomatic: readonly string[] | null
  replyManual: readonly string[] | null
  quote: RemoteQuote | null
  repliesUrl: string | null
  media: readonly RemoteMedia[]
  poll: RemotePoll | null
  /** Accounts that it names, and those it is addressed to without naming them. */
  mentioned: readonly AccountId[]
  addressed: readonly AccountId[]
  hashtags: readonly { name: string; display: string }[]
  emojis: readonly RemoteEmoji[]
  told: { favourites: number | null; reblogs: number | null }
}
