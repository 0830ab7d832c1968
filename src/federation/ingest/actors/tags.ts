import { boundMarks } from '#lib/text/combining-marks.ts'
import { isHashtag, normaliseHashtag } from '#lib/text/hashtag.ts'
import {
  hostOf,
  isObject,
  toId,
  toList,
  toObject,
  toText,
  toTime,
  toUrl,
  typeOf,
  type JsonObject,
} from '#federation/kit/json.ts'

const max = { hashtags: 100, mentions: 100, emojis: 100 }
const shortcode = /^:?([A-Za-z0-9_]{2,128}):?$/

export interface NoteEmoji {
  shortcode: string
  uri: string | null
  imageUrl: string
  updatedAt: Date | null
}

export interface NoteTags {
  /** Ids of actors. */
  mentions: string[]
  hashtags: { name: string; display: string }[]
  emojis: NoteEmoji[]
}

/** Whom and what a note names. More than anybody writes is left out. */
export function readTags(document: JsonObject): NoteTags {
  const mentions = new Set<string>()
  const hashtags = new Map<string, { name: string; display: string }>()
  const emojis = new Map<string, NoteEmoji>()
  for (const tag of toList(document['tag'])) {
    if (!isObject(tag)) continue
    const type = typeOf(tag)
    if (type === 'Mention') addMention(tag, mentions)
    else if (type === 'Hashtag' || type === 'toot:Hashtag') addHashtag(tag, hashtags)
    else if (/^(?:toot:)?Emoji$/.test(type)) addEmoji(tag, emojis)
  }
  return { mentions: [...mentions], hashtags: [...hashtags.values()], emojis: [...emojis.values()] }
}

function addMention(tag: JsonObject, mentions: Set<string>): void {
  const href = toId(tag['href'])
  if (href !== null && hostOf(href) !== null && mentions.size < max.mentions) mentions.add(href)
}

function addHashtag(tag: JsonObject, hashtags: Map<string, { name: string; display: string }>): void {
  const text = toText(tag['name'])?.trim() ?? ''
  const display = text.length > 200 ? '' : boundMarks(text.replace(/^[#＃]/, ''))
  if (!isHashtag(display) || hashtags.size >= max.hashtags) return
  const name = normaliseHashtag(display)
  if (name !== '' && !hashtags.has(name)) hashtags.set(name, { name, display })
}

function addEmoji(tag: JsonObject, emojis: Map<string, NoteEmoji>): void {
  const code = shortcode.exec(toText(tag['name']) ?? '')?.[1]
  const icon = toObject(tag['icon'])
  const imageUrl = icon && toUrl(icon['url'])
  if (code === undefined || !imageUrl || hostOf(imageUrl) === null || emojis.size >= max.emojis) return
  const uri = toId(tag['id'])
  emojis.set(code, {
    shortcode: code,
    uri: uri !== null && hostOf(uri) !== null ? uri : null,
    imageUrl,
    updatedAt: toTime(tag['updated']),
  })
}
