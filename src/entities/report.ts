import { z } from 'zod'
import { Account } from './account.ts'
import { entity, flag, id, ids, text, time, timeOrNull, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Report/ */
const report = entity('Report', {
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
export interface Report extends Json<typeof report> {}
export const Report: Schema<Report> = report

/** https://docs.joinmastodon.org/entities/Appeal/ */
const appeal = entity('Appeal', { text, state: z.enum(['pending', 'approved', 'rejected']) })
export interface Appeal extends Json<typeof appeal> {}
export const Appeal: Schema<Appeal> = appeal

/** https://docs.joinmastodon.org/entities/AccountWarning/ */
const accountWarning = entity('AccountWarning', {
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
export interface AccountWarning extends Json<typeof accountWarning> {}
export const AccountWarning: Schema<AccountWarning> = accountWarning
