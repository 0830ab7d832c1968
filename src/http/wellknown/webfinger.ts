import { z } from 'zod'
import { requiredText } from '#http/kit/params/fields.ts'
import { Webfinger } from '#entities/instance/discovery.ts'
import { reply, route } from '#http/kit/route.ts'
import { viewWebfinger } from '#views/server/webfinger.ts'

const headers = {
  'content-type': 'application/jrd+json; charset=utf-8',
  'cache-control': 'public, max-age=259200',
}

export const routes = [
  route({
    method: 'GET',
    path: '/.well-known/webfinger',
    returns: Webfinger,
    auth: 'none',
    open: true,
    params: z.object({ resource: requiredText() }),
    handle: async ({ ctx, params }) => reply(200, await viewWebfinger(ctx, params.resource), headers),
  }),
]
