import type { RemoteMedia } from '#domain/content/media/save-remote.ts'
import { mediaTypeOf } from '#lib/net/content-type.ts'
import type { MediaKind } from '#lib/media.ts'
import {
  hostOf,
  isObject,
  toCount,
  toList,
  toText,
  toUrl,
  typeOf,
  type JsonObject,
} from '#federation/kit/json.ts'
import { readPlain } from './text.ts'

/** As many as Mastodon takes of others. */
const max = 4
const maxDescription = 10_000
const maxPixels = 65_535
const kinds = new Set(['Document', 'Image', 'Video', 'Audio'])
const base83 = /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,100}$/

/**
 * The files of a note in their order, each once. What has no address, or is neither picture nor film nor sound, is left
 * out.
 */
export function readAttachments(document: JsonObject): RemoteMedia[] {
  const media: RemoteMedia[] = []
  for (const attachment of toList(document['attachment'])) {
    const one = isObject(attachment) && kinds.has(typeOf(attachment)) ? readAttachment(attachment) : null
    if (one !== null && media.every((other) => other.url !== one.url)) media.push(one)
    if (media.length === max) break
  }
  return media
}

function readAttachment(attachment: JsonObject): RemoteMedia | null {
  const url = toUrl(attachment['url']) ?? toUrl(attachment['href'])
  if (url === null || hostOf(url) === null) return null
  const type = kindOf(attachment, url)
  if (type === null) return null
  const [shown] = toList(attachment['icon'])
  const icon = toUrl(isObject(shown) ? shown['url'] : shown)
  const blurhash = toText(attachment['blurhash'])
  return {
    type,
    url,
    previewUrl: icon !== null && hostOf(icon) !== null ? icon : null,
    description: describe(attachment),
    blurhash: blurhash !== null && isBlurhash(blurhash) ? blurhash : null,
    focus: readFocus(attachment['focalPoint']),
    facts: readSize(attachment),
  }
}

/** Null for what it is known to be and nobody can be shown. */
function kindOf(attachment: JsonObject, url: string): MediaKind | 'unknown' | null {
  const declared = toText(attachment['mediaType']) ?? mediaTypeOf(url)
  if (declared !== null && declared !== 'application/octet-stream') {
    const [group] = declared.toLowerCase().split('/', 1)
    return group === 'image' || group === 'video' || group === 'audio' ? group : null
  }
  const type = typeOf(attachment)
  if (type === 'Image') return 'image'
  if (type === 'Video') return 'video'
  return type === 'Audio' ? 'audio' : 'unknown'
}

function describe(attachment: JsonObject): string {
  return readPlain(toText(attachment['summary']) ?? attachment['name'], maxDescription)
}

/** The first character tells how long it has to be (https://github.com/woltapp/blurhash). */
function isBlurhash(text: string): boolean {
  if (!base83.test(text)) return false
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'
  const size = digits.indexOf(text[0] as string)
  return size < 81 && text.length === 4 + 2 * ((size % 9) + 1) * (Math.floor(size / 9) + 1)
}

function readFocus(value: unknown): { x: number; y: number } | null {
  const list = isObject(value) ? toList(value['@list']) : toList(value)
  const [x, y] = list.map((one) => (typeof one === 'string' ? Number(one) : one))
  if (list.length !== 2 || !isShare(x) || !isShare(y)) return null
  return { x: x || 0, y: y || 0 }
}

const isShare = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= -1 && value <= 1

function readSize(attachment: JsonObject): RemoteMedia['facts'] {
  const [width, height] = [toCount(attachment['width']), toCount(attachment['height'])]
  if (!width || !height || width > maxPixels || height > maxPixels) return {}
  return { width, height }
}
