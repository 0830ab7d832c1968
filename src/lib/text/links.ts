// Links in plain text. Only written-out schemes count: a bare domain is often a file name or a missing space.

import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { parse as parseHost } from 'tldts'
import { characterBefore, matchEnd, type Span } from './text-scan.ts'

export interface LinkEntity extends Span {
  /** As written. */
  url: string
}

const schemeStart = /(?:https?|dat|dweb|ipfs|ipns|ssb|gopher|gemini):\/\/|xmpp:|magnet:\?/gi
const forbiddenBefore = /[A-Za-z0-9@$#\uFF20\uFF03]/

const hostRun = /[\p{L}\p{M}\p{N}._-]+/uy
const asciiHostRun = /[A-Za-z0-9._-]+/y
const ipv6Host = /\[[0-9A-Fa-f:.]{2,45}\]/y
const port = /:\d{1,5}(?!\d)/y
const xmppNode = /(?:\/\/)?[^\s\p{C}<>"'`()/@?#\\:]{1,1023}@/uy
// Spaces, controls, direction marks and quotes end a URL; brackets of Asian scripts too, as no space follows them.
const urlRun = /[^\s\p{Cc}\p{Cs}\p{Bidi_C}<>"`\\()「」『』【】《》〈〉。、]+/uy
const parenthesis = /[()]|[\s\p{Cc}\p{Cs}\p{Bidi_C}<>"`\\「」『』【】《》〈〉。、]/gu
const trailingPunctuation = new Set(".,;:!?'*~|[]{}…“”‘’‚„»«›‹！？，．；：（）［］｛｝")

// These address content or keys, not hosts of the DNS.
const withoutDns = new Set(['dat', 'dweb', 'ipfs', 'ipns', 'ssb'])

/**
 * All links in a text, in order and without overlaps: http, https, dat, dweb, ipfs, ipns, ssb, gopher, gemini, xmpp
 * and magnet. The host must end in a known top-level domain or be localhost or an IP address. Punctuation that ends
 * a sentence and unbalanced parentheses are not part of the link. Linear in the length of the text.
 */
export function extractLinks(text: string): LinkEntity[] {
  const links: LinkEntity[] = []
  const isBalanced = parenthesesOf(text)
  schemeStart.lastIndex = 0
  for (let match = schemeStart.exec(text); match; match = schemeStart.exec(text)) {
    const start = match.index
    const afterScheme = schemeStart.lastIndex
    if (forbiddenBefore.test(characterBefore(text, start))) continue
    const scheme = match[0].slice(0, match[0].indexOf(':')).toLowerCase()
    const head = scheme === 'magnet' ? afterScheme : authorityEnd(text, afterScheme, scheme)
    if (head === null) continue
    const end = tailEnd(text, { start, end: head }, isBalanced)
    if (scheme === 'magnet' && end === head) continue
    links.push({ url: text.slice(start, end), start, end })
    schemeStart.lastIndex = end
  }
  return links
}

/** Where user, host and port end, or null when there is no acceptable host. */
function authorityEnd(text: string, index: number, scheme: string): number | null {
  const hostStart = scheme === 'xmpp' ? matchEnd(xmppNode, text, index) : index
  const hostEnd = scheme !== 'xmpp' || hostStart > index ? findHostEnd(text, hostStart, scheme) : null
  return hostEnd === null ? null : matchEnd(port, text, hostEnd)
}

function findHostEnd(text: string, start: number, scheme: string): number | null {
  const bracketed = matchEnd(ipv6Host, text, start)
  if (bracketed > start) return isIPv6(text.slice(start + 1, bracketed - 1)) ? bracketed : null
  const end = trimHost(text, start, matchEnd(hostRun, text, start))
  if (isLinkHost(text.slice(start, end), scheme)) return end
  // In scripts without spaces the sentence may go on right after the domain.
  const asciiEnd = trimHost(text, start, matchEnd(asciiHostRun, text, start))
  return asciiEnd < end && isLinkHost(text.slice(start, asciiEnd), scheme) ? asciiEnd : null
}

function trimHost(text: string, start: number, end: number): number {
  while (end > start && '.-_'.includes(text[end - 1]!)) end -= 1
  return end
}

function isLinkHost(host: string, scheme: string): boolean {
  if (host === '') return false
  if (withoutDns.has(scheme)) return true
  if (host.length > 253) return false
  if (isIPv4(host) || /^(?:[a-z0-9-]+\.)*localhost$/i.test(host)) return true
  // A bare top-level domain is no host for a link, and need not go through the costly steps.
  if (!host.includes('.')) return false
  const ascii = domainToASCII(host)
  if (!ascii.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))) return false
  return parseHost(ascii, { extractHostname: false, validateHostname: false }).isIcann === true
}

/** Where a URL ends whose scheme and host are `head`. */
function tailEnd(text: string, head: Span, isBalanced: (index: number, start: number) => boolean): number {
  const magnet = text[head.end - 1] === '?'
  if (!magnet && !'/?#'.includes(text[head.end] ?? ' ')) return head.end
  let end = head.end
  for (;;) {
    end = matchEnd(urlRun, text, end)
    if (!isBalanced(end, head.start)) break
    end += 1
  }
  while (end > head.end && trailingPunctuation.has(text[end - 1]!)) end -= 1
  return end
}

/**
 * Tells whether the parenthesis at an index has its partner in the same run of URL characters, not before `start`.
 * All pairs are found in one pass: looking for the partner from each link anew would take quadratic time.
 */
function parenthesesOf(text: string): (index: number, start: number) => boolean {
  let partners: Map<number, number> | undefined
  return (index, start) => {
    const character = text[index]
    if (character !== '(' && character !== ')') return false
    partners ??= pairParentheses(text)
    const partner = partners.get(index)
    return partner !== undefined && partner >= start
  }
}

function pairParentheses(text: string): Map<number, number> {
  const partners = new Map<number, number>()
  let open: number[] = []
  for (const { 0: character, index } of text.matchAll(parenthesis)) {
    if (character === '(') open.push(index)
    else if (character !== ')') open = []
    else {
      const partner = open.pop()
      if (partner === undefined) continue
      partners.set(partner, index)
      partners.set(index, partner)
    }
  }
  return partners
}
