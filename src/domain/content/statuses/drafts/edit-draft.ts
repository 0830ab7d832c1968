import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { holdMedia } from '#domain/content/media/attach.ts'
import { notFound, unprocessable } from '#lib/errors.ts'
import { claimIdempotencyKey, onceForKey, type Made } from '../publish/idempotency.ts'
import { checkContent } from './check-content.ts'
import { DraftChanged, mediaOf, statusesOf, type DraftContent, type DraftRow } from './queries.ts'
import { sameId, type AccountId, type DraftId } from '#lib/id.ts'

/** Drafts of an account. */
const max = 300

/**
 * Keeps a draft, with its media. Returns its id; a repeated idempotency key (kept for an hour) answers the first one's.
 * Throws `invalid` for more than a draft, or all of them, may be.
 */
export async function createDraft(
  ctx: Ctx,
  viewer: Viewer,
  input: DraftContent,
  idempotencyKey: string | null,
): Promise<DraftId> {
  const content = checkContent(ctx, input)
  const draft = { id: ctx.newId<DraftId>(), accountId: viewer.accountId }
  // The same key may be sent with a status.
  const key = idempotencyKey && `draft ${idempotencyKey}`
  const [id] = await onceForKey(ctx, viewer.accountId, key, () =>
    ctx.transaction(async (tx): Promise<Made> => {
      const earlier = await claimIdempotencyKey(tx, viewer.accountId, key, [draft.id])
      if (earlier) return earlier
      await assertRoom(tx, viewer.accountId)
      const now = new Date(tx.clock.now())
      await sql`
        insert into drafts (id, account_id, content, status_ids, created_at, updated_at)
        values (${draft.id}, ${draft.accountId}, ${JSON.stringify(content)}, ${statusesOf(content)}::bigint[],
          ${now}, ${now})`.execute(tx.db)
      await holdMedia(tx, draft, mediaOf(content))
      await tx.emit({ type: 'draft.saved', draftId: draft.id, accountId: draft.accountId })
      return [draft.id]
    }),
  )
  return sameId<DraftId>(id)
}

/**
 * Puts other content into one's own draft. `version`: of the draft that it was made from. Idempotent: content that the draft
 * has already changes nothing, whatever the version. Throws `not_found`, `DraftChanged`, and `invalid` as `createDraft`.
 */
export async function updateDraft(
  ctx: Ctx,
  viewer: Viewer,
  id: DraftId,
  { version, content: input }: { version: number; content: DraftContent },
): Promise<void> {
  const content = checkContent(ctx, input)
  const text = JSON.stringify(content)
  await ctx.transaction(async (tx) => {
    const draft = await lockDraft(tx, viewer.accountId, id)
    if (isDeepStrictEqual(draft.content, JSON.parse(text))) return
    if (draft.version !== version) throw new DraftChanged(id)
    await sql`
      update drafts set content = ${text}, status_ids = ${statusesOf(content)}::bigint[], version = version + 1,
        updated_at = ${new Date(tx.clock.now())}
      where id = ${id}`.execute(tx.db)
    await holdMedia(tx, { id, accountId: viewer.accountId }, mediaOf(content))
    await tx.emit({ type: 'draft.saved', draftId: id, accountId: viewer.accountId })
  })
}

/** Throws one's own draft away; its media are free again. Throws `not_found`, and `DraftChanged` where a version is named. */
export async function deleteDraft(ctx: Ctx, viewer: Viewer, id: DraftId, version?: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockDraft(tx, viewer.accountId, id, version)
    await removeDraft(tx, viewer.accountId, id)
  })
}

/** Throws `not_found`, and `DraftChanged` where it has another version than that which is named. */
export async function lockDraft(
  tx: Tx,
  accountId: AccountId,
  id: DraftId,
  version?: number,
): Promise<Pick<DraftRow, 'version' | 'content'>> {
  const { rows } = await sql<Pick<DraftRow, 'version' | 'content'>>`
    select version, content from drafts where id = ${id} and account_id = ${accountId} for update`.execute(
    tx.db,
  )
  const draft = rows[0]
  if (!draft) throw notFound()
  if (version !== undefined && draft.version !== version) throw new DraftChanged(id)
  return draft
}

/** Removes a draft that is locked. What it still holds of media may be used again for a day. */
export async function removeDraft(tx: Tx, accountId: AccountId, id: DraftId): Promise<void> {
  await holdMedia(tx, { id, accountId }, [])
  await sql`delete from drafts where id = ${id}`.execute(tx.db)
  await tx.emit({ type: 'draft.deleted', draftId: id, accountId })
}

/** The account's row is locked, so that two at once cannot both be the last. */
async function assertRoom(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from drafts where account_id = ${accountId}`.execute(tx.db)
  if ((rows[0]?.total ?? 0) >= max) throw unprocessable('too_many_drafts', { max })
}
