import { z } from 'zod'
import { Account } from '../account.ts'
import {
  count,
  entity,
  flag,
  id,
  idOrNull,
  text,
  textOrNull,
  time,
  type Json,
  type Schema,
} from '../entity.ts'
import { Role } from '../role.ts'

/** https://docs.joinmastodon.org/entities/Admin_Ip/ */
const adminIp = entity('AdminIp', { ip: text, used_at: time })
export interface AdminIp extends Json<typeof adminIp> {}
export const AdminIp: Schema<AdminIp> = adminIp

/** https://docs.joinmastodon.org/entities/Admin_Account/ */
const adminAccount = entity('AdminAccount', {
  id,
  username: text,
  domain: textOrNull,
  created_at: time,
  email: textOrNull,
  ip: textOrNull,
  ips: z.array(AdminIp),
  locale: textOrNull,
  invite_request: textOrNull,
  role: Role.nullable(),
  confirmed: flag,
  approved: flag,
  disabled: flag,
  suspended: flag,
  silenced: flag,
  sensitized: flag,
  account: Account,
  created_by_application_id: id.optional(),
  invited_by_account_id: id.optional(),
})
export interface AdminAccount extends Json<typeof adminAccount> {}
export const AdminAccount: Schema<AdminAccount> = adminAccount

/** An extension: what staff tell each other, with who wrote it. */
const adminNote = entity('AdminNote', {
  id,
  text,
  account: Account.nullable(),
  report_id: idOrNull,
  target_account_id: idOrNull,
  /** Of a note about a server. */
  domain: text.optional(),
  created_at: time,
})
export interface AdminNote extends Json<typeof adminNote> {}
export const AdminNote: Schema<AdminNote> = adminNote

/** An extension: an account that is popular here, as staff see it. */
const adminRecommendation = entity('AdminRecommendation', {
  account: Account,
  active_followers: count,
  active_fans: count,
  suppressed: flag,
})
export interface AdminRecommendation extends Json<typeof adminRecommendation> {}
export const AdminRecommendation: Schema<AdminRecommendation> = adminRecommendation
