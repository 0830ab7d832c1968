import type { Collection, CollectionItem, CollectionWithAccounts } from '#entities/collection.ts'
import type { Ctx } from '#ports/ctx.ts'
import {
  loadCollectionItems,
  loadCollections,
  type CollectionItemRow,
  type CollectionRow,
} from '#domain/reading/collections/queries.ts'
import { collectionUri, collectionUrl, tagUrl } from '#domain/server/instance/urls.ts'
import { formatTime } from '#lib/time/time.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { pick } from '#lib/collections.ts'
import { asId, type AccountId, type CollectionId } from '#lib/id.ts'

/** Collections (https://docs.joinmastodon.org/entities/Collection/) with the items that the viewer may see. */
export async function viewCollections(
  ctx: Ctx,
  viewerId: AccountId | null,
  rows: readonly CollectionRow[],
): Promise<Collection[]> {
  const items = await loadCollectionItems(
    ctx,
    viewerId,
    rows.map((row) => row.id),
  )
  return rows.map((row) => renderCollection(ctx, row, items.get(row.id) ?? []))
}

export async function viewCollection(
  ctx: Ctx,
  viewerId: AccountId | null,
  row: CollectionRow,
): Promise<Collection> {
  const [view] = await viewCollections(ctx, viewerId, [row])
  return view as Collection
}

/** Collections by id, for what speaks of them. Those the viewer may not see are left out. */
export async function loadCollectionViews(
  ctx: Ctx,
  viewerId: AccountId | null,
  ids: readonly CollectionId[],
): Promise<Map<CollectionId, Collection>> {
  const rows = await loadCollections(ctx, viewerId, ids)
  const views = await viewCollections(ctx, viewerId, rows)
  return new Map(views.map((view) => [asId<CollectionId>(view.id), view]))
}

/** CollectionWithAccounts: one collection, its owner, and the accounts in it. */
export async function viewCollectionWithAccounts(
  ctx: Ctx,
  viewerId: AccountId | null,
  row: CollectionRow,
): Promise<CollectionWithAccounts> {
  const items = (await loadCollectionItems(ctx, viewerId, [row.id])).get(row.id) ?? []
  const ids = [row.account_id, ...items.map((item) => item.account_id)]
  const accounts = await loadAccountViews(ctx, ids)
  return { collection: renderCollection(ctx, row, items), accounts: pick([...new Set(ids)], accounts) }
}

function renderCollection(
  { config }: Ctx,
  row: CollectionRow,
  items: readonly CollectionItemRow[],
): Collection {
  return {
    id: row.id,
    uri: row.uri ?? collectionUri(config, row.account_id, row.id),
    url: row.local ? collectionUrl(config, row.id) : row.url,
    account_id: row.account_id,
    name: row.name,
    description: row.description,
    language: row.language,
    local: row.local,
    sensitive: row.sensitive,
    discoverable: row.discoverable,
    tag:
      row.tag_name === null
        ? null
        : { name: row.tag_display_name ?? row.tag_name, url: tagUrl(config, row.tag_name) },
    item_count: items.length,
    items: items.map(renderCollectionItem),
    created_at: formatTime(row.created_at),
    updated_at: formatTime(row.updated_at),
  }
}

/** CollectionItem (https://docs.joinmastodon.org/entities/CollectionItem/). */
export function renderCollectionItem(item: CollectionItemRow): CollectionItem {
  return {
    id: item.id,
    account_id: item.account_id,
    state: item.state,
    created_at: formatTime(item.created_at),
  }
}
