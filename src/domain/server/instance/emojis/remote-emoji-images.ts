// Pictures of other servers' custom emoji: copies of what these show.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { deleteEmojiImages, holdsEmojiImage, resizeEmojiImage, storeResized } from './emoji-images.ts'
import type { CustomEmojiId } from '#lib/id.ts'

export interface RemoteEmojiSource {
  domain: string
  url: string
}

/** Where the picture of an emoji of another server is; null when there is none to fetch. */
export async function findEmojiSource(reader: Reader, id: CustomEmojiId): Promise<RemoteEmojiSource | null> {
  const { rows } = await sql<RemoteEmojiSource>`
    select domain, remote_image_url as url from custom_emojis
    where id = ${id} and domain is not null and remote_image_url is not null`.execute(reader.db)
  return rows[0] ?? null
}

/** What is known of the picture of an emoji of another server; null for others and disabled ones. */
export async function findEmojiState(
  reader: Reader,
  id: CustomEmojiId,
): Promise<{ key: string | null; url: string | null; hosts: string[] } | null> {
  const { rows } = await sql<{ key: string | null; url: string | null; hosts: string[] }>`
    select image_key as key, remote_image_url as url, array[domain] as hosts from custom_emojis
    where id = ${id} and domain is not null and not disabled`.execute(reader.db)
  return rows[0] ?? null
}

interface Replaced {
  shortcode: string
  domain: string
  files: (string | null)[]
}

/**
 * Gives an emoji of another server the picture that was fetched from `url`, unless it has another address by now. Emits
 * `emojis.changed`, unless it is the picture that it has: there is software that says with every post that its emoji have
 * just changed. Throws `invalid` when it is too large or no picture we take.
 */
export async function setRemoteEmojiImage(
  ctx: Ctx,
  id: CustomEmojiId,
  { url, bytes }: { url: string; bytes: Buffer },
): Promise<void> {
  const resized = await resizeEmojiImage(ctx, bytes)
  if (await isStored(ctx, id, resized.body)) return
  const stored = await storeResized(ctx, id, resized)
  const replaced = await ctx.transaction(async (tx) => {
    const { rows } = await sql<Replaced>`
      update custom_emojis e set image_key = ${stored.imageKey}, static_key = ${stored.staticKey},
        updated_at = ${new Date(tx.clock.now())}
      from (select id, array[image_key, static_key] as files from custom_emojis where id = ${id} for update) old
      where e.id = old.id and e.remote_image_url = ${url} and e.domain is not null
      returning e.shortcode, e.domain, old.files`.execute(tx.db)
    const row = rows[0]
    // What shows a picture that goes may be of any age.
    const fresh = row?.files.every((key) => key === null)
    if (row) await tx.emit({ type: 'emojis.changed', shortcodes: [row.shortcode], domain: row.domain, fresh })
    return row?.files
  })
  await deleteEmojiImages(ctx, replaced ?? [stored.imageKey, stored.staticKey])
}

async function isStored(ctx: Ctx, id: CustomEmojiId, picture: Uint8Array): Promise<boolean> {
  const key = (await findEmojiState(ctx, id))?.key
  return key != null && (await holdsEmojiImage(ctx, key, picture))
}
