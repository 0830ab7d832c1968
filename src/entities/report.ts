import { z } from 'zod'
import { Account } from './account.ts'
import { entity, flag, id, ids, text, time, timeOrNull, type Json } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Report/ */
export const Report = entity('Report', {
  id,
  action_taken: flag,
  action_taken_at: timeOrNull,
  category: z.enum(['spam', 'legal', 'violation', 'other']),
  comment: text,
  forwarded: flag,
  created_at: time,
  status_ids: ids,
  rule_ids: ids,
  collection_ids: ids,
  target_account: Account,
})
export interface Report extends Json<typeof Report> {}

/** https://docs.joinmastodon.org/entities/Appeal/ */
export const Appeal = entity('Appeal', { text, state: z.enum(['pending', 'approved', 'rejected']) })
export interface Appeal extends Json<typeof Appeal> {}

/** https://docs.joinmastodon.org/entities/AccountWarning/ */
export const AccountWarning = entity('AccountWarning', {
  id,
  action: z.enum([
    'none',
    'disable',
    'mark_statuses_as_sensitive',
    'delete_statuses',
    'sensitive',
    'silence',
    'suspend',
  ]),
  text,
  status_ids: ids,
  target_account: Account,
  appeal: Appeal.nullable(),
  created_at: time,
})
export interface AccountWarning extends Json<typeof AccountWarning> {}
