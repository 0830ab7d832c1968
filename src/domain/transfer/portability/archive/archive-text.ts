// From the HTML of another server to a text as people write it here: pure.
import { normaliseDomain } from '#lib/acct.ts'
import { escapeHtml, stripHtml } from '#lib/html/html.ts'
import { readHtml, type Attributes } from '#lib/html/read-html.ts'
import type { ArchivedPost } from './archive-post.ts'

/** What the writing of a text depends on. */
export interface TextSettings {
  /** Whether this server renders Markdown. */
  markdown: boolean
  /** Domains that mean this server. */
  ownDomains: readonly string[]
}

export interface WrittenText {
  text: string
  contentType: 'text/plain' | 'text/markdown'
}

/**
 * The text of an archived post: as it was written where that is told and can be shown here, else what its HTML says.
 * Handles name their server, since a bare name would mean somebody else here.
 */
export function readText(post: ArchivedPost, settings: TextSettings): WrittenText {
  const { source } = post
  const isMarkdown = source?.mediaType === 'text/markdown'
  if (source && (source.mediaType === 'text/plain' || (isMarkdown && settings.markdown))) {
    const text = qualifyNames(source.text, post, settings).trim()
    return { text, contentType: isMarkdown ? 'text/markdown' : 'text/plain' }
  }
  return { text: stripHtml(simplify(post.html, settings)), contentType: 'text/plain' }
}

/** Names without a server, which meant people of the old one. */
function qualifyNames(text: string, post: ArchivedPost, { ownDomains }: TextSettings): string {
  const home = hostOf(post.actor)
  if (home === null || ownDomains.includes(home)) return text
  const locals = new Set(
    post.mentions
      .filter((mention) => hostOf(mention.href) === home)
      .map((mention) => mention.name.replace(/^@/, '').split('@')[0]?.toLowerCase() ?? ''),
  )
  if (locals.size === 0) return text
  return text.replace(/(?<![\w@/.])@(\w+(?:[.-]+\w+)*)(?![\w@])/g, (whole, name: string) =>
    locals.has(name.toLowerCase()) ? `@${name}@${home}` : whole,
  )
}

function hostOf(url: string): string | null {
  const host = URL.parse(url)?.host
  return host ? normaliseDomain(host) : null
}

const kept = new Set('p br div ul ol li blockquote pre h1 h2 h3 h4 h5 h6'.split(' '))

interface Anchor {
  href: string
  classes: string
  text: string
}

/**
 * The same HTML with whole handles in place of links to people, addresses in place of shortened links, and without the
 * line that names a quoted post for those who cannot show it.
 */
function simplify(html: string, settings: TextSettings): string {
  const parts: string[] = []
  let anchor: Anchor | null = null
  /** What is being left out, and how many elements of its name are open in it. */
  let hidden: { name: string; depth: number } | null = null
  const close = () => {
    if (anchor) parts.push(escapeHtml(anchorText(anchor, settings)))
    anchor = null
  }
  readHtml(html, {
    open(name, attributes: Attributes) {
      const classes = attributes.get('class') ?? ''
      if (hidden) hidden.depth += hidden.name === name ? 1 : 0
      else if (/(?:^|\s)quote-inline(?:\s|$)/.test(classes)) hidden = { name, depth: 1 }
      if (hidden) return
      if (name === 'a') {
        close()
        anchor = { href: attributes.get('href') ?? '', classes, text: '' }
      } else if (kept.has(name)) parts.push(`<${name}>`)
    },
    close(name) {
      if (hidden) {
        hidden.depth -= hidden.name === name ? 1 : 0
        if (hidden.depth === 0) hidden = null
        return
      }
      if (name === 'a') close()
      else if (kept.has(name)) parts.push(`</${name}>`)
    },
    text(text) {
      if (hidden) return
      if (anchor) anchor.text += text
      else parts.push(escapeHtml(text))
    },
    isForeign: () => false,
  })
  close()
  return parts.join('')
}

function anchorText({ href, classes, text }: Anchor, { ownDomains }: TextSettings): string {
  const shown = text.trim()
  const name = /^@([\w.-]+)$/.exec(shown)?.[1]
  if (name !== undefined && /(?:^|\s)(?:mention|u-url)(?:\s|$)/.test(classes)) {
    const host = hostOf(href)
    return host === null || ownDomains.includes(host) ? shown : `@${name}@${host}`
  }
  if (/^[@#]/.test(shown) || !/^https?:\/\//i.test(href)) return shown
  // Links show a part of their address; other words stay, with the address behind them.
  const bare = shown.replace(/…$/, '')
  if (bare === '' || href.includes(bare)) return href
  return `${shown} (${href})`
}
