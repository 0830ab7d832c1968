// Other servers' files by way of this one: those servers do not learn who looks at them.
import { z } from 'zod'
import { mediaUrl } from '#domain/server/instance/urls.ts'
import { fetchRemoteMedia } from '#domain/content/media/fetch-remote.ts'
import { getProxiedMedia } from '#domain/content/statuses/proxied-media.ts'
import { notFound } from '#lib/errors.ts'
import { pathId } from '#http/kit/params/fields.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import { readBrowser } from '#http/web/kit/session.ts'
import type { MediaId } from '#lib/id.ts'

const params = z.object({ id: pathId<MediaId>(), part: z.string() })

export const routes = [
  route({
    method: 'GET',
    path: '/media_proxy/:id/:part',
    returns: raw(),
    statuses: [302],
    auth: 'optional',
    open: true,
    params,
    async handle({ ctx, viewer, params: { id, part }, request }) {
      if (part !== 'original' && part !== 'small') throw notFound()
      const who = viewer ?? (await readBrowser(ctx, request)).session?.viewer ?? null
      const media = await getProxiedMedia(ctx, who?.refusal ? null : (who?.accountId ?? null), id)
      const key = await fetchRemoteMedia(ctx, media, part)
      const location = mediaUrl(ctx.config, key)
      // The copy may go, and then this leads to a new one.
      const headers = { location, 'cache-control': 'private, max-age=600' }
      return reply(302, new Response(null, { status: 302, headers }))
    },
  }),
]
