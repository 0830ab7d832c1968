// What somebody pastes into a search is mostly the address of a page; the page says where its document is.
import { readHtml } from '#lib/html/read-html.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError, type HttpResponse } from '#ports/http-client.ts'
import { acceptDocuments, documentTypes, isDocumentType } from './document-types.ts'
import { recallFailure, rememberFailure } from './failures.ts'
import { fetchDocument, fromAnswer, refusalOf, withoutFragment, type Fetched } from './fetch-document.ts'
import { signedGet } from './signed-get.ts'

const maxBytes = 1024 * 1024
const quietTime = 120

/**
 * The document at an address, or that of which the page there is one view: it names it in a `Link` header or element
 * with `rel=alternate`. As `fetchDocument` otherwise.
 */
export async function fetchPageOrDocument(ctx: Ctx, address: string): Promise<Fetched> {
  const url = withoutFragment(address)
  const refusal = await refusalOf(ctx, url)
  if (refusal !== null) return { kind: 'refused', reason: refusal }
  const earlier = await recallFailure<Fetched>(ctx, 'page', url)
  if (earlier) return earlier
  const fetched = await fetchEither(ctx, url)
  if (fetched.kind !== 'document') {
    await rememberFailure(ctx, { kind: 'page', name: url, seconds: quietTime }, fetched)
  }
  return fetched
}

async function fetchEither(ctx: Ctx, url: string): Promise<Fetched> {
  try {
    const answer = await signedGet(ctx, {
      url,
      accept: `${acceptDocuments}, text/html;q=0.1`,
      types: [...documentTypes, 'text/html', 'application/xhtml+xml'],
      maxBytes,
    })
    const isPage = answer.status === 200 && !isDocumentType(answer.headers.get('content-type'))
    if (!isPage) return await fromAnswer(ctx, url, answer)
    const link = findLink(answer)
    return link === null
      ? { kind: 'refused', reason: 'a page without a document' }
      : await fetchDocument(ctx, link)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    return { kind: 'failed', reason: error.message }
  }
}

function findLink({ headers, body, url }: HttpResponse): string | null {
  const href = inHeader(headers.get('link') ?? '') ?? inPage(body.toString('utf8'))
  return href === null ? null : (URL.parse(href, url)?.href ?? null)
}

/** RFC 8288, as far as it is used here. */
function inHeader(header: string): string | null {
  for (const [, href = '', parameters = ''] of header.slice(0, 16_384).matchAll(/<([^<>]*)>((?:;[^<]*)?)/g)) {
    const valueOf = (name: string) =>
      new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;,]+))`, 'i')
        .exec(parameters)
        ?.slice(1)
        .find(Boolean) ?? ''
    if (isAlternate(valueOf('rel'), valueOf('type'))) return href
  }
  return null
}

function inPage(html: string): string | null {
  let found: string | null = null
  readHtml(html, {
    open(name, attributes) {
      if (found !== null || name !== 'link') return
      if (isAlternate(attributes.get('rel') ?? '', attributes.get('type') ?? ''))
        found = attributes.get('href') ?? null
    },
    close() {},
    text() {},
    isForeign: () => false,
  })
  return found
}

const isAlternate = (rel: string, type: string) =>
  rel.toLowerCase().split(/\s+/).includes('alternate') && isDocumentType(type)
