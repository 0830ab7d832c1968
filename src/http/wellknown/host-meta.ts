// Host metadata (RFC 6415): where WebFinger is. And two short cuts that other software looks for.
import { z } from 'zod'
import { HostMeta } from '#entities/instance/discovery.ts'
import type { Ctx } from '#ports/ctx.ts'
import { escapeHtml } from '#lib/html/html.ts'
import { requiredText } from '#http/kit/params/fields.ts'
import { jsonOr, raw, reply, route } from '#http/kit/route.ts'

const open = { method: 'GET', auth: 'none', open: true } as const
const forThreeDays = { 'cache-control': 'public, max-age=259200', vary: 'Accept, Origin' }

const template = (ctx: Ctx) => `${ctx.config.baseUrl}/.well-known/webfinger?resource={uri}`
const asJson = (ctx: Ctx) => reply(200, { links: [{ rel: 'lrdd', template: template(ctx) }] }, forThreeDays)

function asXml(ctx: Ctx): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${escapeHtml(template(ctx))}"/>
</XRD>
`
  return new Response(xml, {
    headers: { 'content-type': 'application/xrd+xml; charset=utf-8', ...forThreeDays },
  })
}

export const routes = [
  route({
    ...open,
    path: '/.well-known/host-meta',
    returns: jsonOr(HostMeta, 'application/xrd+xml'),
    async handle({ ctx, request }) {
      const wantsJson = /\bjson\b/i.test(request.headers.get('accept') ?? '')
      return wantsJson ? asJson(ctx) : reply(200, asXml(ctx))
    },
  }),
  route({
    ...open,
    path: '/.well-known/host-meta.json',
    returns: HostMeta,
    handle: async ({ ctx }) => asJson(ctx),
  }),
  route({
    ...open,
    path: '/.well-known/change-password',
    returns: raw(),
    statuses: [302],
    handle: async ({ ctx }) => reply(302, redirect(`${ctx.config.baseUrl}/auth/edit`)),
  }),
  route({
    ...open,
    path: '/.well-known/proxy',
    returns: raw(),
    statuses: [302],
    params: z.object({ uri: requiredText() }),
    async handle({ ctx, params }) {
      const uri = encodeURIComponent(params.uri)
      return reply(302, redirect(`${ctx.config.baseUrl}/authorize_interaction?uri=${uri}`))
    },
  }),
]

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } })
}
