import { z } from 'zod'
import { Account } from '../account.ts'
import {
  count,
  countOrNull,
  entity,
  flag,
  text,
  textOrNull,
  texts,
  url,
  urlOrNull,
  type Json,
  type Schema,
} from '../entity.ts'
import { Rule } from './rule.ts'

/** What clients may send, the same in both versions of the document. */
const limits = {
  accounts: z.strictObject({
    max_display_name_length: count,
    max_note_length: count,
    max_avatar_description_length: count,
    max_header_description_length: count,
    max_featured_tags: count,
    max_pinned_statuses: count,
    max_profile_fields: count,
    profile_field_name_limit: count,
    profile_field_value_limit: count,
  }),
  statuses: z.strictObject({
    max_characters: count,
    max_media_attachments: count,
    characters_reserved_per_url: count,
    /** Extensions: the ways to mark a text up, and whether statuses may stay on this server. */
    supported_mime_types: texts,
    local_only: flag,
  }),
  reactions: z.strictObject({ max_reactions: count }),
  media_attachments: z.strictObject({
    description_limit: count,
    image_matrix_limit: count,
    image_size_limit: count,
    supported_mime_types: texts,
    video_frame_rate_limit: count,
    video_matrix_limit: count,
    video_size_limit: count,
  }),
  polls: z.strictObject({
    max_options: count,
    max_characters_per_option: count,
    min_expiration: count,
    max_expiration: count,
  }),
}

const access = z.enum(['public', 'authenticated', 'disabled'])
const feeds = z.strictObject({ local: access, remote: access })

/** https://docs.joinmastodon.org/entities/Instance/#thumbnail */
const instanceThumbnail = entity('InstanceThumbnail', {
  url,
  blurhash: textOrNull,
  description: text,
  versions: z.strictObject({ '@1x': url, '@2x': url }),
})
export interface InstanceThumbnail extends Json<typeof instanceThumbnail> {}
export const InstanceThumbnail: Schema<InstanceThumbnail> = instanceThumbnail

/** https://docs.joinmastodon.org/entities/Instance/#InstanceIcon */
const instanceIcon = entity('InstanceIcon', { src: url, size: text })
export interface InstanceIcon extends Json<typeof instanceIcon> {}
export const InstanceIcon: Schema<InstanceIcon> = instanceIcon

/** https://docs.joinmastodon.org/entities/Instance/ */
const instance = entity('Instance', {
  domain: text,
  title: text,
  version: text,
  source_url: url,
  description: text,
  usage: z.strictObject({ users: z.strictObject({ active_month: count }) }),
  thumbnail: InstanceThumbnail,
  icon: z.array(InstanceIcon),
  languages: texts,
  configuration: z.strictObject({
    urls: z.strictObject({
      streaming: url,
      status: urlOrNull,
      about: url,
      privacy_policy: url,
      terms_of_service: urlOrNull,
    }),
    vapid: z.strictObject({ public_key: text }),
    ...limits,
    translation: z.strictObject({ enabled: flag }),
    timelines_access: z.strictObject({
      live_feeds: feeds,
      hashtag_feeds: feeds,
      trending_link_feeds: feeds,
    }),
    limited_federation: flag,
  }),
  registrations: z.strictObject({
    enabled: flag,
    approval_required: flag,
    reason_required: flag,
    message: textOrNull,
    min_age: countOrNull,
    url: urlOrNull,
  }),
  api_versions: z.record(text, count),
  contact: z.strictObject({ email: text, account: Account.nullable() }),
  rules: z.array(Rule),
  /** The year of which people may have a report made now. */
  wrapstodon: textOrNull,
})
export interface Instance extends Json<typeof instance> {}
export const Instance: Schema<Instance> = instance

/** https://docs.joinmastodon.org/entities/V1_Instance/ */
const instanceV1 = entity('InstanceV1', {
  uri: text,
  title: text,
  short_description: text,
  description: text,
  email: text,
  version: text,
  urls: z.strictObject({ streaming_api: url }),
  stats: z.strictObject({ user_count: count, status_count: count, domain_count: count }),
  thumbnail: url,
  languages: texts,
  registrations: flag,
  approval_required: flag,
  invites_enabled: flag,
  configuration: z.strictObject(limits),
  contact_account: Account.nullable(),
  rules: z.array(Rule),
})
export interface InstanceV1 extends Json<typeof instanceV1> {}
export const InstanceV1: Schema<InstanceV1> = instanceV1
