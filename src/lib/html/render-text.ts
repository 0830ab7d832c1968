// Plain text turned into HTML, in the form that Mastodon gives it.

import { extractEntities, replaceSpans, type Replacement, type TextEntities } from '../text/text.ts'
import { escapeHtml } from './html.ts'

export interface RenderOptions {
  /** The profile and the name to show of a mentioned account; null leaves the mention plain text. */
  mentionUrl: (username: string, domain: string | null) => { url: string; label: string } | null
  tagUrl: (normalName: string) => string
  /** Adds `me` to the rel of links, for profile fields. */
  withMe?: boolean
  /** false: no paragraphs and line breaks, for profile fields. */
  multiline?: boolean
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
export function renderEntities(entities: TextEntities, options: RenderOptions): Replacement[] {
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
