// The pictures of this server's emoji: made small and clean, stored under names that nobody can guess.
import { readFile, stat } from 'node:fs/promises'
import type { Ctx } from '#ports/ctx.ts'
import type { ResizedImage, ResizedType } from '#ports/images.ts'
import type { StoredFile } from '#ports/storage.ts'
import { invalid } from '#lib/errors.ts'
import { newSecret } from '#lib/secrets.ts'
import type { CustomEmojiId } from '#lib/id.ts'

export interface EmojiImage {
  imageKey: string
  /** The still copy of an animation; null when the picture does not move. */
  staticKey: string | null
}

/** Pixels at most, in each direction. Emoji keep their proportions, and small ones their size. */
const largest = 512

const extensions: Record<ResizedType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

/** The bytes of an uploaded file. Throws `invalid` when there are more than an emoji may have. */
export async function readEmojiFile(ctx: Ctx, path: string): Promise<Buffer> {
  const { size } = await stat(path)
  if (size > ctx.config.limits.emojiBytes) throw tooLarge(ctx)
  return readFile(path)
}

/** The bytes of a stored picture; null when it is not there. */
export async function readStoredEmoji(ctx: Ctx, key: string): Promise<Buffer | null> {
  const file = await ctx.storage.open(key)
  if (!file) return null
  if (file.size > ctx.config.limits.emojiBytes) {
    await file.stream.cancel()
    throw tooLarge(ctx)
  }
  return bytesOf(file)
}

const bytesOf = async ({ stream }: StoredFile) =>
  Buffer.from(await new Response(stream as ReadableStream).arrayBuffer())

/** Whether a stored picture is this one. */
export async function holdsEmojiImage(ctx: Ctx, key: string, picture: Uint8Array): Promise<boolean> {
  const file = await ctx.storage.open(key)
  if (file?.size === picture.length) return (await bytesOf(file)).equals(picture)
  await file?.stream.cancel()
  return false
}

const tooLarge = (ctx: Ctx) =>
  invalid('image', 'too_many_kilobytes', { kilobytes: Math.floor(ctx.config.limits.emojiBytes / 1024) })

/** Stores a picture for the emoji of this id. Throws `invalid` when it is too large or no picture we take. */
export async function storeEmojiImage(ctx: Ctx, id: CustomEmojiId, input: Buffer): Promise<EmojiImage> {
  return storeResized(ctx, id, await resizeEmojiImage(ctx, input))
}

/** A picture as it is stored. Throws `invalid` when it is too large or none that we take. */
export async function resizeEmojiImage(ctx: Ctx, input: Buffer): Promise<ResizedImage> {
  if (input.length > ctx.config.limits.emojiBytes) throw tooLarge(ctx)
  return ctx.images.resizeImage(input, {
    width: largest,
    height: largest,
    fit: 'inside',
    maxPixels: ctx.config.limits.imagePixels,
  })
}

/** Stores what `resizeEmojiImage` made. */
export async function storeResized(ctx: Ctx, id: CustomEmojiId, resized: ResizedImage): Promise<EmojiImage> {
  const imageKey = await put(ctx, id, resized)
  if (!resized.still) return { imageKey, staticKey: null }
  try {
    return { imageKey, staticKey: await put(ctx, id, resized.still) }
  } catch (error) {
    await deleteEmojiImages(ctx, [imageKey])
    throw error
  }
}

async function put(
  ctx: Ctx,
  id: CustomEmojiId,
  { body, contentType }: Pick<ResizedImage, 'body' | 'contentType'>,
): Promise<string> {
  const key = `emojis/${id}/${newSecret()}.${extensions[contentType]}`
  await ctx.storage.put(key, { body }, { contentType })
  return key
}

/** Deletes files that nothing names any more. A failure is logged: it must not undo what has happened. */
export async function deleteEmojiImages(ctx: Ctx, keys: readonly (string | null)[]): Promise<void> {
  for (const key of keys) {
    if (key === null) continue
    try {
      await ctx.storage.delete(key)
    } catch (error) {
      ctx.log.warn({ key, error: String(error) }, 'the picture of an emoji could not be deleted')
    }
  }
}
