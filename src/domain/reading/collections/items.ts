import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { type AppError, invalid, notFound, unprocessable } from '#lib/errors.ts'
import { getOwnCollection } from './queries.ts'
import type { AccountId, CollectionId, CollectionItemId } from '#lib/id.ts'

/** Accounts in one collection. */
export const maxItems = 25

export const tooManyItems = () => invalid('base', 'collection_full', { max: maxItems })

/**
 * Checks that the viewer may put this account into a collection. Throws `not_found` for those who are not there for
 * the viewer and `invalid` for those who do not want to be featured.
 */
export async function getFeaturable(reader: Reader, viewer: Viewer, accountId: AccountId): Promise<void> {
  const { rows } = await sql<{ featurable: boolean }>`
    select a.discoverable is true and a.domain is null and a.moved_to_account_id is null and not a.memorial as featurable
    from accounts a left join users u on u.account_id = a.id
    where a.id = ${accountId} and a.suspended_at is null and a.deleted_at is null
      and (a.domain is not null or (u.confirmed_at is not null and u.approved))
      and ${isUnblocked(viewer.accountId, sql`a.id`)}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  if (!rows[0].featurable) throw invalid('base', 'account_not_featurable')
}

/** The row of an item, accepted at once: the account has agreed by being discoverable. */
export async function addItem(
  tx: Tx,
  collectionId: CollectionId,
  accountId: AccountId,
): Promise<CollectionItemId> {
  const id = tx.newId<CollectionItemId>()
  const { rows } = await sql`
    insert into collection_items (id, collection_id, account_id, position, state, created_at)
    select ${id}, ${collectionId}, ${accountId},
      coalesce((select max(position) + 1 from collection_items where collection_id = ${collectionId}), 0),
      'accepted', ${new Date(tx.clock.now())}
    on conflict (collection_id, account_id) do nothing returning id`.execute(tx.db)
  if (rows.length === 0) throw unprocessable('duplicate_record')
  await tx.emit({ type: 'collection-item.added', itemId: id })
  return id
}

/**
 * Adds an account to one's own collection. Returns the item's id. Throws `not_found`, and `invalid` when the account
 * is in it, was in it and left, cannot be featured, or when the collection is full.
 */
export async function addToCollection(
  ctx: Ctx,
  viewer: Viewer,
  collectionId: CollectionId,
  accountId: AccountId,
): Promise<CollectionItemId> {
  await getOwnCollection(ctx, viewer.accountId, collectionId)
  await getFeaturable(ctx, viewer, accountId)
  return ctx.transaction(async (tx) => {
    await touch(tx, collectionId)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from collection_items
      where collection_id = ${collectionId} and state in ('pending', 'accepted')`.execute(tx.db)
    if ((rows[0]?.count ?? 0) >= maxItems) throw tooManyItems()
    return addItem(tx, collectionId, accountId)
  })
}

/**
 * Takes an account out of one's own collection. Throws `not_found`, and `invalid` for one that has left: its item is
 * what keeps it from being added again.
 */
export async function removeFromCollection(
  ctx: Ctx,
  viewer: Viewer,
  collectionId: CollectionId,
  itemId: CollectionItemId,
): Promise<void> {
  await getOwnCollection(ctx, viewer.accountId, collectionId)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ account_id: AccountId }>`
      delete from collection_items
      where id = ${itemId} and collection_id = ${collectionId} and state <> 'revoked'
      returning account_id`.execute(tx.db)
    const gone = rows[0]
    if (!gone) throw await whyNotRemoved(tx, collectionId, itemId)
    await touch(tx, collectionId)
    await tx.emit({ type: 'collection-item.removed', itemId, collectionId, accountId: gone.account_id })
  })
}

async function whyNotRemoved(
  tx: Tx,
  collectionId: CollectionId,
  itemId: CollectionItemId,
): Promise<AppError> {
  const { rows } = await sql`
    select 1 from collection_items where id = ${itemId} and collection_id = ${collectionId}`.execute(tx.db)
  return rows.length > 0 ? invalid('base', 'account_left_collection') : notFound()
}

/** Leaves somebody's collection for good: they cannot add one again. Throws `not_found`. Idempotent. */
export async function revokeItem(
  ctx: Ctx,
  viewer: Viewer,
  collectionId: CollectionId,
  itemId: CollectionItemId,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update collection_items set state = 'revoked'
      where id = ${itemId} and collection_id = ${collectionId} and account_id = ${viewer.accountId}
      returning id`.execute(tx.db)
    if (rows.length === 0) throw notFound()
    await touch(tx, collectionId)
    const { accountId } = viewer
    await tx.emit({ type: 'collection-item.removed', itemId, collectionId, accountId })
  })
}

/** Locks the collection too, so that two additions at once cannot pass the limit together. */
async function touch(tx: Tx, collectionId: CollectionId): Promise<void> {
  await sql`update collections set updated_at = ${new Date(tx.clock.now())} where id = ${collectionId}`.execute(
    tx.db,
  )
}
