import { z } from 'zod'
import { Account } from './account.ts'
import { Collection } from './collection.ts'
import { CustomEmoji, reactions } from './emoji.ts'
import {
  count,
  entity,
  flag,
  id,
  idOrNull,
  mark,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  url,
  urlOrNull,
  type Json,
} from './entity.ts'
import { FilterResult } from './filter.ts'
import { MediaAttachment } from './media-attachment.ts'
import { Poll } from './poll.ts'
import { PreviewCard } from './preview-card.ts'

/** https://docs.joinmastodon.org/entities/Status/#Mention */
export const StatusMention = entity('StatusMention', { id, username: text, url, acct: text })
export interface StatusMention extends Json<typeof StatusMention> {}

/** https://docs.joinmastodon.org/entities/Status/#Tag */
export const StatusTag = entity('StatusTag', { name: text, url })
export interface StatusTag extends Json<typeof StatusTag> {}

/** https://docs.joinmastodon.org/entities/QuoteApproval/ */
export const QuoteApproval = entity('QuoteApproval', {
  automatic: texts,
  manual: texts,
  current_user: z.enum(['automatic', 'manual', 'denied']),
})
export interface QuoteApproval extends Json<typeof QuoteApproval> {}

/** https://docs.joinmastodon.org/entities/Status/ */
export const Status = entity('Status', {
  id,
  created_at: time,
  in_reply_to_id: idOrNull,
  in_reply_to_account_id: idOrNull,
  sensitive: flag,
  spoiler_text: text,
  visibility: z.enum(['public', 'unlisted', 'private', 'direct']),
  language: textOrNull,
  uri: url,
  url: urlOrNull,
  edited_at: timeOrNull,
  content: text,
  /** The source text, in the answer to the deletion. */
  text: text.optional(),
  application: z.strictObject({ name: text, website: urlOrNull }).nullable(),
  media_attachments: z.array(MediaAttachment),
  mentions: z.array(StatusMention),
  tags: z.array(StatusTag),
  emojis: z.array(CustomEmoji),
  card: PreviewCard.nullable(),
  /** An extension: it stays on this server. */
  local_only: mark,
  replies_count: count,
  reblogs_count: count,
  favourites_count: count,
  quotes_count: count,
  account: Account,
  get reblog(): z.ZodNullable<z.ZodType<Status>> {
    return Status.nullable()
  },
  poll: Poll.nullable(),
  get quote(): z.ZodNullable<z.ZodType<Quote>> {
    return Quote.nullable()
  },
  tagged_collections: z.array(Collection),
  quote_approval: QuoteApproval,
  /** An extension, as Pleroma has it: not there where it is off. */
  reactions: reactions.optional(),
  /** Not there for strangers, as all that follow. */
  favourited: flag.optional(),
  reblogged: flag.optional(),
  muted: flag.optional(),
  bookmarked: flag.optional(),
  filtered: z.array(FilterResult).optional(),
  /** Of one's own statuses. */
  pinned: flag.optional(),
})
export interface Status extends Json<typeof Status> {}

/**
 * https://docs.joinmastodon.org/entities/Quote/ of a status, and of what that quotes
 * https://docs.joinmastodon.org/entities/ShallowQuote/, which has the id in place of the status.
 */
export const Quote = entity('Quote', {
  state: z.enum([
    'pending',
    'accepted',
    'rejected',
    'revoked',
    'deleted',
    'unauthorized',
    'blocked_account',
    'blocked_domain',
    'muted_account',
  ]),
  quoted_status: Status.nullish(),
  quoted_status_id: idOrNull.optional(),
})
export interface Quote extends Json<typeof Quote> {}

/** https://docs.joinmastodon.org/entities/Context/ */
export const Context = entity('Context', { ancestors: z.array(Status), descendants: z.array(Status) })

/** https://docs.joinmastodon.org/entities/StatusEdit/ */
export const StatusEdit = entity('StatusEdit', {
  content: text,
  spoiler_text: text,
  sensitive: flag,
  created_at: time,
  account: Account,
  media_attachments: z.array(MediaAttachment),
  emojis: z.array(CustomEmoji),
  quote: Quote.nullable(),
  poll: z.strictObject({ options: z.array(z.strictObject({ title: text })) }).optional(),
})
export interface StatusEdit extends Json<typeof StatusEdit> {}

/** https://docs.joinmastodon.org/entities/StatusSource/, with how the text is marked up. */
export const StatusSource = entity('StatusSource', { id, text, spoiler_text: text, content_type: text })
export interface StatusSource extends Json<typeof StatusSource> {}

/** Pleroma's: one reaction to a status with who reacted. */
export const StatusReactors = entity('StatusReactors', {
  name: text,
  count,
  me: flag,
  url: url.optional(),
  static_url: url.optional(),
  accounts: z.array(Account),
})
export interface StatusReactors extends Json<typeof StatusReactors> {}

/** https://docs.joinmastodon.org/entities/Translation/ */
export const Translation = entity('Translation', {
  content: text,
  spoiler_text: text,
  poll: z.strictObject({ id, options: z.array(z.strictObject({ title: text })) }).nullable(),
  media_attachments: z.array(z.strictObject({ id, description: text })),
  language: text,
  detected_source_language: text,
  provider: text,
})
export interface Translation extends Json<typeof Translation> {}
