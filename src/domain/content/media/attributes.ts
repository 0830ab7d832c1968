// What an edit of a status changes about the media it carries.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { abandonFiles, storeFiles } from './files.ts'
import type { MediaRow } from './load.ts'
import { namePreview, setPreview, type NamedPreview } from './processed.ts'
import { parseFocus, readDescription } from './rules.ts'
import type { MediaChange } from './update.ts'
import { inWorkspace } from './workspace.ts'
import type { AccountId, MediaId } from '#lib/id.ts'

export type MediaAttributes = MediaChange & { id: MediaId }

/** An attachment as it shall be. */
export interface ChangedMedia {
  id: MediaId
  description: string
  focusX: number | null
  focusY: number | null
  /** A picture that shall stand for it, or null when the one it has stays. */
  thumbnailPath: string | null
}

/**
 * Those of these attachments that the attributes make different. Attributes of other attachments are left out.
 * Throws `invalid` for a description that is too long.
 */
export function changeMedia(
  reader: Pick<Reader, 'config'>,
  media: readonly MediaRow[],
  attributes: readonly MediaAttributes[],
): ChangedMedia[] {
  const byId = new Map(attributes.map((one) => [one.id, one]))
  return media.flatMap((row) => {
    const asked = byId.get(row.id)
    const changed = asked && changeOne(reader, row, asked)
    return changed && !isSame(changed, row) ? [changed] : []
  })
}

function changeOne(reader: Pick<Reader, 'config'>, row: MediaRow, asked: MediaAttributes): ChangedMedia {
  const { description, thumbnailPath } = asked
  const focus = asked.focus === undefined ? null : parseFocus(asked.focus)
  return {
    id: row.id,
    description:
      description === undefined ? row.description : readDescription(description, reader.config.limits),
    focusX: focus ? focus.x : row.focus_x,
    focusY: focus ? focus.y : row.focus_y,
    // Pictures stand for themselves.
    thumbnailPath: row.type === 'image' ? null : (thumbnailPath ?? null),
  }
}

function isSame(changed: ChangedMedia, row: MediaRow): boolean {
  return (
    changed.thumbnailPath === null &&
    changed.description === row.description &&
    isSameNumber(changed.focusX, row.focus_x) &&
    isSameNumber(changed.focusY, row.focus_y)
  )
}

/** The database keeps single precision. */
function isSameNumber(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.fround(a) === Math.fround(b)
}

/**
 * Runs `commit` in a transaction, with the thumbnails that were chosen in place when it ends. Throws `invalid` for one
 * that is no picture.
 */
export async function withThumbnails(
  ctx: Ctx,
  changed: readonly ChangedMedia[],
  commit: (tx: Tx) => Promise<void>,
): Promise<void> {
  const chosen = changed.flatMap(({ id, thumbnailPath }) =>
    thumbnailPath === null ? [] : [{ id, thumbnailPath }],
  )
  if (chosen.length === 0) return ctx.transaction(commit)
  await inWorkspace(ctx, async (folder) => {
    const previews: { id: MediaId; preview: NamedPreview }[] = []
    for (const { id, thumbnailPath } of chosen) {
      const made = await ctx.media.preview(thumbnailPath, folder)
      previews.push({ id, preview: namePreview(id, made, 'media_attachments') })
    }
    const files = previews.map(({ preview }) => preview.file)
    await storeFiles(ctx, files, async (tx) => {
      await commit(tx)
      for (const { id, preview } of previews) await replaceThumbnail(tx, id, preview)
    })
  })
}

async function replaceThumbnail(tx: Tx, id: MediaId, preview: NamedPreview): Promise<void> {
  const { rows } = await sql<{ preview_key: string | null }>`
    select preview_key from media_attachments where id = ${id} for update`.execute(tx.db)
  await sql`update media_attachments set ${setPreview(preview)} where id = ${id}`.execute(tx.db)
  await abandonFiles(tx, [rows[0]?.preview_key ?? null])
}

/** Writes what `changeMedia` found, but for thumbnails, about attachments of this account. */
export async function applyMediaAttributes(
  tx: Tx,
  accountId: AccountId,
  changed: readonly ChangedMedia[],
): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update media_attachments m
    set description = c.description, focus_x = c.focus_x, focus_y = c.focus_y
    from unnest(${changed.map((one) => one.id)}::bigint[], ${changed.map((one) => one.description)}::text[],
      ${changed.map((one) => one.focusX)}::real[], ${changed.map((one) => one.focusY)}::real[])
      c (id, description, focus_x, focus_y)
    where m.id = c.id and m.account_id = ${accountId}`.execute(tx.db)
}
