import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { keyBy } from '#lib/collections.ts'

export interface CardRow {
  id: Id
  url: string
  type: 'link' | 'photo' | 'video' | 'rich'
  title: string
  description: string
  language: string | null
  author_name: string
  author_url: string
  author_account_id: Id | null
  provider_name: string
  provider_url: string
  html: string
  embed_url: string
  width: number
  height: number
  image_key: string | null
  image_description: string
  blurhash: string | null
  published_at: Date | null
}

/** Preview cards by id, but for those that were not fetched or have nothing to show. */
export async function loadCards(reader: Reader, ids: readonly Id[]): Promise<Map<Id, CardRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<CardRow>`
    select id, coalesce(canonical_url, url) as url, type, title, description, language, author_name, author_url, author_account_id, provider_name,
      provider_url, html, embed_url, width, height, image_key, image_description, blurhash, published_at
    from preview_cards where id = any(${ids}::bigint[]) and (title <> '' or html <> '')`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}
