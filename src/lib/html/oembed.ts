// What other servers answer to an oEmbed request (https://oembed.com), as much of it as a preview shows.
import { resolve, toPixels } from './page-metadata.ts'
import { readHtml } from './read-html.ts'
import { cleanText, previewLine } from '../text/text.ts'

export interface OembedFacts {
  type: 'link' | 'photo' | 'video'
  title: string
  author: { name: string; url: string | null }
  provider: { name: string; url: string | null }
  thumbnail: string | null
  /** Of a photo. */
  photo: string | null
  /** Of a video: the address of a frame or a player, never markup of the answer. */
  player: string | null
  width: number
  height: number
}

const nameCharacters = 500

/** Reads an answer; null when it is none, or of the type `rich`, whose markup could be anything. Never fails. */
export function parseOembed(body: string, format: 'json' | 'xml', url: string): OembedFacts | null {
  const values = format === 'json' ? fromJson(body) : fromXml(body)
  const type = values['type']
  if (type !== 'link' && type !== 'photo' && type !== 'video') return null
  const text = (name: string) => previewLine(cleanText(String(values[name] ?? '')), nameCharacters)
  const address = (name: string) => resolve(String(values[name] ?? ''), url)
  return {
    type,
    title: text('title'),
    author: { name: text('author_name'), url: address('author_url') },
    provider: { name: text('provider_name'), url: address('provider_url') },
    thumbnail: address('thumbnail_url'),
    photo: type === 'photo' ? address('url') : null,
    player: type === 'video' ? playerOf(String(values['html'] ?? ''), url) : null,
    width: toPixels(values['width']),
    height: toPixels(values['height']),
  }
}

type Values = Record<string, unknown>

function fromJson(body: string): Values {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Values) : {}
  } catch {
    return {}
  }
}

/** `<oembed>` with one element a value. The parts of XML that HTML lacks do not occur in it. */
function fromXml(body: string): Values {
  const values = new Map<string, string>()
  let name = ''
  readHtml(body, {
    open(tag) {
      name = tag
      if (!values.has(name)) values.set(name, '')
    },
    text(text) {
      if (name !== '') values.set(name, `${values.get(name)}${text}`)
    },
    close() {
      name = ''
    },
    // Nothing is a script or a style, whatever it is called.
    isForeign: () => true,
  })
  return Object.fromEntries([...values].map(([key, value]) => [key, value.trim()]))
}

/** The address of the first frame in a piece of HTML. */
function playerOf(html: string, url: string): string | null {
  let found: string | null = null
  readHtml(html, {
    open(name, attributes) {
      if (name === 'iframe') found ??= resolve(attributes.get('src') ?? '', url)
    },
    text() {},
    close() {},
    isForeign: () => false,
  })
  return found
}
