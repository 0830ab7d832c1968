import { route } from '#http/kit/route.ts'
import { viewInstance } from '#views/server/instance-document.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/instance',
    auth: 'none',
    open: true,
    caching: 'counted',
    handle: ({ ctx }) => viewInstance(ctx),
  }),
]
