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
} from '../entity.ts'
import { history } from '../tag.ts'

/** https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/; the last two are extensions. */
export const AdminEmailDomainBlock = entity('AdminEmailDomainBlock', {
  id,
  domain: text,
  created_at: time,
  history,
  allow_with_approval: flag,
  parent_id: idOrNull,
})
export interface AdminEmailDomainBlock extends Json<typeof AdminEmailDomainBlock> {}

/** https://docs.joinmastodon.org/entities/Admin_IpBlock/ */
export const AdminIpBlock = entity('AdminIpBlock', {
  id,
  ip: text,
  severity: z.enum(['sign_up_requires_approval', 'sign_up_block', 'no_access']),
  comment: text,
  created_at: time,
  expires_at: timeOrNull,
})
export interface AdminIpBlock extends Json<typeof AdminIpBlock> {}

/** https://docs.joinmastodon.org/entities/Admin_CanonicalEmailBlock/ */
export const AdminCanonicalEmailBlock = entity('AdminCanonicalEmailBlock', { id, canonical_email_hash: text })
export interface AdminCanonicalEmailBlock extends Json<typeof AdminCanonicalEmailBlock> {}

/** An extension. */
export const AdminUsernameBlock = entity('AdminUsernameBlock', {
  id,
  username: text,
  comparison: z.enum(['equals', 'contains']),
  allow_with_approval: flag,
  created_at: time,
})
export interface AdminUsernameBlock extends Json<typeof AdminUsernameBlock> {}

/** An extension. */
export const AdminInvite = entity('AdminInvite', {
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
export interface AdminInvite extends Json<typeof AdminInvite> {}
