// Rules against spam, what they matched and what waits because of them: extensions.
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
  texts,
  time,
  timeOrNull,
  urlOrNull,
  type Json,
  type Schema,
} from '../entity.ts'
import { Status } from '../status.ts'

const action = z.enum(['report', 'limit', 'hold', 'reject'])
const bound = count.optional()
const words = texts.optional()

/** All that are there must hold. */
const spamConditions = entity('SpamConditions', {
  origin: z.enum(['local', 'remote']).optional(),
  account_age_hours_below: bound,
  host_age_hours_below: bound,
  followers_below: bound,
  statuses_below: bound,
  mentions_at_least: bound,
  strangers_mentioned_at_least: bound,
  links_at_least: bound,
  link_domains: words,
  keywords: words,
  media_hashes: words,
  posts_per_hour_at_least: bound,
  reply: flag.optional(),
  visibilities: z.array(z.enum(['public', 'unlisted', 'private', 'direct'])).optional(),
  no_avatar: flag.optional(),
})
export interface SpamConditions extends Json<typeof spamConditions> {}
export const SpamConditions: Schema<SpamConditions> = spamConditions

const adminSpamRule = entity('AdminSpamRule', {
  id,
  name: text,
  enabled: flag,
  conditions: SpamConditions,
  action,
  hits: count,
  last_hit_at: timeOrNull,
  created_at: time,
  updated_at: time,
})
export interface AdminSpamRule extends Json<typeof adminSpamRule> {}
export const AdminSpamRule: Schema<AdminSpamRule> = adminSpamRule

const adminSpamHit = entity('AdminSpamHit', {
  id,
  action,
  decisive: flag,
  account: Account.nullable(),
  status_id: idOrNull,
  report_id: idOrNull,
  limited: flag,
  held_post_id: idOrNull,
  uri: urlOrNull,
  undone_at: timeOrNull,
  created_at: time,
})
export interface AdminSpamHit extends Json<typeof adminSpamHit> {}
export const AdminSpamHit: Schema<AdminSpamHit> = adminSpamHit

const adminHeldPost = entity('AdminHeldPost', {
  id,
  account: Account.nullable(),
  rule: z.strictObject({ id, name: textOrNull }).nullable(),
  content: text,
  uri: urlOrNull,
  created_at: time,
})
export interface AdminHeldPost extends Json<typeof adminHeldPost> {}
export const AdminHeldPost: Schema<AdminHeldPost> = adminHeldPost

/** How many posts would have matched, with the newest of those that the viewer may see. */
const adminSpamDryRun = entity('AdminSpamDryRun', {
  count,
  examined: count,
  truncated: flag,
  statuses: z.array(Status),
})
export interface AdminSpamDryRun extends Json<typeof adminSpamDryRun> {}
export const AdminSpamDryRun: Schema<AdminSpamDryRun> = adminSpamDryRun

/** What taking back a rule's matches did. */
const adminSpamUndo = entity('AdminSpamUndo', {
  hits: count,
  lifted: count,
  resolved: count,
  released: count,
  stuck: count,
  more: flag,
})
export interface AdminSpamUndo extends Json<typeof adminSpamUndo> {}
export const AdminSpamUndo: Schema<AdminSpamUndo> = adminSpamUndo
