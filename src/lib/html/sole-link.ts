// Fields of profiles that are one link and nothing else, which is what can be verified.
import { readHtml } from './read-html.ts'

/** A blank, a control, or a sign that is not seen or turns others round: none is in an address as people read it. */
const unseen = /[\s\p{C}\p{Default_Ignorable_Code_Point}]/u
const wrappers = new Set(['p', 'span'])

/**
 * The address of the one link that an HTML fragment is, if people read that very address: its text is the address,
 * with or without its scheme and last slash. The address has no user, and its host is written in its one form (in
 * lower case, of ASCII, without a default port). Null for anything else, such as text beside the link.
 */
export function readSoleLink(html: string): string | null {
  const found = readLinks(html)
  const { href, text } = found[0] ?? { href: '', text: '' }
  return found.length === 1 && isPlainAddress(href) && isSpelledOut(href, text) ? href : null
}

interface Link {
  href: string
  text: string
}

/** Empty when there is anything beside links, or in them but text. */
function readLinks(html: string): Link[] {
  const found: Link[] = []
  let isInside = false
  let isMore = false
  readHtml(html, {
    open(name, attributes) {
      isInside = name === 'a' || (isInside && wrappers.has(name))
      if (name === 'a') found.push({ href: attributes.get('href') ?? '', text: '' })
      else if (!wrappers.has(name)) isMore = true
    },
    close(name) {
      if (name === 'a') isInside = false
    },
    text(text) {
      const link = isInside ? found.at(-1) : undefined
      if (link) link.text += text
      else if (text.trim() !== '') isMore = true
    },
    isForeign: () => false,
  })
  return isMore ? [] : found
}

function isPlainAddress(href: string): boolean {
  const url = URL.parse(href)
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    !unseen.test(href) &&
    /^https?:\/\/([^/?#\\]*)/.exec(href)?.[1] === url.host
  )
}

function isSpelledOut(href: string, text: string): boolean {
  const [address, shown] = [withoutSlash(href), withoutSlash(text)]
  return shown === address || shown === address.replace(/^https?:\/\//, '')
}

const withoutSlash = (address: string) => address.replace(/\/$/, '')
