// What other sites and search engines are told of a page (https://ogp.me).
import type { MediaAttachment } from '#entities/media-attachment.ts'
import type { Status } from '#entities/status.ts'
import { html } from 'hono/html'
import { mediaTypeOf } from '#lib/net/content-type.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { PageCall } from '../kit/page.ts'
import { numberText } from './post-parts.ts'
import { summaryOf } from './post.ts'
import type { Html } from '../kit/html.ts'

export interface Preview {
  /** The page's own address. */
  url: string
  type: 'website' | 'profile' | 'article'
  description: string
  /** Stands for the page where it has no media. */
  image: string
  /** A picture that fills the preview, rather than a small one beside it. */
  largeImage?: boolean
  noindex?: boolean
  media?: readonly MediaAttachment[]
  /** ISO times. */
  published?: string
  modified?: string | null
}

/** The elements of the head. */
export function renderPreview(call: PageCall, title: string, preview: Preview): Html {
  const robots = preview.noindex ? html`<meta name="robots" content="noindex, noarchive" />` : ''
  const pictures = (preview.media ?? []).filter(hasImage)
  const large = preview.largeImage || pictures.length > 0
  return html`${robots}
    <link rel="canonical" href="${preview.url}" />
    <meta name="description" content="${preview.description}" />
    <meta property="og:site_name" content="${call.ctx.config.localDomain}" />
    <meta property="og:type" content="${preview.type}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:url" content="${preview.url}" />
    <meta property="og:description" content="${preview.description}" />
    ${property('og:published_time', preview.published)}
    ${property('article:published_time', preview.published)}
    ${property('article:modified_time', preview.modified)}
    ${pictures.length === 0 ? property('og:image', preview.image) : pictures.map(renderImage)}
    ${(preview.media ?? []).map(renderPlayable)}
    <meta name="twitter:card" content="${large ? 'summary_large_image' : 'summary'}" />`
}

function property(name: string, content: string | number | null | undefined): Html | string {
  return content === null || content === undefined || content === ''
    ? ''
    : html`<meta property="${name}" content="${content}" />`
}

/** Pictures, and the still pictures of films. The cover of a sound is too small to fill a preview. */
const hasImage = ({ type, url, preview_url: still }: MediaAttachment) =>
  type === 'image' ? url !== null : (type === 'video' || type === 'gifv') && still !== null

function renderImage(item: MediaAttachment): Html {
  const url = item.type === 'image' ? item.url : item.preview_url
  const { width, height } = (item.type === 'image' ? item.meta?.original : item.meta?.small) ?? {}
  return html`${property('og:image', url)} ${property('og:image:type', mediaTypeOf(url ?? ''))}
  ${property('og:image:width', width)} ${property('og:image:height', height)}
  ${property('og:image:alt', item.description)}`
}

function renderPlayable({ type, url, meta }: MediaAttachment): Html | string {
  if (url === null || type === 'image' || type === 'unknown') return ''
  const name = type === 'audio' ? 'og:audio' : 'og:video'
  const { width, height } = meta?.original ?? {}
  const size =
    type === 'audio' ? '' : html`${property('og:video:width', width)} ${property('og:video:height', height)}`
  return html`${property(name, url)} ${property(`${name}:type`, mediaTypeOf(url))} ${size}`
}

/** A post in words: its text or warning, what hangs on it, and what it asks. Behind a warning nothing is told. */
export function describePost(language: Language, post: Status): string {
  if (post.spoiler_text !== '') return summaryOf(post)
  const parts = [summaryOf(post), countMedia(language, post.media_attachments)]
  const options = post.poll?.options.map((option) => `○ ${option.title}`) ?? []
  return [...parts, ...options].filter((part) => part !== '').join('\n')
}

/** Such as “2 pictures · 1 video”. */
export function countMedia(language: Language, media: readonly MediaAttachment[]): string {
  const t = textsIn(language).pages.public
  const kinds = [
    { types: ['image'], told: t.images },
    { types: ['video', 'gifv'], told: t.videos },
    { types: ['audio'], told: t.sounds },
    { types: ['unknown'], told: t.files },
  ]
  return kinds
    .map(({ types, told }) => ({ told, count: media.filter((item) => types.includes(item.type)).length }))
    .filter(({ count }) => count > 0)
    .map(({ told, count }) => told({ count, shown: numberText(language, count) }))
    .join(' · ')
}
