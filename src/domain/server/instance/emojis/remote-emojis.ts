// Custom emoji of other servers. Their pictures are fetched by whoever hears of `remote-emoji.saved`.
import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { CustomEmojiId } from '#lib/id.ts'

export interface RemoteEmoji {
  shortcode: string
  uri: string | null
  imageUrl: string
  updatedAt: Date | null
}

/**
 * Notes the emoji that a server uses. Those that are new, have another picture, or were changed since, have it fetched.
 * Rows that stay as they are are not touched: the same emoji come with every post.
 */
export async function saveRemoteEmojis(
  tx: Tx,
  domain: string,
  emojis: readonly RemoteEmoji[],
): Promise<void> {
  if (emojis.length === 0) return
  const told = emojis.toSorted((a, b) => (a.shortcode < b.shortcode ? -1 : 1))
  const { rows } = await sql<{ id: CustomEmojiId }>`
    insert into custom_emojis (id, shortcode, domain, uri, remote_image_url, remote_updated_at, visible_in_picker)
    select t.id, t.shortcode, ${domain}, t.uri, t.image_url, t.updated_at, false
    from unnest(${told.map(() => tx.newId())}::bigint[], ${told.map((one) => one.shortcode)}::text[],
      ${told.map((one) => one.uri)}::text[], ${told.map((one) => one.imageUrl)}::text[],
      ${told.map((one) => one.updatedAt)}::timestamptz[]) t (id, shortcode, uri, image_url, updated_at)
    where not exists (
      select 1 from custom_emojis k
      where k.shortcode = t.shortcode and k.domain = ${domain} and k.remote_image_url = t.image_url
        and (t.updated_at is null or k.remote_updated_at >= t.updated_at) offset 0)
    on conflict (shortcode, domain) do update set uri = excluded.uri, remote_image_url = excluded.remote_image_url,
      remote_updated_at = excluded.remote_updated_at
    returning id`.execute(tx.db)
  for (const { id } of rows) await tx.emit({ type: 'remote-emoji.saved', emojiId: id })
}

/** The custom emoji of a server that may be shown here, by its shortcode. */
export async function findRemoteEmoji(
  reader: Reader,
  domain: string,
  shortcode: string,
): Promise<CustomEmojiId | null> {
  const { rows } = await sql<{ id: CustomEmojiId }>`
    select id from custom_emojis where shortcode = ${shortcode} and domain = ${domain} and not disabled`.execute(
    reader.db,
  )
  return rows[0]?.id ?? null
}
