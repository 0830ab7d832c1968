import { z } from 'zod'
import { entity, flag, id, ids, text, texts, timeOrNull, type Json, type Schema } from './entity.ts'

const context = z.array(z.enum(['home', 'notifications', 'public', 'thread', 'account']))

/** https://docs.joinmastodon.org/entities/FilterKeyword/ */
const filterKeyword = entity('FilterKeyword', { id, keyword: text, whole_word: flag })
export interface FilterKeyword extends Json<typeof filterKeyword> {}
export const FilterKeyword: Schema<FilterKeyword> = filterKeyword

/** https://docs.joinmastodon.org/entities/FilterStatus/ */
const filterStatus = entity('FilterStatus', { id, status_id: id })
export interface FilterStatus extends Json<typeof filterStatus> {}
export const FilterStatus: Schema<FilterStatus> = filterStatus

const facts = {
  id,
  title: text,
  context,
  expires_at: timeOrNull,
  filter_action: z.enum(['warn', 'hide', 'blur']),
}

/** https://docs.joinmastodon.org/entities/Filter/ */
const filter = entity('Filter', {
  ...facts,
  keywords: z.array(FilterKeyword),
  statuses: z.array(FilterStatus),
})
export interface Filter extends Json<typeof filter> {}
export const Filter: Schema<Filter> = filter

/** https://docs.joinmastodon.org/entities/FilterResult/ */
const filterResult = entity('FilterResult', {
  filter: z.strictObject(facts),
  keyword_matches: texts.nullable(),
  status_matches: ids.nullable(),
})
export interface FilterResult extends Json<typeof filterResult> {}
export const FilterResult: Schema<FilterResult> = filterResult

/** https://docs.joinmastodon.org/entities/V1_Filter/ */
const filterV1 = entity('FilterV1', {
  id,
  phrase: text,
  context,
  whole_word: flag,
  expires_at: timeOrNull,
  irreversible: flag,
})
export interface FilterV1 extends Json<typeof filterV1> {}
export const FilterV1: Schema<FilterV1> = filterV1
