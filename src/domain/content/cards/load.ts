import { sql, type Selectable } from 'kysely'
import type { PreviewCardsTable } from '#db/schema/status-parts.ts'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import type { PreviewCardId } from '#lib/id.ts'

export interface CardRow extends Pick<
  Selectable<PreviewCardsTable>,
  | 'id'
  | 'url'
  | 'title'
  | 'description'
  | 'language'
  | 'author_name'
  | 'author_url'
  | 'author_account_id'
  | 'provider_name'
  | 'provider_url'
  | 'html'
  | 'embed_url'
  | 'width'
  | 'height'
  | 'image_key'
  | 'image_description'
  | 'blurhash'
  | 'published_at'
> {
  type: 'link' | 'photo' | 'video' | 'rich'
}

/** Preview cards by id, but for those that were not fetched or have nothing to show. */
export async function loadCards(
  reader: Reader,
  ids: readonly PreviewCardId[],
): Promise<Map<PreviewCardId, CardRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<CardRow>`
    select id, coalesce(canonical_url, url) as url, type, title, description, language, author_name, author_url, author_account_id, provider_name,
      provider_url, html, embed_url, width, height, image_key, image_description, blurhash, published_at
    from preview_cards where id = any(${ids}::bigint[]) and (title <> '' or html <> '')`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}
