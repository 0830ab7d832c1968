import type { Generated } from 'kysely'
import type { DayColumn, DefaultJson, DefaultTime, Json, Time } from './types.ts'
import type {
  BlockListSubscriptionId,
  CustomEmojiId,
  DomainBlockId,
  IdCursor,
  RuleId,
  TermsOfServiceId,
} from '#lib/id.ts'

export interface SettingsTable {
  key: string
  value: Json
  updated_at: DefaultTime
}

export interface SecretsTable {
  name: string
  value: string
}

export interface RulesTable {
  id: RuleId
  text: string
  hint: Generated<string>
  priority: Generated<number>
  translations: DefaultJson
  deleted_at: Time | null
  updated_at: DefaultTime
  created_at: DefaultTime
}

export interface TermsOfServiceTable {
  id: TermsOfServiceId
  text: string
  effective_date: DayColumn
  published_at: Time | null
  changelog: Generated<string>
  notified_at: Time | null
  notified_up_to: Generated<IdCursor>
  updated_at: DefaultTime
  created_at: DefaultTime
}

export interface CustomEmojisTable {
  id: CustomEmojiId
  shortcode: string
  domain: string | null
  image_key: string | null
  static_key: string | null
  category: string | null
  visible_in_picker: Generated<boolean>
  disabled: Generated<boolean>
  uri: string | null
  remote_image_url: string | null
  remote_updated_at: Time | null
  updated_at: DefaultTime
}

export interface DomainBlocksTable {
  id: DomainBlockId
  domain: string
  severity: Generated<string>
  reject_media: Generated<boolean>
  reject_reports: Generated<boolean>
  obfuscate: Generated<boolean>
  private_comment: string | null
  public_comment: string | null
  subscription_id: BlockListSubscriptionId | null
  created_at: DefaultTime
}
