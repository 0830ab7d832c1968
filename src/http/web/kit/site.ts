// What pages take from the settings: how they look.
import { createHash } from 'node:crypto'
import { getSettings } from '#domain/server/instance/settings.ts'
import { getSiteUploads } from '#domain/server/instance/site-uploads.ts'
import type { Ctx } from '#ports/ctx.ts'
import { picturePath } from '#views/server/site-images.ts'
import { raw, reply, route } from '#http/kit/route.ts'

/** What the frame of a page needs to know. */
export interface Site {
  /** Null where the settings cannot be read. */
  title: string | null
  description: string
  icon: string
  mark: string
  /** For phones that put the server on their first screen. */
  touchIcon: string
  /** The address of the operator's style sheet; null while there is none. */
  stylesheet: string | null
}

const plain: Site = {
  title: null,
  description: '',
  icon: '/instance/favicon.png',
  mark: '/instance/icon-48.png',
  touchIcon: '/instance/icon-180.png',
  stylesheet: null,
}

/** Errors are shown in a frame too, when the database is away as well. */
export async function findSite(ctx: Ctx): Promise<Site> {
  try {
    const [settings, uploads] = await Promise.all([getSettings(ctx), getSiteUploads(ctx)])
    return {
      title: settings.site_title,
      description: settings.site_short_description,
      icon: picturePath(uploads, 'favicon'),
      mark: picturePath(uploads, 'icon-48'),
      touchIcon: picturePath(uploads, 'icon-180'),
      stylesheet: settings.custom_css === '' ? null : `/custom.css?v=${digestOf(settings.custom_css)}`,
    }
  } catch {
    return plain
  }
}

const digestOf = (css: string) => createHash('sha256').update(css).digest('hex').slice(0, 12)

export const routes = [
  route({
    method: 'GET',
    path: '/custom.css',
    returns: raw('text/css'),
    auth: 'none',
    open: true,
    async handle({ ctx, request }) {
      const { custom_css: css } = await getSettings(ctx)
      const mark = digestOf(css)
      const isMarked = new URL(request.url).searchParams.get('v') === mark
      const headers = {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': isMarked ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
        etag: `W/"${mark}"`,
        'x-content-type-options': 'nosniff',
      }
      const isKnown = request.headers.get('if-none-match')?.includes(mark) ?? false
      return reply(200, new Response(isKnown ? null : css, { status: isKnown ? 304 : 200, headers }))
    },
  }),
]
