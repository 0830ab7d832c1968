// Extension of the API: lists of servers that others publish, and which servers no list may block.
import { z } from 'zod'
import {
  AdminBlockListExclusion,
  AdminBlockListSubscription,
  AdminListedDomain,
} from '#entities/admin/hosts.ts'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { excludeHost, includeHost, listExclusions } from '#domain/trust/block-lists/exclusions.ts'
import { refreshByStaff } from '#domain/trust/block-lists/refresh.ts'
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listEntries,
  listSubscriptions,
  updateSubscription,
} from '#domain/trust/block-lists/subscriptions.ts'
import { severities } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { limit, offset, pathId, requiredText, text, truthy, word } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderDescribedHost, renderExclusion, renderSubscription } from '#views/trust/admin-block-lists.ts'
import type { BlockListSubscriptionId } from '#lib/id.ts'

const staff = { auth: 'user', permission: 'manage_federation' } as const
const scopes = {
  read: ['admin:read', 'admin:read:domain_blocks'],
  write: ['admin:write', 'admin:write:domain_blocks'],
}
const one = z.object({ id: pathId<BlockListSubscriptionId>() })
const terms = {
  title: text(),
  url: text(),
  most_severity: word(severities),
  applied: truthy(),
  retract: truthy(),
}
const toInput = (params: z.output<z.ZodObject<typeof terms>>) => ({
  title: params.title,
  url: params.url,
  mostSeverity: params.most_severity,
  applied: params.applied,
  retract: params.retract,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/block_lists/subscriptions',
    returns: listOf(AdminBlockListSubscription),
    ...staff,
    scopes: scopes.read,
    handle: async ({ ctx }) => (await listSubscriptions(ctx)).map(renderSubscription),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/block_lists/subscriptions',
    returns: AdminBlockListSubscription,
    ...staff,
    scopes: scopes.write,
    params: z.object(terms),
    handle: async ({ ctx, params, viewer }) =>
      renderSubscription(await createSubscription(ctx, viewer, toInput(params))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/block_lists/subscriptions/:id',
    returns: AdminBlockListSubscription,
    ...staff,
    scopes: scopes.read,
    params: one,
    handle: async ({ ctx, params }) => renderSubscription(await getSubscription(ctx, params.id)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/block_lists/subscriptions/:id',
    returns: AdminBlockListSubscription,
    ...staff,
    scopes: scopes.write,
    params: one.extend(terms),
    handle: async ({ ctx, params, viewer }) =>
      renderSubscription(await updateSubscription(ctx, viewer, params.id, toInput(params))),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/block_lists/subscriptions/:id',
    returns: Empty,
    ...staff,
    scopes: scopes.write,
    params: one.extend({ keep: truthy() }),
    async handle({ ctx, params, viewer }) {
      await deleteSubscription(ctx, viewer, params.id, { keep: params.keep === true })
      return {}
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/block_lists/subscriptions/:id/entries',
    returns: listOf(AdminListedDomain),
    ...staff,
    scopes: scopes.read,
    params: one.extend({ limit: limit(100), offset: offset() }),
    handle: async ({ ctx, params }) => (await listEntries(ctx, params.id, params)).map(renderDescribedHost),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/block_lists/subscriptions/:id/refresh',
    returns: AdminBlockListSubscription,
    ...staff,
    scopes: scopes.write,
    params: one.extend({ force: truthy() }),
    async handle({ ctx, params, viewer }) {
      await refreshByStaff(ctx, viewer, params.id, params.force === true)
      return renderSubscription(await getSubscription(ctx, params.id))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/block_lists/exclusions',
    returns: listOf(AdminBlockListExclusion),
    ...staff,
    scopes: scopes.read,
    handle: async ({ ctx }) => (await listExclusions(ctx)).map(renderExclusion),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/block_lists/exclusions',
    returns: AdminBlockListExclusion,
    ...staff,
    scopes: scopes.write,
    params: z.object({ domain: text(), comment: text() }),
    handle: async ({ ctx, params, viewer }) =>
      renderExclusion(await excludeHost(ctx, viewer, params.domain, params.comment ?? '')),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/block_lists/exclusions/:domain',
    returns: Empty,
    ...staff,
    scopes: scopes.write,
    params: z.object({ domain: requiredText() }),
    async handle({ ctx, params, viewer }) {
      await includeHost(ctx, viewer, params.domain)
      return {}
    },
  }),
]
