import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { recordHits } from '#domain/content/spam/hits.ts'
import type { SpamDecision } from '#domain/content/spam/evaluate.ts'
import { AppError, unprocessable } from '#lib/errors.ts'
import { checkStatus, holdStatus, refuseThread, waiting } from '../publish/check-spam.ts'
import { publishStatus } from '../publish/create-status.ts'
import { claimIdempotencyKey, type Made } from '../publish/idempotency.ts'
import { prepareStatus, type PreparedStatus, type StatusInput } from '../publish/prepare-status.ts'
import { scheduleStatus } from '../publish/schedule.ts'
import { toParams } from '../publish/scheduled.ts'
import { lockDraft, removeDraft } from './edit-draft.ts'
import type { DraftRow } from './queries.ts'
import type { ApplicationId, DraftId } from '#lib/id.ts'

/** A post of a draft cannot be published. The route says which. */
export class DraftPostRefused extends AppError {
  /** From 0 on. */
  readonly index: number
  constructor(cause: AppError, index: number) {
    super(cause.code, cause.reason, { cause })
    this.index = index
  }
}

export interface PublishOptions {
  applicationId: ApplicationId | null
  idempotencyKey: string
}

/** A post, what it was asked for with, and what the rules against spam make of it. */
interface Checked {
  input: StatusInput
  prepared: PreparedStatus
  decision: SpamDecision | null
}

/**
 * Publishes a draft in its order, all of it or nothing, and removes it. Returns the ids of its posts; a repeated key (kept
 * for an hour) answers the first one's. Throws `DraftPostRefused` as `createStatus` throws, `not_found`, and `DraftChanged`
 * when it was changed since it was read. A rule against spam may keep a single post for staff, of a thread it refuses all.
 */
export async function publishDraft(
  ctx: Ctx,
  viewer: Viewer,
  draft: DraftRow,
  { applicationId, idempotencyKey }: PublishOptions,
): Promise<Made> {
  const posts = await prepareAll(ctx, viewer, toInputs(draft, applicationId), { draftId: draft.id })
  const ids = posts.map((post) => post.prepared.id) as unknown as Made
  const { made, isHeld } = await ctx.transaction(async (tx) => {
    const earlier = await claimIdempotencyKey(tx, viewer.accountId, idempotencyKey, ids)
    if (earlier) return { made: earlier, isHeld: false }
    await lockUnchanged(tx, draft)
    const held = posts.find((post) => post.decision?.action === 'hold')
    if (held) await hold(tx, viewer, held)
    else for (const post of posts) await publish(tx, post, draft.id)
    await removeDraft(tx, viewer.accountId, draft.id)
    return { made: ids, isHeld: held !== undefined }
  })
  if (isHeld) throw waiting()
  return made
}

/**
 * Puts a draft of a single post aside until a time, in milliseconds. Returns the id of the scheduled status. Throws as
 * `scheduleStatus`, and `invalid` for a thread.
 */
export async function scheduleDraft(
  ctx: Ctx,
  viewer: Viewer,
  draft: DraftRow,
  { applicationId, idempotencyKey, at }: PublishOptions & { at: number },
): Promise<Made> {
  const [input, ...further] = toInputs(draft, applicationId)
  if (!input || further.length > 0) throw unprocessable('thread_not_scheduled')
  return scheduleStatus(ctx, viewer, input, {
    at,
    idempotencyKey,
    inPlaceOf: {
      holder: { draftId: draft.id },
      async remove(tx) {
        await lockUnchanged(tx, draft)
        await removeDraft(tx, viewer.accountId, draft.id)
      },
    },
  })
}

const toInputs = ({ content }: DraftRow, applicationId: ApplicationId | null): StatusInput[] =>
  content.posts.map((post, index) => ({
    ...post,
    applicationId,
    inReplyToId: index === 0 ? content.inReplyToId : undefined,
  }))

async function prepareAll(
  ctx: Ctx,
  viewer: Viewer,
  inputs: readonly StatusInput[],
  holder: { draftId: DraftId },
): Promise<Checked[]> {
  const posts: Checked[] = []
  for (const input of inputs) {
    const previous = posts.at(-1)?.prepared
    try {
      const prepared = await prepareStatus(ctx, viewer, input, { holder, ...(previous && { previous }) })
      const decision = await checkStatus(ctx, viewer, prepared)
      if (inputs.length > 1 && decision?.action === 'hold') await refuseThread(ctx, viewer, decision)
      posts.push({ input, prepared, decision })
    } catch (error) {
      throw error instanceof AppError ? new DraftPostRefused(error, posts.length) : error
    }
  }
  return posts
}

const lockUnchanged = (tx: Tx, draft: DraftRow) => lockDraft(tx, draft.account_id, draft.id, draft.version)

async function publish(tx: Tx, { prepared, decision }: Checked, draftId: DraftId): Promise<void> {
  await publishStatus(tx, prepared, { draftId })
  if (decision) await recordHits(tx, decision, { accountId: prepared.accountId, statusId: prepared.id })
}

async function hold(tx: Tx, viewer: Viewer, { input, prepared, decision }: Checked): Promise<void> {
  const { applicationId } = input
  if (decision)
    await holdStatus(tx, decision, prepared, { params: toParams(viewer, input, prepared), applicationId })
}
