// HTML of others, rebuilt from what is known to be harmless: nothing of the source is copied but text, and the values
// of a few attributes. Elements as Mastodon keeps them.

import { createMarkBound } from '../text/combining-marks.ts'
import { createMathReader, type MathReader } from './mathml.ts'
import { type Attributes, type HtmlHandler, readHtml } from './read-html.ts'
import { foreignLink, type LinkRule, localLink, renderAttributes } from './sanitize-attributes.ts'
import { escapeHtml } from './html.ts'

/** Elements inside each other at most: deeper tags are left out, their text is not. */
export const maxDepth = 64

const words = (text: string) => new Set(text.split(' '))
const inline = words('span a del s code b strong u i em ruby rt rp')
const blocks = words('p pre blockquote ul ol li')
const headings = words('h1 h2 h3 h4 h5 h6')
const paragraphs = words('p h1 h2 h3 h4 h5 h6')
const lists = words('ul ol')
const rubyTexts = words('rt rp')
/** Dropped with all that is in them. */
const dropped = words('script style iframe svg math template noembed noframes noscript plaintext xmp')
const foreign = words('svg math')
/** Dropped, but they part words. */
const separating = words(
  'address article aside body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form ' +
    'header hgroup hr legend main menu nav option search section select summary table tbody td tfoot th thead tr',
)

/**
 * The HTML with only `p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp`, their harmless
 * attributes and classes, headings as bold paragraphs, MathML as its TeX or text (FEP-dc88), and links to known
 * schemes, which open elsewhere and vouch for nothing. Of other elements the content stays, but for scripts, styles,
 * frames, SVG and templates. The result is balanced, at most 64 elements deep, and has no control characters.
 * Never fails; takes time and memory linear in the length of the input.
 */
export function sanitizeHtml(html: string): string {
  return rebuild(html, foreignLink)
}

/**
 * As `sanitizeHtml`, for HTML that this server made of what a user wrote: links to addresses, mentions and hashtags
 * stay as they were made.
 */
export function sanitizeOwnHtml(html: string): string {
  return rebuild(html, localLink)
}

function rebuild(html: string, link: LinkRule): string {
  const out = createOutput()
  const elements = createElements(out, link)
  let hole: Hole | null = null
  const handler: HtmlHandler = {
    open(name, attributes, selfClosing) {
      if (hole) hole.open(name, attributes, selfClosing)
      else if (!dropped.has(name)) elements.open(name, attributes)
      else if (!selfClosing || !foreign.has(name)) hole = createHole(name, attributes)
    },
    close(name) {
      if (!hole) elements.close(name)
      else if (hole.close(name)) {
        out.text(hole.replacement())
        hole = null
      }
    },
    text(text) {
      if (hole) hole.text(text)
      else if (text.search(directions) < 0 || !elements.isInLink()) out.text(text)
      else out.text(text.replace(directions, ''))
    },
    isForeign: () => hole !== null && foreign.has(hole.name),
  }
  readHtml(html.toWellFormed(), handler)
  elements.closeAll()
  return out.html()
}

interface Output {
  text(text: string): void
  tag(html: string, kind: 'block' | 'inline'): void
  /** A space, unless there is white space or the edge of a block before or after it. */
  separate(): void
  html(): string
}

function createOutput(): Output {
  const parts: string[] = []
  const boundMarks = createMarkBound()
  let spaced = true
  let pending = false
  return {
    text(text) {
      const clean = boundMarks(withoutControls(text))
      if (clean === '') return
      if (pending && !/^\s/.test(clean)) parts.push(' ')
      pending = false
      spaced = /\s$/.test(clean)
      parts.push(escapeText(clean))
    },
    tag(html, kind) {
      if (kind === 'block') {
        pending = false
        spaced = true
      }
      parts.push(html)
    },
    separate() {
      pending ||= !spaced
    },
    html: () => parts.join(''),
  }
}

const controls = /(?![\n\t])\p{Cc}/gu

