import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminIpBlock } from '#entities/admin/sign-up.ts'
import { Empty } from '#entities/empty.ts'
import {
  createIpBlock,
  deleteIpBlock,
  getIpBlock,
  ipSeverities,
  listIpBlocks,
  updateIpBlock,
} from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import { pageOf, paging, pathId, text, word } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderIpBlock } from '#views/identity/admin-sign-up-restrictions.ts'
import type { IpBlockId } from '#lib/id.ts'

/** Blank takes the end away. */
const seconds = z
  .preprocess((value) => {
    if (value === '') return null
    return typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value
  }, z.number().int().nullish())
  .meta({ type: 'integer' })
const terms = { ip: text(), severity: word(ipSeverities), comment: text(), expires_in: seconds }
const one = z.object({ id: pathId<IpBlockId>() })
const staff = { auth: 'user', permission: 'manage_blocks' } as const
const read = ['admin:read', 'admin:read:ip_blocks']
const write = ['admin:write', 'admin:write:ip_blocks']

const toTerms = (params: z.output<z.ZodObject<typeof terms>>, from: string) => ({
  ip: params.ip,
  severity: params.severity,
  comment: params.comment,
  expiresIn: params.expires_in,
  from,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/ip_blocks',
    returns: listOf(AdminIpBlock),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listIpBlocks(ctx, pageOf(params))
      return listed(page, page.items.map(renderIpBlock))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/ip_blocks/:id',
    returns: AdminIpBlock,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderIpBlock(await getIpBlock(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/ip_blocks',
    returns: AdminIpBlock,
    ...staff,
    scopes: write,
    params: z.object(terms),
    handle: async ({ ctx, viewer, caller, params }) =>
      renderIpBlock(await createIpBlock(ctx, viewer, toTerms(params, caller.address))),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/ip_blocks/:id',
    returns: AdminIpBlock,
    ...staff,
    scopes: write,
    params: one.extend(terms),
    handle: async ({ ctx, viewer, caller, params }) =>
      renderIpBlock(await updateIpBlock(ctx, viewer, params.id, toTerms(params, caller.address))),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/ip_blocks/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteIpBlock(ctx, viewer, params.id)
      return {}
    },
  }),
]
