// Plain text to HTML and back. Cleaning of foreign HTML is elsewhere: nothing here keeps any markup.

import { decode } from 'html-entities'

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Makes text safe as content of an element and inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!)
}

const paragraphs = new Set('p blockquote pre ul ol h1 h2 h3 h4 h5 h6 table section article'.split(' '))
const lines = new Set('br div li tr dt dd hr'.split(' '))
const hidden = new Set('script style title textarea iframe noscript noembed noframes xmp template'.split(' '))

const tagName = /[A-Za-z][^\s/>]*/y
const tagMark = /[>"']/g

/**
 * The text of an HTML fragment, as a person would read it: a paragraph is followed by an empty line, `<br>` and list
 * items begin a new line, other white space counts as one space, references are decoded, scripts and styles are
 * left out. Never fails; takes broken markup much as a browser does. Linear in the length of the input.
 */
export function stripHtml(html: string): string {
  const out = createTextBuilder()
  let index = 0
  while (index < html.length) {
    const open = html.indexOf('<', index)
    if (open < 0) break
    out.text(html.slice(index, open))
    index = readMarkup(html, open, out)
  }
  if (index < html.length) out.text(html.slice(index))
  return out.finish()
}

interface TextBuilder {
  text(source: string): void
  breakLine(): void
  /** Asks for at least this many line breaks before the next text. */
  separate(breaks: number): void
  finish(): string
}

function createTextBuilder(): TextBuilder {
  const parts: string[] = []
  let pending = 0
  let spaced = true
  const newlines = () => {
    if (parts.length > 0 && pending > 0) parts.push('\n'.repeat(Math.min(pending, 2)))
    pending = 0
  }
  return {
    text(source) {
      let text = decode(source.replace(/[ \t\n\f\r]+/g, ' '))
      if (spaced || pending > 0) text = text.replace(/^ /, '')
      if (text === '') return
      newlines()
      parts.push(text)
      spaced = text.endsWith(' ')
    },
    breakLine() {
      pending += 1
    },
    separate(breaks) {
      pending = Math.max(pending, breaks)
    },
    finish() {
      return parts
        .join('')
        .split('\n')
        .map((line) => line.replace(/ $/, ''))
        .join('\n')
        .trim()
    },
  }
}

/** Handles what begins with `<` at `open` and answers where the text goes on. */
function readMarkup(html: string, open: number, out: TextBuilder): number {
  if (html.startsWith('<!--', open)) return after(html, '-->', open + 4)
  const closing = html[open + 1] === '/'
  tagName.lastIndex = open + (closing ? 2 : 1)
  const name = tagName.exec(html)?.[0].toLowerCase()
  if (name === undefined) {
    if (closing || html[open + 1] === '!' || html[open + 1] === '?') return after(html, '>', open + 1)
    out.text('<')
    return open + 1
  }
  const end = tagEnd(html, tagName.lastIndex)
  if (paragraphs.has(name)) out.separate(2)
  else if (name === 'br') out.breakLine()
  else if (lines.has(name)) out.separate(1)
  return !closing && hidden.has(name) ? skipHidden(html, name, end) : end
}

/**
 * The index after the `>` that ends a tag. Quotes hide it only around a value, after `=`. A tag that never ends
 * swallows the rest, as in the HTML standard; this also keeps the time linear.
 */
function tagEnd(html: string, index: number): number {
  tagMark.lastIndex = index
  for (let mark = tagMark.exec(html); mark; mark = tagMark.exec(html)) {
    if (mark[0] === '>') return tagMark.lastIndex
    if (!followsEquals(html, mark.index)) continue
    const close = html.indexOf(mark[0], tagMark.lastIndex)
    if (close < 0) return html.length
    tagMark.lastIndex = close + 1
  }
  return html.length
}

function followsEquals(html: string, index: number): boolean {
  let before = index - 1
  while (' \t\n\f\r'.includes(html[before] ?? '<')) before -= 1
  return html[before] === '='
}

function skipHidden(html: string, name: string, index: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  close.lastIndex = index
  return close.exec(html)?.index ?? html.length
}

function after(html: string, mark: string, index: number): number {
  const found = html.indexOf(mark, index)
  return found < 0 ? html.length : found + mark.length
}
