// Reads HTML tag by tag. The tokenizer is htmlparser2's; its parser, and so sanitize-html, is not used because it
// searches a stack without a bound at every end tag: half a megabyte of open tags takes it seconds.

import { Tokenizer } from 'htmlparser2'

export type Attributes = ReadonlyMap<string, string>

export interface HtmlHandler {
  /** Names are in lower case; of an attribute that is repeated the first one counts. */
  open(name: string, attributes: Attributes, selfClosing: boolean): void
  close(name: string): void
  /** References are decoded. Texts that follow one another may come in pieces. */
  text(text: string): void
  /** Whether tags are those of SVG or MathML now, among which scripts and the like hold markup, not text. */
  isForeign(): boolean
}

/**
 * Tells the handler of each tag and text in the order of the source, never whether tags match. Comments, doctypes and
 * tags that do not end are left out. Never fails. Linear in the length of the input.
 */
export function readHtml(html: string, handler: HtmlHandler): void {
  const text = createTextReader(html, handler)
  const tag = createTagReader(html, handler)
  const ignore = () => {}
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...tag,
      ontext: text.add,
      ontextentity(codePoint) {
        text.flush()
        handler.text(String.fromCodePoint(codePoint))
      },
      onopentagname(start, end) {
        text.flush()
        tag.onopentagname(start, end)
      },
      onclosetag(start, end) {
        text.flush()
        handler.close(html.slice(start, end).toLowerCase())
      },
      isInForeignContext: () => handler.isForeign(),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: text.flush,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}

/** The tokenizer breaks texts at every `<` and `&`: here those that touch become one again. */
function createTextReader(html: string, handler: HtmlHandler) {
  let begin = 0
  let until = 0
  const flush = () => {
    if (until > begin) handler.text(html.slice(begin, until))
    begin = until
  }
  return {
    flush,
    add(start: number, end: number) {
      if (start !== until) {
        flush()
        begin = start
      }
      until = end
    },
  }
}

/** Puts the pieces of a start tag together. */
function createTagReader(html: string, handler: HtmlHandler) {
  let tag = ''
  let attributes = new Map<string, string>()
  let name = ''
  let value: string[] = []
  return {
    onopentagname(start: number, end: number) {
      tag = html.slice(start, end).toLowerCase()
      attributes = new Map()
    },
    onattribname(start: number, end: number) {
      name = html.slice(start, end).toLowerCase()
      value = []
    },
    onattribdata: (start: number, end: number) => void value.push(html.slice(start, end)),
    onattribentity: (codePoint: number) => void value.push(String.fromCodePoint(codePoint)),
    onattribend() {
      if (!attributes.has(name)) attributes.set(name, value.join(''))
    },
    onopentagend: () => handler.open(tag, attributes, false),
    onselfclosingtag: () => handler.open(tag, attributes, true),
  }
}
