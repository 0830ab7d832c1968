import { z } from 'zod'
import { count, entity, flag, text, textOrNull, url, type Json } from './entity.ts'

/** https://docs.joinmastodon.org/entities/CustomEmoji/ */
export const CustomEmoji = entity('CustomEmoji', {
  shortcode: text,
  url,
  static_url: url,
  visible_in_picker: flag,
  category: textOrNull,
})
export interface CustomEmoji extends Json<typeof CustomEmoji> {}

/** https://docs.joinmastodon.org/entities/Reaction/: of an announcement, and, as an extension, of a status. */
export const Reaction = entity('Reaction', {
  name: text,
  count,
  /** Not there for strangers. */
  me: flag.optional(),
  /** Custom emojis have these. */
  url: url.optional(),
  static_url: url.optional(),
})
export interface Reaction extends Json<typeof Reaction> {}
export const reactions = z.array(Reaction)
