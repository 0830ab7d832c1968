// Posts, profiles and fields are written as plain text; here it is cleaned, measured and cut.

import { boundMarks } from './combining-marks.ts'
import { type HashtagEntity, scanHashtags } from './hashtag.ts'
import { extractLinks, type LinkEntity } from './links.ts'
import { type MentionEntity, scanMentions } from './mention.ts'
import { characterBefore, isWordCharacter, type Span, withoutOverlaps } from './text-scan.ts'

export interface TextEntities {
  links: LinkEntity[]
  mentions: MentionEntity[]
  hashtags: HashtagEntity[]
}

/** What counts for a URL, whatever its length. */
export const urlCharacters = 23

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * A text as it is stored: `\n` as the only line break, no control characters but it and the tab, no halves of
 * surrogate pairs, which neither PostgreSQL nor UTF-8 can hold, and no piles of signs on one character.
 */
export function cleanText(text: string): string {
  return boundMarks(
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      .replace(/(?![\n\t])\p{Cc}/gu, ''),
  )
}

/** Links, mentions and hashtags of a text, each in order. A link wins over what stands inside it. */
export function extractEntities(text: string): TextEntities {
  const links = text.includes(':') ? extractLinks(text) : []
  const mentions = withoutOverlaps(scanMentions(text), links)
  const hashtags = withoutOverlaps(withoutOverlaps(scanHashtags(text), links), mentions)
  return { links, mentions, hashtags }
}

/**
 * The length of a post as limits count it: grapheme clusters, where a URL counts `urlLength` and `@user@domain`
 * counts as `@user`.
 */
export function countCharacters(text: string, urlLength = urlCharacters): number {
  if (!text.includes(':') && !text.includes('@')) return countGraphemes(text)
  const { links, mentions } = extractEntities(text)
  const shortened = [
    ...links.map(({ start, end }) => ({ start, end, text: 'x'.repeat(urlLength) })),
    ...mentions.map(({ start, end, username }) => ({ start, end, text: `@${username}` })),
  ]
  return countGraphemes(replaceSpans(text, shortened, (plain) => plain))
}

/** What people see as characters. */
function countGraphemes(text: string): number {
  // Below U+0300 nothing combines, except a line break of two characters.
  if (!/[\u0300-\uFFFF]/.test(text)) return text.length - (text.match(/\r\n/g)?.length ?? 0)
  let count = 0
  for (const _ of graphemes.segment(text)) count += 1
  return count
}

/** Code units that one character may take at most, however many signs are piled on it. */
const densest = 8

/** Whether a text has more than so many characters (grapheme clusters), or as many units as no such text needs. */
export function isLongerThan(text: string, characters: number): boolean {
  return text.length > characters * densest || countGraphemes(text) > characters
}

/** Code units, as sent, that one character may take at most where signs will be cut off. */
const densestSent = 50

/**
 * Whether a text, as it was sent, is so far over a limit of characters that nobody can have meant it. Asked before
 * anything is left out of it: who piles 100,000 signs on a character is refused, and not cut to a text of their own.
 */
export function isEndless(sent: string, characters: number): boolean {
  return sent.length > characters * densestSent
}

/** A piece of a text and what takes its place. */
export interface Replacement extends Span {
  text: string
}

/** Returns the text with spans (in any order, without overlaps) replaced, and `outside` applied to what is between them. */
export function replaceSpans(text: string, spans: Replacement[], outside: (plain: string) => string): string {
  const parts: string[] = []
  let index = 0
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    parts.push(outside(text.slice(index, span.start)), span.text)
    index = span.end
  }
  parts.push(outside(text.slice(index)))
  return parts.join('')
}

/**
 * The emoji shortcodes `:name:` of a text, each once, in order, without colons. They stand next to no word character
 * or colon; those inside a link are not meant as emoji.
 */
export function extractShortcodes(text: string): string[] {
  const found = [...text.matchAll(/:([A-Za-z0-9_]{2,}):(?![\p{L}\p{M}\p{Nd}\p{Pc}:])/gu)]
    .map((match) => ({ start: match.index, end: match.index + match[0].length, name: match[1]! }))
    .filter(({ start }) => isShortcodeStart(characterBefore(text, start)))
  if (found.length === 0) return []
  return [...new Set(withoutOverlaps(found, extractLinks(text)).map(({ name }) => name))]
}

function isShortcodeStart(before: string): boolean {
  return before !== ':' && !isWordCharacter(before)
}

/** The text if it has at most `max` characters (grapheme clusters), else its beginning and `…`, `max` in all. */
export function truncatePlain(text: string, max: number): string {
  if (text.length <= max) return text
  let count = 0
  let cut = 0
  for (const { index } of graphemes.segment(text)) {
    if (count === max - 1) cut = index
    if (count === max) return max < 1 ? '' : `${text.slice(0, cut).trimEnd()}…`
    count += 1
  }
  return text
}

/** A text on one line of at most `max` characters, for notifications, titles and lists. */
export function previewLine(text: string, max = 140): string {
  return truncatePlain(text.replace(/\s+/g, ' ').trim(), max)
}
