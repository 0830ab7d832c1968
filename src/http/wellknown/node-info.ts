import { renderNodeInfoLinks, viewNodeInfo, type NodeInfoVersion } from '#views/server/node-info.ts'
import { NodeInfo, NodeInfoLinks } from '#entities/instance/discovery.ts'
import { reply, route } from '#http/kit/route.ts'

const open = { method: 'GET', auth: 'none', open: true } as const
const forThreeDays = { 'cache-control': 'public, max-age=259200' }

/** With its profile (https://nodeinfo.diaspora.software/protocol.html). */
const headersOf = (version: NodeInfoVersion) => ({
  'cache-control': 'public, max-age=5, stale-if-error=86400',
  'content-type': `application/json; profile="http://nodeinfo.diaspora.software/ns/schema/${version}#"; charset=utf-8`,
})

export const routes = [
  route({
    ...open,
    path: '/.well-known/nodeinfo',
    shared: [],
    returns: NodeInfoLinks,
    handle: async ({ ctx }) => reply(200, renderNodeInfoLinks(ctx.config.baseUrl), forThreeDays),
  }),
  route({
    ...open,
    path: '/nodeinfo/2.0',
    shared: ['settings', 'user'],
    returns: NodeInfo,
    handle: async ({ ctx }) => reply(200, await viewNodeInfo(ctx, '2.0'), headersOf('2.0')),
  }),
  route({
    ...open,
    path: '/nodeinfo/2.1',
    shared: ['settings', 'user'],
    returns: NodeInfo,
    handle: async ({ ctx }) => reply(200, await viewNodeInfo(ctx, '2.1'), headersOf('2.1')),
  }),
]
