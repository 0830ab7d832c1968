// What is found of a status, as the text of a tsvector.
import type { Config } from '#ports/ctx.ts'
import { findLink } from '#domain/content/cards/find-link.ts'
import { stripHtml } from '#lib/html/html.ts'
import { tokenise } from '#lib/text/matching/search-tokens.ts'
import { authorMark, hasMark, isMark, languageMark, tagMark, timeMarks } from './marks.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Raised when documents are written in another way: `search deploy` writes those of older formats anew. */
export const documentFormat = 1

/** What is read of a status. */
export interface Searchable {
  id: StatusId
  account_id: AccountId
  version: number
  local: boolean
  text: string
  content: string
  spoiler_text: string
  sensitive: boolean
  reply: boolean
  language: string | null
  has_card: boolean
  quotes: boolean
  poll_options: string[] | null
  media: { type: string; description: string }[]
  tags: string[]
}

export interface SearchDocument {
  id: StatusId
  version: number
  /** The text of a tsvector: words with their places, and marks. */
  document: string
  /** The words that have a stem in the status's language. */
  words: string[]
}

/** PostgreSQL keeps no more places of one word. */
const maxPlaces = 255
/** Longer texts are cut, in UTF-16 units and tokens of all parts: no document may be too long for the database. */
const maxText = 50_000
const maxTokens = 10_000

/** The document of a status: its warning, text, poll, media and hashtags, and what it is. */
export function toDocument(config: Config, status: Searchable): SearchDocument {
  const places = new Map<string, number[]>()
  const words = new Set<string>()
  let offset = 0
  let left = maxText
  for (const part of partsOf(status)) {
    const tokens = tokenise(part.slice(0, left)).slice(0, maxTokens - offset)
    left -= Math.min(left, part.length)
    for (const { text, position, word } of tokens) {
      const list = places.get(text) ?? []
      if (list.length < maxPlaces) list.push(offset + position)
      places.set(text, list)
      if (word) words.add(text)
    }
    // A phrase does not reach from one part into the next.
    offset = Math.min(maxTokens, offset + tokens.length + 1)
  }
  const entries = [...places].map(([text, list]) => `${quoteEntry(text)}:${list.join(',')}`)
  return {
    id: status.id,
    version: status.version,
    document: [...entries, ...marksOf(config, status).map(quoteEntry)].join(' '),
    words: [...words],
  }
}

const quoted = /['\\]/

/** An entry as it stands in the text of a tsvector or tsquery. */
export function quoteEntry(text: string): string {
  return quoted.test(text) ? `'${text.replace(/['\\]/g, '$&$&')}'` : `'${text}'`
}

function partsOf(status: Searchable): string[] {
  const descriptions = status.media.map((media) => media.description)
  return [status.spoiler_text, stripHtml(status.content), ...(status.poll_options ?? []), ...descriptions]
}

function marksOf(config: Config, status: Searchable): string[] {
  return [
    authorMark(status.account_id),
    ...timeMarks(status.id),
    ...propertiesOf(config, status).map(hasMark),
    ...(status.sensitive ? [isMark('sensitive')] : []),
    ...(status.reply ? [isMark('reply')] : []),
    ...languagesOf(status.language).map(languageMark),
    ...status.tags.map(tagMark),
  ]
}

function propertiesOf(config: Config, status: Searchable): string[] {
  const types = new Set(status.media.map((media) => (media.type === 'gifv' ? 'video' : media.type)))
  const linked = status.has_card || findLink(config, status) !== null
  return [
    ...(types.size > 0 ? ['media'] : []),
    ...['image', 'video', 'audio'].filter((type) => types.has(type)),
    ...(status.poll_options ? ['poll'] : []),
    ...(linked ? ['link'] : []),
    ...(status.quotes ? ['quote'] : []),
  ]
}

function languagesOf(code: string | null): string[] {
  return code === null ? [] : [...new Set([code, code.split('-', 1)[0] as string])]
}
