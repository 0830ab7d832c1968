// The pictures of those who have none, and of the server itself.
import { readFileSync } from 'node:fs'
import { reply, route } from '#http/kit/route.ts'
import { mediaHeaders } from './files.ts'

const headers = {
  ...mediaHeaders,
  'content-type': 'image/png',
  // Unlike stored files these may change with a new version of the software.
  'cache-control': 'public, max-age=86400',
}

function picture(path: `/${string}`, name: string) {
  const bytes = Buffer.from(readFileSync(new URL(`assets/${name}.png`, import.meta.url)))
  return route({
    method: 'GET',
    path,
    auth: 'none',
    open: true,
    handle: async () => reply(200, new Response(bytes, { headers })),
  })
}

export const routes = [
  picture('/avatars/original/missing.png', 'avatar-missing'),
  picture('/headers/original/missing.png', 'header-missing'),
  picture('/instance/thumbnail.png', 'thumbnail'),
  picture('/instance/thumbnail-2x.png', 'thumbnail-2x'),
  picture('/instance/icon-48.png', 'icon-48'),
  picture('/instance/icon-192.png', 'icon-192'),
  picture('/instance/icon-512.png', 'icon-512'),
]
