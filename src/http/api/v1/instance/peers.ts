// What the server knows of others, and its numbers: not for strangers in the closed access modes.
import { z } from 'zod'
import { text } from '#http/kit/params/fields.ts'
import { listOf } from '#entities/entity.ts'
import { DomainBlock, Domains, InstanceActivity } from '#entities/instance/facts.ts'
import { route } from '#http/kit/route.ts'
import { viewActivity, viewDomainBlocks, viewPeers, viewPeerSearch } from '#views/server/instance-lists.ts'

const shown = { method: 'GET', auth: 'none', caching: 'public' } as const

export const routes = [
  route({
    ...shown,
    path: '/api/v1/instance/peers',
    shared: ['settings'],
    returns: Domains,
    handle: ({ ctx }) => viewPeers(ctx),
  }),
  route({
    ...shown,
    path: '/api/v1/instance/activity',
    shared: ['settings'],
    returns: listOf(InstanceActivity),
    handle: ({ ctx }) => viewActivity(ctx),
  }),
  route({
    ...shown,
    path: '/api/v1/peers/search',
    returns: Domains,
    params: z.object({ q: text() }),
    handle: ({ ctx, params }) => viewPeerSearch(ctx, params.q ?? ''),
  }),
  route({
    method: 'GET',
    path: '/api/v1/instance/domain_blocks',
    returns: listOf(DomainBlock),
    auth: 'optional',
    caching: 'anonymous',
    handle: ({ ctx, viewer }) => viewDomainBlocks(ctx, viewer),
  }),
]
