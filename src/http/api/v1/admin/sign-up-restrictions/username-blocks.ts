// An extension: Mastodon has these on its pages alone.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminUsernameBlock } from '#entities/admin/sign-up.ts'
import { Empty } from '#entities/empty.ts'
import {
  comparisons,
  createUsernameBlock,
  deleteUsernameBlock,
  getUsernameBlock,
  listUsernameBlocks,
  updateUsernameBlock,
} from '#domain/identity/sign-up-restrictions/username-blocks.ts'
import { pageOf, paging, pathId, text, truthy, word } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderUsernameBlock } from '#views/identity/admin-sign-up-restrictions.ts'
import type { UsernameBlockId } from '#lib/id.ts'

const terms = { username: text(), comparison: word(comparisons), allow_with_approval: truthy() }
const one = z.object({ id: pathId<UsernameBlockId>() })
const staff = { auth: 'user', permission: 'manage_blocks' } as const
const read = ['admin:read']
const write = ['admin:write']

const toTerms = (params: z.output<z.ZodObject<typeof terms>>) => ({
  username: params.username,
  comparison: params.comparison,
  allowWithApproval: params.allow_with_approval,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/username_blocks',
    returns: listOf(AdminUsernameBlock),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listUsernameBlocks(ctx, pageOf(params))
      return listed(page, page.items.map(renderUsernameBlock))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/username_blocks/:id',
    returns: AdminUsernameBlock,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderUsernameBlock(await getUsernameBlock(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/username_blocks',
    returns: AdminUsernameBlock,
    ...staff,
    scopes: write,
    params: z.object(terms),
    handle: async ({ ctx, viewer, params }) =>
      renderUsernameBlock(await createUsernameBlock(ctx, viewer, toTerms(params))),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/username_blocks/:id',
    returns: AdminUsernameBlock,
    ...staff,
    scopes: write,
    params: one.extend(terms),
    handle: async ({ ctx, viewer, params }) =>
      renderUsernameBlock(await updateUsernameBlock(ctx, viewer, params.id, toTerms(params))),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/username_blocks/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteUsernameBlock(ctx, viewer, params.id)
      return {}
    },
  }),
]
