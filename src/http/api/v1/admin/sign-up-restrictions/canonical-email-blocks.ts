import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminCanonicalEmailBlock } from '#entities/admin/sign-up.ts'
import { Empty } from '#entities/empty.ts'
import {
  createCanonicalEmailBlock,
  deleteCanonicalEmailBlock,
  findCanonicalEmailBlocks,
  getCanonicalEmailBlock,
  listCanonicalEmailBlocks,
} from '#domain/identity/sign-up-restrictions/canonical-email-blocks.ts'
import { pageOf, paging, pathId, requiredText, text } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderCanonicalEmailBlock } from '#views/identity/admin-sign-up-restrictions.ts'
import type { CanonicalEmailBlockId } from '#lib/id.ts'

const one = z.object({ id: pathId<CanonicalEmailBlockId>() })
const staff = { auth: 'user', permission: 'manage_blocks' } as const
const read = ['admin:read', 'admin:read:canonical_email_blocks']
const write = ['admin:write', 'admin:write:canonical_email_blocks']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/canonical_email_blocks',
    returns: listOf(AdminCanonicalEmailBlock),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listCanonicalEmailBlocks(ctx, pageOf(params))
      return listed(page, page.items.map(renderCanonicalEmailBlock))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/canonical_email_blocks/test',
    returns: listOf(AdminCanonicalEmailBlock),
    ...staff,
    scopes: read,
    params: z.object({ email: requiredText() }),
    handle: async ({ ctx, params }) =>
      (await findCanonicalEmailBlocks(ctx, params.email)).map(renderCanonicalEmailBlock),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/canonical_email_blocks/:id',
    returns: AdminCanonicalEmailBlock,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) =>
      renderCanonicalEmailBlock(await getCanonicalEmailBlock(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/canonical_email_blocks',
    returns: AdminCanonicalEmailBlock,
    ...staff,
    scopes: write,
    params: z.object({ email: text(), canonical_email_hash: text() }),
    async handle({ ctx, viewer, params: { email, canonical_email_hash: hash } }) {
      return renderCanonicalEmailBlock(await createCanonicalEmailBlock(ctx, viewer, { email, hash }))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/canonical_email_blocks/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteCanonicalEmailBlock(ctx, viewer, params.id)
      return {}
    },
  }),
]
