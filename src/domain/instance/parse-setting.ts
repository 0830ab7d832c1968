import { parseTruthy } from '#lib/truthy.ts'
import { defaultSettings, type SettingKey, type Settings } from './settings.ts'

/** The settings that take only some words. */
const words: { readonly [K in SettingKey]?: readonly Settings[K][] } = {
  registrations_mode: ['open', 'approved', 'none'],
  landing_page: ['about', 'trends', 'local_feed'],
  show_domain_blocks: ['disabled', 'users', 'all'],
  show_domain_blocks_rationale: ['disabled', 'users', 'all'],
}

/** What an operator wrote as the value of a setting, or what would be allowed. */
export function parseSetting<K extends SettingKey>(
  key: K,
  text: string,
): { value: Settings[K] } | { problem: string } {
  const fallback: unknown = defaultSettings[key]
  const accept = (value: unknown) => ({ value: value as Settings[K] })
  const allowed = words[key] as readonly unknown[] | undefined
  if (allowed) return allowed.includes(text) ? accept(text) : { problem: allowed.join(', ') }
  if (typeof fallback === 'boolean') {
    const value = parseTruthy(text)
    return value === null || value === undefined ? { problem: 'true or false' } : accept(value)
  }
  if (typeof fallback === 'string') return accept(text)
  // Numbers, all of which may be unset.
  if (text === '' || text === 'null') return accept(null)
  return /^\d{1,9}$/.test(text) ? accept(Number(text)) : { problem: 'a whole number, or nothing' }
}
