import type { Account } from '#entities/account.ts'
import type { Collection } from '#entities/collection.ts'
import type { FilterResult } from '#entities/filter.ts'
import type { CustomEmoji, Reaction } from '#entities/emoji.ts'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import type { Poll } from '#entities/poll.ts'
import type { PreviewCard } from '#entities/preview-card.ts'
import type { InteractionPolicy, Quote, QuoteApproval, Status } from '#entities/status.ts'
import type { Weighed } from '#ports/cache.ts'
import type { Config } from '#ports/ctx.ts'
import type { CardRow } from '#domain/content/cards/load.ts'
import type { StatusState } from '#domain/content/statuses/load-viewer-state.ts'
import type { MentionRow, StatusRow, TagRow } from '#domain/content/statuses/load-rows.ts'
import { filterText } from '#domain/reading/filters/match.ts'
import { profileUrl, statusUri, statusUrl, tagUrl } from '#domain/server/instance/urls.ts'
import { formatAcct } from '#lib/acct.ts'
import { keepJson, lazyObject, type KeptJson } from '#lib/json/kept-json.ts'
import { stripHtml } from '#lib/html/html.ts'
import { formatTime } from '#lib/time/time.ts'
import type { QuoteRow } from '#domain/content/statuses/quotes/load.ts'
import type { PollStatic } from './poll.ts'
import { StatusJson, type Viewed, type ViewedKey } from './status-json.ts'
import type { AccountId, CollectionId, StatusId } from '#lib/id.ts'

/** The members of a Status that are the same for everyone and change only with its version. */
type Fixed = Omit<Status, ViewedKey | 'text' | 'card'> & Partial<Pick<Status, 'card'>>

/** What is kept of a status, which changes only with its version. */
export interface StatusStatic extends Weighed {
  /** Without the card, when an account wrote what it is of. */
  kept: KeptJson<Fixed>
  visibility: Status['visibility']
  hasMedia: boolean
  /** What its author says of it. */
  sensitive: boolean
  poll: PollStatic | null
  quote: QuoteRow | null
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  replies: ReplyTerms | null
  /** Of collections that it names, which look different to each viewer. */
  collectionIds: readonly CollectionId[]
  /** The card, when an account wrote what it is of. */
  authored: AuthoredCard | null
  /** What keyword filters look at. Made when somebody with filters first sees it, then kept. */
  filterText: () => string
}

export interface AuthoredCard {
  row: CardRow
  /** With the account, once that is known. */
  card: PreviewCard
}

/** Whose replies are taken, where it is not those of all who see it. */
type ReplyTerms = Pick<InteractionPolicy['can_reply'], 'always' | 'with_approval'>

export interface StatusParts {
  row: StatusRow
  mentions: readonly MentionRow[]
  tags: readonly TagRow[]
  emojis: readonly CustomEmoji[]
  media: readonly MediaAttachment[]
  card: PreviewCard | null
  authored: AuthoredCard | null
  poll: PollStatic | null
  quote: QuoteRow | null
}

/** Status (https://docs.joinmastodon.org/entities/Status/) but for counters, author, boost and viewer. */
export function renderStatusStatic(config: Config, parts: StatusParts): StatusStatic {
  const { row, poll, quote, authored } = parts
  const fixed = renderFixed(config, parts)
  const kept = keepJson(fixed)
  return {
    kept,
    bytes: kept.opening.length + JSON.stringify([poll, quote, authored]).length,
    visibility: fixed.visibility,
    hasMedia: parts.media.length > 0,
    sensitive: row.sensitive,
    poll,
    quote,
    quoteAutomatic: row.quote_automatic,
    quoteManual: row.quote_manual,
    replies: row.reply_automatic && {
      always: ['author', 'mentioned', ...row.reply_automatic],
      with_approval: row.reply_manual ?? [],
    },
    collectionIds: row.collection_ids,
    authored,
    filterText: keptFilterText(kept, poll),
  }
}

/** The warning, the text, the options of the poll and what the media show. */
function keptFilterText(kept: KeptJson<Fixed>, poll: PollStatic | null): () => string {
  let text: string | undefined
  const read = () => {
    const { spoiler_text: warning, content, media_attachments: media } = kept.read()
    const described = media.map((one) => one.description ?? '')
    return filterText([warning, stripHtml(content), ...(poll?.row.options ?? []), ...described])
  }
  return () => (text ??= read())
}

function renderFixed(config: Config, parts: StatusParts): Fixed {
  const { row } = parts
  const own = statusUri(config, row.author_username, row.id)
  return {
    id: row.id,
    created_at: formatTime(row.created_at),
    in_reply_to_id: row.in_reply_to_id,
    in_reply_to_account_id: row.in_reply_to_account_id,
    spoiler_text: row.spoiler_text,
    visibility: row.visibility === 'limited' ? 'private' : row.visibility,
    language: row.language,
    uri: row.uri ?? (row.reblog_of_id === null ? own : `${own}/activity`),
    url: row.url ?? (row.local ? statusUrl(config, row.author_username, row.id) : toAddress(row.uri)),
    edited_at: row.edited_at === null ? null : formatTime(row.edited_at),
    content: row.content,
    application: renderApplication(row),
    media_attachments: parts.media,
    mentions: parts.mentions.map((mention) => ({
      id: mention.id,
      username: mention.username,
      url: mention.url ?? profileUrl(config, mention.username),
      acct: formatAcct(mention.username, mention.domain),
    })),
    tags: parts.tags.map((tag) => ({ name: tag.name, url: tagUrl(config, tag.name) })),
    emojis: parts.emojis,
    ...(parts.authored === null && { card: parts.card }),
    ...(row.local_only && { local_only: true }),
  }
}

