// The pictures of those who have none, and of the server itself.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '#lib/project/project.ts'
import { getSiteUploads, type UploadName } from '#domain/server/instance/site-uploads.ts'
import type { Ctx } from '#ports/ctx.ts'
import { raw, reply, route } from '#http/kit/route.ts'
import { mediaHeaders } from './files.ts'

const headers = {
  ...mediaHeaders,
  'content-type': 'image/png',
  // Unlike stored files these may change with a new version of the software.
  'cache-control': 'public, max-age=86400',
}

const bytesOf = (name: string) =>
  Buffer.from(readFileSync(path.join(projectFolder, `src/http/media/assets/${name}.png`)))

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

interface SitePicture {
  type: string
  caching: string
  body: ReadableStream | Buffer<ArrayBuffer>
}

/** Returns what opens a picture of the server: what staff chose, else the one of that name that the software brings. */
function readsSitePicture(name: string, chosen: Chosen): (ctx: Ctx) => Promise<SitePicture> {
  const bytes = bytesOf(name)
  return async (ctx) => {
    // It is shown without the database too.
    const uploads = await getSiteUploads(ctx).catch(() => null)
    const key = chosen.map(([upload, version]) => uploads?.get(upload)?.versions[version]).find(Boolean)
    const file = key === undefined ? null : await ctx.storage.open(key)
    if (!file) return { type: 'image/png', caching: headers['cache-control'], body: bytes }
    return { type: file.contentType, caching: 'public, max-age=3600', body: file.stream as ReadableStream }
  }
}

function siteImage<const Path extends `/${string}`>(path: Path, name: string, chosen: Chosen) {
  const read = readsSitePicture(name, chosen)
  return route({
    method: 'GET',
    path,
    returns: raw('image/*'),
    auth: 'none',
    open: true,
    async handle({ ctx }) {
      const { type, caching, body } = await read(ctx)
      const own = { ...headers, 'content-type': type, 'cache-control': caching }
      return reply(200, new Response(body, { headers: own }))
    },
  })
}

const favicon: Chosen = [
  ['favicon', '48'],
  ['app_icon', '48'],
]

/** Where browsers look that were told of no icon: the same picture in the envelope of an ICO file. */
function faviconIco() {
  const read = readsSitePicture('icon-48', favicon)
  return route({
    method: 'GET',
    path: '/favicon.ico',
    returns: raw('image/x-icon', 'image/*'),
    auth: 'none',
    open: true,
    async handle({ ctx }) {
      const { type, caching, body } = await read(ctx)
      const picture = Buffer.from(await new Response(body).arrayBuffer())
      // The envelope is for PNG alone.
      const [bytes, sent] = type === 'image/png' ? [inIco(picture, 48), 'image/x-icon'] : [picture, type]
      const own = { ...headers, 'content-type': sent, 'cache-control': caching }
      return reply(200, new Response(new Uint8Array(bytes), { headers: own }))
    },
  })
}

/** An ICO file with one PNG: a header, one entry of its directory, the picture. */
function inIco(png: Buffer, pixels: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(pixels, 6)
  head.writeUInt8(pixels, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}

export const routes = [
  picture('/avatars/original/missing.png', 'avatar-missing'),
  picture('/headers/original/missing.png', 'header-missing'),
  // One colour on nothing: what Android shows of a notification in its status bar.
  picture('/instance/badge.png', 'badge'),
  siteImage('/instance/thumbnail.png', 'thumbnail', [['thumbnail', '@1x']]),
  siteImage('/instance/thumbnail-2x.png', 'thumbnail-2x', [['thumbnail', '@2x']]),
  siteImage('/instance/favicon.png', 'icon-48', favicon),
  faviconIco(),
  siteImage('/instance/icon-48.png', 'icon-48', [['app_icon', '48']]),
  siteImage('/instance/icon-180.png', 'icon-180', [
    ['app_icon', '180'],
    ['app_icon', '192'],
  ]),
  siteImage('/instance/icon-192.png', 'icon-192', [['app_icon', '192']]),
  siteImage('/instance/icon-512.png', 'icon-512', [['app_icon', '512']]),
]
