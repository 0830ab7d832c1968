import { z } from 'zod'
import {
  CollectionWithAccounts,
  WrappedCollection,
  WrappedCollectionItem,
  WrappedCollections,
} from '#entities/collection.ts'
import { Empty } from '#entities/empty.ts'
import {
  createCollection,
  deleteCollection,
  updateCollection,
  type CollectionInput,
} from '#domain/reading/collections/edit-collection.ts'
import { addToCollection, removeFromCollection, revokeItem } from '#domain/reading/collections/items.ts'
import {
  getCollection,
  listCollections,
  listCollectionsWith,
  loadCollectionItems,
} from '#domain/reading/collections/queries.ts'
import { getAccountLine } from '#domain/identity/accounts/load.ts'
import { badRequest, forbidden, notFound } from '#lib/errors.ts'
import { id, ids, limit, offset, pathId, text, truthy } from '#http/kit/params/fields.ts'
import { offsetLink, urlsOf } from '#http/kit/paging.ts'
import { reply, route } from '#http/kit/route.ts'
import {
  renderCollectionItem,
  viewCollection,
  viewCollections,
  viewCollectionWithAccounts,
} from '#views/content/collections.ts'
import type { AccountId, CollectionId, CollectionItemId } from '#lib/id.ts'

const read = ['read', 'read:collections']
const write = ['write', 'write:collections']

const fields = z.object({
  name: text(),
  description: text(),
  language: text(),
  tag_name: text(),
  sensitive: truthy(),
  discoverable: truthy(),
})
const one = z.object({ id: pathId<CollectionId>() })
const item = z.object({ id: pathId<CollectionId>(), item_id: pathId<CollectionItemId>() })
const pages = z.object({ id: pathId<AccountId>(), limit: limit(40), offset: offset() })

const toInput = ({ tag_name: tagName, ...rest }: z.output<typeof fields>): CollectionInput => ({
  ...rest,
  tagName,
})

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/collections',
    returns: WrappedCollection,
    auth: 'user',
    scopes: write,
    params: fields.extend({ account_ids: ids<AccountId>() }),
    async handle({ ctx, viewer, params: { account_ids: accountIds, ...params } }) {
      const made = await createCollection(ctx, viewer, { ...toInput(params), accountIds })
      const row = await getCollection(ctx, viewer.accountId, made)
      return { collection: await viewCollection(ctx, viewer.accountId, row) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/collections/:id',
    returns: CollectionWithAccounts,
    auth: 'optional',
    replicated: true,
    scopes: read,
    caching: 'anonymous',
    params: one,
    async handle({ ctx, viewer, params }) {
      const viewerId = viewer?.accountId ?? null
      return viewCollectionWithAccounts(ctx, viewerId, await getCollection(ctx, viewerId, params.id))
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/v1/collections/:id',
    returns: WrappedCollection,
    auth: 'user',
    scopes: write,
    params: fields.extend(one.shape),
    async handle({ ctx, viewer, params: { id: collectionId, ...params } }) {
      await updateCollection(ctx, viewer, collectionId, toInput(params))
      const row = await getCollection(ctx, viewer.accountId, collectionId)
      return { collection: await viewCollection(ctx, viewer.accountId, row) }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/collections/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteCollection(ctx, viewer, params.id)
      return {}
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/collections/:id/items',
    returns: WrappedCollectionItem,
    auth: 'user',
    scopes: write,
    params: one.extend({ account_id: id<AccountId>() }),
    async handle({ ctx, viewer, params }) {
      if (!params.account_id) {
        throw badRequest('param_missing', { name: 'account_id' })
      }
      const itemId = await addToCollection(ctx, viewer, params.id, params.account_id)
      const items = (await loadCollectionItems(ctx, viewer.accountId, [params.id])).get(params.id) ?? []
      const added = items.find((row) => row.id === itemId)
      if (!added) throw notFound()
      return { collection_item: renderCollectionItem(added) }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/collections/:id/items/:item_id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: item,
    async handle({ ctx, viewer, params }) {
      await removeFromCollection(ctx, viewer, params.id, params.item_id)
      return {}
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/collections/:id/items/:item_id/revoke',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: item,
    async handle({ ctx, viewer, params }) {
      await revokeItem(ctx, viewer, params.id, params.item_id)
      return {}
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/accounts/:id/collections',
    returns: WrappedCollections,
    auth: 'optional',
    replicated: true,
    scopes: read,
    caching: 'anonymous',
    params: pages,
    async handle({ ctx, viewer, params, request }) {
      const viewerId = viewer?.accountId ?? null
      const account = await getAccountLine(ctx, params.id)
      const rows = account.suspended ? [] : await listCollections(ctx, viewerId, account.id, params)
      const collections = await viewCollections(ctx, viewerId, rows)
      return reply(200, { collections }, offsetLink(urlsOf(ctx, request), params, rows.length))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/accounts/:id/in_collections',
    returns: WrappedCollections,
    auth: 'user',
    replicated: true,
    scopes: read,
    params: pages,
    async handle({ ctx, viewer, params, request }) {
      const account = await getAccountLine(ctx, params.id)
      if (account.id !== viewer.accountId) throw forbidden()
      const rows = await listCollectionsWith(ctx, viewer.accountId, params)
      const collections = await viewCollections(ctx, viewer.accountId, rows)
      return reply(200, { collections }, offsetLink(urlsOf(ctx, request), params, rows.length))
    },
  }),
]
