import { z } from 'zod'
import { Account } from '../account.ts'
import {
  entity,
  extending,
  flag,
  id,
  idOrNull,
  ids,
  text,
  time,
  timeOrNull,
  type Json,
  type Schema,
} from '../entity.ts'
import { Rule } from '../instance/rule.ts'
import { AccountWarning, Appeal } from '../report.ts'
import { Status } from '../status.ts'
import { AdminAccount } from './account.ts'

/** https://docs.joinmastodon.org/entities/Admin_Report/, with the ids of reported collections. */
const adminReport = entity('AdminReport', {
  id,
  action_taken: flag,
  action_taken_at: timeOrNull,
  category: z.enum(['spam', 'legal', 'violation', 'other']),
  comment: text,
  forwarded: flag,
  created_at: time,
  updated_at: time,
  account: AdminAccount,
  target_account: AdminAccount,
  assigned_account: AdminAccount.nullable(),
  action_taken_by_account: AdminAccount.nullable(),
  statuses: z.array(Status),
  rules: z.array(Rule),
  collection_ids: ids,
})
export interface AdminReport extends Json<typeof adminReport> {}
export const AdminReport: Schema<AdminReport> = adminReport

/** An extension: an appeal as staff see it. */
const adminAppeal = extending('AdminAppeal', Appeal, {
  id,
  created_at: time,
  decided_at: timeOrNull,
  decided_by_account: Account.nullable(),
  account: Account,
  strike: extending('AdminStrike', AccountWarning, {
    account: Account.nullable(),
    report_id: idOrNull,
    overruled_at: timeOrNull,
    statuses: z.array(Status),
  }),
})
export interface AdminAppeal extends Json<typeof adminAppeal> {}
export const AdminAppeal: Schema<AdminAppeal> = adminAppeal
