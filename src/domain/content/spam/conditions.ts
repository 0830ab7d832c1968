// What a rule against spam asks of a post: all of its conditions must hold.
import { invalid } from '#lib/errors.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { unique } from '#lib/collections.ts'
import { deobfuscateText } from '#lib/text/matching/deobfuscate-text.ts'

export const origins = ['local', 'remote'] as const
export const ruleVisibilities = ['public', 'unlisted', 'private', 'direct'] as const
export type RuleVisibility = (typeof ruleVisibilities)[number]

/** What an action does, from the mildest to the strictest. */
export const spamActions = ['report', 'limit', 'hold', 'reject'] as const
export type SpamAction = (typeof spamActions)[number]

export interface Conditions {
  origin?: (typeof origins)[number]
  /** Of the author. Other servers say themselves when theirs were made. */
  account_age_hours_below?: number
  /** Of the author's server, since it was first heard of here. Nothing written here meets it. */
  host_age_hours_below?: number
  followers_below?: number
  statuses_below?: number
  /** Accounts that are named, but for the author. */
  mentions_at_least?: number
  /** Those of them who are strangers to the author: see `loadAuthorFacts`. */
  strangers_mentioned_at_least?: number
  /** Different addresses, without those of mentions and hashtags. */
  links_at_least?: number
  /**
   * With the domains below them. What another server sends may call any link a mention, a hashtag or a quote: there these
   * count too.
   */
  link_domains?: readonly string[]
  /** Whole words or phrases in the text, the warning, the options of a poll and what describes the media. */
  keywords?: readonly string[]
  /** SHA-256 in hex of files that were uploaded here, and blurhashes of other servers' pictures. */
  media_hashes?: readonly string[]
  /** Posts of the author in the last hour, with this one. */
  posts_per_hour_at_least?: number
  reply?: boolean
  visibilities?: readonly RuleVisibility[]
  no_avatar?: boolean
}

/** Entries of one list, and characters of an entry. */
const maxEntries = 200
const maxEntryLength = 200
/** Characters of all keywords of a rule: those of all rules become one table in memory, which grows with them. */
const maxKeywordCharacters = 5_000
const century = 876_000

type Read = (name: string, value: unknown) => unknown

const readers: Readonly<Record<keyof Conditions, Read>> = {
  origin: readWord(origins),
  account_age_hours_below: readNumber(century),
  host_age_hours_below: readNumber(century),
  followers_below: readNumber(1_000_000_000),
  statuses_below: readNumber(1_000_000_000),
  mentions_at_least: readNumber(1000),
  strangers_mentioned_at_least: readNumber(1000),
  links_at_least: readNumber(1000),
  link_domains: readList(readDomain),
  keywords: readKeywords,
  media_hashes: readList(readHash),
  posts_per_hour_at_least: readNumber(1000),
  reply: readBoolean,
  visibilities: readList(readWord(ruleVisibilities)),
  no_avatar: readBoolean,
}

/**
 * Conditions as somebody wrote them, from JSON or a form. What is null is as if it were not there. Throws `invalid` for
 * unknown ones, values that make no sense, and when nothing but the origin is asked for.
 */
export function parseConditions(value: unknown): Conditions {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid('conditions', 'no_conditions_object')
  const given = Object.entries(value).filter(([, one]) => one !== null && one !== undefined && one !== '')
  const parsed = given.map(([name, one]) => {
    if (!Object.hasOwn(readers, name))
      throw invalid('conditions', 'unknown_condition', { name: name.slice(0, 100) })
    return [name, readers[name as keyof Conditions](name, one)] as const
  })
  if (!parsed.some(([name]) => name !== 'origin')) throw invalid('conditions', 'only_origin')
  const conditions: Conditions = Object.fromEntries(parsed)
  if (conditions.origin === 'local' && conditions.host_age_hours_below !== undefined)
    throw invalid('conditions', 'local_host_age')
  return conditions
}

function readNumber(max: number): Read {
  return (name, value) => {
    const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= max) return number
    throw invalid('conditions', 'entry_no_number', { name, max })
  }
}

function readBoolean(name: string, value: unknown): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalid('conditions', 'entry_no_boolean', { name })
}

function readWord(words: readonly string[]): Read {
  return (name, value) => {
    if (typeof value === 'string' && words.includes(value)) return value
    throw invalid('conditions', 'entry_not_of', { name, words: words.join(', ') })
  }
}

function readList(read: Read): Read {
  return (name, value) => {
    if (!Array.isArray(value) || value.length === 0) throw invalid('conditions', 'entry_no_list', { name })
    if (value.length > maxEntries) throw invalid('conditions', 'entry_too_many', { name, max: maxEntries })
    return unique(value.map((one) => read(name, one)))
  }
}

function readText(name: string, value: unknown): string {
  const text = typeof value === 'string' ? value.trim() : ''
  if (text === '') throw invalid('conditions', 'entry_empty', { name })
  if (text.length > maxEntryLength)
    throw invalid('conditions', 'entry_too_long', { name, max: maxEntryLength })
  return text
}

function readDomain(name: string, value: unknown): string {
  const domain = normaliseDomain(readText(name, value).replace(/^\*?\./, ''))
  if (domain === null) throw invalid('conditions', 'entry_no_domain', { name })
  return domain
}

function readKeyword(name: string, value: unknown): string {
  const text = readText(name, value)
  if (deobfuscateText(text).trim() === '') throw invalid('conditions', 'entry_empty', { name })
  return text
}

function readKeywords(name: string, value: unknown): unknown {
  const words = readList(readKeyword)(name, value) as string[]
  const characters = words.reduce((sum, word) => sum + word.length, 0)
  if (characters > maxKeywordCharacters)
    throw invalid('conditions', 'entry_too_many_characters', { name, max: maxKeywordCharacters })
  return words
}

/** Ids of media are for `nameMediaHashes`. */
function readHash(name: string, value: unknown): string {
  const text = readText(name, value)
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  if (/^\d{10,19}$/.test(text) || /^[0-9A-Za-z#$%*+,\-.:;=?@[\]^_{|}~]{6,166}$/.test(text)) return text
  throw invalid('conditions', 'entry_no_hash', { name })
}
