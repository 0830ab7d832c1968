// Posts in Markdown, an extension: CommonMark without raw HTML, tables and rules, in the elements posts may have.

import MarkdownIt, { type StateCore, type Token } from 'markdown-it'
import { escapeHtml } from './html.ts'
import type { HashtagEntity } from '../text/hashtag.ts'
import { type MarkdownEntity, readAngled, readEntity, readText } from './markdown-entities.ts'
import type { MentionEntity } from '../text/mention.ts'
import { sanitizeOwnHtml } from './sanitize.ts'
import { renderEntities, type RenderOptions } from './render-text.ts'
import { type TextEntities } from '../text/text.ts'

/** Whom and what a text names where it is read as text. The places count from the start of the paragraph. */
export interface MarkdownNames {
  mentions: MentionEntity[]
  hashtags: HashtagEntity[]
}

/**
 * A local text in Markdown as HTML. Line breaks count; addresses, mentions and hashtags are linked as `renderText`
 * does, but not in code, after a backslash or inside a link; headings become bold paragraphs, pictures links to them.
 * Raw HTML is shown as it is written, emoji shortcodes stay. The result holds nothing but what `sanitizeHtml` allows,
 * and the `rel` that links of this server have. '' for a text of white space only.
 */
export function renderMarkdown(text: string, options: Pick<RenderOptions, 'mentionUrl' | 'tagUrl'>): string {
  const choose = (entities: TextEntities) => renderEntities(entities, options)
  return sanitizeOwnHtml(markdown.render(text, { choose }))
}

/** The mentions and hashtags that `renderMarkdown` would link, if they lead anywhere. */
export function extractMarkdownNames(text: string): MarkdownNames {
  const names: MarkdownNames = { mentions: [], hashtags: [] }
  const choose = ({ links, mentions, hashtags }: TextEntities): MarkdownEntity[] => [
    ...links.map((link) => ({ ...link, text: '' })),
    ...mentions.map((mention) => ({ ...mention, text: '', note: () => names.mentions.push(mention) })),
    ...hashtags.map((hashtag) => ({ ...hashtag, text: '', note: () => names.hashtags.push(hashtag) })),
  ]
  const tokens = markdown.parse(text, { choose }).flatMap((block) => block.children ?? [])
  for (const token of tokens) (token.meta?.['entity'] as MarkdownEntity | undefined)?.note?.()
  return names
}

const markdown = createMarkdown()

function createMarkdown() {
  const made = new MarkdownIt({ html: false, linkify: false, breaks: true, xhtmlOut: true })
  made.disable(['table', 'hr', 'html_block', 'html_inline', 'linkify'])
  made.inline.ruler.before('text', 'named', readEntity)
  made.inline.ruler.at('text', readText)
  made.inline.ruler.at('autolink', readAngled)
  made.core.ruler.push('compact', compact)
  const { rules } = made.renderer
  rules['named'] = (tokens, index) => tokens[index]!.content
  rules['softbreak'] = () => '<br />'
  rules['hardbreak'] = () => '<br />'
  rules['fence'] = (tokens, index) => renderCode(tokens[index]!)
  rules['code_block'] = (tokens, index) => renderCode(tokens[index]!)
  rules['image'] = (tokens, index) => renderImage(tokens[index]!)
  rules['linked_image'] = (tokens, index) => escapeHtml(plainText(tokens[index]!))
  return made
}

/** No line breaks between blocks, as `renderText` makes none, and no links to pictures inside of links. */
function compact(state: StateCore): void {
  for (const block of state.tokens) {
    block.block = false
    let links = 0
    for (const token of block.children ?? []) {
      if (token.type === 'link_open' || token.type === 'link_close') links += token.nesting
      if (token.type === 'image' && links > 0) token.type = 'linked_image'
    }
  }
}

function renderCode(token: Token): string {
  return `<pre><code>${escapeHtml(token.content)}</code></pre>`
}

function renderImage(token: Token): string {
  const source = String(token.attrGet('src') ?? '')
  return `<a href="${escapeHtml(source)}">${escapeHtml(plainText(token) || source)}</a>`
}

/** What a picture shows, as its author says. */
function plainText(image: Token): string {
  return (image.children ?? [])
    .map((token) =>
      token.type === 'named' ? token.markup : token.children ? plainText(token) : token.content,
    )
    .join('')
}
