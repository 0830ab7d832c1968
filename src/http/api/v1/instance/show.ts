import { InstanceV1 } from '#entities/instance/instance.ts'
import { route } from '#http/kit/route.ts'
import { instanceParts, viewInstanceV1 } from '#views/server/instance-document.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/instance',
    returns: InstanceV1,
    auth: 'none',
    open: true,
    caching: 'counted',
    shared: instanceParts,
    handle: ({ ctx }) => viewInstanceV1(ctx),
  }),
]
