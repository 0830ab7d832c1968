import { z } from 'zod'
import { CustomEmoji } from './emoji.ts'
import { count, countOrNull, entity, flag, id, text, timeOrNull, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Poll/ */
const poll = entity('Poll', {
  id,
  expires_at: timeOrNull,
  expired: flag,
  multiple: flag,
  votes_count: count,
  voters_count: countOrNull,
  /** Counts are null while the author keeps them back. */
  options: z.array(z.strictObject({ title: text, votes_count: countOrNull })),
  emojis: z.array(CustomEmoji),
  /** Not there for strangers, as the next one. */
  voted: flag.optional(),
  own_votes: z.array(count).optional(),
})
export interface Poll extends Json<typeof poll> {}
export const Poll: Schema<Poll> = poll
