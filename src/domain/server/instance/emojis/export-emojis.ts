import { createWriteStream } from 'node:fs'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import type { Ctx } from '#ports/ctx.ts'
import { conflict } from '#lib/errors.ts'
import { listOwnEmojis } from './emojis.ts'

export interface ExportOptions {
  /** Only those of a category. */
  category?: string | null | undefined
  /** Replaces an archive that is there. */
  overwrite?: boolean | undefined
}

const archiveName = 'export.tar.gz'
const batch = 100

/**
 * Writes the pictures of this server's emoji to `export.tar.gz` in a directory, as `importEmojis` reads them. Returns
 * the path of the archive and how many there are. Throws `conflict` when there is an archive already.
 */
export async function exportEmojis(
  ctx: Ctx,
  directory: string,
  { category = null, overwrite = false }: ExportOptions = {},
): Promise<{ path: string; count: number }> {
  const target = path.join(directory, archiveName)
  const exists = await access(target).then(
    () => true,
    () => false,
  )
  if (exists && !overwrite) throw conflict('exists_already', { path: target })
  await mkdir(directory, { recursive: true })
  const unfinished = `${target}.part`
  const archive = pack()
  try {
    const [count] = await Promise.all([
      fill(ctx, archive, category),
      pipeline(archive, createGzip(), createWriteStream(unfinished)),
    ])
    await rename(unfinished, target)
    return { path: target, count }
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function fill(ctx: Ctx, archive: Pack, category: string | null): Promise<number> {
  let count = 0
  try {
    for (let after = ''; ;) {
      const emojis = await listOwnEmojis(ctx, { after, category, limit: batch })
      for (const { shortcode, image_key: key } of emojis) {
        if (key !== null) count += Number(await addFile(ctx, archive, { shortcode, key }))
        after = shortcode
      }
      if (emojis.length < batch) break
    }
    archive.finalize()
    return count
  } catch (error) {
    archive.destroy(error as Error)
    throw error
  }
}

/** Whether there was such a file. */
async function addFile(
  ctx: Ctx,
  archive: Pack,
  { shortcode, key }: { shortcode: string; key: string },
): Promise<boolean> {
  const file = await ctx.storage.open(key)
  if (!file) {
    ctx.log.warn({ key, shortcode }, 'the picture of an emoji is missing')
    return false
  }
  const entry = archive.entry({ name: `${shortcode}${path.extname(key)}`, size: file.size })
  await pipeline(Readable.fromWeb(file.stream), entry)
  return true
}
