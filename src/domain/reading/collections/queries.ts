import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { CollectionsTable, CollectionItemsTable } from '#db/schema/collections.ts'
import type { Reader } from '#ports/ctx.ts'
import { isBlocked, isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { groupBy } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, CollectionId } from '#lib/id.ts'

export interface CollectionRow extends Pick<
  Selectable<CollectionsTable>,
  | 'id'
  | 'account_id'
  | 'name'
  | 'description'
  | 'language'
  | 'sensitive'
  | 'discoverable'
  | 'local'
  | 'uri'
  | 'url'
  | 'created_at'
  | 'updated_at'
> {
  username: string
  tag_name: string | null
  tag_display_name: string | null
}

export type ItemState = 'pending' | 'accepted' | 'rejected' | 'revoked'

export interface CollectionItemRow extends Pick<
  Selectable<CollectionItemsTable>,
  'id' | 'collection_id' | 'account_id' | 'created_at'
> {
  state: ItemState
}

const columns = sql`c.id, c.account_id, a.username, c.name, c.description, c.language, c.sensitive, c.discoverable,
  c.local, c.uri, c.url, t.name as tag_name, t.display_name as tag_display_name, c.created_at, c.updated_at`

const source = sql`collections c join accounts a on a.id = c.account_id left join tags t on t.id = c.tag_id`

/** The owner is there and does not block the viewer. */
function ownerPresentAndNotBlocking(viewerId: AccountId | null): RawBuilder<boolean> {
  const present = sql<boolean>`a.suspended_at is null and a.deleted_at is null`
  if (viewerId === null) return present
  return sql`(${present} and not ${isBlocked({ blocker: sql`c.account_id`, blocked: viewerId })})`
}

/** The collection. Throws `not_found`, also for those whose owner is gone or blocks the viewer. */
export async function getCollection(
  reader: Reader,
  viewerId: AccountId | null,
  id: CollectionId,
): Promise<CollectionRow> {
  const [row] = await loadCollections(reader, viewerId, [id])
  if (!row) throw notFound()
  return row
}

/** Collections by id, but for those whose owner is gone or blocks the viewer. */
export async function loadCollections(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly CollectionId[],
): Promise<CollectionRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CollectionRow>`
    select ${columns} from ${source} where c.id = any(${ids}::bigint[]) and ${ownerPresentAndNotBlocking(viewerId)}`.execute(
    reader.db,
  )
  return rows
}

/** One's own collection. Throws `not_found` for those of others. */
export async function getOwnCollection(
  reader: Reader,
  ownerId: AccountId,
  id: CollectionId,
): Promise<CollectionRow> {
  const collection = await getCollection(reader, ownerId, id)
  if (collection.account_id !== ownerId) throw notFound()
  return collection
}

export interface OffsetPage {
  limit: number
  offset: number
}

/** An account's collections, newest first; to others only those that may be discovered. */
export async function listCollections(
  reader: Reader,
  viewerId: AccountId | null,
  accountId: AccountId,
  page: OffsetPage,
): Promise<CollectionRow[]> {
  const open = viewerId === accountId ? sql`true` : sql`c.discoverable`
  const { rows } = await sql<CollectionRow>`
    select ${columns} from ${source}
    where c.account_id = ${accountId} and ${open} and ${ownerPresentAndNotBlocking(viewerId)}
    order by c.id desc limit ${page.limit} offset ${page.offset}`.execute(reader.db)
  return rows
}

/** The collections that an account is in, latest addition first. */
export async function listCollectionsWith(
  reader: Reader,
  accountId: AccountId,
  page: OffsetPage,
): Promise<CollectionRow[]> {
  const { rows } = await sql<CollectionRow>`
    select ${columns}
    from collection_items i join collections c on c.id = i.collection_id
    join accounts a on a.id = c.account_id left join tags t on t.id = c.tag_id
    where i.account_id = ${accountId} and i.state in ('pending', 'accepted') and ${ownerPresentAndNotBlocking(accountId)}
    order by i.id desc limit ${page.limit} offset ${page.offset}`.execute(reader.db)
  return rows
}

/**
 * The items of collections in their order, as the viewer may see them: only owners see those that are not accepted,
 * and nobody sees accounts that are gone or, where there is a block between them and the viewer, these.
 */
export async function loadCollectionItems(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly CollectionId[],
): Promise<Map<CollectionId, CollectionItemRow[]>> {
  if (ids.length === 0) return new Map()
  const welcome =
    viewerId === null
      ? sql`true`
      : sql`(i.account_id = ${viewerId} or ${isUnblocked(viewerId, sql`i.account_id`)})`
  const { rows } = await sql<CollectionItemRow>`
    select i.id, i.collection_id, i.account_id, i.state, i.created_at
    from collection_items i
    join collections c on c.id = i.collection_id
    join accounts a on a.id = i.account_id
    where i.collection_id = any(${ids}::bigint[]) and a.suspended_at is null and a.deleted_at is null
      and (i.state = 'accepted' or c.account_id = ${viewerId}::bigint or i.account_id = ${viewerId}::bigint)
      and ${welcome}
    order by i.position, i.id`.execute(reader.db)
  return groupBy(rows, (row) => row.collection_id)
}
