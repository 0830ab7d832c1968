import { z } from 'zod'
import { Account } from './account.ts'
import {
  count,
  entity,
  flag,
  id,
  text,
  textOrNull,
  time,
  url,
  urlOrNull,
  type Json,
  type Schema,
} from './entity.ts'

/** https://docs.joinmastodon.org/entities/CollectionItem/ */
const collectionItem = entity('CollectionItem', {
  id,
  account_id: id,
  state: z.enum(['pending', 'accepted', 'rejected', 'revoked']),
  created_at: time,
})
export interface CollectionItem extends Json<typeof collectionItem> {}
export const CollectionItem: Schema<CollectionItem> = collectionItem

/** https://docs.joinmastodon.org/entities/Collection/ */
const collection = entity('Collection', {
  id,
  uri: url,
  url: urlOrNull,
  account_id: id,
  name: text,
  description: text,
  language: textOrNull,
  local: flag,
  sensitive: flag,
  discoverable: flag,
  tag: z.strictObject({ name: text, url }).nullable(),
  item_count: count,
  items: z.array(CollectionItem),
  created_at: time,
  updated_at: time,
})
export interface Collection extends Json<typeof collection> {}
export const Collection: Schema<Collection> = collection

/** https://docs.joinmastodon.org/entities/CollectionWithAccounts/ */
const collectionWithAccounts = entity('CollectionWithAccounts', {
  collection: Collection,
  accounts: z.array(Account),
})
export interface CollectionWithAccounts extends Json<typeof collectionWithAccounts> {}
export const CollectionWithAccounts: Schema<CollectionWithAccounts> = collectionWithAccounts

/** https://docs.joinmastodon.org/methods/collections/: how operations wrap what they answer. */
const wrappedCollection = entity('WrappedCollection', { collection: Collection })
export interface WrappedCollection extends Json<typeof wrappedCollection> {}
export const WrappedCollection: Schema<WrappedCollection> = wrappedCollection
const wrappedCollections = entity('WrappedCollections', { collections: z.array(Collection) })
export interface WrappedCollections extends Json<typeof wrappedCollections> {}
export const WrappedCollections: Schema<WrappedCollections> = wrappedCollections
const wrappedCollectionItem = entity('WrappedCollectionItem', { collection_item: CollectionItem })
export interface WrappedCollectionItem extends Json<typeof wrappedCollectionItem> {}
export const WrappedCollectionItem: Schema<WrappedCollectionItem> = wrappedCollectionItem
