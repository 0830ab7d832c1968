// Posts, profiles and fields are written as plain text; here it is measured and turned into HTML.

import { boundMarks } from './combining-marks.ts'
import { type HashtagEntity, scanHashtags } from './hashtag.ts'
import { escapeHtml } from '../html/html.ts'
import { extractLinks, type LinkEntity } from './links.ts'
import { type MentionEntity, scanMentions } from './mention.ts'
import { characterBefore, isWordCharacter, type Span, withoutOverlaps } from './text-scan.ts'

export interface TextEntities {
  links: LinkEntity[]
  mentions: MentionEntity[]
  hashtags: HashtagEntity[]
}

export interface RenderOptions {
  /** The profile and the name to show of a mentioned account; null leaves the mention plain text. */
  mentionUrl: (username: string, domain: string | null) => { url: string; label: string } | null
  tagUrl: (normalName: string) => string
  /** Adds `me` to the rel of links, for profile fields. */
  withMe?: boolean
  /** false: no paragraphs and line breaks, for profile fields. */
  multiline?: boolean
}

/** A piece of a text and the HTML that takes its place. */
export interface RenderedEntity extends Span {
  text: string
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

/**
 * A local text as HTML, in Mastodon's form: paragraphs and `<br />`, links in three spans, mentions and hashtags
 * linked, all else escaped. Emoji shortcodes stay as they are. '' for a text of white space only.
 */
export function renderText(text: string, options: RenderOptions): string {
  const source = text.replace(/\r\n?/g, '\n').trim()
  if (source === '') return ''
  const rendered = renderEntities(extractEntities(source), options)
  const html = replaceSpans(source, rendered, escapeHtml)
  return options.multiline === false ? html : renderParagraphs(html)
}

/** The HTML of entities by their place in the text, in no order. Mentions of nobody known are left out. */
export function renderEntities(entities: TextEntities, options: RenderOptions): RenderedEntity[] {
  return [
    ...entities.links.map((link) => ({ ...link, text: renderLink(link.url, options.withMe === true) })),
    ...entities.mentions.flatMap((mention) => {
      const target = options.mentionUrl(mention.username, mention.domain)
      return target && isWebUrl(target.url) ? [{ ...mention, text: renderMention(target) }] : []
    }),
    ...entities.hashtags.map((tag) => ({
      ...tag,
      text: renderHashtag(tag.display, options.tagUrl(tag.name)),
    })),
  ]
}

function renderParagraphs(html: string): string {
  const paragraphs = html.split(/\n{2,}/).map((paragraph) => paragraph.replaceAll('\n', '<br />'))
  return `<p>${paragraphs.join('</p><p>')}</p>`
}

/** Characters of an address that are shown: more, when its host is longer, which is shown whole. */
const shownOfLink = 30

/** A link whose text is its address, shortened for the eye but whole for those who copy it. */
export function renderLink(url: string, withMe = false): string {
  const prefix = /^(?:https?:\/\/(?:www\.)?|xmpp:)/i.exec(url)?.[0] ?? ''
  const address = url.slice(prefix.length)
  const host = prefix.endsWith(':') ? '' : (/^[^/?#]*/.exec(address)?.[0] ?? '')
  const [visible, rest] = cutAt(address, Math.max(shownOfLink, host.length))
  const rel = withMe ? 'nofollow noopener me' : 'nofollow noopener'
  return (
    `<a href="${escapeHtml(url)}" target="_blank" rel="${rel}" translate="no">` +
    `<span class="invisible">${escapeHtml(prefix)}</span>` +
    `<span class="${rest === '' ? '' : 'ellipsis'}">${escapeHtml(visible)}</span>` +
    `<span class="invisible">${escapeHtml(rest)}</span></a>`
  )
}

function renderMention({ url, label }: { url: string; label: string }): string {
  return (
    `<span class="h-card" translate="no"><a href="${escapeHtml(url)}" class="u-url mention">` +
    `@<span>${escapeHtml(label)}</span></a></span>`
  )
}

function renderHashtag(display: string, url: string): string {
  return `<a href="${escapeHtml(url)}" class="mention hashtag" rel="tag">#<span>${escapeHtml(display)}</span></a>`
}

function isWebUrl(url: string): boolean {
  return /^https?:\/\//i.test(url)
}

/** The first `count` code points and the rest. */
function cutAt(text: string, count: number): [string, string] {
  // No code point has more than two units, so a long URL need not be taken apart as a whole.
  const head = Array.from(text.slice(0, count * 2))
    .slice(0, count)
    .join('')
  return [head, text.slice(head.length)]
}

/** The text with spans (in any order, without overlaps) replaced, and `outside` applied to what is between them. */
function replaceSpans(text: string, spans: RenderedEntity[], outside: (plain: string) => string): string {
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
