// The files of an archived post: unpacked, and made ready as uploads are.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { nameMedia } from '#domain/content/media/processed.ts'
import { parseFocus } from '#domain/content/media/rules.ts'
import { isAppError, sentence } from '#lib/errors.ts'
import { cleanText, truncatePlain } from '#lib/text/text.ts'
import type { Reason } from '#lib/messages/describe-error.ts'
import type { Archive } from './archive-entries.ts'
import type { ArchivedMedia } from './archive-post.ts'
import type { ImportedMedia } from './archive-write.ts'
import type { BulkImportRowId, MediaId } from '#lib/id.ts'

export interface TakenMedia {
  media: ImportedMedia[]
  /** What is missing, and why. */
  problems: Reason[]
}

interface Taker {
  ctx: Ctx
  archive: Archive
  folder: string
}

/**
 * Makes the files of a post ready and runs `use` with them; they are gone afterwards. What cannot be taken is told.
 * Rejects, and may be tried again, when something else than a file is to blame.
 */
export async function takeMedia(
  taker: Taker,
  attachments: readonly ArchivedMedia[],
  rowId: BulkImportRowId,
  use: (taken: TakenMedia) => Promise<void>,
): Promise<void> {
  if (attachments.length === 0) return use({ media: [], problems: [] })
  const folder = path.join(taker.folder, `post-${rowId}`)
  await mkdir(folder, { mode: 0o700 })
  try {
    await use(await takeAll(taker, attachments, folder))
  } catch (error) {
    // No file of the archive is to blame for this.
    await sql`update bulk_import_rows set attempts = 0 where id = ${rowId}`
      .execute(taker.ctx.db)
      .catch(() => {})
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function takeAll(
  taker: Taker,
  attachments: readonly ArchivedMedia[],
  folder: string,
): Promise<TakenMedia> {
  const max = taker.ctx.config.limits.mediaAttachments
  const taken: TakenMedia = { media: [], problems: [] }
  for (const [index, attachment] of attachments.slice(0, max).entries()) {
    const made = await takeOne(taker, attachment, path.join(folder, String(index)))
    if ('id' in made) taken.media.push(made)
    else taken.problems.push(made)
  }
  if (attachments.length > max) taken.problems.push(sentence('item_files_left_out', { max }))
  return taken
}

/** The attachment, or why it cannot be had. */
async function takeOne(
  { ctx, archive }: Taker,
  attachment: ArchivedMedia,
  source: string,
): Promise<ImportedMedia | Reason> {
  const shown = attachment.files[0] ?? ''
  try {
    if (!(await extractAny(archive, attachment.files, source)))
      return sentence('file_not_in_archive', { name: shown })
    const directory = `${source}-made`
    await mkdir(directory)
    const id = ctx.newId<MediaId>()
    const processed = await ctx.media.process(source, { directory })
    return {
      id,
      named: nameMedia(id, processed, 'media_attachments'),
      description: describe(ctx, attachment.description),
      focus: attachment.focus && parseFocus(`${attachment.focus.x},${attachment.focus.y}`),
      blurhash: readBlurhash(attachment.blurhash),
    }
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return { about: shown, reason: error.reason }
  }
}

async function extractAny(archive: Archive, files: readonly string[], target: string): Promise<boolean> {
  for (const name of files) if (await archive.extract(name, target)) return true
  return false
}

const describe = (ctx: Ctx, text: string) =>
  truncatePlain(cleanText(text).trim(), ctx.config.limits.mediaDescriptionCharacters)

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

/**
 * A blurhash, if it is one: its first digit tells how many it has
 * (https://github.com/woltapp/blurhash/blob/master/Algorithm.md). Exported for its test.
 */
export function readBlurhash(text: string | null): string | null {
  const sizes = text === null || text === '' ? -1 : digits.indexOf(text.charAt(0))
  if (text === null || sizes < 0) return null
  const length = 4 + 2 * ((sizes % 9) + 1) * (Math.floor(sizes / 9) + 1)
  return text.length === length && [...text].every((digit) => digits.includes(digit)) ? text : null
}
