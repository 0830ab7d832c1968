import { z } from 'zod'
import { entity, flag, id, ids, text, texts, timeOrNull, type Json } from './entity.ts'

const context = z.array(z.enum(['home', 'notifications', 'public', 'thread', 'account']))

/** https://docs.joinmastodon.org/entities/FilterKeyword/ */
export const FilterKeyword = entity('FilterKeyword', { id, keyword: text, whole_word: flag })
export interface FilterKeyword extends Json<typeof FilterKeyword> {}

/** https://docs.joinmastodon.org/entities/FilterStatus/ */
export const FilterStatus = entity('FilterStatus', { id, status_id: id })
export interface FilterStatus extends Json<typeof FilterStatus> {}

const facts = {
  id,
  title: text,
  context,
  expires_at: timeOrNull,
  filter_action: z.enum(['warn', 'hide', 'blur']),
}

/** https://docs.joinmastodon.org/entities/Filter/ */
export const Filter = entity('Filter', {
  ...facts,
  keywords: z.array(FilterKeyword),
  statuses: z.array(FilterStatus),
})
export interface Filter extends Json<typeof Filter> {}

/** https://docs.joinmastodon.org/entities/FilterResult/ */
export const FilterResult = entity('FilterResult', {
  filter: z.strictObject(facts),
  keyword_matches: texts.nullable(),
  status_matches: ids.nullable(),
})
export interface FilterResult extends Json<typeof FilterResult> {}

/** https://docs.joinmastodon.org/entities/V1_Filter/ */
export const FilterV1 = entity('FilterV1', {
  id,
  phrase: text,
  context,
  whole_word: flag,
  expires_at: timeOrNull,
  irreversible: flag,
})
export interface FilterV1 extends Json<typeof FilterV1> {}
