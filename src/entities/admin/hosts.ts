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
} from '../entity.ts'

const severity = z.enum(['noop', 'silence', 'suspend'])

/** https://docs.joinmastodon.org/entities/Admin_DomainBlock/ */
export const AdminDomainBlock = entity('AdminDomainBlock', {
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
export interface AdminDomainBlock extends Json<typeof AdminDomainBlock> {}

/** https://docs.joinmastodon.org/entities/Admin_DomainAllow/ */
export const AdminDomainAllow = entity('AdminDomainAllow', { id, domain: text, created_at: time })
export interface AdminDomainAllow extends Json<typeof AdminDomainAllow> {}

/** An extension: a server that passes public posts on. */
export const AdminRelay = entity('AdminRelay', {
  id,
  inbox_url: url,
  actor_uri: urlOrNull,
  state: z.enum(['idle', 'pending', 'accepted', 'rejected']),
})
export interface AdminRelay extends Json<typeof AdminRelay> {}

/** An extension: a list of servers that this one follows. */
export const AdminBlockListSubscription = entity('AdminBlockListSubscription', {
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
export interface AdminBlockListSubscription extends Json<typeof AdminBlockListSubscription> {}

/** An extension: a listed server, what is known of it here, and what blocking it would end. */
export const AdminListedDomain = entity('AdminListedDomain', {
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
export interface AdminListedDomain extends Json<typeof AdminListedDomain> {}

/** Lines of a list that were not understood. */
const skipped = z.array(z.strictObject({ line: count, text, reason: text }))

/** An extension: what an import of a list would do. */
export const AdminBlockListPreview = entity('AdminBlockListPreview', {
  total: count,
  domains: z.array(AdminListedDomain),
  skipped,
  skipped_count: count,
})
export interface AdminBlockListPreview extends Json<typeof AdminBlockListPreview> {}

/** An extension: what an import did. */
export const AdminBlockListImport = entity('AdminBlockListImport', {
  created: count,
  updated: count,
  unchanged: count,
  skipped,
  skipped_count: count,
})
export interface AdminBlockListImport extends Json<typeof AdminBlockListImport> {}

/** An extension: how many servers an import let in. */
export const AdminAllowImport = entity('AdminAllowImport', { allowed: count })

/** An extension: a server that no list blocks. */
export const AdminBlockListExclusion = entity('AdminBlockListExclusion', {
  domain: text,
  comment: text,
  created_at: time,
})
export interface AdminBlockListExclusion extends Json<typeof AdminBlockListExclusion> {}
