import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { MediaFacts, MediaKind } from '#lib/media.ts'
import { newSecret } from '#lib/secrets.ts'
import { storeFiles, type NewFile } from './files.ts'
import { getMediaRow, type MediaRow } from './load.ts'
import { filesOf, nameMedia, namePreview, setOriginal, setPreview, type NamedPreview } from './processed.ts'
import { parseFocus, readDescription, type Focus } from './rules.ts'
import { inWorkspace } from './workspace.ts'
import type { AccountId, MediaId } from '#lib/id.ts'

export interface Upload {
  /** The file that was uploaded. It is read, not moved. */
  path: string
  description?: string | undefined
  /** `x,y`. */
  focus?: string | undefined
  /** A picture to stand for a film or a sound. */
  thumbnailPath?: string | undefined
}

interface NewMedia {
  id: MediaId
  accountId: AccountId
  kind: MediaKind
  /** As its headers tell: what is made of it may differ a little. */
  facts: MediaFacts
  description: string
  focus: Focus | null
  /** SHA-256 of the file as it came: rules against spam know it again. */
  hash: Buffer
}

/**
 * Takes in a file. A picture is complete in the answer; films and sounds are `queued`, with what their headers tell,
 * and the worker makes them ready. Throws `invalid` for types that are not taken, files that cannot be read, and what the limits forbid, and
 * `unavailable` when too many wait.
 */
export async function uploadMedia(ctx: Ctx, viewer: Viewer, upload: Upload): Promise<MediaRow> {
  const description = readDescription(upload.description ?? '', ctx.config.limits)
  const { kind, facts } = await ctx.media.identify(upload.path)
  const media: NewMedia = {
    id: ctx.newId(),
    accountId: viewer.accountId,
    kind,
    facts,
    description,
    focus: parseFocus(upload.focus ?? ''),
    hash: await hashFile(upload.path),
  }
  await inWorkspace(ctx, (folder) =>
    kind === 'image' ? takeImage(ctx, media, upload, folder) : takeForLater(ctx, media, upload, folder),
  )
  return getMediaRow(ctx, media.id)
}

async function hashFile(path: string): Promise<Buffer> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest()
}

async function takeImage(ctx: Ctx, media: NewMedia, upload: Upload, directory: string): Promise<void> {
  const named = nameMedia(media.id, await ctx.media.process(upload.path, { directory }), 'media_attachments')
  await storeFiles(ctx, filesOf(named), async (tx) => {
    await insertMedia(tx, media, null)
    await sql`
      update media_attachments set state = 'complete', ${setOriginal(named)} where id = ${media.id}`.execute(
      tx.db,
    )
    if (named.preview) await updatePreview(tx, media.id, named.preview)
  })
}

/** Where the worker finds it, on whatever machine it is. */
async function takeForLater(ctx: Ctx, media: NewMedia, upload: Upload, directory: string): Promise<void> {
  const raw: NewFile = {
    key: `uploads/${newSecret()}.bin`,
    path: upload.path,
    contentType: 'application/octet-stream',
  }
  const chosen =
    upload.thumbnailPath === undefined ? null : await ctx.media.preview(upload.thumbnailPath, directory)
  const preview = chosen && namePreview(media.id, chosen, 'media_attachments')
  await storeFiles(ctx, preview ? [raw, preview.file] : [raw], async (tx) => {
    await insertMedia(tx, media, raw.key)
    if (preview) await updatePreview(tx, media.id, preview)
    await tx.emit({ type: 'media.uploaded', mediaId: media.id })
  })
}

async function insertMedia(tx: Tx, media: NewMedia, uploadKey: string | null): Promise<void> {
  const now = new Date(tx.clock.now())
  await sql`
    insert into media_attachments (id, account_id, type, facts, state, description, focus_x, focus_y, upload_key,
      content_hash, free_since, created_at)
    values (${media.id}, ${media.accountId}, ${media.kind}, ${JSON.stringify(media.facts)}::jsonb, 'queued', ${media.description}, ${media.focus?.x ?? null},
      ${media.focus?.y ?? null}, ${uploadKey}, ${media.hash}, ${now}, ${now})`.execute(tx.db)
}

async function updatePreview(tx: Tx, id: MediaId, preview: NamedPreview): Promise<void> {
  await sql`update media_attachments set ${setPreview(preview)} where id = ${id}`.execute(tx.db)
}
