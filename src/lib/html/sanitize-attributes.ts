// The attributes that foreign HTML may keep.

import { escapeHtml } from './html.ts'
import type { Attributes } from './read-html.ts'

/** All attributes of a link, with a space before each; null when it must not be one. */
export type LinkRule = (attributes: Attributes) => string | null

const schemes = new Set('http https dat dweb ipfs ipns ssb gopher xmpp magnet gemini'.split(' '))
const relations = new Set(['nofollow', 'noopener', 'noreferrer', 'me', 'tag'])
const classes = new Set(['mention', 'hashtag', 'ellipsis', 'invisible', 'quote-inline'])
/** Microformats (https://microformats.org/wiki/microformats2). */
const microformat = /^(?:[hpue]|dt)-/
const languageTag = /^[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){0,7}$/
const wholeNumber = /^-?\d{1,9}$/

/** A link in the words of others: it opens elsewhere, and this server does not vouch for it (CNT-3). */
export const foreignLink: LinkRule = (attributes) => {
  const href = cleanHref(attributes.get('href'))
  if (href === null) return null
  return `${pair('href', href)} rel="nofollow noopener" target="_blank"${renderAttributes('a', attributes)}`
}

/** A link that this server made stays as it is: it has a class or a relation. What Markdown made is a foreign one. */
export const localLink: LinkRule = (attributes) => {
  const href = cleanHref(attributes.get('href'))
  if (href === null) return null
  if (!attributes.has('class') && !attributes.has('rel')) return foreignLink(attributes)
  let rendered = ''
  for (const [name, value] of attributes) {
    if (name === 'href') rendered += pair('href', href)
    else if (name === 'rel')
      rendered += pair(
        'rel',
        keep(value, (word) => relations.has(word)),
      )
    else if (name === 'target') rendered += value === '_blank' ? pair('target', value) : ''
    else rendered += renderAttribute('a', name, value)
  }
  return rendered
}

/** The attributes that an element may keep, with a space before each; of links those besides address and relation. */
export function renderAttributes(element: string, attributes: Attributes): string {
  let rendered = ''
  for (const [name, value] of attributes) rendered += renderAttribute(element, name, value)
  return rendered
}

function renderAttribute(element: string, name: string, value: string): string {
  switch (`${element} ${name}`) {
    case 'a class':
    case 'span class':
    case 'p class': {
      const kept = keep(value, (word) => classes.has(word) || microformat.test(word))
      return kept === '' && value !== '' ? '' : pair('class', kept)
    }
    case 'a translate':
    case 'span translate':
      return value.toLowerCase() === 'no' ? pair('translate', 'no') : ''
    case 'ol start':
    case 'li value':
      return wholeNumber.test(value.trim()) ? pair(name, value.trim()) : ''
    case 'ol reversed':
      return pair('reversed', 'reversed')
    default:
      return name === 'lang' && languageTag.test(value) ? pair('lang', value) : ''
  }
}

function pair(name: string, value: string): string {
  return ` ${name}="${escapeHtml(value)}"`
}

function keep(list: string, isKept: (word: string) => boolean): string {
  return list.split(/\s+/).filter(isKept).join(' ')
}

/**
 * An address that a link may lead to, as browsers will read it; null for relative ones, as they would be read against
 * this server, for those of other schemes, and for web addresses that are none (CNT-2).
 */
function cleanHref(value: string | undefined): string | null {
  // Browsers skip some of these, and white space at the ends.
  const href = value?.replace(/\p{Cc}/gu, '').trim()
  const scheme = href && /^([a-z][a-z0-9+.-]*):/i.exec(href)?.[1]?.toLowerCase()
  if (!href || !scheme || !schemes.has(scheme)) return null
  if (scheme !== 'http' && scheme !== 'https') return href
  return /^https?:\/\//i.test(href) && URL.canParse(href) ? href : null
}
