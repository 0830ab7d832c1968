import type { Config } from '#ports/ctx.ts'
import { extractLinks } from '#lib/text/links.ts'
import { resolve } from '#lib/html/page-metadata.ts'
import { readHtml } from '#lib/html/read-html.ts'

/** What a status says: its source when it was written here, else its HTML. */
export interface LinkSource {
  local: boolean
  text: string
  content: string
}

/** The first link of a status to a page elsewhere; null when there is none. Mentions and hashtags are no such links. */
export function findLink(config: Config, source: LinkSource): string | null {
  const own = new Set([config.localDomain, config.webDomain].map((host) => host.toLowerCase()))
  const candidates = source.local
    ? extractLinks(source.text).map((link) => link.url)
    : linksOf(source.content)
  for (const candidate of candidates) {
    const url = resolve(candidate, config.baseUrl)
    if (url !== null && !own.has(new URL(url).host)) return withoutFragment(url)
  }
  return null
}

/** Whoever looks at a page does not see its fragment. */
function withoutFragment(url: string): string {
  const parsed = new URL(url)
  parsed.hash = ''
  return parsed.href
}

function linksOf(html: string): string[] {
  const found: string[] = []
  let quoting = false
  readHtml(html, {
    open(name, attributes) {
      const words = (attribute: string) => (attributes.get(attribute) ?? '').split(/\s+/)
      const classes = words('class')
      if (name === 'p') quoting = classes.includes('quote-inline')
      const href = attributes.get('href')
      if (name !== 'a' || !href || quoting || words('rel').includes('tag')) return
      if (!classes.some((one) => one === 'mention' || one === 'hashtag' || one === 'u-url')) found.push(href)
    },
    close(name) {
      if (name === 'p') quoting = false
    },
    text() {},
    isForeign: () => false,
  })
  return found
}
