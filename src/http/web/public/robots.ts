// What is told to crawlers (RFC 9309).
import { getSettings } from '#domain/server/instance/settings.ts'
import type { Ctx } from '#ports/ctx.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import { isClosed } from './public-page.ts'

/** Of a server that wants to be found. What single people want stands on their pages, as `noindex`. */
const open = `# Who does not want to be found says so on their pages, by "noindex".

User-agent: GPTBot
Disallow: /

User-agent: *
Disallow: /auth/
Disallow: /authorize_interaction
Disallow: /interact
Disallow: /media_proxy/
Disallow: /oauth/
Disallow: /settings/
`

const closed = `User-agent: *
Disallow: /
`

/** A server opts out as a whole by its setting, or by showing nothing to strangers. */
async function isOptedOut(ctx: Ctx): Promise<boolean> {
  return isClosed(ctx.config) || (await getSettings(ctx)).noindex
}

export const routes = [
  route({
    method: 'GET',
    path: '/robots.txt',
    returns: raw('text/plain'),
    auth: 'none',
    open: true,
    async handle({ ctx }) {
      const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=300' }
      return reply(200, new Response((await isOptedOut(ctx)) ? closed : open, { headers }))
    },
  }),
]
