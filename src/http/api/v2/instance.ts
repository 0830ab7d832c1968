import { Instance } from '#entities/instance/instance.ts'
import { route } from '#http/kit/route.ts'
import { instanceParts, viewInstance } from '#views/server/instance-document.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v2/instance',
    returns: Instance,
    auth: 'none',
    open: true,
    caching: 'counted',
    shared: instanceParts,
    handle: ({ ctx }) => viewInstance(ctx),
  }),
]
