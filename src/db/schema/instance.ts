import type { Generated } from 'kysely'
import type { DayColumn, DefaultJson, DefaultTime, Id, Json, Time } from './types.ts'

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
  id: Id
  text: string
  hint: Generated<string>
  priority: Generated<number>
  translations: DefaultJson
  deleted_at: Time | null
  updated_at: DefaultTime
  created_at: DefaultTime
}

export interface TermsOfServiceTable {
  id: Id
  text: string
  effective_date: DayColumn
  published_at: Time | null
  changelog: Generated<string>
  notified_at: Time | null
  notified_up_to: Generated<Id>
  updated_at: DefaultTime
  created_at: DefaultTime
}

export interface CustomEmojisTable {
  id: Id
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
  id: Id
  domain: string
  severity: Generated<string>
  reject_media: Generated<boolean>
  reject_reports: Generated<boolean>
  obfuscate: Generated<boolean>
  private_comment: string | null
  public_comment: string | null
  subscription_id: Id | null
  created_at: DefaultTime
}
