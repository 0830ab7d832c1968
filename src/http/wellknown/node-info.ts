import { renderNodeInfoLinks, viewNodeInfo } from '#views/instance/node-info.ts'
import { reply, route } from '#http/kit/route.ts'

const open = { method: 'GET', auth: 'none', open: true } as const
const forThreeDays = { 'cache-control': 'public, max-age=259200' }
const forHalfAnHour = { 'cache-control': 'public, max-age=1800' }

export const routes = [
  route({
    ...open,
    path: '/.well-known/nodeinfo',
    handle: async ({ ctx }) => reply(200, renderNodeInfoLinks(ctx.config.baseUrl), forThreeDays),
  }),
  route({
    ...open,
    path: '/nodeinfo/2.0',
    handle: async ({ ctx }) => reply(200, await viewNodeInfo(ctx, '2.0'), forHalfAnHour),
  }),
  route({
    ...open,
    path: '/nodeinfo/2.1',
    handle: async ({ ctx }) => reply(200, await viewNodeInfo(ctx, '2.1'), forHalfAnHour),
  }),
]
