// Collections: people whom somebody recommends together.
import type { Account } from '#entities/account.ts'
import type {
  Collection,
  CollectionWithAccounts,
  WrappedCollection,
  WrappedCollectionItem,
  WrappedCollections,
} from '#entities/collection.ts'
import { patch, post, remove } from '../api/client.ts'
import { act } from './act.ts'
import { change, invalidate } from './query.ts'

const path = '/api/v1/collections'
export const pathOfCollection = (id: string) => `${path}/${id}`
export const collectionsOf = (accountId: string) => `/api/v1/accounts/${accountId}/collections?limit=40`

/** A collection as it is written. */
export interface CollectionForm {
  name: string
  description: string
  /** The tag that it is about, without its sign. */
  tag: string
  sensitive: boolean
  discoverable: boolean
}

export const formOf = (collection: Collection | null): CollectionForm => ({
  name: collection?.name ?? '',
  description: collection?.description ?? '',
  tag: collection?.tag?.name ?? '',
  sensitive: collection?.sensitive ?? false,
  discoverable: collection?.discoverable ?? true,
})

/** Makes a collection, or changes one. Throws ApiError. */
export async function saveCollection(form: CollectionForm, before: Collection | null): Promise<Collection> {
  const { tag, ...rest } = form
  const body = { ...rest, tag_name: tag.trim().replace(/^#/, '') }
  const { collection } = before
    ? await patch<WrappedCollection>(pathOfCollection(before.id), { body })
    : await post<WrappedCollection>(path, { body })
  change<CollectionWithAccounts | undefined>(
    pathOfCollection(collection.id),
    (known) => known && { ...known, collection },
  )
  invalidate(collectionsOf(collection.account_id))
  return collection
}

/** Returns whether it is gone. */
export const deleteCollection = ({ id, account_id: owner }: Collection): Promise<boolean> =>
  act({
    show: () =>
      change<WrappedCollections>(collectionsOf(owner), (known) => ({
        collections: known?.collections.filter((one) => one.id !== id) ?? [],
      })),
    ask: () => remove(pathOfCollection(id)),
  })

/** Adds somebody, who may have to agree. Throws ApiError. */
export async function addToCollection({ id }: Collection, account: Account): Promise<void> {
  const { collection_item: item } = await post<WrappedCollectionItem>(`${pathOfCollection(id)}/items`, {
    body: { account_id: account.id },
  })
  change<CollectionWithAccounts | undefined>(
    pathOfCollection(id),
    (known) =>
      known && {
        collection: { ...known.collection, items: [...known.collection.items, item] },
        accounts: [...known.accounts.filter((one) => one.id !== account.id), account],
      },
  )
}

/** Takes an item out: `revoke` by whom it is about, else by the owner. */
export const removeItem = (id: string, itemId: string, isOwn: boolean): Promise<boolean> => {
  const address = `${pathOfCollection(id)}/items/${itemId}`
  return act({
    show: () =>
      change<CollectionWithAccounts | undefined>(
        pathOfCollection(id),
        (known) =>
          known && {
            ...known,
            collection: {
              ...known.collection,
              items: known.collection.items.filter((item) => item.id !== itemId),
            },
          },
      ),
    ask: () => (isOwn ? remove(address) : post(`${address}/revoke`)),
  })
}
