import type { Ctx, Tx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { recordActions, type Staff } from '#domain/server/audit/record.ts'
import { insertEmoji, isShortcode, normalizeCategory, type NewEmoji } from './create-emoji.ts'
import { deleteEmojiImages, storeEmojiImage } from './emoji-images.ts'
import { findOwnEmoji } from './emojis.ts'
import { readArchive, type ArchiveFile, type ArchiveLimits } from './read-archive.ts'
import { writeEmoji } from './update-emoji.ts'
import type { CustomEmojiId } from '#lib/id.ts'

export interface ImportOptions {
  /** Before and after each name. */
  prefix?: string | undefined
  suffix?: string | undefined
  /** Replaces those that are there; they are passed over otherwise. */
  overwrite?: boolean | undefined
  /** Not offered to people, who may still write them. */
  unlisted?: boolean | undefined
  category?: string | null | undefined
  /** Called after every file that is looked at. */
  onProgress?: ((done: ImportCounts) => void) | undefined
}

export interface ImportCounts {
  imported: number
  skipped: number
  failed: number
}

export interface ImportResult extends ImportCounts {
  /** Why some failed; the first hundred. */
  problems: { file: string; reason: string }[]
}

const maxEntries = 20_000
const maxBytes = 1024 ** 3
const maxProblems = 100
/** Emoji written at once. */
const batch = 50

/**
 * Makes emoji of this server from the pictures (PNG, GIF, WebP) of a .tar.gz archive, named after the files. What
 * is no such picture is passed over. Emits `emojis.changed`. Throws `invalid` when the archive cannot be read to
 * its end; what was imported before stays.
 */
export async function importEmojis(
  ctx: Ctx,
  staff: Staff,
  path: string,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const limits: ArchiveLimits = {
    entries: maxEntries,
    fileBytes: ctx.config.limits.emojiBytes,
    totalBytes: maxBytes,
  }
  const result: ImportResult = { imported: 0, skipped: 0, failed: 0, problems: [] }
  const work: Import = { ctx, staff, options, result, seen: new Set(), waiting: [] }
  try {
    for await (const file of readArchive(path, limits)) {
      if (isIgnored(file.name)) continue
      await takeFile(work, file)
      options.onProgress?.(result)
    }
    await writeWaiting(work)
  } finally {
    // Stored, but not written: the archive broke off, or the database did.
    for (const { picture } of work.waiting)
      await deleteEmojiImages(ctx, [picture.imageKey, picture.staticKey])
  }
  return result
}

interface Import {
  ctx: Ctx
  staff: Staff
  options: ImportOptions
  result: ImportResult
  /** Names of this archive in lower case, as two files may have the same. */
  seen: Set<string>
  waiting: WaitingEmoji[]
}

/** Its picture is stored. */
interface WaitingEmoji extends NewEmoji {
  replaces: boolean
}

const imageName = /\.(?:png|gif|webp)$/i
const unsafePath = /(?:^|\/)\.\.(?:\/|$)|^\/|\\|^[a-z]:|\0/i

/** Neither pictures nor what people mean by them: the Mac's shadows of files, say. */
function isIgnored(name: string): boolean {
  const base = name.slice(name.lastIndexOf('/') + 1)
  return !imageName.test(base) || base.startsWith('.') || /(?:^|\/)__MACOSX\//.test(name)
}

async function takeFile(work: Import, file: ArchiveFile): Promise<void> {
  const { ctx, result } = work
  try {
    const shortcode = shortcodeOf(file.name, work.options)
    if (shortcode === null) return fail(work, file.name, 'no name for an emoji')
    if (file.body === null) return fail(work, file.name, 'too large')
    const existing = await findOwnEmoji(ctx, shortcode)
    const isSeen = work.seen.has(shortcode.toLowerCase())
    if ((existing && !work.options.overwrite) || isSeen) {
      result.skipped++
      return
    }
    work.seen.add(shortcode.toLowerCase())
    await storeFile(work, file.body, { shortcode, existing })
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    fail(work, file.name, error.message)
  }
  if (work.waiting.length >= batch) await writeWaiting(work)
}

async function storeFile(
  { ctx, options, waiting }: Import,
  body: Buffer,
  { shortcode, existing }: { shortcode: string; existing: { id: CustomEmojiId; shortcode: string } | null },
): Promise<void> {
  const id = existing?.id ?? ctx.newId()
  waiting.push({
    id,
    shortcode: existing?.shortcode ?? shortcode,
    picture: await storeEmojiImage(ctx, id, body),
    category: normalizeCategory(options.category),
    visibleInPicker: !options.unlisted,
    replaces: existing !== null,
  })
}

/** The name of an emoji, after the file's own name; null for what can be none, or comes from a path to elsewhere. */
function shortcodeOf(name: string, { prefix = '', suffix = '' }: ImportOptions): string | null {
  if (unsafePath.test(name)) return null
  const base = name.slice(name.lastIndexOf('/') + 1).replace(imageName, '')
  const shortcode = `${prefix}${base}${suffix}`
  return isShortcode(shortcode) ? shortcode : null
}

function fail({ result }: Import, file: string, reason: string): void {
  result.failed++
  if (result.problems.length < maxProblems) result.problems.push({ file, reason })
}

/** Writes what is stored, in one transaction. */
async function writeWaiting(work: Import): Promise<void> {
  const { ctx, staff, waiting, result } = work
  if (waiting.length === 0) return
  const unnamed = await ctx.transaction(async (tx) => {
    const files: (string | null)[] = []
    for (const emoji of waiting) files.push(...(await writeOne(tx, emoji)))
    await recordActions(
      tx,
      staff,
      waiting.map(({ id, shortcode, replaces }) => ({
        action: replaces ? 'update' : 'create',
        targetType: 'custom_emoji',
        targetId: id,
        label: shortcode,
      })),
    )
    await tx.emit({
      type: 'emojis.changed',
      shortcodes: waiting.map((emoji) => emoji.shortcode),
      domain: null,
    })
    return files
  })
  result.imported += waiting.length
  waiting.length = 0
  await deleteEmojiImages(ctx, unnamed)
}

/** Returns the files that nothing names then: those it replaces, or its own when somebody else was faster. */
async function writeOne(tx: Tx, emoji: WaitingEmoji): Promise<(string | null)[]> {
  const { picture } = emoji
  if (!emoji.replaces) return (await insertEmoji(tx, emoji)) ? [] : [picture.imageKey, picture.staticKey]
  const old = await writeEmoji(tx, emoji.id, emoji)
  return old ? [old.image_key, old.static_key] : [picture.imageKey, picture.staticKey]
}