/** What writes the text after it backwards, whatever its script. */
const overrides = /[\u202D\u202E]/g
/** In a link also what turns parts of it round: people read there where it leads. */
const directions = /[\u202A-\u202E\u2066-\u2069]/g

function withoutControls(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controls, '').replace(overrides, '')
}

function escapeText(text: string): string {
  return /[&<>]/.test(text) ? text.replace(/[&<>]/g, escapeHtml) : text
}

interface OpenElement {
  name: string
  closing: string
  kind: 'block' | 'inline'
}

interface Elements {
  open(name: string, attributes: Attributes): void
  close(name: string): void
  closeAll(): void
  isInLink(): boolean
}

/** Keeps elements inside each other as the HTML standard has them: paragraphs, list items and links do not nest. */
function createElements(out: Output, link: LinkRule): Elements {
  const stack: OpenElement[] = []
  const tooDeep = new Map<string, number>()

  /** Closes the innermost element of these names with all in it, unless a `fence` is further in. */
  function closeTo(names: ReadonlySet<string>, fence?: ReadonlySet<string>): boolean {
    const inside = stack.findLastIndex(({ name }) => names.has(name) || fence?.has(name) === true)
    if (inside < 0 || !names.has(stack[inside]!.name)) return false
    while (stack.length > inside) {
      const { closing, kind } = stack.pop()!
      out.tag(closing, kind)
    }
    return true
  }

  function push(name: string, opening: string, closing = `</${name}>`) {
    const kind = inline.has(name) ? 'inline' : 'block'
    out.tag(opening, kind)
    stack.push({ name, closing, kind })
  }

  function make(name: string, attributes: Attributes) {
    if (name === 'a') {
      const rendered = link(attributes)
      if (rendered === null) push(name, '', '')
      else push(name, `<a${rendered}>`)
    } else if (headings.has(name)) {
      push(name, `<p${renderAttributes('p', attributes)}><strong>`, '</strong></p>')
    } else push(name, `<${name}${renderAttributes(name, attributes)}>`)
  }

  return {
    open(name, attributes) {
      if (name === 'br') return out.tag('<br />', 'block')
      if (!inline.has(name) && !blocks.has(name) && !headings.has(name)) {
        if (separating.has(name)) out.separate()
        return
      }
      if (name === 'li') closeTo(new Set(['li']), lists)
      if (!inline.has(name)) closeTo(paragraphs)
      if (name === 'a') closeTo(new Set(['a']))
      if (rubyTexts.has(name)) closeTo(rubyTexts, words('ruby'))
      if (stack.length < maxDepth) make(name, attributes)
      else tooDeep.set(name, (tooDeep.get(name) ?? 0) + 1)
    },
    close(name) {
      const missing = tooDeep.get(name) ?? 0
      if (missing > 0) tooDeep.set(name, missing - 1)
      else if (separating.has(name)) out.separate()
      else closeTo(new Set([name]), name === 'li' ? lists : undefined)
    },
    closeAll() {
      for (const { closing, kind } of stack.toReversed()) out.tag(closing, kind)
      stack.length = 0
    },
    isInLink: () => stack.some(({ name }) => name === 'a'),
  }
}

/** A dropped element that has not ended yet. */
interface Hole {
  readonly name: string
  open(name: string, attributes: Attributes, selfClosing: boolean): void
  /** True when the element has ended. */
  close(name: string): boolean
  text(text: string): void
  /** The text that takes its place. */
  replacement(): string
}

function createHole(name: string, attributes: Attributes): Hole {
  const math: MathReader | null = name === 'math' ? createMathReader(attributes) : null
  let depth = 1
  return {
    name,
    open(inner, innerAttributes, selfClosing) {
      math?.open(inner, innerAttributes)
      if (selfClosing && foreign.has(name)) math?.close()
      else if (inner === name) depth += 1
    },
    close(inner) {
      math?.close()
      if (inner === name) depth -= 1
      return depth === 0
    },
    text: (text) => math?.text(text),
    replacement: () => math?.result() ?? '',
  }
}
