// Text that came as HTML: parsed by the browser without running or loading anything, and built anew from a list of what
// may be shown. Nothing else of it reaches the page.
import { h, type ComponentChild } from 'preact'
import { useMemo } from 'preact/hooks'
import type { CustomEmoji } from '#entities/emoji.ts'
import type { StatusMention } from '#entities/status.ts'
import { movesByItself } from '../../data/session.ts'
import { pictureOf } from '../../core/play.ts'
import { parseHtml } from '../../core/trusted.ts'
import css from './rich-text.module.css'

const shown: ReadonlySet<string> = new Set(
  'p br span b strong i em u s del ins sub sup small code pre blockquote ul ol li h1 h2 h3 h4 h5 h6 ruby rt rp'.split(
    ' ',
  ),
)
/** What stands in these is no text of anybody. */
const dropped: ReadonlySet<string> = new Set(
  'script style template noscript iframe object svg math title textarea'.split(' '),
)
/** Of other programs' posts: parts of addresses that are not shown, and what stands for a quote here. */
const classes: Readonly<Record<string, string | undefined>> = {
  invisible: css['invisible'],
  ellipsis: css['ellipsis'],
}
const headings: ReadonlySet<string> = new Set('h1 h2 h3 h4 h5 h6'.split(' '))

// The same ones each time, so that nothing is built anew.
const noEmojis: readonly CustomEmoji[] = []
const noMentions: readonly StatusMention[] = []

export interface RichTextProps {
  html: string
  emojis?: readonly CustomEmoji[]
  mentions?: readonly StatusMention[]
  /** The language it is written in. */
  lang?: string | null
  /** What it quotes is shown below: the address of that, which is there for other programs, is not. */
  hasQuote?: boolean
}

/** A post's text, a profile's note, a field. */
export function RichText({
  html,
  emojis = noEmojis,
  mentions = noMentions,
  lang,
  hasQuote = false,
}: RichTextProps) {
  const moves = movesByItself()
  const { children, dir } = useMemo(
    () => build(html, { emojis: byName(emojis), mentions, moves, hasQuote }),
    [html, emojis, mentions, moves, hasQuote],
  )
  return (
    <div class={css['text']} data-plays dir={dir} {...(lang && { lang })}>
      {children}
    </div>
  )
}

/** A name, a question, a warning: text with emoji, without any markup. */
export function PlainText({ text, emojis = noEmojis }: { text: string; emojis?: readonly CustomEmoji[] }) {
  const moves = movesByItself()
  return <>{useMemo(() => emojify(text, byName(emojis), moves), [text, emojis, moves])}</>
}

interface Context {
  emojis: ReadonlyMap<string, CustomEmoji>
  mentions: readonly StatusMention[]
  moves: boolean
  hasQuote: boolean
}

const byName = (emojis: readonly CustomEmoji[]) => new Map(emojis.map((emoji) => [emoji.shortcode, emoji]))

interface Built {
  children: ComponentChild[]
  dir: 'ltr' | 'rtl' | 'auto'
}

function build(html: string, context: Context): Built {
  const { body } = parseHtml(html)
  return { children: childrenOf(body, context, false), dir: directionOf(body) }
}

/** From which side it is read: by its own words, since names, tags and addresses are often written in another script. */
function directionOf(body: Element): Built['dir'] {
  const own = document.createNodeIterator(body, NodeFilter.SHOW_TEXT, ({ parentElement }) =>
    parentElement?.closest('a') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  )
  for (let node = own.nextNode(); node; node = own.nextNode()) {
    const letter = /\p{L}/u.exec((node as Text).data)?.[0]
    if (letter !== undefined) return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(letter) ? 'rtl' : 'ltr'
  }
  return 'auto'
}

function childrenOf(parent: Node, context: Context, isCode: boolean): ComponentChild[] {
  return [...parent.childNodes].flatMap((node) => {
    if (node instanceof Text) return isCode ? [node.data] : emojify(node.data, context.emojis, context.moves)
    return node instanceof Element ? elementOf(node, context, isCode) : []
  })
}

function elementOf(element: Element, context: Context, isCode: boolean): ComponentChild[] {
  const name = element.localName
  if (dropped.has(name) || (context.hasQuote && element.classList.contains('quote-inline'))) return []
  const children = childrenOf(element, context, isCode || name === 'code' || name === 'pre')
  if (name === 'a') return [linkOf(element as HTMLAnchorElement, context, children)]
  if (!shown.has(name)) return children
  const own = element.className.split(/\s+/).flatMap((one) => classes[one] ?? [])
  // Headings of a post are none of the page.
  const tag = headings.has(name) ? 'strong' : name
  return [
    h(
      tag,
      {
        ...(own.length > 0 && { class: own.join(' ') }),
        // What is wider than the page is scrolled by keys, too.
        ...(tag === 'pre' && { tabIndex: 0 }),
      },
      ...children,
    ),
  ]
}

function linkOf(element: HTMLAnchorElement, context: Context, children: ComponentChild[]): ComponentChild {
  const href = element.getAttribute('href') ?? ''
  if (
    !URL.canParse(href) ||
    !/^(?:https?|mailto|xmpp|matrix|gemini|gopher|ipfs|magnet|tel|sip):$/.test(new URL(href).protocol)
  )
    return h('span', null, ...children)
  const here = addressHere(element, context)
  if (here !== null) return h('a', { href: here }, ...children)
  return h('a', { href, target: '_blank', rel: 'nofollow noopener noreferrer' }, ...children)
}

/** Where a mention or a tag leads in the app; null for other links. */
function addressHere(element: HTMLAnchorElement, { mentions }: Context): string | null {
  const kinds = element.classList
  const text = element.textContent ?? ''
  if (kinds.contains('hashtag')) {
    const tag = /#?([\p{L}\p{M}\p{N}_·]+)/u.exec(text)?.[1]
    return tag === undefined ? null : `/tags/${encodeURIComponent(tag)}`
  }
  const mention = mentions.find(({ url }) => url === element.getAttribute('href'))
  return mention ? `/@${mention.acct}` : null
}

const shortcode = /:([A-Za-z0-9_]+):/g

function emojify(text: string, emojis: ReadonlyMap<string, CustomEmoji>, moves: boolean): ComponentChild[] {
  if (emojis.size === 0 || !text.includes(':')) return [text]
  const parts: ComponentChild[] = []
  let end = 0
  for (const found of text.matchAll(shortcode)) {
    const emoji = emojis.get(found[1] ?? '')
    if (!emoji) continue
    parts.push(
      text.slice(end, found.index),
      h('img', {
        class: css['emoji'],
        ...pictureOf(emoji.url, emoji.static_url, moves),
        alt: found[0],
        title: found[0],
        loading: 'lazy',
        draggable: false,
      }),
    )
    end = found.index + found[0].length
  }
  return [...parts, text.slice(end)]
}
