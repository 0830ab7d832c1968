import { raw } from 'hono/html'
import type { CustomEmoji } from '#entities/emoji.ts'
import { escapeHtml } from '#lib/html/html.ts'

/** What of an emoji stands in a text. */
type ShownEmoji = Pick<CustomEmoji, 'shortcode' | 'static_url'>

const markup = /<[^>]*>/g
const shortcode = /:([A-Za-z0-9_]+):/g

/**
 * Puts pictures in place of `:shortcode:` in HTML that this server made: in its text, never inside of tags, nor in
 * code, where people write what they mean (CNT-8).
 */
export function emojify(html: string, emojis: readonly ShownEmoji[]): string {
  if (emojis.length === 0) return html
  const byName = new Map(emojis.map((emoji) => [emoji.shortcode, emoji]))
  const parts: string[] = []
  let code = 0
  let index = 0
  for (const tag of html.matchAll(markup)) {
    parts.push(pictured(html.slice(index, tag.index), code > 0, byName), tag[0])
    if (/^<(code|pre)\b/i.test(tag[0])) code++
    else if (/^<\/(code|pre)\b/i.test(tag[0])) code--
    index = tag.index + tag[0].length
  }
  parts.push(pictured(html.slice(index), code > 0, byName))
  return parts.join('')
}

/** HTML that this server made, on a page. Code that is wider than the page is scrolled by keys, too. */
export const renderRichText = (html: string, emojis: readonly ShownEmoji[]) =>
  raw(emojify(html, emojis).replaceAll('<pre>', '<pre tabindex="0">'))

function pictured(text: string, isCode: boolean, byName: ReadonlyMap<string, ShownEmoji>): string {
  if (isCode) return text
  return text.replaceAll(shortcode, (written, name: string) => {
    const emoji = byName.get(name)
    if (!emoji) return written
    return `<img class="emoji" src="${escapeHtml(emoji.static_url)}" alt="${written}" title="${written}">`
  })
}
