// What people write into a search field, as data. Linear in its length.
import { unprocessable } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'

/** A part of a query; `not`: what must not hold. */
export type Clause = { not: boolean } & (
  | { kind: 'word' | 'phrase'; text: string }
  | { kind: 'has'; what: (typeof properties)[number] }
  | { kind: 'is'; what: (typeof states)[number] }
  | { kind: 'language'; code: string }
  /** `account`: a handle, or `me`. */
  | { kind: 'from'; account: string }
  | { kind: 'before' | 'after' | 'during'; period: Period }
)

/** A year, a month or a day. Months and days count from 1. */
export interface Period {
  year: number
  month: number | null
  day: number | null
}

/** `library`: one's own posts and those one had to do with. `public`: those of people who want to be found. */
export type Scope = 'library' | 'public' | 'all'

export interface ParsedQuery {
  clauses: Clause[]
  scope: Scope
}

export const properties = ['media', 'image', 'video', 'audio', 'poll', 'link', 'embed', 'quote'] as const
export const states = ['reply', 'sensitive'] as const
const scopes = ['library', 'public', 'all'] as const

/** Longer queries are read up to here, in UTF-16 units, and so many parts of them. */
const maxLength = 1024
const maxClauses = 30

const quotes = /[“”„‟«»〝〞〟＂]/g
const operator = /^([A-Za-z]{2,10}):(.+)$/s
const anyPrefix = /^(\w+):(?=.)/s

/** Reads a query. Throws `invalid` for a date that is none. */
export function parseQuery(text: string): ParsedQuery {
  const query: ParsedQuery = { clauses: [], scope: 'all' }
  for (const part of split(text.slice(0, maxLength).replace(quotes, '"'))) {
    if (query.clauses.length >= maxClauses) break
    const scope = scopeOf(part)
    if (scope) query.scope = scope
    else query.clauses.push(...clausesOf(part).slice(0, maxClauses - query.clauses.length))
  }
  return query
}

interface Part {
  text: string
  not: boolean
  quoted: boolean
}

const piece = /([+-]?)(?:"([^"]*)"?|([A-Za-z]{2,10}:)"([^"]*)"?|([^\s"]+))/y
const space = /\s*/y

function split(text: string): Part[] {
  const parts: Part[] = []
  let index = 0
  while (index < text.length) {
    space.lastIndex = index
    space.test(text)
    piece.lastIndex = space.lastIndex
    const found = piece.exec(text)
    // A sign alone before white space means nothing.
    index = found ? piece.lastIndex : space.lastIndex + 1
    if (!found) continue
    const [, sign, phrase, prefix, value, word] = found
    const written = phrase ?? (prefix === undefined ? word : prefix + (value ?? '')) ?? ''
    parts.push({ text: written, not: sign === '-', quoted: phrase !== undefined })
  }
  return parts
}

function scopeOf({ text, not, quoted }: Part): Scope | undefined {
  const [, name, value] = (!quoted && !not && operator.exec(text)) || []
  return name?.toLowerCase() === 'in' ? scopes.find((scope) => scope === value?.toLowerCase()) : undefined
}

function clausesOf({ text, not, quoted }: Part): Clause[] {
  if (quoted) return [{ kind: 'phrase', text, not }]
  const [, name = '', value = ''] = operator.exec(text) ?? []
  const read = readers[name.toLowerCase()]?.(value)
  if (read) return [{ ...read, not }]
  // `prefix:word` of no known meaning is two words.
  const prefix = not ? undefined : anyPrefix.exec(text)?.[1]
  const words = prefix === undefined ? [text] : [prefix, text.slice(prefix.length + 1)]
  // What stands in quotes behind such a prefix may have spaces.
  const single = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '')
  return single.map((word) => ({ kind: 'word', text: word, not }))
}

type Meaning = Clause extends infer C ? (C extends Clause ? Omit<C, 'not'> : never) : never

const readers: Partial<Record<string, (value: string) => Meaning | null>> = {
  has: (value) => named('has', properties, value),
  is: (value) => named('is', states, value),
  from: (value) => ({ kind: 'from', account: value.replace(/^@/, '') }),
  language(value) {
    const code = parseLanguage(value)
    return code === null ? null : { kind: 'language', code }
  },
  before: (value) => ({ kind: 'before', period: parsePeriod(value) }),
  after: (value) => ({ kind: 'after', period: parsePeriod(value) }),
  during: (value) => ({ kind: 'during', period: parsePeriod(value) }),
}

function named<K extends string, T extends string>(kind: K, words: readonly T[], value: string) {
  const what = words.find((word) => word === value.toLowerCase())
  return what === undefined ? null : { kind, what }
}

const periodForm = /^(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?$/

function parsePeriod(text: string): Period {
  const [, year, month, day] = periodForm.exec(text) ?? []
  if (year === undefined) throw unprocessable('invalid_date')
  const period = {
    year: Number(year),
    month: month === undefined ? null : Number(month),
    day: day === undefined ? null : Number(day),
  }
  const date = new Date(Date.UTC(period.year, (period.month ?? 1) - 1, period.day ?? 1))
  // What does not exist would be carried over into the next month or year.
  const exists = date.getUTCMonth() + 1 === (period.month ?? 1) && date.getUTCDate() === (period.day ?? 1)
  if (period.year < 1 || !exists) throw unprocessable('invalid_date')
  return period
}
