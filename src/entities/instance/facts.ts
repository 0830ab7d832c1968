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
  type Schema,
} from '../entity.ts'

/** https://docs.joinmastodon.org/methods/instance/#activity: a week. */
const instanceActivity = entity('InstanceActivity', {
  week: numeral,
  statuses: numeral,
  logins: numeral,
  registrations: numeral,
})
export interface InstanceActivity extends Json<typeof instanceActivity> {}
export const InstanceActivity: Schema<InstanceActivity> = instanceActivity

/** https://docs.joinmastodon.org/entities/DomainBlock/ */
const domainBlock = entity('DomainBlock', {
  domain: text,
  digest: text,
  severity: z.enum(['silence', 'suspend']),
  comment: textOrNull,
})
export interface DomainBlock extends Json<typeof domainBlock> {}
export const DomainBlock: Schema<DomainBlock> = domainBlock

/** https://docs.joinmastodon.org/entities/ExtendedDescription/ */
const extendedDescription = entity('ExtendedDescription', { content: text, updated_at: timeOrNull })
export interface ExtendedDescription extends Json<typeof extendedDescription> {}
export const ExtendedDescription: Schema<ExtendedDescription> = extendedDescription

/** https://docs.joinmastodon.org/entities/PrivacyPolicy/ */
const privacyPolicy = entity('PrivacyPolicy', { updated_at: time, content: text })
export interface PrivacyPolicy extends Json<typeof privacyPolicy> {}
export const PrivacyPolicy: Schema<PrivacyPolicy> = privacyPolicy

/** https://docs.joinmastodon.org/entities/TermsOfService/ */
const termsOfService = entity('TermsOfService', {
  effective_date: day,
  effective: flag,
  content: text,
  succeeded_by: dayOrNull,
})
export interface TermsOfService extends Json<typeof termsOfService> {}
export const TermsOfService: Schema<TermsOfService> = termsOfService

/** https://docs.joinmastodon.org/methods/instance/#languages */
const language = entity('Language', { code: text, name: text })
export interface Language extends Json<typeof language> {}
export const Language: Schema<Language> = language

/** https://docs.joinmastodon.org/methods/instance/#translation_languages: targets by source, `und` for none. */
const translationLanguages = z.record(text, texts)
export type TranslationLanguages = Json<typeof translationLanguages>
export const TranslationLanguages: Schema<TranslationLanguages> = translationLanguages

/** Names of servers. */
export const Domains = texts
