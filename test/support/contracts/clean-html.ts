// What HTML of others may be once it was cleaned, checked apart from the code that cleans it.

const elements = new Set(
  'p br span a del s pre blockquote code b strong u i em ul ol li ruby rt rp'.split(' '),
)
const attributesOf: Record<string, string[]> = {
  a: ['href', 'rel', 'class', 'translate', 'target'],
  span: ['class', 'translate'],
  ol: ['start', 'reversed'],
  li: ['value'],
  p: ['class'],
}
const className = /^(?:h-|p-|u-|dt-|e-|(?:mention|hashtag|ellipsis|invisible|quote-inline)$)/
const scheme = /^(?:https?:\/\/|(?:dat|dweb|ipfs|ipns|ssb|gopher|xmpp|magnet|gemini):)/i

export interface Tag {
  name: string
  attributes: Record<string, string>
}

/** Reads what must be strict: every `<` begins a tag of the one form, and all are balanced. */
export function readStrictly(html: string): { tags: Tag[]; depth: number } {
  const tags: Tag[] = []
  const open: string[] = []
  let depth = 0
  let rest = html
  for (;;) {
    rest = rest.slice(/^[^<>]*/.exec(rest)![0].length)
    if (rest === '') break
    const [whole, slash, name, list, empty] =
      /^<(\/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)( \/)?>/.exec(rest) ?? []
    if (whole === undefined) throw new Error(`no tag: ${rest.slice(0, 80)}`)
    rest = rest.slice(whole.length)
    if (slash === '/') {
      if (open.pop() !== name) throw new Error(`unbalanced: ${html}`)
      continue
    }
    const attributes = Object.fromEntries(
      [...list!.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
    )
    tags.push({ name: name!, attributes })
    if (!empty) depth = Math.max(depth, open.push(name!))
  }
  if (open.length > 0) throw new Error(`open at the end: ${html}`)
  return { tags, depth }
}

/** All that is wrong with HTML that was cleaned. `own`: links of this server's may have other relations. */
export function uncleanIn(html: string, own = false): string[] {
  return readStrictly(html).tags.flatMap(({ name, attributes }) => {
    const problems = elements.has(name) ? [] : [`<${name}>`]
    for (const [key, value] of Object.entries(attributes)) {
      if (key !== 'lang' && attributesOf[name]?.includes(key) !== true) problems.push(`${name} ${key}`)
      if (key === 'class' && value !== '' && !value.split(' ').every((word) => className.test(word)))
        problems.push(value)
      if (key === 'translate' && value !== 'no') problems.push(`translate ${value}`)
      if (key === 'href' && !scheme.test(value)) problems.push(`href ${value}`)
    }
    if (name !== 'a' || own) return problems
    const guarded = attributes['rel'] === 'nofollow noopener' && attributes['target'] === '_blank'
    return attributes['href'] !== undefined && guarded ? problems : [...problems, 'a link without its guard']
  })
}
