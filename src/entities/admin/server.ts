// The server's own settings and texts as staff edit them: extensions.
import { z } from 'zod'
import { Account } from '../account.ts'
import { CustomEmoji } from '../emoji.ts'
import {
  count,
  countOrNull,
  day,
  entity,
  flag,
  id,
  idOrNull,
  numberOrNull,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  url,
  type Json,
} from '../entity.ts'
import { Rule } from '../instance/rule.ts'
import { Role } from '../role.ts'

/** CustomEmoji with what only staff need to know. The addresses are empty while the picture has not come. */
export const AdminCustomEmoji = entity('AdminCustomEmoji', {
  id,
  ...CustomEmoji.shape,
  domain: textOrNull,
  disabled: flag,
  updated_at: time,
})
export interface AdminCustomEmoji extends Json<typeof AdminCustomEmoji> {}

/** Role with what only staff need to know. */
export const AdminRole = entity('AdminRole', {
  ...Role.shape,
  permission_names: texts,
  position: count,
  require_2fa: flag,
  created_at: time,
  updated_at: time,
})
export interface AdminRole extends Json<typeof AdminRole> {}

/** Rule with what staff need to put rules in order. */
export const AdminRule = entity('AdminRule', {
  ...Rule.shape,
  priority: count,
  created_at: time,
  updated_at: time,
})
export interface AdminRule extends Json<typeof AdminRule> {}

/** A version of the terms of service, or a draft. */
export const AdminTerms = entity('AdminTerms', {
  id,
  text,
  changelog: text,
  effective_date: day,
  published: flag,
  published_at: timeOrNull,
  notified_at: timeOrNull,
  created_at: time,
  updated_at: time,
})
export interface AdminTerms extends Json<typeof AdminTerms> {}

/** A picture that staff chose. */
export const SiteUpload = entity('SiteUpload', {
  name: text,
  url,
  width: countOrNull,
  height: countOrNull,
  bytes: count,
  blurhash: textOrNull,
  /** Addresses by the name of a size. */
  versions: z.record(text, url),
  updated_at: time,
})
export interface SiteUpload extends Json<typeof SiteUpload> {}

/** By name; null for those that staff did not choose. */
export const SiteUploads = entity('SiteUploads', {
  thumbnail: SiteUpload.nullable(),
  app_icon: SiteUpload.nullable(),
  favicon: SiteUpload.nullable(),
})
export interface SiteUploads extends Json<typeof SiteUploads> {}

const setting = z.union([text, count, flag, z.null()])

/** What staff may change, and, to read only, what the environment of the process says. */
export const AdminSettings = entity('AdminSettings', {
  settings: z.record(text, setting),
  uploads: SiteUploads,
  environment: z.strictObject({
    local_domain: text,
    web_domain: text,
    authorized_fetch: flag,
    limited_federation_mode: flag,
    disallow_unauthenticated_api_access: flag,
    single_user_mode: flag,
    timeline_preview: flag,
    translation: flag,
    limits: z.record(text, count),
  }),
})
export interface AdminSettings extends Json<typeof AdminSettings> {}

export const AdminAnnouncement = entity('AdminAnnouncement', {
  id,
  text,
  content: text,
  starts_at: timeOrNull,
  ends_at: timeOrNull,
  all_day: flag,
  scheduled_at: timeOrNull,
  published: flag,
  published_at: timeOrNull,
  unpublished_at: timeOrNull,
  created_at: time,
  updated_at: time,
})
export interface AdminAnnouncement extends Json<typeof AdminAnnouncement> {}

/** A text for warnings. */
export const AdminWarningPreset = entity('AdminWarningPreset', {
  id,
  title: text,
  text,
  created_at: time,
  updated_at: time,
})
export interface AdminWarningPreset extends Json<typeof AdminWarningPreset> {}

/** The secret stands only in the answers that made it. */
export const AdminWebhook = entity('AdminWebhook', {
  id,
  url,
  events: texts,
  enabled: flag,
  last_status: countOrNull,
  last_error: textOrNull,
  last_tried_at: timeOrNull,
  created_at: time,
  updated_at: time,
  secret: text.optional(),
})
export interface AdminWebhook extends Json<typeof AdminWebhook> {}

/** How the test of a webhook ended. */
export const AdminWebhookTest = entity('AdminWebhookTest', {
  status: countOrNull,
  error: textOrNull,
  delivered: flag,
})

/** One kind of upkeep. */
export const AdminUpkeep = entity('AdminUpkeep', {
  name: text,
  description: text,
  state: z.enum(['idle', 'running', 'waiting', 'paused']),
  /** From 0 to 1; null where that is not known. */
  progress: numberOrNull,
  examined: count,
  removed: count,
  error: textOrNull,
  started_at: timeOrNull,
  updated_at: timeOrNull,
  finished_at: timeOrNull,
})
export interface AdminUpkeep extends Json<typeof AdminUpkeep> {}

/** One row of the audit log. `account` is null for whoever is none: see `actor`. */
export const AdminAction = entity('AdminAction', {
  id,
  actor: z.enum(['staff', 'operator', 'server']),
  account: Account.nullable(),
  action: text,
  target_type: text,
  target_id: idOrNull,
  target_label: text,
  details: z.record(text, z.unknown()),
  created_at: time,
})
export interface AdminAction extends Json<typeof AdminAction> {}
