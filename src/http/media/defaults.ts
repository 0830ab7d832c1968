// The pictures of those who have none, and of the server itself.
import { readFileSync } from 'node:fs'
import { getSiteUploads, type UploadName } from '#domain/server/instance/site-uploads.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import { mediaHeaders } from './files.ts'

const headers = {
  ...mediaHeaders,
  'content-type': 'image/png',
  // Unlike stored files these may change with a new version of the software.
  'cache-control': 'public, max-age=86400',
}

const bytesOf = (name: string) => Buffer.from(readFileSync(new URL(`assets/${name}.png`, import.meta.url)))

function picture<const Path extends `/${string}`>(path: Path, name: string) {
  const bytes = bytesOf(name)
  return route({
    method: 'GET',
    path,
    returns: raw('image/png'),
    auth: 'none',
    open: true,
    handle: async () => reply(200, new Response(bytes, { headers })),
  })
}

/** Which versions of what staff chose stand for one of the server's pictures, best first. */
type Chosen = readonly (readonly [name: UploadName, version: string])[]

/** A picture of the server: what staff chose, else the one of that name that the software brings. */
function siteImage<const Path extends `/${string}`>(path: Path, name: string, chosen: Chosen) {
  const bytes = bytesOf(name)
  return route({
    method: 'GET',
    path,
    returns: raw('image/*'),
    auth: 'none',
    open: true,
    async handle({ ctx }) {
      // It is shown without the database too.
      const uploads = await getSiteUploads(ctx).catch(() => null)
      const key = chosen.map(([upload, version]) => uploads?.get(upload)?.versions[version]).find(Boolean)
      const file = key === undefined ? null : await ctx.storage.open(key)
      if (!file) return reply(200, new Response(bytes, { headers }))
      const own = { ...headers, 'content-type': file.contentType, 'cache-control': 'public, max-age=3600' }
      return reply(200, new Response(file.stream as ReadableStream, { headers: own }))
    },
  })
}

export const routes = [
  picture('/avatars/original/missing.png', 'avatar-missing'),
  picture('/headers/original/missing.png', 'header-missing'),
  siteImage('/instance/thumbnail.png', 'thumbnail', [['thumbnail', '@1x']]),
  siteImage('/instance/thumbnail-2x.png', 'thumbnail-2x', [['thumbnail', '@2x']]),
  siteImage('/instance/favicon.png', 'icon-48', [
    ['favicon', '48'],
    ['app_icon', '48'],
  ]),
  siteImage('/instance/icon-48.png', 'icon-48', [['app_icon', '48']]),
  siteImage('/instance/icon-192.png', 'icon-192', [['app_icon', '192']]),
  siteImage('/instance/icon-512.png', 'icon-512', [['app_icon', '512']]),
]
