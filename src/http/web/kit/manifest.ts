// What browsers make of the server when it is installed.
import { getSettings } from '#domain/server/instance/settings.ts'
import { getSiteUploads } from '#domain/server/instance/site-uploads.ts'
import type { Ctx } from '#ports/ctx.ts'
import { pickLanguage } from '#lib/messages/pick-language.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderManifest } from '#views/server/site-images.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import { themeColors } from './tokens.ts'

async function answer(ctx: Ctx, request: Request): Promise<Response> {
  const [settings, uploads] = await Promise.all([getSettings(ctx), getSiteUploads(ctx)])
  const language = pickLanguage(null, request.headers.get('accept-language'))
  const t = textsIn(language).pages.manifest
  const shortcuts = { '/publish': t.publish, '/notifications': t.notifications, '/explore': t.explore }
  const words = { language, color: themeColors.light, shortcuts }
  const text = JSON.stringify(renderManifest(ctx.config, { title: settings.site_title, uploads, words }))
  const headers = {
    'content-type': 'application/manifest+json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'content-language': language,
    vary: 'Accept-Language',
    'x-content-type-options': 'nosniff',
  }
  return new Response(text, { headers })
}

const manifestAt = <const Path extends `/${string}`>(path: Path) =>
  route({
    method: 'GET',
    path,
    returns: raw('application/manifest+json'),
    auth: 'none',
    open: true,
    handle: async ({ ctx, request }) => reply(200, await answer(ctx, request)),
  })

export const routes = [
  // As Mastodon has it, and as other programs guess.
  manifestAt('/manifest'),
  manifestAt('/manifest.json'),
  manifestAt('/manifest.webmanifest'),
]
