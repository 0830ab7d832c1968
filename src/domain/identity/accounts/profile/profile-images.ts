// Avatars and headers: made small, then stored under names that nobody can guess.
import type { Ctx } from '#ports/ctx.ts'
import type { ResizedType } from '#ports/images.ts'
import { invalid } from '#lib/errors.ts'
import { newSecret } from '#lib/secrets.ts'
import type { AccountId } from '#lib/id.ts'

export type ImageKind = 'avatar' | 'header'

export interface StoredImage {
  key: string
  /** The still copy of an animation; null when the picture does not move. */
  staticKey: string | null
}

/** Pixels of the stored pictures (limits of the Mastodon API). */
const sizes: Record<ImageKind, { width: number; height: number }> = {
  avatar: { width: 400, height: 400 },
  header: { width: 1500, height: 500 },
}

const extensions: Record<ResizedType, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
}

/** Stores a picture in its final size. Throws `invalid` when it is too large or not a picture we take. */
export async function storeImage(
  ctx: Ctx,
  accountId: AccountId,
  kind: ImageKind,
  input: Buffer,
): Promise<StoredImage> {
  const { avatarBytes, imagePixels } = ctx.config.limits
  if (input.length > avatarBytes) {
    throw invalid(kind, 'too_many_megabytes', { megabytes: Math.floor(avatarBytes / 2 ** 20) })
  }
  const resized = await ctx.images.resizeImage(input, {
    ...sizes[kind],
    fit: 'cover',
    maxPixels: imagePixels,
  })
  const key = newKey(accountId, kind, resized.contentType)
  await ctx.storage.put(key, { body: resized.body }, { contentType: resized.contentType })
  if (!resized.still) return { key, staticKey: null }
  const staticKey = newKey(accountId, kind, resized.still.contentType)
  try {
    await ctx.storage.put(staticKey, { body: resized.still.body }, { contentType: resized.still.contentType })
  } catch (error) {
    await deleteImages(ctx, [key])
    throw error
  }
  return { key, staticKey }
}

function newKey(accountId: AccountId, kind: ImageKind, contentType: ResizedType): string {
  return `${kind}s/${accountId}/${newSecret()}.${extensions[contentType]}`
}

/** Deletes files that nothing names any more. A failure is logged: it must not undo what has happened. */
export async function deleteImages(ctx: Ctx, keys: readonly (string | null)[]): Promise<void> {
  for (const key of keys) {
    if (key === null) continue
    try {
      await ctx.storage.delete(key)
    } catch (error) {
      ctx.log.warn({ key, error: String(error) }, 'a picture could not be deleted')
    }
  }
}
