import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { abandonFiles, storeFiles } from './files.ts'
import { getMediaRow, getOwnMedia, type MediaRow } from './load.ts'
import { namePreview, setPreview } from './processed.ts'
import { parseFocus, readDescription } from './rules.ts'
import { assertUsable } from './wait.ts'
import { inWorkspace } from './workspace.ts'
import type { MediaId } from '#lib/id.ts'

/** What is left out stays as it is. */
export interface MediaChange {
  /** Blank takes it away. */
  description?: string | undefined
  /** `x,y`; anything else changes nothing. */
  focus?: string | undefined
  /** A picture to stand for a film or a sound; pictures stand for themselves. */
  thumbnailPath?: string | undefined
}

/**
 * Changes one's own attachment that no status carries yet. Throws `not_found` for any other, `invalid` for what the
 * limits forbid and for a thumbnail that is no picture.
 */
export async function updateMedia(
  ctx: Ctx,
  viewer: Viewer,
  id: MediaId,
  change: MediaChange,
): Promise<MediaRow> {
  const media = await getOwnMedia(ctx, viewer.accountId, id)
  assertUsable(media)
  const texts = readTexts(ctx, change)
  const { thumbnailPath } = change
  const isChosen = thumbnailPath !== undefined && media.type !== 'image'
  if (isChosen) await replacePreview(ctx, media, { path: thumbnailPath, texts })
  else await ctx.transaction((tx) => updateTexts(tx, media, texts))
  return getMediaRow(ctx, id)
}

type Texts = ReturnType<typeof readTexts>

function readTexts(ctx: Ctx, { description, focus }: MediaChange) {
  return {
    description: description === undefined ? null : readDescription(description, ctx.config.limits),
    focus: focus === undefined ? null : parseFocus(focus),
  }
}

async function replacePreview(
  ctx: Ctx,
  media: MediaRow,
  { path, texts }: { path: string; texts: Texts },
): Promise<void> {
  await inWorkspace(ctx, async (folder) => {
    const preview = namePreview(media.id, await ctx.media.preview(path, folder), 'media_attachments')
    await storeFiles(ctx, [preview.file], async (tx) => {
      const { rows } = await sql<{ preview_key: string | null }>`
        select preview_key from media_attachments where id = ${media.id} for update`.execute(tx.db)
      await updateTexts(tx, media, texts)
      await sql`update media_attachments set ${setPreview(preview)} where id = ${media.id}`.execute(tx.db)
      await abandonFiles(tx, [rows[0]?.preview_key ?? null])
    })
  })
}

async function updateTexts(tx: Tx, media: MediaRow, { description, focus }: Texts): Promise<void> {
  const { rows } = await sql`
    update media_attachments set description = coalesce(${description}, description),
      focus_x = coalesce(${focus?.x ?? null}::real, focus_x), focus_y = coalesce(${focus?.y ?? null}::real, focus_y)
    where id = ${media.id} and status_id is null returning id`.execute(tx.db)
  if (rows.length === 0) throw notFound()
}
