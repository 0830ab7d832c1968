// Everything that has to be found out, and may be refused, before a status is written.
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { ReplyPolicy, Viewer, Visibility } from '#domain/identity/accounts/viewer.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { AppError, sentence, invalid, notFound, unprocessable } from '#lib/errors.ts'
import { detectLanguage } from '#lib/text/detect-language.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { boundMarks } from '#lib/text/combining-marks.ts'
import { countCharacters } from '#lib/text/text.ts'
import { getAttachableMedia, type MediaHolder } from '#domain/content/media/attach.ts'
import { parseNewPoll, type NewPoll, type PollInput } from '#domain/content/polls/new-poll.ts'
import { assertUsable } from '#domain/content/tags/queries.ts'
import { ensureMentioned } from './ensure-mentioned.ts'
import type { MentionedAccount } from './mentioned.ts'
import { extractNames, renderStatusText, type ContentType } from './render-text.ts'
import { findVisibleStatus, type StatusFacts } from '../queries.ts'
import { prepareQuote, type NewQuote } from '../quotes/make-quote.ts'
import { automaticGroups, chooseQuotePolicy, type QuotePolicy } from '../quote-policy.ts'
import { assertMayReply, chooseReplyPolicy, replyGroups } from '../reply-policy.ts'
import { replyAccount, type NewStatus } from './insert-status.ts'
import {
  sameId,
  type AccountId,
  type ApplicationId,
  type ConversationId,
  type MediaId,
  type StatusId,
} from '#lib/id.ts'

export interface StatusInput {
  text: string
  spoilerText?: string | undefined
  visibility?: Visibility | undefined
  sensitive?: boolean | undefined
  language?: string | undefined
  inReplyToId?: StatusId | undefined
  mediaIds?: readonly MediaId[] | undefined
  poll?: PollInput | undefined
  quotedStatusId?: StatusId | undefined
  quotePolicy?: QuotePolicy | undefined
  replyPolicy?: ReplyPolicy | undefined
  /** A media type, as far as this server offers it. */
  contentType?: string | undefined
  localOnly?: boolean | undefined
  applicationId: ApplicationId | null
  /** When given, the only accounts the text may name. */
  allowedMentions?: readonly AccountId[] | undefined
}

/** The text names accounts that the client did not mean to reach. The route shows them. */
export class UnexpectedAccounts extends AppError {
  readonly accountIds: readonly AccountId[]
  constructor(accountIds: readonly AccountId[]) {
    super('invalid', sentence('unexpected_accounts'))
    this.accountIds = accountIds
  }
}

export interface PreparedStatus extends NewStatus {
  mentioned: readonly MentionedAccount[]
  hashtags: readonly { name: string; display: string }[]
  poll: NewPoll | null
  quote: NewQuote | null
  /** What describes its media. */
  descriptions: readonly string[]
}

/**
 * What a new status of the viewer will be. Throws `not_found` for a parent or a quoted status the viewer cannot see,
 * `forbidden` for a parent whose author does not let them answer, and `invalid` for what the limits forbid. `holder`: what keeps the media until now.
 * `previous`: the post before it of the same thread, which is not written yet and which it answers.
 */
export async function prepareStatus(
  ctx: Ctx,
  viewer: Viewer,
  input: StatusInput,
  { holder = {}, previous }: { holder?: MediaHolder; previous?: PreparedStatus } = {},
): Promise<PreparedStatus> {
  const { text, spoilerText } = readTexts(ctx, input)
  await assertLocalOnly(ctx, input.localOnly)
  const contentType = await chooseContentType(ctx, input.contentType)
  const poll = choosePoll(ctx, input)
  const media = await getAttachableMedia(ctx, viewer.accountId, input.mediaIds ?? [], holder)
  const parent = previous ? toParent(previous) : await findParent(ctx, viewer, input.inReplyToId)
  const entities = extractNames(text, contentType)
  await assertUsable(ctx, entities.hashtags)
  const mentioned = await ensureMentioned(ctx, viewer.accountId, entities.mentions)
  assertAllowed(viewer, mentioned, input.allowedMentions)
  const asked = chooseVisibility(viewer, input.visibility)
  const quote = input.quotedStatusId
    ? await prepareQuote(ctx, viewer, {
        quotedId: input.quotedStatusId,
        visibility: asked,
        mentionedIds: mentioned.map((one) => one.id),
      })
    : null
  const visibility = quote?.visibility ?? asked
  return {
    id: ctx.newId(),
    accountId: viewer.accountId,
    text,
    content: renderStatusText(ctx.config, { text, mentioned, contentType, quoteUrl: quote?.url ?? null }),
    contentType,
    spoilerText,
    visibility,
    sensitive: isSensitive(input, viewer.settings.default_sensitive),
    language: await chooseLanguage(viewer, input.language, text),
    localOnly: (input.localOnly ?? false) || isBelowLocalOnly(parent) || (quote?.localOnly ?? false),
    parent,
    applicationId: viewer.settings.show_application === false ? null : input.applicationId,
    mediaIds: media.map((row) => row.id),
    descriptions: media.map((row) => row.description),
    quoteAutomatic: automaticGroups(chooseQuotePolicy(viewer, visibility, input.quotePolicy)),
    replyAutomatic: replyGroups(chooseReplyPolicy(viewer, visibility, input.replyPolicy)),
    mentioned,
    hashtags: entities.hashtags,
    poll,
    quote,
  }
}

