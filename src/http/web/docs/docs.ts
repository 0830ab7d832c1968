// `/docs`: the documents that come with the program, so that people find what is true of the version that runs.
import { html, raw } from 'hono/html'
import { notFound } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { docsStylesheetUrl } from '../kit/assets.ts'
import { textParamOrUndefined } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderPublicPage } from '../public/public-page.ts'
import { findDocument, findImage, findMoved, type Document } from './documents.ts'

/** Documents are in English whatever the page's language is. */
function renderParts(call: PageCall, { parts }: Document): Html | string {
  if (parts.length < 4) return ''
  return html`<nav
    class="contents"
    aria-label="${textsIn(call.language).pages.docs.contents}"
    lang="en"
    dir="ltr"
  >
    <ul>
      ${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
  </nav>`
}

async function show(call: PageCall): Promise<Response> {
  const names = ['folder', 'name'].map((name) => textParamOrUndefined(call.params, name))
  const address = names.filter((name) => name !== undefined).join('/')
  const name = address.replace(/\.md$/, '')
  const document = findDocument(name)
  const moved = document ? null : findMoved(name)
  if (moved !== null) return new Response(null, { status: 301, headers: { location: `/docs/${moved}` } })
  if (!document) throw notFound()
  const t = textsIn(call.language).pages.docs
  return renderPublicPage(call, {
    title: document.title,
    head: html`<link rel="stylesheet" href="${docsStylesheetUrl}" />`,
    body: html`<article class="text document">
      ${address === '' ? '' : html`<p><a href="/docs">${t.all}</a></p>`}
      <h1 lang="en">${document.title}</h1>
      ${renderParts(call, document)}
      <div lang="en" dir="ltr">${raw(document.html)}</div>
    </article>`,
  })
}

async function showImage(call: PageCall): Promise<Response> {
  const bytes = findImage(textParamOrUndefined(call.params, 'name') ?? '')
  if (!bytes) throw notFound()
  return new Response(bytes, {
    headers: { 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' },
  })
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/docs', handle: show },
  { method: 'GET', path: '/docs/images/:name', handle: showImage },
  { method: 'GET', path: '/docs/:name', handle: show },
  { method: 'GET', path: '/docs/:folder/:name', handle: show },
]
