// Texts on their way to a translation service and back. Services keep what stands in `translate="no"`.

import { escapeHtml, stripHtml } from './html.ts'
import { sanitizeHtml } from './sanitize.ts'

const tags = /<[^>]*>/g
const shortcode = /(?<![\p{L}\p{M}\p{Nd}\p{Pc}:]):[A-Za-z0-9_]{2,}:(?![\p{L}\p{M}\p{Nd}\p{Pc}:])/gu
const wrapped = /<span translate="no">(:[A-Za-z0-9_]{2,}:)<\/span>/g
const mention = /^<a (?=[^>]*\bclass="(?:[^"]* )?mention[ "])(?![^>]*\btranslate=)/

/** The clean HTML of a post with its emoji shortcodes and mentions held back. */
export function protectHtml(html: string): string {
  const parts: string[] = []
  let index = 0
  for (const tag of html.matchAll(tags)) {
    parts.push(protectText(html.slice(index, tag.index)), tag[0].replace(mention, '<a translate="no" '))
    index = tag.index + tag[0].length
  }
  parts.push(protectText(html.slice(index)))
  return parts.join('')
}

/** A plain text as HTML with its emoji shortcodes held back. */
export function protectPlain(text: string): string {
  return protectText(escapeHtml(text)).replaceAll('\n', '<br>')
}

function protectText(html: string): string {
  return html.replaceAll(shortcode, '<span translate="no">$&</span>')
}

/** What the service made of a post: cleaned as one of others (CNT-5). */
export function acceptHtml(html: string): string {
  return sanitizeHtml(html).replaceAll(wrapped, '$1')
}

/** What the service made of a plain text: without any markup (CNT-5). */
export function acceptPlain(html: string): string {
  return stripHtml(html)
}
