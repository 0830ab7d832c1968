// How attachments go. Their files follow: see `abandon_media_files` in the schema, and files.ts.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound, unprocessable } from '#lib/errors.ts'
import { loadMedia } from './load.ts'
import type { MediaId, ScheduledStatusId, StatusId } from '#lib/id.ts'

const day = 86_400_000
/** What belongs to nothing is kept this long: an app may still be writing, or redrafting what it has deleted. */
const freeKept = day
const batch = 500

/** Deletes one's own attachment. Throws `not_found` for those of others, `invalid` when a status or a draft carries it. */
export async function deleteMedia(ctx: Ctx, viewer: Viewer, id: MediaId): Promise<void> {
  const media = (await loadMedia(ctx, [id])).get(id)
  if (!media || media.account_id !== viewer.accountId) throw notFound()
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      delete from media_attachments
      where id = ${id} and status_id is null and scheduled_status_id is null and draft_id is null returning id`.execute(
      tx.db,
    )
    if (rows.length === 0) throw unprocessable('media_in_use')
    await tx.emit({ type: 'files.abandoned' })
  })
}

/**
 * Takes from deleted statuses what they carry, also what edits have taken out of sight. One's own attachments may be
 * used again for a day; `drop` deletes them at once, as it always goes with those of other servers.
 */
export async function takeMediaFromStatuses(
  tx: Tx,
  statusIds: readonly StatusId[],
  { drop }: { drop: boolean },
): Promise<void> {
  const { rows } = await sql`
    delete from media_attachments
    where status_id = any(${statusIds}::bigint[]) and (${drop} or remote_url is not null) returning id`.execute(
    tx.db,
  )
  if (rows.length > 0) await tx.emit({ type: 'files.abandoned' })
  if (drop) return
  await sql`
    update media_attachments set status_id = null, free_since = ${new Date(tx.clock.now())}
    where status_id = any(${statusIds}::bigint[])`.execute(tx.db)
}

/** Takes from a scheduled status what it was to carry: it may be used again for a day. */
export async function takeMediaFromScheduled(tx: Tx, scheduledStatusId: ScheduledStatusId): Promise<void> {
  await sql`
    update media_attachments set scheduled_status_id = null, free_since = ${new Date(tx.clock.now())}
    where scheduled_status_id = ${scheduledStatusId}`.execute(tx.db)
}

/** Deletes attachments that have belonged to nothing for a day. Returns how many. */
export async function deleteUnattachedMedia(ctx: Ctx): Promise<number> {
  const before = new Date(ctx.clock.now() - freeKept)
  let deleted = 0
  for (;;) {
    const count = await ctx.transaction(async (tx) => {
      const { rows } = await sql`
        delete from media_attachments where id = any(array(
          select id from media_attachments
          where status_id is null and scheduled_status_id is null and draft_id is null and free_since < ${before}
          order by free_since limit ${batch} for update skip locked))
        returning id`.execute(tx.db)
      if (rows.length > 0) await tx.emit({ type: 'files.abandoned' })
      return rows.length
    })
    deleted += count
    if (count < batch) return deleted
  }
}
