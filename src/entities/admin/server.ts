// The server's own settings and texts as staff edit them: extensions.
import { z } from 'zod'
import { Account } from '../account.ts'
import { CustomEmoji } from '../emoji.ts'
import {
  count,
  countOrNull,
  day,
  entity,
  extending,
  flag,
  id,
  idOrNull,
  number,
  numberOrNull,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  url,
  type Json,
  type Schema,
} from '../entity.ts'
import { Rule } from '../instance/rule.ts'
import { Role } from '../role.ts'

/** CustomEmoji with what only staff need to know. The addresses are empty while the picture has not come. */
const adminCustomEmoji = extending('AdminCustomEmoji', CustomEmoji, {
  id,
  domain: textOrNull,
  disabled: flag,
  updated_at: time,
})
export interface AdminCustomEmoji extends Json<typeof adminCustomEmoji> {}
export const AdminCustomEmoji: Schema<AdminCustomEmoji> = adminCustomEmoji

/** Role with what only staff need to know. */
const adminRole = extending('AdminRole', Role, {
  permission_names: texts,
  position: count,
  require_2fa: flag,
  created_at: time,
  updated_at: time,
})
export interface AdminRole extends Json<typeof adminRole> {}
export const AdminRole: Schema<AdminRole> = adminRole

/** Rule with what staff need to put rules in order. */
const adminRule = extending('AdminRule', Rule, { priority: count, created_at: time, updated_at: time })
export interface AdminRule extends Json<typeof adminRule> {}
export const AdminRule: Schema<AdminRule> = adminRule

/** A version of the terms of service, or a draft. */
const adminTerms = entity('AdminTerms', {
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
export interface AdminTerms extends Json<typeof adminTerms> {}
export const AdminTerms: Schema<AdminTerms> = adminTerms

/** A picture that staff chose. */
const siteUpload = entity('SiteUpload', {
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
export interface SiteUpload extends Json<typeof siteUpload> {}
export const SiteUpload: Schema<SiteUpload> = siteUpload

/** By name; null for those that staff did not choose. */
const siteUploads = entity('SiteUploads', {
  thumbnail: SiteUpload.nullable(),
  app_icon: SiteUpload.nullable(),
  favicon: SiteUpload.nullable(),
})
export interface SiteUploads extends Json<typeof siteUploads> {}
export const SiteUploads: Schema<SiteUploads> = siteUploads

const setting = z.union([text, count, flag, z.null()])

/** What staff may change, and, to read only, what the environment of the process says. */
const adminSettings = entity('AdminSettings', {
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
export interface AdminSettings extends Json<typeof adminSettings> {}
export const AdminSettings: Schema<AdminSettings> = adminSettings

const adminAnnouncement = entity('AdminAnnouncement', {
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
export interface AdminAnnouncement extends Json<typeof adminAnnouncement> {}
export const AdminAnnouncement: Schema<AdminAnnouncement> = adminAnnouncement

/** A text for warnings. */
const adminWarningPreset = entity('AdminWarningPreset', {
  id,
  title: text,
  text,
  created_at: time,
  updated_at: time,
})
export interface AdminWarningPreset extends Json<typeof adminWarningPreset> {}
export const AdminWarningPreset: Schema<AdminWarningPreset> = adminWarningPreset

/** The secret stands only in the answers that made it. */
const adminWebhook = entity('AdminWebhook', {
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
export interface AdminWebhook extends Json<typeof adminWebhook> {}
export const AdminWebhook: Schema<AdminWebhook> = adminWebhook

/** How the test of a webhook ended. */
const adminWebhookTest = entity('AdminWebhookTest', {
  status: countOrNull,
  error: textOrNull,
  delivered: flag,
})
export interface AdminWebhookTest extends Json<typeof adminWebhookTest> {}
export const AdminWebhookTest: Schema<AdminWebhookTest> = adminWebhookTest

/** One kind of maintenance. */
const adminMaintenance = entity('AdminMaintenance', {
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
export interface AdminMaintenance extends Json<typeof adminMaintenance> {}
export const AdminMaintenance: Schema<AdminMaintenance> = adminMaintenance

type Detail = string | number | boolean | null | readonly Detail[] | { readonly [name: string]: Detail }
const detail: Schema<Detail> = z.lazy(() =>
  z.union([text, number, flag, z.null(), z.array(detail), z.record(text, detail)]),
)

z.globalRegistry.add(detail, { id: 'AuditDetail' })

/** One row of the audit log. `account` is null for whoever is none: see `actor`. */
const adminAction = entity('AdminAction', {
  id,
  actor: z.enum(['staff', 'operator', 'server']),
  account: Account.nullable(),
  action: text,
  target_type: text,
  target_id: idOrNull,
  target_label: text,
  details: z.record(text, detail),
  created_at: time,
})
export interface AdminAction extends Json<typeof adminAction> {}
export const AdminAction: Schema<AdminAction> = adminAction
