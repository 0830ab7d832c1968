import { z } from 'zod'
import { dayOrNull, entity, flag, id, numeral, text, url, type Json } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Tag/#history: one day. */
export const UseHistory = entity('UseHistory', { day: numeral, uses: numeral, accounts: numeral })
export interface UseHistory extends Json<typeof UseHistory> {}
export const history = z.array(UseHistory)

/** https://docs.joinmastodon.org/entities/Tag/ */
export const Tag = entity('Tag', {
  id,
  name: text,
  url,
  history,
  /** Not there for strangers, as the next one. */
  following: flag.optional(),
  featuring: flag.optional(),
})
export interface Tag extends Json<typeof Tag> {}

/** https://docs.joinmastodon.org/entities/FeaturedTag/ */
export const FeaturedTag = entity('FeaturedTag', {
  id,
  name: text,
  url,
  statuses_count: numeral,
  last_status_at: dayOrNull,
})
export interface FeaturedTag extends Json<typeof FeaturedTag> {}