type Parent = NonNullable<NewStatus['parent']> & Pick<StatusFacts, 'local_only'>

type TextInput = Pick<StatusInput, 'text' | 'spoilerText' | 'mediaIds' | 'quotedStatusId'>
type Texts = Pick<PreparedStatus, 'text' | 'spoilerText'>

/** Units, as sent, that a character of the limit may stand for at most: addresses count little, and signs pile up. */
const densest = 100

/**
 * Returns text and warning as they are kept. Throws `invalid` when together they are longer than allowed, and for no text
 * where nothing takes its place.
 */
export function readTexts(reader: Pick<Reader, 'config'>, input: TextInput): Texts {
  const max = reader.config.limits.statusCharacters
  const texts = normaliseText(input)
  const sent = input.text.length + (input.spoilerText ?? '').length
  const isOver = () => countCharacters(texts.text) + countCharacters(texts.spoilerText) > max
  if (sent > max * densest || isOver()) throw invalid('text', 'too_many_characters', { max })
  return texts
}

/** A warning without text becomes the text, unless something else is there to be warned of: a quote. */
function normaliseText(input: TextInput): Texts {
  const text = boundMarks(input.text.replaceAll('\r\n', '\n')).trim()
  const spoilerText = boundMarks(input.spoilerText ?? '').trim()
  if (text !== '' || input.quotedStatusId !== undefined) return { text, spoilerText }
  if (spoilerText !== '') return { text: spoilerText, spoilerText: '' }
  if (input.mediaIds?.length) return { text, spoilerText }
  throw invalid('text', 'blank')
}

/** The poll asked for, or null. Throws `invalid` for one next to media, and as `parseNewPoll`. */
export function choosePoll(
  reader: Pick<Reader, 'config'>,
  input: Pick<StatusInput, 'poll' | 'mediaIds'>,
): NewPoll | null {
  if (!input.poll) return null
  const poll = parseNewPoll(reader, input.poll)
  if (!input.mediaIds?.length) return poll
  throw unprocessable('too_many_attachments', { max: reader.config.limits.mediaAttachments })
}

/** Whoever warns of something means it to be hidden. */
export function isSensitive(
  input: Pick<StatusInput, 'spoilerText' | 'sensitive'>,
  otherwise: boolean | undefined,
): boolean {
  return Boolean(input.spoilerText?.trim()) || (input.sensitive ?? otherwise ?? false)
}

/** The type of a text, as far as this server offers it: another one is as if it were not given. */
export async function chooseContentType(
  reader: Reader,
  asked: string | undefined,
  otherwise: ContentType = 'text/plain',
): Promise<ContentType> {
  if (asked === 'text/plain') return asked
  return asked === 'text/markdown' && (await getSettings(reader)).markdown_statuses ? asked : otherwise
}

/** What is meant for this server's people alone must not go out because they do not offer it. */
async function assertLocalOnly(reader: Reader, asked: boolean | undefined): Promise<void> {
  if (!asked || (await getSettings(reader)).local_only_statuses) return
  throw invalid('base', 'local_only_unavailable')
}

/** As told, as the person usually writes, as the text looks, as the person reads the site. */
async function chooseLanguage(viewer: Viewer, asked: string | undefined, text: string): Promise<string> {
  const told = parseLanguage(asked) ?? viewer.settings.default_language
  return told ?? (await detectLanguage(text)) ?? parseLanguage(viewer.locale) ?? 'en'
}

/** A post that is written in the same transaction, as what the next one answers. */
const toParent = (previous: PreparedStatus): Parent => ({
  id: previous.id,
  account_id: previous.accountId,
  in_reply_to_account_id: replyAccount(previous),
  conversation_id: previous.parent?.conversation_id ?? sameId<ConversationId>(previous.id),
  local_only: previous.localOnly,
})

/** What is said under a status of this server's people alone stays here too. */
function isBelowLocalOnly(parent: Parent | null): boolean {
  return parent?.local_only ?? false
}

async function findParent(ctx: Ctx, viewer: Viewer, id: StatusId | undefined): Promise<StatusFacts | null> {
  if (id === undefined) return null
  const found = await findVisibleStatus(ctx, viewer.accountId, id)
  const original = found?.reblog_of_id
    ? await findVisibleStatus(ctx, viewer.accountId, found.reblog_of_id)
    : found
  if (!original) throw notFound('replied_missing')
  if (original.replies_limited) await assertMayReply(ctx, viewer.accountId, original.id)
  return original
}

function assertAllowed(
  viewer: Viewer,
  mentioned: readonly MentionedAccount[],
  allowed?: readonly AccountId[],
): void {
  if (!allowed) return
  const unexpected = mentioned.filter((one) => one.id !== viewer.accountId && !allowed.includes(one.id))
  if (unexpected.length > 0) throw new UnexpectedAccounts(unexpected.map((one) => one.id))
}

/** A limited account's public posts are unlisted. */
function chooseVisibility(viewer: Viewer, asked: Visibility | undefined): Visibility {
  const chosen = asked ?? viewer.settings.default_privacy ?? (viewer.locked ? 'private' : 'public')
  return chosen === 'public' && viewer.silenced ? 'unlisted' : chosen
}
