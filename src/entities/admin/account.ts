import { z } from 'zod'
import { Account } from '../account.ts'
import { count, entity, flag, id, idOrNull, text, textOrNull, time, type Json } from '../entity.ts'
import { Role } from '../role.ts'

/** https://docs.joinmastodon.org/entities/Admin_Ip/ */
export const AdminIp = entity('AdminIp', { ip: text, used_at: time })
export interface AdminIp extends Json<typeof AdminIp> {}

/** https://docs.joinmastodon.org/entities/Admin_Account/ */
export const AdminAccount = entity('AdminAccount', {
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
export interface AdminAccount extends Json<typeof AdminAccount> {}

/** An extension: what staff tell each other, with who wrote it. */
export const AdminNote = entity('AdminNote', {
  id,
  text,
  account: Account.nullable(),
  report_id: idOrNull,
  target_account_id: idOrNull,
  created_at: time,
})
export interface AdminNote extends Json<typeof AdminNote> {}

/** An extension: an account that is popular here, as staff see it. */
export const AdminRecommendation = entity('AdminRecommendation', {
  account: Account,
  active_followers: count,
  active_fans: count,
  suppressed: flag,
})
export interface AdminRecommendation extends Json<typeof AdminRecommendation> {}
