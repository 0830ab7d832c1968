import { isMailbox } from '#lib/net/mailbox.ts'
import { checkHttpUrl } from '#lib/net/outgoing-url.ts'
import { cleanText } from '#lib/text/text.ts'
import type { ProblemCode } from '#lib/errors.ts'
import type { Params } from '#lib/messages/catalogue.ts'
import type { Problem } from '#lib/messages/describe-error.ts'
import { parseSwitch } from '#lib/text/truthy.ts'
import { defaultSettings, type SettingKey, type Settings } from './settings.ts'

const feedAccess = ['public', 'authenticated', 'disabled'] as const

/** The settings that take only some words. */
const words: { readonly [K in SettingKey]?: readonly Settings[K][] } = {
  registrations_mode: ['open', 'approved', 'none'],
  landing_page: ['about', 'trends', 'local_feed'],
  show_domain_blocks: ['disabled', 'users', 'all'],
  show_domain_blocks_rationale: ['disabled', 'users', 'all'],
  local_live_feed_access: feedAccess,
  remote_live_feed_access: feedAccess,
  local_topic_feed_access: ['public', 'authenticated'],
  remote_topic_feed_access: feedAccess,
}

/** The words that a setting takes, where it takes only some. */
export const settingWords = (key: SettingKey): readonly string[] | undefined =>
  words[key] as readonly string[] | undefined

/** The texts that take only some forms. An empty one is always allowed. */
const forms: {
  readonly [K in SettingKey]?: {
    isFit: (text: string) => boolean
    problem: ProblemCode & `setting_${string}`
  }
} = {
  site_contact_email: { isFit: isMailbox, problem: 'setting_no_email' },
  site_contact_username: {
    isFit: (text) => /^@?\w+$/.test(text),
    problem: 'setting_no_account',
  },
  status_page_url: {
    isFit: (text) => checkHttpUrl(text).url !== null,
    problem: 'setting_no_url',
  },
}

/** Characters of a text at most, so that no page and no document grows without bound. */
const maxLength = 65_536
const maxNameLength = 200
const names: ReadonlySet<SettingKey> = new Set(['site_title', 'site_contact_email', 'site_contact_username'])

type Parsed<K extends SettingKey> = { value: Settings[K] } | { problem: Problem }

const refuse = (field: SettingKey, code: ProblemCode, params?: Params): { problem: Problem } => ({
  problem: { field, code, params },
})

/** What an operator wrote as the value of a setting, or what would be allowed. */
export function parseSetting<K extends SettingKey>(key: K, text: string): Parsed<K> {
  const fallback: unknown = defaultSettings[key]
  const accept = (value: unknown) => ({ value: value as Settings[K] })
  const allowed = words[key] as readonly unknown[] | undefined
  if (allowed)
    return allowed.includes(text)
      ? accept(text)
      : refuse(key, 'setting_not_of', { words: allowed.join(', ') })
  if (typeof fallback === 'boolean') {
    const value = parseSwitch(text)
    return value === undefined ? refuse(key, 'setting_no_boolean') : accept(value)
  }
  if (typeof fallback === 'string') return parseText(key, text)
  // Numbers, all of which may be unset.
  if (text === '' || text === 'null') return accept(null)
  // No days at all would empty the audit log, or all that other servers wrote, at once and by mistake.
  const least = /_retention_(?:period|days)$/.test(key) ? 1 : 0
  return /^\d{1,6}$/.test(text) && Number(text) >= least
    ? accept(Number(text))
    : refuse(key, 'setting_no_number', { min: least, max: 999_999 })
}

function parseText<K extends SettingKey>(key: K, text: string): Parsed<K> {
  const value = names.has(key) || forms[key] ? cleanText(text).trim() : cleanText(text)
  const max = names.has(key) ? maxNameLength : maxLength
  if (value.length > max) return refuse(key, 'setting_too_long', { max })
  const rule = forms[key]
  if (rule && value !== '' && !rule.isFit(value)) return refuse(key, rule.problem)
  return { value: value as Settings[K] }
}
