// The few files that pages need, read once at the start.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { HttpApp } from '#http/kit/app.ts'

interface Asset {
  readonly path: string
  readonly bytes: Buffer<ArrayBuffer>
  readonly type: string
  /** The path with a mark of its content, so that browsers may keep it for good. */
  readonly url: string
}

/** Type, space, colour and motion of pages and app alike. */
const tokens = readFileSync(new URL('../../../../client/tokens.css', import.meta.url))

function readAsset(name: string, type: string, before: Buffer = Buffer.of()): Asset {
  const bytes = Buffer.concat([before, readFileSync(new URL(`assets/${name}`, import.meta.url))])
  const mark = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  return { path: `/assets/${name}`, bytes, type, url: `/assets/${name}?v=${mark}` }
}

const stylesheet = readAsset('stonechat.css', 'text/css; charset=utf-8', tokens)
const publicStylesheet = readAsset('public.css', 'text/css; charset=utf-8')
const formPost = readAsset('form-post.js', 'text/javascript; charset=utf-8')
const passkey = readAsset('passkey.js', 'text/javascript; charset=utf-8')

export const stylesheetUrl = stylesheet.url
/** What pages with posts need besides. */
export const publicStylesheetUrl = publicStylesheet.url
/** Sends the only form of a page at once. */
export const formPostUrl = formPost.url
/** Asks for a passkey: see passkey-form.ts. */
export const passkeyUrl = passkey.url

/** Serves the files of pages. */
export function addAssets(app: HttpApp): void {
  for (const asset of [stylesheet, publicStylesheet, formPost, passkey]) {
    app.get(asset.path, () => {
      const headers = { 'content-type': asset.type, 'cache-control': 'public, max-age=31536000, immutable' }
      return new Response(asset.bytes, { headers })
    })
  }
}
