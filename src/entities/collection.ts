import { z } from 'zod'
import { Account } from './account.ts'
import { count, entity, flag, id, text, textOrNull, time, url, urlOrNull, type Json } from './entity.ts'

/** https://docs.joinmastodon.org/entities/CollectionItem/ */
export const CollectionItem = entity('CollectionItem', {
  id,
  account_id: id,
  state: z.enum(['pending', 'accepted', 'rejected', 'revoked']),
  created_at: time,
})
export interface CollectionItem extends Json<typeof CollectionItem> {}

/** https://docs.joinmastodon.org/entities/Collection/ */
export const Collection = entity('Collection', {
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
export interface Collection extends Json<typeof Collection> {}

/** https://docs.joinmastodon.org/entities/CollectionWithAccounts/ */
export const CollectionWithAccounts = entity('CollectionWithAccounts', {
  collection: Collection,
  accounts: z.array(Account),
})
export interface CollectionWithAccounts extends Json<typeof CollectionWithAccounts> {}

/** https://docs.joinmastodon.org/methods/collections/: how operations wrap what they answer. */
export const WrappedCollection = entity('WrappedCollection', { collection: Collection })
export const WrappedCollections = entity('WrappedCollections', { collections: z.array(Collection) })
export const WrappedCollectionItem = entity('WrappedCollectionItem', { collection_item: CollectionItem })
