// What a web page tells of itself: OpenGraph, JSON-LD, oEmbed links, plain HTML. Every text is taken as text.
import { parseLinkedData, type LinkedData } from '../net/linked-data.ts'
import { readHtml } from './read-html.ts'
import { cleanText, previewLine } from '../text/text.ts'

export interface PageMetadata {
  title: string
  description: string
  /** As the page writes it. */
  language: string | null
  /** An absolute http(s) address on the host of the page, or null. */
  canonical: string | null
  siteName: string
  author: { name: string; url: string | null }
  /** `@user@domain` of `fediverse:creator`. */
  creator: string | null
  publishedAt: Date | null
  image: { url: string; alt: string } | null
  player: { url: string; width: number; height: number } | null
  oembed: { url: string; format: 'json' | 'xml' } | null
}

const titleCharacters = 500
const descriptionCharacters = 1000

/** Reads a page. Never fails: what is broken or absent is empty. `url`: where it was found. */
export function readPage(html: string, url: string): PageMetadata {
  const found = collect(html)
  const data = parseLinkedData(found.linkedData)
  const meta = (...names: string[]) => {
    for (const name of names) {
      const value = found.metas.get(name)
      if (value) return value
    }
    return ''
  }
  const base = resolve(found.base ?? '', url) ?? url
  const imageUrl = resolve(
    data.image ?? meta('og:image', 'og:image:url', 'og:image:secure_url', 'twitter:image'),
    base,
  )
  return {
    title: previewLine(
      data.title || meta('og:title', 'twitter:title') || cleanText(found.title),
      titleCharacters,
    ),
    description: previewLine(
      data.description || meta('og:description', 'twitter:description', 'description'),
      descriptionCharacters,
    ),
    language: data.language ?? (found.language || meta('og:locale') || null),
    canonical: readCanonical(found.canonical || meta('og:url'), base),
    siteName: previewLine(data.siteName || meta('og:site_name'), titleCharacters),
    author: readAuthor(data, meta, base),
    creator: meta('fediverse:creator') || null,
    publishedAt: readDate(data.publishedAt ?? meta('article:published_time')),
    image:
      imageUrl === null
        ? null
        : { url: imageUrl, alt: previewLine(meta('og:image:alt'), descriptionCharacters) },
    player: readPlayer(meta, base),
    oembed: readOembed(found.oembed, base),
  }
}

interface Collected {
  /** The first one of each name. */
  metas: Map<string, string>
  title: string
  language: string
  canonical: string
  base: string | null
  oembed: { href: string; format: 'json' | 'xml' } | null
  linkedData: string[]
}

/** Scripts of linked data that are looked at. */
const maxScripts = 10
const oembedTypes = new Map<string, 'json' | 'xml'>([
  ['application/json+oembed', 'json'],
  ['text/xml+oembed', 'xml'],
])

function collect(html: string): Collected {
  const found: Collected = {
    metas: new Map(),
    title: '',
    language: '',
    canonical: '',
    base: null,
    oembed: null,
    linkedData: [],
  }
  // What the text that comes is of.
  let reading: 'title' | 'data' | null = null
  // A drawing has titles of its own.
  let drawings = 0
  readHtml(html, {
    open(name, attributes) {
      const attribute = (key: string) => attributes.get(key) ?? ''
      if (name === 'svg') drawings += 1
      else if (name === 'html') found.language ||= attribute('lang')
      else if (name === 'title' && drawings === 0 && found.title === '') reading = 'title'
      else if (name === 'base') found.base ??= attributes.get('href') ?? null
      else if (name === 'meta') collectMeta(found, attribute)
      else if (name === 'link') collectLink(found, attribute)
      else if (name === 'script' && isLinkedData(attribute('type')) && found.linkedData.length < maxScripts) {
        found.linkedData.push('')
        reading = 'data'
      }
    },
    text(text) {
      if (reading === 'title') found.title += text
      else if (reading === 'data') found.linkedData[found.linkedData.length - 1] += text
    },
    close(name) {
      if (name === 'svg') drawings = Math.max(0, drawings - 1)
      if (name === 'title' || name === 'script') reading = null
    },
    isForeign: () => drawings > 0,
  })
  return found
}

const isLinkedData = (type: string) => type.trim().toLowerCase() === 'application/ld+json'

type Attribute = (name: string) => string

function collectMeta(found: Collected, attribute: Attribute): void {
  const name = (attribute('property') || attribute('name')).trim().toLowerCase()
  const content = cleanText(attribute('content')).trim()
  if (name !== '' && content !== '' && !found.metas.has(name)) found.metas.set(name, content)
}

function collectLink(found: Collected, attribute: Attribute): void {
  const relations = attribute('rel').toLowerCase().split(/\s+/)
  const href = attribute('href')
  if (href === '') return
  if (relations.includes('canonical')) found.canonical ||= href
  const format = oembedTypes.get(attribute('type').trim().toLowerCase())
  if (relations.includes('alternate') && format) found.oembed ??= { href, format }
}

type Meta = (...names: string[]) => string

function readAuthor(data: LinkedData, meta: Meta, base: string): PageMetadata['author'] {
  // OpenGraph's author of an article is often the address of a profile.
  const written = meta('author', 'article:author', 'og:article:author')
  const name = data.author?.name || (/^https?:/i.test(written) ? '' : written)
  const url = resolve(data.author?.url ?? (/^https?:/i.test(written) ? written : ''), base)
  return { name: previewLine(name, titleCharacters), url }
}

function readPlayer(meta: Meta, base: string): PageMetadata['player'] {
  const url = resolve(meta('twitter:player'), base)
  if (url === null) return null
  return {
    url,
    width: toPixels(meta('twitter:player:width')),
    height: toPixels(meta('twitter:player:height')),
  }
}

function readOembed(found: Collected['oembed'], base: string): PageMetadata['oembed'] {
  const url = found && resolve(found.href, base)
  return found && url ? { url, format: found.format } : null
}

/** A page may say under which address it wants to be known, but not that it is somebody else's. */
function readCanonical(href: string, base: string): string | null {
  const url = resolve(href, base)
  return url !== null && new URL(url).host === new URL(base).host ? url : null
}

/** Pixels from `640` or `640px`; 0 for anything else. */
export function toPixels(value: unknown): number {
  const pixels = Number.parseInt(String(value ?? ''), 10)
  return pixels > 0 && pixels <= 10_000 ? pixels : 0
}

const maxAddressLength = 2048

/** An absolute http(s) address without user data, or null. */
export function resolve(href: string, base: string): string | null {
  if (href.trim() === '' || href.length > maxAddressLength) return null
  const url = URL.parse(href.trim(), base)
  const isWeb = url && (url.protocol === 'http:' || url.protocol === 'https:') && url.username === ''
  return isWeb && url.href.length <= maxAddressLength ? url.href : null
}

function readDate(text: string): Date | null {
  const time = text === '' ? Number.NaN : Date.parse(text)
  // What PostgreSQL and the form with four digits of the year can hold.
  return time > -62_135_596_800_000 && time < 253_402_300_800_000 ? new Date(time) : null
}
