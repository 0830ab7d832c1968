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
  type Schema,
} from './entity.ts'
import { FilterResult } from './filter.ts'
import { MediaAttachment } from './media-attachment.ts'
import { Poll } from './poll.ts'
import { PreviewCard } from './preview-card.ts'

/** https://docs.joinmastodon.org/entities/Status/#Mention */
const statusMention = entity('StatusMention', { id, username: text, url, acct: text })
export interface StatusMention extends Json<typeof statusMention> {}
export const StatusMention: Schema<StatusMention> = statusMention

/** https://docs.joinmastodon.org/entities/Status/#Tag */
const statusTag = entity('StatusTag', { name: text, url })
export interface StatusTag extends Json<typeof statusTag> {}
export const StatusTag: Schema<StatusTag> = statusTag

/** https://docs.joinmastodon.org/entities/QuoteApproval/ */
const quoteApproval = entity('QuoteApproval', {
  automatic: texts,
  manual: texts,
  current_user: z.enum(['automatic', 'manual', 'denied']),
})
export interface QuoteApproval extends Json<typeof quoteApproval> {}
export const QuoteApproval: Schema<QuoteApproval> = quoteApproval

/**
 * An extension, as GoToSocial has it (https://docs.gotosocial.org/en/latest/api/swagger/): who may do what with a status
 * at once, and who only after its author agreed. `current_user`: what becomes of a reply of the viewer's; not there where
 * nobody looks, or a stream tells all the same.
 */
const interactionPolicy = entity('InteractionPolicy', {
  can_favourite: z.strictObject({ always: texts, with_approval: texts }),
  can_reply: z.strictObject({
    always: texts,
    with_approval: texts,
    current_user: z.enum(['automatic', 'manual', 'denied']).optional(),
  }),
  can_reblog: z.strictObject({ always: texts, with_approval: texts }),
})
export interface InteractionPolicy extends Json<typeof interactionPolicy> {}
export const InteractionPolicy: Schema<InteractionPolicy> = interactionPolicy

/** https://docs.joinmastodon.org/entities/Status/ */
const status = entity('Status', {
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
  /** An extension: not there where all who see it may answer. */
  interaction_policy: InteractionPolicy.optional(),
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
export interface Status extends Json<typeof status> {}
export const Status: Schema<Status> = status

/**
 * https://docs.joinmastodon.org/entities/Quote/ of a status, and of what that quotes
 * https://docs.joinmastodon.org/entities/ShallowQuote/, which has the id in place of the status.
 */
const quote = entity('Quote', {
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
export interface Quote extends Json<typeof quote> {}
export const Quote: Schema<Quote> = quote

/** https://docs.joinmastodon.org/entities/Context/ */
const context = entity('Context', { ancestors: z.array(Status), descendants: z.array(Status) })
export interface Context extends Json<typeof context> {}
export const Context: Schema<Context> = context

/** https://docs.joinmastodon.org/entities/StatusEdit/ */
const statusEdit = entity('StatusEdit', {
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
export interface StatusEdit extends Json<typeof statusEdit> {}
export const StatusEdit: Schema<StatusEdit> = statusEdit

/** https://docs.joinmastodon.org/entities/StatusSource/, with how the text is marked up. */
const statusSource = entity('StatusSource', { id, text, spoiler_text: text, content_type: text })
export interface StatusSource extends Json<typeof statusSource> {}
export const StatusSource: Schema<StatusSource> = statusSource

/** Pleroma's: one reaction to a status with who reacted. */
const statusReactors = entity('StatusReactors', {
  name: text,
  count,
  me: flag,
  url: url.optional(),
  static_url: url.optional(),
  accounts: z.array(Account),
})
export interface StatusReactors extends Json<typeof statusReactors> {}
export const StatusReactors: Schema<StatusReactors> = statusReactors

/** https://docs.joinmastodon.org/entities/Translation/ */
const translation = entity('Translation', {
  content: text,
  spoiler_text: text,
  poll: z.strictObject({ id, options: z.array(z.strictObject({ title: text })) }).nullable(),
  media_attachments: z.array(z.strictObject({ id, description: text })),
  language: text,
  detected_source_language: text,
  provider: text,
})
export interface Translation extends Json<typeof translation> {}
export const Translation: Schema<Translation> = translation
