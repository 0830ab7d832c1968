import { z } from 'zod'
import { count, entity, flag, text, textOrNull, url, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/CustomEmoji/ */
const customEmoji = entity('CustomEmoji', {
  shortcode: text,
  url,
  static_url: url,
  visible_in_picker: flag,
  category: textOrNull,
})
export interface CustomEmoji extends Json<typeof customEmoji> {}
export const CustomEmoji: Schema<CustomEmoji> = customEmoji

/** https://docs.joinmastodon.org/entities/Reaction/: of an announcement, and, as an extension, of a status. */
const reaction = entity('Reaction', {
  name: text,
  count,
  /** Not there for strangers. */
  me: flag.optional(),
  /** Custom emojis have these. */
  url: url.optional(),
  static_url: url.optional(),
})
export interface Reaction extends Json<typeof reaction> {}
export const Reaction: Schema<Reaction> = reaction
export const reactions = z.array(Reaction)
