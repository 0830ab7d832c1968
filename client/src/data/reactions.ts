// Emoji with which people react, to announcements and to posts.
import type { CustomEmoji, Reaction } from '#entities/emoji.ts'
import { peek } from './query.ts'

/** What a picker gives, an emoji or `:shortcode:`, as a reaction that nobody has used yet. */
export function reactionOf(picked: string): Reaction {
  const shortcode = /^:(.+):$/.exec(picked)?.[1]
  // Pickers write some with a selector that they do not need; the server knows them without it.
  const plain = picked.replace(/\uFE0F$/, '')
  if (shortcode === undefined)
    return { name: /^\p{RGI_Emoji}$/v.test(plain) ? plain : picked, count: 0, me: false }
  const emoji = peek<CustomEmoji[]>('/api/v1/custom_emojis')?.find((one) => one.shortcode === shortcode)
  return {
    name: shortcode,
    count: 0,
    me: false,
    ...(emoji && { url: emoji.url, static_url: emoji.static_url }),
  }
}

/** The reactions with one's own added, or taken back. */
export function toggled(reactions: readonly Reaction[], reaction: Reaction): Reaction[] {
  const isOn = reactions.find(({ name }) => name === reaction.name)?.me === true
  const step = isOn ? -1 : 1
  const isKnown = reactions.some(({ name }) => name === reaction.name)
  return (isKnown ? reactions : [...reactions, reaction])
    .map((one) => (one.name === reaction.name ? { ...one, me: !isOn, count: one.count + step } : one))
    .filter(({ count }) => count > 0)
}
