import { z } from 'zod'
import { dayOrNull, entity, flag, id, numeral, text, url, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Tag/#history: one day. */
const useHistory = entity('UseHistory', { day: numeral, uses: numeral, accounts: numeral })
export interface UseHistory extends Json<typeof useHistory> {}
export const UseHistory: Schema<UseHistory> = useHistory
export const history = z.array(UseHistory)

/** https://docs.joinmastodon.org/entities/Tag/ */
const tag = entity('Tag', {
  id,
  name: text,
  url,
  history,
  /** Not there for strangers, as the next one. */
  following: flag.optional(),
  featuring: flag.optional(),
})
export interface Tag extends Json<typeof tag> {}
export const Tag: Schema<Tag> = tag

/** https://docs.joinmastodon.org/entities/FeaturedTag/ */
const featuredTag = entity('FeaturedTag', {
  id,
  name: text,
  url,
  statuses_count: numeral,
  last_status_at: dayOrNull,
})
export interface FeaturedTag extends Json<typeof featuredTag> {}
export const FeaturedTag: Schema<FeaturedTag> = featuredTag
