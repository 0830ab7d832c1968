// The rules against spam for what people of this server write.
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Viewer, Visibility } from '#domain/identity/accounts/viewer.ts'
import { holdLocalPost } from '#domain/content/spam/held-posts.ts'
import { recordHits, type SpamSubject } from '#domain/content/spam/hits.ts'
import { checkSpam } from '#domain/content/spam/spam-decision.ts'
import type { SpamDecision } from '#domain/content/spam/evaluate.ts'
import { toRuleVisibility, type PostFacts } from '#domain/content/spam/read-post.ts'
import { type AppError, unprocessable } from '#lib/errors.ts'
import { stripHtml } from '#lib/html/html.ts'
import type { PreparedStatus } from './prepare-status.ts'
import type { ScheduledParams } from './scheduled.ts'
import { sameId, type ApplicationId, type HeldPostId, type StatusId } from '#lib/id.ts'

/** What a person is told whose post was refused. */
const refused = () => unprocessable('post_refused_as_spam')
const refusedEdit = () => unprocessable('change_refused_as_spam')

/** What a person is told whose post waits for staff, as often as they send it. */
export const waiting = (): AppError => unprocessable('post_waits')

/** Whoever has a role is trusted. */
const isStaff = (viewer: Viewer) => viewer.rank >= 0

type Written = Pick<
  PreparedStatus,
  'accountId' | 'content' | 'spoilerText' | 'poll' | 'mentioned' | 'mediaIds' | 'descriptions'
>

/** An edit, and what it changes. */
export interface WrittenEdit extends Written {
  statusId: StatusId
  /** Of what the status quotes. */
  quoteUrl: string | null
  current: { visibility: Visibility; reply: boolean; in_reply_to_id: StatusId | null }
}

/**
 * What the rules make of a new status; null: it may be published. Throws `invalid` when one refuses it, and writes that
 * down.
 */
export async function checkStatus(
  ctx: Ctx,
  viewer: Viewer,
  prepared: PreparedStatus,
): Promise<SpamDecision | null> {
  if (isStaff(viewer)) return null
  const { parent, visibility } = prepared
  const decision = await checkSpam(ctx, () => ({
    ...factsOf(ctx, prepared),
    reply: parent !== null,
    parentId: parent?.id ?? null,
    visibility: toRuleVisibility(visibility),
    quotedHost: hostOf(prepared.quote?.url),
    statusId: null,
  }))
  if (decision?.action === 'reject') await refuse(ctx, decision, { accountId: viewer.accountId }, refused())
  return decision
}

/**
 * What the rules make of an edit; null: it may be saved. Throws `invalid` when one refuses it or would have it wait: what
 * was published stays as it is.
 */
export async function checkEdit(ctx: Ctx, viewer: Viewer, edit: WrittenEdit): Promise<SpamDecision | null> {
  const { current } = edit
  if (isStaff(viewer)) return null
  const decision = await checkSpam(ctx, () => ({
    ...factsOf(ctx, edit),
    reply: current.reply,
    parentId: current.in_reply_to_id,
    visibility: toRuleVisibility(current.visibility),
    quotedHost: hostOf(edit.quoteUrl),
    statusId: edit.statusId,
  }))
  if (decision?.action === 'reject' || decision?.action === 'hold')
    await refuse(ctx, decision, { accountId: viewer.accountId, statusId: edit.statusId }, refusedEdit())
  return decision
}

/** Refuses a whole thread because of a post that would have to wait: what follows it could not be published before it. */
export const refuseThread = (ctx: Ctx, viewer: Viewer, decision: SpamDecision): Promise<never> =>
  refuse(ctx, decision, { accountId: viewer.accountId }, unprocessable('thread_waits'))

const hostOf = (url: string | null | undefined) => URL.parse(url ?? '')?.host ?? null

type Common = Omit<PostFacts, 'reply' | 'parentId' | 'visibility' | 'statusId' | 'quotedHost'>

function factsOf(reader: Pick<Reader, 'clock'>, written: Written): Common {
  const mentionedIds = written.mentioned.map(({ id }) => id).filter((id) => id !== written.accountId)
  return {
    local: true,
    accountId: written.accountId,
    content: written.content,
    texts: textsOf(written),
    mentionedIds,
    mentions: mentionedIds.length,
    mediaIds: written.mediaIds,
    blurhashes: [],
    at: reader.clock.now(),
  }
}

const textsOf = ({ spoilerText, poll, descriptions }: Written) => [
  spoilerText,
  ...(poll?.options ?? []),
  ...descriptions,
]

async function refuse(
  ctx: Ctx,
  decision: SpamDecision,
  subject: SpamSubject,
  error: AppError,
): Promise<never> {
  await ctx.transaction((tx) => recordHits(tx, decision, subject))
  throw error
}

/**
 * Keeps a status for staff instead of publishing it, in the transaction that would have done so. It has the id that the
 * status was prepared with. Throws `invalid` when too much of the author waits.
 */
export async function holdStatus(
  tx: Tx,
  decision: SpamDecision,
  prepared: PreparedStatus,
  held: { params: ScheduledParams; applicationId: ApplicationId | null },
): Promise<void> {
  const texts = [prepared.spoilerText, stripHtml(prepared.content), ...textsOf(prepared).slice(1)]
  const isKept = await holdLocalPost(tx, decision, {
    id: sameId<HeldPostId>(prepared.id),
    accountId: prepared.accountId,
    content: texts.filter((text) => text !== '').join('\n\n'),
    params: held.params,
    applicationId: held.applicationId,
    mediaIds: prepared.mediaIds,
  })
  if (!isKept) throw refused()
}
