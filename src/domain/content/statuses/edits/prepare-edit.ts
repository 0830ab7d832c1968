// Everything that has to be found out, and may be refused, before a status is changed.
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { getAttachableMedia } from '#domain/content/media/attach.ts'
import { changeMedia, type ChangedMedia, type MediaAttributes } from '#domain/content/media/attributes.ts'
import { findPoll, isPollChanged, type AskedPoll } from '#domain/content/polls/change-poll.ts'
import type { NewPoll } from '#domain/content/polls/new-poll.ts'
import type { SpamDecision } from '#domain/content/spam/evaluate.ts'
import { assertUsable } from '#domain/content/tags/queries.ts'
import { ensureMentioned } from '../publish/ensure-mentioned.ts'
import { checkEdit } from '../publish/check-spam.ts'
import type { MentionedAccount } from '../publish/mentioned.ts'
import {
  chooseContentType,
  choosePoll,
  isSensitive,
  readTexts,
  type StatusInput,
} from '../publish/prepare-status.ts'
import { automaticGroups, chooseQuotePolicy } from '../quote-policy.ts'
import { chooseReplyPolicy, isSamePolicy, replyGroups } from '../reply-policy.ts'
import { extractNames, renderStatusText, type ContentType } from '../publish/render-text.ts'
import { findEditable, findQuotedAddress, type EditableStatus } from './editable.ts'
import type { AccountId, MediaId, StatusId } from '#lib/id.ts'

/** The whole status as it shall be. Language, the policies and content type stay as they are when they are not given. */
export type EditInput = Pick<
  StatusInput,
  | 'text'
  | 'spoilerText'
  | 'sensitive'
  | 'language'
  | 'mediaIds'
  | 'poll'
  | 'quotePolicy'
  | 'replyPolicy'
  | 'contentType'
> & { mediaAttributes?: readonly MediaAttributes[] | undefined }

/** Groups as the status holds them. What is undefined stays as it is when the edit is saved. */
interface AskedPolicies {
  quotes: readonly string[] | undefined
  replies: readonly string[] | null | undefined
}

export interface PreparedEdit {
  statusId: StatusId
  accountId: AccountId
  text: string
  content: string
  contentType: ContentType
  spoilerText: string
  sensitive: boolean
  language: string | null
  mediaIds: readonly MediaId[]
  changedMedia: readonly ChangedMedia[]
  poll: NewPoll | null
  policies: AskedPolicies
  mentioned: readonly MentionedAccount[]
  hashtags: readonly { name: string; display: string }[]
  /** What rules against spam make of it. */
  decision: SpamDecision | null
}

/**
 * What an edit of the viewer's own status makes of it; null when it would change nothing. Throws `not_found` for what
 * is not theirs and `invalid` for what the limits forbid, as a new status does.
 */
export async function prepareEdit(
  ctx: Ctx,
  viewer: Viewer,
  statusId: StatusId,
  input: EditInput,
): Promise<PreparedEdit | null> {
  const { accountId } = viewer
  const current = await findEditable(ctx, accountId, statusId)
  if (!current) throw notFound()
  const quoted = await findQuotedAddress(ctx, statusId)
  const { text, spoilerText } = readTexts(ctx, { ...input, ...(quoted && { quotedStatusId: statusId }) })
  const poll = choosePoll(ctx, input)
  const media = await getAttachableMedia(ctx, accountId, input.mediaIds ?? [], { statusId })
  const contentType = await chooseContentType(ctx, input.contentType, current.content_type)
  const { mentions, hashtags } = extractNames(text, contentType)
  await assertUsable(ctx, hashtags)
  const mentioned = await ensureMentioned(ctx, accountId, mentions)
  const quoteUrl = quoted?.url ?? null
  const edit: PreparedEdit = {
    statusId,
    accountId,
    text,
    content: renderStatusText(ctx.config, { text, mentioned, contentType, quoteUrl }),
    contentType,
    spoilerText,
    sensitive: isSensitive(input, false),
    language: parseLanguage(input.language) ?? current.language,
    mediaIds: media.map((row) => row.id),
    changedMedia: changeMedia(ctx, media, input.mediaAttributes ?? []),
    poll,
    policies: choosePolicies(viewer, current, input),
    mentioned,
    hashtags,
    decision: null,
  }
  const { version, policy } = changesOf(current, await findPoll(ctx, statusId), edit)
  if (!version) return policy ? edit : null
  const descriptions = media.map((row) => describing(edit, row.id)?.description ?? row.description)
  return { ...edit, decision: await checkEdit(ctx, viewer, { ...edit, descriptions, quoteUrl, current }) }
}

const describing = ({ changedMedia }: PreparedEdit, id: MediaId) => changedMedia.find((one) => one.id === id)

function choosePolicies(
  viewer: Viewer,
  { visibility }: EditableStatus,
  { quotePolicy: quotes, replyPolicy: replies }: EditInput,
): AskedPolicies {
  return {
    quotes: quotes && automaticGroups(chooseQuotePolicy(viewer, visibility, quotes)),
    replies: replies && replyGroups(chooseReplyPolicy(viewer, visibility, replies)),
  }
}

/** `version`: people read something else than before. `policy`: others than before may quote or answer it. */
export function changesOf(
  current: EditableStatus,
  poll: AskedPoll | null,
  edit: PreparedEdit,
): { version: boolean; policy: boolean } {
  const same =
    current.text === edit.text &&
    current.content_type === edit.contentType &&
    current.spoiler_text === edit.spoilerText &&
    current.sensitive === edit.sensitive &&
    current.language === edit.language &&
    String(current.media_ids) === String(edit.mediaIds) &&
    edit.changedMedia.length === 0 &&
    !isPollChanged(poll, edit.poll)
  const { quotes, replies } = edit.policies
  const policy =
    (quotes !== undefined && !isSamePolicy(current.quote_automatic, quotes)) ||
    (replies !== undefined && !isSamePolicy(current.reply_automatic, replies))
  return { version: !same, policy }
}
