// The few files that pages need, read once at the start.
import { readFileSync } from 'node:fs'
import type { HttpApp } from '#http/kit/app.ts'
import { createStaticFile, type StaticFile } from '#http/kit/compression/static-file.ts'

interface Asset {
  readonly path: string
  readonly file: StaticFile
  /** The path with a mark of its content, so that browsers may keep it for good. */
  readonly url: string
}

/** Type, space, colour and motion of pages and app alike. */
const tokens = readFileSync(new URL('../../../../client/tokens.css', import.meta.url))

function readAsset(name: string, type: string, before: Buffer = Buffer.of()): Asset {
  const bytes = Buffer.concat([before, readFileSync(new URL(`assets/${name}`, import.meta.url))])
  const file = createStaticFile({ bytes, type })
  return { path: `/assets/${name}`, file, url: `/assets/${name}?v=${file.mark}` }
}

/** The ground of pages, for what browsers draw around them. */
export const themeColors = readColors(tokens.toString())

function readColors(css: string): { light: string; dark: string } {
  const [, light, dark] = /--ground: light-dark\((#\w+), (#\w+)\)/.exec(css) ?? []
  if (light === undefined || dark === undefined) throw new Error('client/tokens.css has no --ground')
  return { light, dark }
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
    app.get(asset.path, (c) => asset.file.answer(c.req.raw))
  }
}
