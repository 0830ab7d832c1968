import type { Config } from '#ports/ctx.ts'
import { escapeHtml } from '#lib/html/html.ts'
import { extractLinks } from '#lib/text/links.ts'
import { extractMarkdownNames, renderMarkdown, type MarkdownNames } from '#lib/html/markdown.ts'
import { renderText } from '#lib/html/render-text.ts'
import { extractEntities } from '#lib/text/text.ts'
import { handleKey, type MentionedAccount } from './mentioned.ts'
import { profileUrl, tagUrl } from '#domain/server/instance/urls.ts'

export type ContentType = 'text/plain' | 'text/markdown'

export const isContentType = (type: string | undefined): type is ContentType =>
  type === 'text/plain' || type === 'text/markdown'

export interface SourceText {
  text: string
  mentioned: readonly MentionedAccount[]
  contentType: ContentType
  /** What is quoted: named at the beginning for those who cannot show quotes, unless the text does. */
  quoteUrl: string | null
}

/** Whom and what a local status names. */
export function extractNames(text: string, contentType: ContentType): MarkdownNames {
  return contentType === 'text/markdown' ? extractMarkdownNames(text) : extractEntities(text)
}

/** The HTML of a local status: links, hashtags, and those mentions that were found. */
export function renderStatusText(config: Config, source: SourceText): string {
  const { text, mentioned, quoteUrl } = source
  const byHandle = new Map(mentioned.map((one) => [handleKey(one.username, one.domain), one]))
  const own = new Set([config.localDomain.toLowerCase(), config.webDomain.toLowerCase()])
  const render = source.contentType === 'text/markdown' ? renderMarkdown : renderText
  const html = render(text, {
    tagUrl: (name) => tagUrl(config, name),
    mentionUrl(username: string, domain: string | null) {
      const local = domain === null || own.has(domain.toLowerCase())
      const found = byHandle.get(handleKey(username, local ? null : domain))
      if (!found) return null
      return { url: found.url ?? profileUrl(config, found.username), label: found.username }
    },
  })
  if (quoteUrl === null || extractLinks(text).some((link) => link.url === quoteUrl)) return html
  const href = escapeHtml(quoteUrl)
  return `<p class="quote-inline">RE: <a href="${href}" target="_blank" rel="nofollow noopener" translate="no">${href}</a></p>${html}`
}
