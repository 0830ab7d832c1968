import { invalid } from '../errors.ts'

export interface Reaction {
  /** The emoji itself, or the shortcode of a custom one. */
  name: string
  /** Whose custom emoji: null is this server's. */
  domain: string | null
  unicode: boolean
}

/**
 * What somebody reacts with: one Unicode emoji, or the shortcode of a custom one with or without colons and, for
 * another server's, `@domain`. Throws `invalid`.
 */
export function parseReaction(text: string): Reaction {
  if (/^\p{RGI_Emoji}$/v.test(text)) return { name: text, domain: null, unicode: true }
  // Written by some keyboards without the selector that makes it an emoji, by others with one that it does not need.
  for (const name of [`${text}\uFE0F`, text.replace(/\uFE0F$/, '')])
    if (/^\p{RGI_Emoji}$/v.test(name)) return { name, domain: null, unicode: true }
  const [, name, domain] = /^:?([A-Za-z0-9_]{2,})(?:@([^:@/\s]+))?:?$/.exec(text) ?? []
  if (name === undefined) throw invalid('name', 'unknown_emoji')
  return { name, domain: domain?.toLowerCase() ?? null, unicode: false }
}
