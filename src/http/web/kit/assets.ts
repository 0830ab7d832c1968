// The few files that pages need, read once at the start.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '#lib/project/project.ts'
import type { HttpApp } from '#http/kit/app.ts'
import { readShared } from './shared.ts'
import { renderTokenStyles, tokensCss } from './tokens.ts'
import { createStaticFile, type StaticFile } from '#http/kit/compression/static-file.ts'

interface Asset {
  readonly path: string
  readonly file: StaticFile
  /** The path with a mark of its content, so that browsers may keep it for good. */
  readonly url: string
}

function makeAsset(name: string, type: string, text: string): Asset {
  const file = createStaticFile({ bytes: new TextEncoder().encode(text), type })
  return { path: `/assets/${name}`, file, url: `/assets/${name}?v=${file.mark}` }
}

const folder = path.join(projectFolder, 'src/http/web/kit/assets')
const readText = (name: string) => readFileSync(path.join(folder, name), 'utf8')

const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'
const stylesheet = makeAsset('stonechat.css', css, tokensCss + readText('stonechat.css'))
const publicStylesheet = makeAsset('public.css', css, readShared('keys.css') + readText('public.css'))
const designStylesheet = makeAsset('design.css', css, readText('design.css') + renderTokenStyles())
const docsStylesheet = makeAsset('docs.css', css, readText('docs.css'))
const deskStylesheet = makeAsset('desk.css', css, readText('desk.css'))
const deskScript = makeAsset('desk.js', script, readText('desk.js'))
const formPost = makeAsset('form-post.js', script, readText('form-post.js'))
const browser = makeAsset('browser.js', script, readText('browser.js'))
const crop = makeAsset('crop.js', script, readText('crop.js'))
const passkey = makeAsset('passkey.js', script, readText('passkey.js'))
const proofOfWork = makeAsset('proof-of-work.js', script, readText('proof-of-work.js'))

export const stylesheetUrl = stylesheet.url
/** What pages with posts need besides. */
export const publicStylesheetUrl = publicStylesheet.url
export const designStylesheetUrl = designStylesheet.url
/** What documents need besides. */
export const docsStylesheetUrl = docsStylesheet.url
/** What pages of staff need besides. */
export const deskStylesheetUrl = deskStylesheet.url
export const deskScriptUrl = deskScript.url
/** Sends the only form of a page at once. */
export const formPostUrl = formPost.url
/** What is switched on in this browser: see settings/notifications/this-browser.ts. */
export const browserUrl = browser.url
/** Chooses the part of a picture that is shown: see settings/profile. */
export const cropUrl = crop.url
/** Asks for a passkey: see passkey-form.ts. */
export const passkeyUrl = passkey.url
/** Shows that somebody is no robot: see account/robot-check.ts. */
export const proofOfWorkUrl = proofOfWork.url

/** Serves the files of pages. */
export function addAssets(app: HttpApp): void {
  for (const asset of [
    stylesheet,
    publicStylesheet,
    designStylesheet,
    docsStylesheet,
    deskStylesheet,
    deskScript,
    formPost,
    browser,
    crop,
    passkey,
    proofOfWork,
  ]) {
    app.get(asset.path, (c) => asset.file.answer(c.req.raw))
  }
}
