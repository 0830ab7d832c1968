import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { List } from '#entities/list.ts'
import { createList, deleteList, updateList } from '#domain/reading/lists/edit-list.ts'
import { getList, listLists } from '#domain/reading/lists/queries.ts'
import { pathId, text, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderList } from '#views/reading/lists.ts'
import type { ListId } from '#lib/id.ts'

const read = ['read', 'read:lists']
const write = ['write', 'write:lists']

const one = z.object({ id: pathId<ListId>() })
const fields = z.object({ title: text(), replies_policy: text(), exclusive: truthy() })

/** A policy without a word is not given. */
const toInput = ({ title, replies_policy: policy, exclusive }: z.output<typeof fields>) => ({
  title,
  repliesPolicy: policy === '' ? undefined : policy,
  exclusive,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/lists',
    returns: listOf(List),
    auth: 'user',
    scopes: read,
    handle: async ({ ctx, viewer }) => (await listLists(ctx, viewer.accountId)).map(renderList),
  }),
  route({
    method: 'POST',
    path: '/api/v1/lists',
    returns: List,
    auth: 'user',
    scopes: write,
    params: fields,
    handle: async ({ ctx, viewer, params }) => renderList(await createList(ctx, viewer, toInput(params))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/lists/:id',
    returns: List,
    auth: 'user',
    scopes: read,
    params: one,
    handle: async ({ ctx, viewer, params }) => renderList(await getList(ctx, viewer.accountId, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/lists/:id',
    returns: List,
    auth: 'user',
    scopes: write,
    params: fields.extend(one.shape),
    handle: async ({ ctx, viewer, params }) =>
      renderList(await updateList(ctx, viewer, params.id, toInput(params))),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/lists/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteList(ctx, viewer, params.id)
      return {}
    },
  }),
]
