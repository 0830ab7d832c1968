import { z } from 'zod'
import { CustomEmoji } from './emoji.ts'
import {
  count,
  dayOrNull,
  entity,
  extending,
  flag,
  flagOrNull,
  id,
  mark,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  url,
  urlOrNull,
  type Json,
  type Schema,
} from './entity.ts'
import { AccountRole, Role } from './role.ts'

/** https://docs.joinmastodon.org/entities/Account/#Field */
const field = entity('Field', { name: text, value: text, verified_at: timeOrNull })
export interface Field extends Json<typeof field> {}
export const Field: Schema<Field> = field
const fields = z.array(Field)

/** https://docs.joinmastodon.org/entities/FeatureApproval/: who may put an account into a collection. */
const featureApproval = entity('FeatureApproval', {
  automatic: texts,
  manual: texts,
  current_user: z.enum(['automatic', 'manual', 'denied']),
})
export interface FeatureApproval extends Json<typeof featureApproval> {}
export const FeatureApproval: Schema<FeatureApproval> = featureApproval

/** https://docs.joinmastodon.org/entities/Account/ */
const account = entity('Account', {
  id,
  username: text,
  acct: text,
  display_name: text,
  locked: flag,
  bot: flag,
  discoverable: flagOrNull,
  indexable: flag,
  group: flag,
  created_at: time,
  note: text,
  url,
  uri: url,
  avatar: url,
  avatar_static: url,
  avatar_description: text,
  header: url,
  header_static: url,
  header_description: text,
  hide_collections: flagOrNull,
  /** Of this server's accounts. */
  noindex: flag.optional(),
  show_media: flag,
  show_media_replies: flag,
  show_featured: flag,
  feature_approval: FeatureApproval,
  emojis: z.array(CustomEmoji),
  /** Of this server's accounts. */
  roles: z.array(AccountRole).optional(),
  fields,
  get moved(): z.ZodOptional<z.ZodType<Account>> {
    return Account.optional()
  },
  suspended: mark,
  limited: mark,
  memorial: mark,
  followers_count: count,
  following_count: count,
  statuses_count: count,
  last_status_at: dayOrNull,
})
export interface Account extends Json<typeof account> {}
export const Account: Schema<Account> = account

const quotePolicy = z.enum(['public', 'followers', 'nobody'])
const replyPolicy = z.enum(['public', 'followers', 'following', 'mentioned'])
const visibility = z.enum(['public', 'unlisted', 'private', 'direct'])

/** https://docs.joinmastodon.org/entities/Account/#CredentialAccount: one's own account. */
const credentialAccount = extending('CredentialAccount', Account, {
  source: entity('CredentialAccountSource', {
    privacy: visibility,
    sensitive: flag,
    language: textOrNull,
    note: text,
    fields,
    follow_requests_count: count,
    hide_collections: flagOrNull,
    discoverable: flagOrNull,
    indexable: flag,
    attribution_domains: texts,
    quote_policy: quotePolicy,
    /** An extension: who may answer. */
    reply_policy: replyPolicy,
  }),
  role: Role,
})
export interface CredentialAccount extends Json<typeof credentialAccount> {}
export const CredentialAccount: Schema<CredentialAccount> = credentialAccount

/** https://docs.joinmastodon.org/entities/Account/#MutedAccount */
const mutedAccount = extending('MutedAccount', Account, { mute_expires_at: timeOrNull })
export interface MutedAccount extends Json<typeof mutedAccount> {}
export const MutedAccount: Schema<MutedAccount> = mutedAccount

/** https://docs.joinmastodon.org/entities/GroupedNotificationsResults/#PartialAccountWithAvatar */
const partialAccountWithAvatar = entity('PartialAccountWithAvatar', {
  id,
  acct: text,
  locked: flag,
  bot: flag,
  url,
  avatar: url,
  avatar_static: url,
  avatar_description: text,
})
export interface PartialAccountWithAvatar extends Json<typeof partialAccountWithAvatar> {}
export const PartialAccountWithAvatar: Schema<PartialAccountWithAvatar> = partialAccountWithAvatar

/** https://docs.joinmastodon.org/entities/Profile/: what the owner edits, as they wrote it. */
const profile = entity('Profile', {
  id,
  display_name: text,
  note: text,
  fields,
  avatar: urlOrNull,
  avatar_static: urlOrNull,
  avatar_description: text,
  header: urlOrNull,
  header_static: urlOrNull,
  header_description: text,
  locked: flag,
  bot: flag,
  hide_collections: flagOrNull,
  discoverable: flagOrNull,
  indexable: flag,
  show_media: flag,
  show_media_replies: flag,
  show_featured: flag,
  attribution_domains: texts,
})
export interface Profile extends Json<typeof profile> {}
export const Profile: Schema<Profile> = profile

/** https://docs.joinmastodon.org/entities/Preferences/ */
const preferences = entity('Preferences', {
  'posting:default:visibility': visibility,
  'posting:default:sensitive': flag,
  'posting:default:language': textOrNull,
  'posting:default:quote_policy': quotePolicy,
  /** An extension. */
  'posting:default:reply_policy': replyPolicy,
  'reading:expand:media': z.enum(['default', 'show_all', 'hide_all']),
  'reading:expand:spoilers': flag,
  'reading:autoplay:gifs': flag,
})
export interface Preferences extends Json<typeof preferences> {}
export const Preferences: Schema<Preferences> = preferences

/** https://docs.joinmastodon.org/entities/FamiliarFollowers/ */
const familiarFollowers = entity('FamiliarFollowers', { id, accounts: z.array(Account) })
export interface FamiliarFollowers extends Json<typeof familiarFollowers> {}
export const FamiliarFollowers: Schema<FamiliarFollowers> = familiarFollowers

/** https://docs.joinmastodon.org/entities/Suggestion/ */
const suggestion = entity('Suggestion', {
  /** What older apps read in place of `sources`. */
  source: z.enum(['staff', 'past_interactions', 'global']),
  sources: z.array(
    z.enum([
      'featured',
      'friends_of_friends',
      'similar_to_recently_followed',
      'most_followed',
      'most_interactions',
    ]),
  ),
  account: Account,
})
export interface Suggestion extends Json<typeof suggestion> {}
export const Suggestion: Schema<Suggestion> = suggestion
