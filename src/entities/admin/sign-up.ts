// The gates of sign-up and access as staff see them.
import { z } from 'zod'
import {
  count,
  countOrNull,
  entity,
  flag,
  id,
  idOrNull,
  text,
  time,
  timeOrNull,
  url,
  type Json,
  type Schema,
} from '../entity.ts'
import { history } from '../tag.ts'

/** https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/; the last two are extensions. */
const adminEmailDomainBlock = entity('AdminEmailDomainBlock', {
  id,
  domain: text,
  created_at: time,
  history,
  allow_with_approval: flag,
  parent_id: idOrNull,
})
export interface AdminEmailDomainBlock extends Json<typeof adminEmailDomainBlock> {}
export const AdminEmailDomainBlock: Schema<AdminEmailDomainBlock> = adminEmailDomainBlock

/** https://docs.joinmastodon.org/entities/Admin_IpBlock/ */
const adminIpBlock = entity('AdminIpBlock', {
  id,
  ip: text,
  severity: z.enum(['sign_up_requires_approval', 'sign_up_block', 'no_access']),
  comment: text,
  created_at: time,
  expires_at: timeOrNull,
})
export interface AdminIpBlock extends Json<typeof adminIpBlock> {}
export const AdminIpBlock: Schema<AdminIpBlock> = adminIpBlock

/** https://docs.joinmastodon.org/entities/Admin_CanonicalEmailBlock/ */
const adminCanonicalEmailBlock = entity('AdminCanonicalEmailBlock', { id, canonical_email_hash: text })
export interface AdminCanonicalEmailBlock extends Json<typeof adminCanonicalEmailBlock> {}
export const AdminCanonicalEmailBlock: Schema<AdminCanonicalEmailBlock> = adminCanonicalEmailBlock

/** An extension. */
const adminUsernameBlock = entity('AdminUsernameBlock', {
  id,
  username: text,
  comparison: z.enum(['equals', 'contains']),
  allow_with_approval: flag,
  created_at: time,
})
export interface AdminUsernameBlock extends Json<typeof adminUsernameBlock> {}
export const AdminUsernameBlock: Schema<AdminUsernameBlock> = adminUsernameBlock

/** An extension. */
const adminInvite = entity('AdminInvite', {
  id,
  account_id: id,
  username: text,
  code: text,
  url,
  max_uses: countOrNull,
  uses: count,
  expires_at: timeOrNull,
  autofollow: flag,
  comment: text,
  usable: flag,
  created_at: time,
})
export interface AdminInvite extends Json<typeof adminInvite> {}
export const AdminInvite: Schema<AdminInvite> = adminInvite
