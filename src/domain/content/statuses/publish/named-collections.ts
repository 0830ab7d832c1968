import { sql, type RawBuilder } from 'kysely'
import type { Config } from '#ports/ctx.ts'
import { isId } from '#lib/ids.ts'
import { collectionUrl } from '#domain/server/instance/urls.ts'
import { asIds, type CollectionId } from '#lib/id.ts'

/** Whoever looks at a status gets them all, with all that is in them. */
const max = 10

// An address as a whole, not a part of another one. Links are not asked for: a server may have a name that is none.
const notInside = String.raw`(?<![A-Za-z0-9@$#?&=/.:%+~-])`
const notLonger = String.raw`(?![\w/?#&=%@~+-]|\.\w)`

/** Ids of this server's collections whose addresses stand in a text, each once, in their order, ten at most. */
export function collectionsIn(config: Config, text: string): CollectionId[] {
  const prefix = collectionUrl(config, '')
  if (!text.includes(prefix)) return []
  const address = new RegExp(`${notInside}${RegExp.escape(prefix)}(\\d+)${notLonger}`, 'g')
  const ids = Array.from(text.matchAll(address), (match) => match[1] as string).filter(isId)
  return asIds<CollectionId>([...new Set(ids)].slice(0, max))
}

/** The value of `statuses.collection_ids` for a text: those of `collectionsIn` that exist. */
export function namedCollections(config: Config, text: string): RawBuilder<CollectionId[]> {
  const ids = collectionsIn(config, text)
  if (ids.length === 0) return sql`'{}'::bigint[]`
  return sql`array(
    select c.id from unnest(${ids}::bigint[]) with ordinality named (id, place) join collections c on c.id = named.id
    order by named.place)`
}
