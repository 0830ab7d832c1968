// What the instance tells of itself besides its document.
import { z } from 'zod'
import {
  day,
  dayOrNull,
  entity,
  flag,
  numeral,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  type Json,
} from '../entity.ts'

/** https://docs.joinmastodon.org/methods/instance/#activity: a week. */
export const InstanceActivity = entity('InstanceActivity', {
  week: numeral,
  statuses: numeral,
  logins: numeral,
  registrations: numeral,
})
export interface InstanceActivity extends Json<typeof InstanceActivity> {}

/** https://docs.joinmastodon.org/entities/DomainBlock/ */
export const DomainBlock = entity('DomainBlock', {
  domain: text,
  digest: text,
  severity: z.enum(['silence', 'suspend']),
  comment: textOrNull,
})
export interface DomainBlock extends Json<typeof DomainBlock> {}

/** https://docs.joinmastodon.org/entities/ExtendedDescription/ */
export const ExtendedDescription = entity('ExtendedDescription', { content: text, updated_at: timeOrNull })
export interface ExtendedDescription extends Json<typeof ExtendedDescription> {}

/** https://docs.joinmastodon.org/entities/PrivacyPolicy/ */
export const PrivacyPolicy = entity('PrivacyPolicy', { updated_at: time, content: text })
export interface PrivacyPolicy extends Json<typeof PrivacyPolicy> {}

/** https://docs.joinmastodon.org/entities/TermsOfService/ */
export const TermsOfService = entity('TermsOfService', {
  effective_date: day,
  effective: flag,
  content: text,
  succeeded_by: dayOrNull,
})
export interface TermsOfService extends Json<typeof TermsOfService> {}

/** https://docs.joinmastodon.org/methods/instance/#languages */
export const Language = entity('Language', { code: text, name: text })

/** https://docs.joinmastodon.org/methods/instance/#translation_languages: targets by source, `und` for none. */
export const TranslationLanguages = z.record(text, texts)
export type TranslationLanguages = Json<typeof TranslationLanguages>

/** Names of servers. */
export const Domains = texts
