// What a card shows, from the page it is of and the oEmbed document that page names.
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError } from '#ports/http-client.ts'
import { softwareVersion } from '#domain/server/instance/document-version.ts'
import { escapeHtml } from '#lib/html/html.ts'
import { parseOembed, type OembedFacts } from '#lib/html/oembed.ts'
import { readPage, type PageMetadata } from '#lib/html/page-metadata.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { decodePage } from '#lib/html/decode-page.ts'

export interface CardFacts {
  url: string
  type: 'link' | 'photo' | 'video'
  title: string
  description: string
  language: string | null
  authorName: string
  authorUrl: string
  creator: string | null
  providerName: string
  providerUrl: string
  html: string
  embedUrl: string
  width: number
  height: number
  image: { url: string; alt: string } | null
  publishedAt: Date | null
}

const pageBytes = 1024 * 1024
const oembedBytes = 512 * 1024

/**
 * Fetches a page and what it says of itself; null when it is no page or has no title. Rejects with a `RemoteError`
 * when it cannot be fetched.
 */
export async function readCard(ctx: Ctx, url: string): Promise<CardFacts | null> {
  const answer = await ctx.http.send({
    url,
    headers: {
      accept: 'text/html',
      'accept-language': 'en, *;q=0.5',
      'user-agent': `Stonechat/${softwareVersion} (+${ctx.config.baseUrl}/) Bot`,
    },
    types: ['text/html', 'application/xhtml+xml'],
    maxBytes: pageBytes,
    longer: 'cut',
  })
  if (answer.status === 429 || answer.status >= 500) {
    throw new RemoteError('unreachable', `the page is answered with ${answer.status} just now`)
  }
  if (answer.status !== 200) return null
  const page = readPage(decodePage(answer.body, answer.headers.get('content-type')), answer.url)
  const oembed = page.oembed && (await fetchOembed(ctx, page.oembed))
  const facts = merge(page, oembed, answer.url)
  return facts.title === '' && facts.html === '' ? null : facts
}

/** A preview without it is still one: its failure is no failure of the card. */
async function fetchOembed(
  ctx: Ctx,
  { url, format }: NonNullable<PageMetadata['oembed']>,
): Promise<OembedFacts | null> {
  try {
    const answer = await ctx.http.send({
      url,
      headers: { accept: format === 'json' ? 'application/json' : 'text/xml' },
      types: [
        'application/json',
        'application/json+oembed',
        'text/javascript',
        'text/xml',
        'application/xml',
      ],
      maxBytes: oembedBytes,
    })
    return answer.status === 200 ? parseOembed(answer.body.toString('utf8'), format, answer.url) : null
  } catch (error) {
    ctx.log.debug({ url, error: String(error) }, 'an oEmbed document could not be fetched')
    return null
  }
}

function merge(page: PageMetadata, oembed: OembedFacts | null, url: string): CardFacts {
  const player = oembed?.player ?? page.player?.url ?? null
  const photo = oembed?.photo ?? null
  const sized = oembed?.player ? oembed : page.player
  const width = (photo ? oembed?.width : player ? sized?.width : 0) ?? 0
  const height = (photo ? oembed?.height : player ? sized?.height : 0) ?? 0
  const imageUrl = photo ?? oembed?.thumbnail ?? page.image?.url ?? null
  return {
    url: page.canonical ?? url,
    type: photo ? 'photo' : player ? 'video' : 'link',
    title: oembed?.title || page.title,
    description: page.description,
    language:
      parseLanguage(page.language?.replace('_', '-')) ?? parseLanguage(page.language?.slice(0, 2)) ?? null,
    authorName: oembed?.author.name || page.author.name,
    authorUrl: oembed?.author.url ?? page.author.url ?? '',
    creator: page.creator,
    providerName: oembed?.provider.name || page.siteName,
    providerUrl: oembed?.provider.url ?? '',
    html: player && !photo ? frame(player, width, height) : '',
    embedUrl: photo ?? player ?? '',
    width,
    height,
    image: imageUrl === null ? null : { url: imageUrl, alt: page.image?.alt ?? '' },
    publishedAt: page.publishedAt,
  }
}

/** The only markup a card has, and it is ours: a frame that may not reach out of itself. */
function frame(src: string, width: number, height: number): string {
  const size = width > 0 && height > 0 ? ` width="${width}" height="${height}"` : ''
  return (
    `<iframe src="${escapeHtml(src)}"${size} frameborder="0" scrolling="no" allowfullscreen="" ` +
    `sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>`
  )
}
