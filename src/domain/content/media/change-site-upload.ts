import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { ResizedType } from '#ports/images.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import type { UploadName } from '#domain/server/instance/site-uploads.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { newSecret } from '#lib/secrets.ts'
import { abandonFiles, storeFiles, type NewFile } from './files.ts'
import { inWorkspace } from './workspace.ts'

interface Size {
  name: string
  width: number
  height: number
}

const square = (pixels: number): Size => ({ name: String(pixels), width: pixels, height: pixels })

/** What is made of a picture, smallest first. */
const sizes: Record<UploadName, readonly Size[]> = {
  thumbnail: [
    { name: '@1x', width: 1200, height: 630 },
    { name: '@2x', width: 2400, height: 1260 },
  ],
  app_icon: [square(48), square(180), square(192), square(512)],
  favicon: [square(16), square(32), square(48)],
}

const extensions: Record<ResizedType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

interface Version extends NewFile {
  size: Size
  bytes: number
}

/**
 * Gives the server a picture of its own, from the file at `input`, which stays where it is. Throws `invalid` for what is
 * no picture, or too large.
 */
export async function setSiteUpload(ctx: Ctx, staff: Staff, name: UploadName, input: string): Promise<void> {
  const { avatarBytes } = ctx.config.limits
  if ((await stat(input)).size > avatarBytes)
    throw invalid('file', 'too_many_megabytes', { megabytes: Math.floor(avatarBytes / 2 ** 20) })
  const bytes = await readFile(input)
  await inWorkspace(ctx, async (folder) => {
    const versions: Version[] = []
    for (const size of sizes[name]) versions.push(await makeVersion(ctx, folder, bytes, size))
    const blurhash =
      name === 'thumbnail' ? (await ctx.media.preview(versions[0]!.path, folder)).blurhash : null
    await storeFiles(ctx, versions, (tx) => writeUpload(tx, staff, { name, versions, blurhash }))
  })
}

async function makeVersion(ctx: Ctx, folder: string, bytes: Buffer, size: Size): Promise<Version> {
  const { width, height } = size
  const options = { width, height, fit: 'cover', maxPixels: ctx.config.limits.imagePixels } as const
  const resized = await ctx.images.resizeImage(bytes, options)
  // What stands for the server does not move.
  const { body, contentType } = resized.still ?? resized
  const file = `${newSecret()}.${extensions[contentType]}`
  const target = path.join(folder, file)
  await writeFile(target, body)
  return { key: `site_uploads/${file}`, path: target, contentType, size, bytes: body.length }
}

async function writeUpload(
  tx: Tx,
  staff: Staff,
  { name, versions, blurhash }: { name: UploadName; versions: readonly Version[]; blurhash: string | null },
): Promise<void> {
  await abandonFiles(tx, await lockKeys(tx, name))
  const largest = versions.at(-1) as Version
  const keys = Object.fromEntries(versions.map((version) => [version.size.name, version.key]))
  const bytes = versions.reduce((sum, version) => sum + version.bytes, 0)
  await sql`
    insert into site_uploads (name, file_key, bytes, width, height, blurhash, versions, updated_at)
    values (${name}, ${largest.key}, ${bytes}, ${largest.size.width}, ${largest.size.height}, ${blurhash},
      ${JSON.stringify(keys)}::jsonb, ${new Date(tx.clock.now())})
    on conflict (name) do update set file_key = excluded.file_key, bytes = excluded.bytes, width = excluded.width,
      height = excluded.height, blurhash = excluded.blurhash, versions = excluded.versions,
      updated_at = excluded.updated_at`.execute(tx.db)
  await recordAction(tx, staff, { action: 'update', targetType: 'site_upload', label: name })
}

/** The files of the picture there is. Of two who replace it one waits. */
async function lockKeys(tx: Tx, name: UploadName): Promise<string[]> {
  await sql`select pg_advisory_xact_lock(hashtext('site_uploads'))`.execute(tx.db)
  const { rows } = await sql<{ file_key: string; versions: Record<string, string> }>`
    select file_key, versions from site_uploads where name = ${name}`.execute(tx.db)
  return rows.flatMap((row) => [row.file_key, ...Object.values(row.versions)])
}

/** Takes a picture away: that of the software is shown again. Throws `not_found`. */
export async function deleteSiteUpload(ctx: Ctx, staff: Staff, name: UploadName): Promise<void> {
  await ctx.transaction(async (tx) => {
    const keys = await lockKeys(tx, name)
    if (keys.length === 0) throw notFound()
    await sql`delete from site_uploads where name = ${name}`.execute(tx.db)
    await abandonFiles(tx, keys)
    await recordAction(tx, staff, { action: 'destroy', targetType: 'site_upload', label: name })
  })
}