/** Null where all who see it may answer. */
function renderInteractionPolicy({ fixed, state }: HydratedStatus): InteractionPolicy | null {
  const { visibility, replies } = fixed
  if (!replies) return null
  const { reply_answer } = state.marks
  const everybody = { always: ['public'], with_approval: [] }
  const isOpen = visibility === 'public' || visibility === 'unlisted'
  return {
    can_favourite: everybody,
    can_reply: { ...replies, ...(reply_answer && { current_user: reply_answer }) },
    can_reblog: isOpen ? everybody : { always: ['author'], with_approval: [] },
  }
}

/** Of a status that nobody may quote. */
const nobodyQuotes: QuoteApproval = { automatic: [], manual: [], current_user: 'denied' }

function renderApplication(row: StatusRow): Status['application'] {
  return row.application_name === null
    ? null
    : { name: row.application_name, website: row.application_website }
}

export interface HydratedStatus {
  fixed: StatusStatic
  state: StatusState
  account: Account
  reblog: Status | null
  poll: Poll | null
  quote: Quote | null
  collections: readonly Collection[]
  /** Null where the extension is off: then the key is not there. */
  reactions: readonly Reaction[] | null
  /** What the viewer's filters say of it. */
  filtered: readonly FilterResult[]
  viewerId: AccountId | null
}

const keptNames: Readonly<Record<keyof Fixed, true>> = {
  id: true,
  created_at: true,
  in_reply_to_id: true,
  in_reply_to_account_id: true,
  spoiler_text: true,
  visibility: true,
  language: true,
  uri: true,
  url: true,
  edited_at: true,
  content: true,
  application: true,
  media_attachments: true,
  mentions: true,
  tags: true,
  emojis: true,
  card: true,
  local_only: true,
}

/**
 * The whole Status for one viewer. Its JSON is put together from that of its parts. `forMany`: one that is kept, and
 * written again and again.
 */
export function renderStatus(whole: HydratedStatus, { forMany } = { forMany: false }): Status {
  const viewed = renderViewed(whole)
  return lazyObject(viewed, keptNames, new StatusJson(whole.fixed.kept, viewed, forMany)) as Status
}

/**
 * What differs from viewer to viewer, or changes without the status. All of the keys each time, undefined or not: objects
 * of one shape are made and looked at in a fraction of the time.
 */
function renderViewed(whole: HydratedStatus): Viewed {
  const { viewerId, fixed, reblog } = whole
  const { line, marks } = whole.state
  const policy = reblog ? reblog.interaction_policy : renderInteractionPolicy(whole)
  const isSomebody = viewerId !== null
  return {
    sensitive: isSensitive(whole),
    replies_count: line.replies_count,
    reblogs_count: line.reblogs_count,
    favourites_count: line.favourites_count,
    quotes_count: line.quotes_count,
    account: whole.account,
    reblog,
    poll: whole.poll,
    quote: whole.quote,
    tagged_collections: whole.collections,
    quote_approval: reblog?.quote_approval ?? {
      automatic: fixed.quoteAutomatic,
      manual: fixed.quoteManual,
      current_user: marks.quote_answer,
    },
    interaction_policy: policy ?? undefined,
    card: fixed.authored?.card,
    reactions: whole.reactions ?? undefined,
    favourited: isSomebody ? marks.favourited : undefined,
    reblogged: isSomebody ? marks.reblogged : undefined,
    muted: isSomebody ? marks.muted : undefined,
    bookmarked: isSomebody ? marks.bookmarked : undefined,
    filtered: isSomebody ? whole.filtered : undefined,
    pinned: isSomebody && line.account_id === viewerId && !reblog ? marks.pinned : undefined,
  }
}

/** What an author shows whose media staff have marked is sensitive to all others, whatever they said of it themselves. */
function isSensitive({ fixed: { hasMedia, sensitive }, state, viewerId }: HydratedStatus): boolean {
  if (sensitive) return true
  return state.author.sensitized && hasMedia && state.author.id !== viewerId
}

/** A status the viewer may no longer see: every key that clients need, and nothing of what it says. */
export function renderLostStatus(
  config: Config,
  lost: { id: StatusId; createdAt: Date; account: Account },
): Status {
  return {
    id: lost.id,
    created_at: formatTime(lost.createdAt),
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    sensitive: false,
    spoiler_text: '',
    visibility: 'private',
    language: null,
    uri: statusUri(config, lost.account.username, lost.id),
    url: null,
    edited_at: null,
    content: '',
    application: null,
    media_attachments: [],
    mentions: [],
    tags: [],
    emojis: [],
    card: null,
    poll: null,
    quote: null,
    quote_approval: nobodyQuotes,
    tagged_collections: [],
    replies_count: 0,
    reblogs_count: 0,
    favourites_count: 0,
    quotes_count: 0,
    account: lost.account,
    reblog: null,
    favourited: false,
    reblogged: false,
    muted: false,
    bookmarked: false,
    filtered: [],
  }
}

/** Some ids have more than one fragment, which no address can have. */
const toAddress = (uri: string | null) => uri && (/^[^#]*(?:#[^#]*)?/.exec(uri)?.[0] ?? null)
