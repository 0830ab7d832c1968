// Other servers as staff see them.
import { z } from 'zod'
import {
  count,
  entity,
  flag,
  id,
  text,
  textOrNull,
  time,
  timeOrNull,
  url,
  urlOrNull,
  type Json,
  type Schema,
} from '../entity.ts'

const severity = z.enum(['noop', 'silence', 'suspend'])

/** https://docs.joinmastodon.org/entities/Admin_DomainBlock/ */
const adminDomainBlock = entity('AdminDomainBlock', {
  id,
  domain: text,
  digest: text,
  created_at: time,
  severity,
  reject_media: flag,
  reject_reports: flag,
  private_comment: textOrNull,
  public_comment: textOrNull,
  obfuscate: flag,
})
export interface AdminDomainBlock extends Json<typeof adminDomainBlock> {}
export const AdminDomainBlock: Schema<AdminDomainBlock> = adminDomainBlock

/** https://docs.joinmastodon.org/entities/Admin_DomainAllow/ */
const adminDomainAllow = entity('AdminDomainAllow', { id, domain: text, created_at: time })
export interface AdminDomainAllow extends Json<typeof adminDomainAllow> {}
export const AdminDomainAllow: Schema<AdminDomainAllow> = adminDomainAllow

/** An extension: a server that passes public posts on. */
const adminRelay = entity('AdminRelay', {
  id,
  inbox_url: url,
  actor_uri: urlOrNull,
  state: z.enum(['idle', 'pending', 'accepted', 'rejected']),
})
export interface AdminRelay extends Json<typeof adminRelay> {}
export const AdminRelay: Schema<AdminRelay> = adminRelay

/** An extension: a list of servers that this one follows. */
const adminBlockListSubscription = entity('AdminBlockListSubscription', {
  id,
  title: text,
  url,
  most_severity: severity,
  applied: flag,
  retract: flag,
  entries_count: count,
  fetched_at: timeOrNull,
  tried_at: timeOrNull,
  error: textOrNull,
  created_at: time,
  updated_at: time,
})
export interface AdminBlockListSubscription extends Json<typeof adminBlockListSubscription> {}
export const AdminBlockListSubscription: Schema<AdminBlockListSubscription> = adminBlockListSubscription

/** An extension: a listed server, what is known of it here, and what blocking it would end. */
const adminListedDomain = entity('AdminListedDomain', {
  domain: text,
  severity,
  reject_media: flag,
  reject_reports: flag,
  obfuscate: flag,
  public_comment: textOrNull,
  excluded: flag,
  current_severity: severity.nullable(),
  accounts_count: count,
  follows_count: count,
  followers_count: count,
})
export interface AdminListedDomain extends Json<typeof adminListedDomain> {}
export const AdminListedDomain: Schema<AdminListedDomain> = adminListedDomain

/** Lines of a list that were not understood. */
const skipped = z.array(z.strictObject({ line: count, text, reason: text }))

/** An extension: what an import of a list would do. */
const adminBlockListPreview = entity('AdminBlockListPreview', {
  total: count,
  domains: z.array(AdminListedDomain),
  skipped,
  skipped_count: count,
})
export interface AdminBlockListPreview extends Json<typeof adminBlockListPreview> {}
export const AdminBlockListPreview: Schema<AdminBlockListPreview> = adminBlockListPreview

/** An extension: what an import did. */
const adminBlockListImport = entity('AdminBlockListImport', {
  created: count,
  updated: count,
  unchanged: count,
  skipped,
  skipped_count: count,
})
export interface AdminBlockListImport extends Json<typeof adminBlockListImport> {}
export const AdminBlockListImport: Schema<AdminBlockListImport> = adminBlockListImport

/** An extension: how many servers an import let in. */
const adminAllowImport = entity('AdminAllowImport', { allowed: count })
export interface AdminAllowImport extends Json<typeof adminAllowImport> {}
export const AdminAllowImport: Schema<AdminAllowImport> = adminAllowImport

/** An extension: a server that no list blocks. */
const adminBlockListExclusion = entity('AdminBlockListExclusion', {
  domain: text,
  comment: text,
  created_at: time,
})
export interface AdminBlockListExclusion extends Json<typeof adminBlockListExclusion> {}
export const AdminBlockListExclusion: Schema<AdminBlockListExclusion> = adminBlockListExclusion
