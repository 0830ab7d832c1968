// The documents of docs/ as HTML, for `/docs`: their Markdown is ours, and may hold no HTML of its own.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import MarkdownIt, { type Token } from 'markdown-it'
import { projectFolder } from '#lib/project/project.ts'

/** A document as it is shown. */
export interface Document {
  readonly title: string
  /** Safe: made by us from files of the program. */
  readonly html: string
  /** Its parts, for the list of contents: those of the second level. */
  readonly parts: readonly { id: string; title: string }[]
}

const folder = path.join(projectFolder, 'docs')
const markdown = new MarkdownIt({ html: false, linkify: false })

/** All documents by their address below `/docs`: `users/moving` → `users/moving.md`. The index is ''. */
const files: ReadonlyMap<string, string> = new Map(
  (existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [])
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => [addressOf(file), file]),
)
const rendered = new Map<string, Document>()

function addressOf(file: string): string {
  return file.replace(/\.md$/, '').replace(/(^|\/)README$/, '')
}

/** Returns the document at an address below `/docs` (`''` is the index), or null where there is none. */
export function findDocument(address: string): Document | null {
  const file = files.get(address)
  if (file === undefined) return null
  const document = rendered.get(address) ?? render(file)
  rendered.set(address, document)
  return document
}

/** Returns the address of the one document of this name in a folder, for links from before there were folders; or null. */
export function findMoved(name: string): string | null {
  const found = [...files.keys()].filter((address) => address.endsWith(`/${name}`))
  return name !== '' && found.length === 1 ? (found[0] ?? null) : null
}

function render(file: string): Document {
  const tokens = markdown.parse(readFileSync(path.join(folder, file), 'utf8'), {})
  const title = plainText(takeTitle(tokens))
  const parts: { id: string; title: string }[] = []
  const taken = new Map<string, number>()
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const text = plainText(tokens[index + 1])
      const id = anchorOf(text, taken)
      token.attrSet('id', id)
      if (token.tag === 'h2') parts.push({ id, title: text })
    }
    for (const child of token.children ?? []) leadRight(child, path.posix.dirname(file))
    // What is wider than a phone is scrolled, also by keys.
    if (token.type === 'table_open') token.attrSet('tabindex', '0')
    if (token.type === 'fence') token.attrSet('tabindex', '0')
    // A column without a name has no heading: an empty one would be read out.
    if (token.type === 'th_open' && plainText(tokens[index + 1]) === '') {
      token.tag = 'td'
      ;(tokens[index + 2] as Token).tag = 'td'
    }
  })
  return { title, parts, html: markdown.renderer.render(tokens, markdown.options, {}) }
}

/** Takes the heading of the first level out: the page has it in a place of its own. */
function takeTitle(tokens: Token[]): Token | undefined {
  const start = tokens.findIndex((token) => token.type === 'heading_open' && token.tag === 'h1')
  return start === -1 ? undefined : tokens.splice(start, 3)[1]
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map((child) => child.content).join('')
}

/** An anchor as code forges make it of a heading, so that links lead to it in both places. */
function anchorOf(text: string, taken: Map<string, number>): string {
  const anchor = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
  const count = taken.get(anchor) ?? 0
  taken.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}

/** Links between documents lead to their pages here. What a page cannot show, such as source, is left as words. */
function leadRight(token: Token, from: string): void {
  if (token.type === 'image') token.attrSet('src', imageUrl(String(token.attrGet('src'))))
  if (token.type !== 'link_open') return
  const href = String(token.attrGet('href'))
  if (/^([a-z]+:|#|\/)/.test(href)) return
  const [target = '', anchor] = href.split('#')
  const address = addressOf(path.posix.normalize(path.posix.join(from, target))).replace(/^\.$/, '')
  if (files.has(address))
    token.attrSet('href', `/docs/${address}${anchor ? `#${anchor}` : ''}`.replace(/\/$/, ''))
  else token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'href')
}

const imageUrl = (source: string) => `/docs/images/${path.posix.basename(source)}`

/** Returns the bytes of a picture of the documents, or null where there is none of this name. */
export function findImage(name: string): Uint8Array<ArrayBuffer> | null {
  const file = path.join(folder, 'images', name)
  return /^[a-z0-9-]+\.png$/.test(name) && existsSync(file) ? new Uint8Array(readFileSync(file)) : null
}
