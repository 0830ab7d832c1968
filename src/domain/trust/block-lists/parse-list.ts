// Lists of servers as others publish them: CSV as Mastodon exports it, plain names, and what an instance's API shows.
import { parse } from 'csv-parse/sync'
import { getPublicSuffix } from 'tldts'
import { normaliseDomain } from '#lib/acct.ts'
import { parseTruthy } from '#lib/text/truthy.ts'
import { severities, type Severity } from '#domain/trust/moderation/hosts/host-blocks.ts'

export interface ListedHost {
  /** Normalised. */
  domain: string
  severity: Severity
  rejectMedia: boolean
  rejectReports: boolean
  obfuscate: boolean
  publicComment: string
}

type Reason = 'not a domain' | 'hidden letters' | 'everybody below a registry' | 'unknown severity'

export interface ParsedList {
  hosts: ListedHost[]
  /** What was left out: the lines of a file, or entries, from 1, and why. The first hundred. What is beyond the most is only counted. */
  skipped: { line: number; text: string; reason: Reason }[]
  skippedCount: number
}

/** Entries of one list at most. */
export const maxEntries = 100_000
const maxComment = 500
const maxSkipped = 100

interface RawEntry {
  line: number
  domain: string
  severity: string
  rejectMedia: string | boolean
  rejectReports: string | boolean
  obfuscate: string | boolean
  publicComment: string
}

/**
 * Reads a list. Columns are named by a first row (`#domain,#severity,#reject_media,#reject_reports,#public_comment,
 * #obfuscate`, with or without `#`); without one the first column is the domain. What no severity is given for is
 * suspended, as with Mastodon. A domain that comes twice counts once, by its first line. Null: that is no list.
 */
export function parseList(text: string): ParsedList | null {
  const raw = text.trimStart().startsWith('[') ? readJson(text) : readCsv(text)
  if (!raw) return null
  const hosts = new Map<string, ListedHost>()
  const skipped: ParsedList['skipped'] = []
  let skippedCount = Math.max(0, raw.length - maxEntries)
  for (const entry of raw.slice(0, maxEntries)) {
    const found = toHost(entry)
    if (typeof found !== 'string') {
      if (!hosts.has(found.domain)) hosts.set(found.domain, found)
      continue
    }
    skippedCount += 1
    if (skipped.length < maxSkipped)
      skipped.push({ line: entry.line, text: entry.domain.slice(0, 100), reason: found })
  }
  return { hosts: [...hosts.values()], skipped, skippedCount }
}

function toHost(entry: RawEntry): ListedHost | Reason {
  if (/[*?]/.test(entry.domain)) return 'hidden letters'
  const domain = normaliseDomain(entry.domain.trim().replace(/^@/, ''))
  if (domain === null || !domain.includes('.')) return 'not a domain'
  if (isRegistry(domain)) return 'everybody below a registry'
  const severity = severityOf(entry.severity.trim().toLowerCase())
  if (!severity) return 'unknown severity'
  return {
    domain,
    severity,
    rejectMedia: parseTruthy(entry.rejectMedia) === true,
    rejectReports: parseTruthy(entry.rejectReports) === true,
    obfuscate: parseTruthy(entry.obfuscate) === true,
    publicComment: clean(entry.publicComment),
  }
}

/**
 * Under such a name anybody registers theirs (`co.uk`): to block it would be to block a country. Names of firms that give
 * away what is below them (`github.io`) may be blocked, since lists do mean them.
 */
const isRegistry = (domain: string) => getPublicSuffix(domain) === domain.replace(/:\d+$/, '')

/** What the database takes as text: no zero, and no half of a letter, which a cut may leave too. */
const clean = (comment: string) => comment.replaceAll('\0', '').trim().slice(0, maxComment).toWellFormed()

/** Other programs' words for the same. */
const words: Readonly<Record<string, Severity>> = {
  '': 'suspend',
  block: 'suspend',
  limit: 'silence',
  none: 'noop',
}

function severityOf(word: string): Severity | undefined {
  return words[word] ?? severities.find((one) => one === word)
}

/** `info.lines`: the line of the file in which it ends. */
interface CsvRow {
  record: string[]
  info: { lines: number }
}

function readCsv(text: string): RawEntry[] | null {
  let rows: CsvRow[]
  try {
    const read: unknown = parse(text, {
      info: true,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      trim: true,
    })
    // The types of the library know of no `info`.
    rows = read as CsvRow[]
  } catch {
    return null
  }
  const head = rows[0]?.record.map((cell) => cell.replace(/^#/, '').toLowerCase()) ?? []
  const isHead = head.includes('domain')
  const names = isHead ? head : ['domain', 'severity']
  const at = (row: readonly string[], name: string) => row[names.indexOf(name)] ?? ''
  return rows
    .slice(isHead ? 1 : 0)
    .filter(({ record }) => !record[0]?.startsWith('#'))
    .map(({ record: row, info }) => ({
      line: info.lines,
      domain: at(row, 'domain'),
      severity: at(row, 'severity'),
      rejectMedia: at(row, 'reject_media'),
      rejectReports: at(row, 'reject_reports'),
      obfuscate: at(row, 'obfuscate'),
      publicComment: at(row, 'public_comment'),
    }))
}

/** `GET /api/v1/instance/domain_blocks` of another server. */
function readJson(text: string): RawEntry[] | null {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(list)) return null
  return list.map((one: unknown, index) => {
    const entry = (typeof one === 'object' && one !== null ? one : { domain: one }) as Record<string, unknown>
    const word = (name: string) => (typeof entry[name] === 'string' ? entry[name] : '')
    const flag = (name: string) => entry[name] === true
    return {
      line: index + 1,
      domain: word('domain'),
      severity: word('severity'),
      rejectMedia: flag('reject_media'),
      rejectReports: flag('reject_reports'),
      obfuscate: flag('obfuscate'),
      publicComment: word('comment') || word('public_comment'),
    }
  })
}
