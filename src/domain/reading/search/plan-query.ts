// From what somebody wrote to what the index is asked.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { readHandle } from '#domain/identity/accounts/lookup.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { normaliseHashtag } from '#lib/text/hashtag.ts'
import { maxId, timeToId } from '#lib/ids.ts'
import { tokeniseSought, type SoughtToken } from '#lib/text/matching/search-tokens.ts'
import { expectMatches, loadCommonness } from './commonness.ts'
import { quoteEntry } from './document.ts'
import { authorMark, hasMark, isMark, languageMark, stemMark, tagMark } from './marks.ts'
import { parseQuery, type Clause, type Period, type Scope } from './parse-query.ts'
import { boundsOf } from './periods.ts'
import { dictionaryOf, loadStems } from './stems.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

/** What a search is narrowed to besides its words. */
export interface StatusSearch {
  text: string
  accountId?: AccountId | undefined
  /** Only newer ones. */
  minId?: IdCursor | undefined
  /** Only older ones. */
  maxId?: IdCursor | undefined
}

export interface SearchPlan {
  /** Conditions in the language of tsquery, all of which must hold. */
  conditions: string[]
  /** Of the conditions, at least one asks for something that few statuses have. */
  anchored: boolean
  /** So many statuses of all times meet the conditions, about, or fewer. */
  expected: number
  scope: Scope
  /** Ids from `low` on and below `high`, but for those in `without`. */
  low: IdCursor
  high: IdCursor
  /** When it was asked, in milliseconds. */
  now: number
  without: { low: IdCursor; high: IdCursor }[]
  /** Whether the page that a status links to must, or must not, be one that plays something. */
  embed: boolean | null
}

const dayLength = 86_400_000
/** Longer phrases are looked for by their beginnings. */
const maxTokens = 40

/**
 * Plans a search. Null when nothing can be found by it: it has no words, only what means nothing, or names an author
 * who does not exist. Throws `invalid` for a date that is none.
 */
export async function planQuery(
  reader: Reader & Pick<Ctx, 'caches'>,
  viewer: Viewer,
  search: StatusSearch,
): Promise<SearchPlan | null> {
  const { clauses, scope } = parseQuery(search.text)
  const [authors, stems, timeZone, commonness] = await Promise.all([
    findAuthors(reader, viewer, clauses),
    findStems(reader, viewer, clauses),
    findTimeZone(reader, viewer, clauses),
    loadCommonness(reader),
  ])
  const conditions = clauses.flatMap((clause) => conditionOf(clause, { authors, stems }) ?? [])
  if (search.accountId !== undefined) {
    conditions.push({ ...having(authorMark(search.accountId)), not: false })
  }
  const isNarrowed =
    scope === 'library' || clauses.some((clause) => clause.kind !== 'word' && clause.kind !== 'phrase')
  if (conditions.length === 0 && !isNarrowed) return null
  return {
    conditions: conditions.map(({ text, not }) => (not ? `!${text}` : text)),
    anchored: conditions.some((condition) => !condition.not),
    expected: expectMatches(
      commonness,
      conditions.flatMap(({ lists, not }) => (not ? [] : lists)),
    ),
    scope,
    embed: embedOf(clauses),
    ...timesOf(reader, clauses, search, timeZone),
  }
}

interface Known {
  authors: Map<string, AccountId>
  /** The stems of words that are no stems themselves. */
  stems: Map<string, string[]>
}

/** A condition in the language of tsquery, and lists of entries: of each of them at least one is in what meets it. */
interface Term {
  text: string
  lists: readonly (readonly string[])[]
}

const having = (mark: string): Term => ({ text: quoteEntry(mark), lists: [[mark]] })
/** Nothing has it. */
const nothing = having(':none')

function conditionOf(clause: Clause, known: Known): (Term & { not: boolean }) | null {
  const term = termOf(clause, known)
  return term && { ...term, not: clause.not }
}

function termOf(clause: Clause, { authors, stems }: Known): Term | null {
  if (clause.kind === 'has')
    return having(hasMark(clause.what === 'embed' && !clause.not ? 'link' : clause.what))
  if (clause.kind === 'is') return having(isMark(clause.what))
  if (clause.kind === 'language') return having(languageMark(clause.code))
  if (clause.kind === 'from') {
    const author = authors.get(clause.account)
    return author === undefined ? nothing : having(authorMark(author))
  }
  if (clause.kind !== 'word' && clause.kind !== 'phrase') return null
  const tag = clause.kind === 'word' && /^[#＃]/u.test(clause.text) ? normaliseHashtag(clause.text) : ''
  if (tag !== '') return having(tagMark(tag))
  const tokens = tokeniseSought(clause.text).slice(0, maxTokens)
  const [first] = tokens
  if (!first) return null
  if (clause.kind === 'phrase' || tokens.length > 1 || !first.word) return phraseOf(tokens)
  const forms = [first.text, ...(stems.get(first.text) ?? [])]
  const entries = [...forms, ...forms.map(stemMark)]
  return { text: `(${entries.map(quoteEntry).join(' | ')})`, lists: [entries] }
}

/** The tokens at their distances. */
function phraseOf(tokens: readonly SoughtToken[]): Term {
  const parts = tokens.map((token, index) => {
    const entry = quoteEntry(token.text) + (token.prefix ? ':*' : '')
    const before = tokens[index - 1]
    return before ? ` <${token.position - before.position}> ${entry}` : entry
  })
  return {
    text: parts.length === 1 ? (parts[0] as string) : `(${parts.join('')})`,
    lists: tokens.flatMap((token) => (token.prefix ? [] : [[token.text]])),
  }
}

function embedOf(clauses: readonly Clause[]): boolean | null {
  const asked = clauses.find((clause) => clause.kind === 'has' && clause.what === 'embed')
  return asked ? !asked.not : null
}

async function findAuthors(
  reader: Reader,
  viewer: Viewer,
  clauses: readonly Clause[],
): Promise<Map<string, AccountId>> {
  const found = new Map<string, AccountId>([['me', viewer.accountId]])
  const texts = clauses.flatMap((clause) =>
    clause.kind === 'from' && clause.account !== 'me' ? clause.account : [],
  )
  if (texts.length === 0) return found
  const handles = texts.map((text) => readHandle(reader.config, text))
  const { rows } = await sql<{ id: AccountId; place: number }>`
    select a.id, w.place::int from unnest(
      ${handles.map((handle) => handle?.username.toLowerCase() ?? '')}::text[],
      ${handles.map((handle) => handle?.domain ?? '')}::text[]) with ordinality w (username, domain, place)
    join accounts a on lower(a.username) = w.username and coalesce(a.domain, '') = w.domain`.execute(
    reader.db,
  )
  for (const { id, place } of rows) found.set(texts[place - 1] as string, id)
  return found
}

/** The stems of words in the languages that the query names, or else those of the viewer, and English. */
async function findStems(
  reader: Reader,
  viewer: Viewer,
  clauses: readonly Clause[],
): Promise<Map<string, string[]>> {
  const words = clauses.flatMap((clause) => (clause.kind === 'word' ? stemmable(clause.text) : []))
  const asked = clauses.flatMap((clause) => (clause.kind === 'language' && !clause.not ? clause.code : []))
  const languages = asked.length > 0 ? asked : [viewer.locale, ...(viewer.chosenLanguages ?? []), 'en']
  const dictionaries = [...new Set(languages.slice(0, 8).flatMap((language) => dictionaryOf(language) ?? []))]
  if (words.length === 0 || dictionaries.length === 0) return new Map()
  return loadStems(reader, [...new Set(words)], dictionaries)
}

function stemmable(text: string): string[] {
  const tokens = tokeniseSought(text)
  return tokens.length === 1 && tokens[0]?.word ? [tokens[0].text] : []
}

const isTimed = (clause: Clause) =>
  clause.kind === 'before' || clause.kind === 'after' || clause.kind === 'during'

async function findTimeZone(
  reader: Reader,
  viewer: Viewer,
  clauses: readonly Clause[],
): Promise<string | null> {
  if (!clauses.some(isTimed)) return null
  const { rows } = await sql<{ time_zone: string | null }>`
    select time_zone from users where id = ${viewer.userId}`.execute(reader.db)
  return rows[0]?.time_zone ?? null
}

function timesOf(
  reader: Reader,
  clauses: readonly Clause[],
  search: StatusSearch,
  timeZone: string | null,
): Pick<SearchPlan, 'low' | 'high' | 'now' | 'without'> {
  const now = reader.clock.now()
  // Some were given their ids by a clock that was ahead.
  const highs = [
    BigInt(timeToId(now + dayLength)),
    ...(search.maxId === undefined ? [] : [BigInt(search.maxId)]),
  ]
  const lows = search.minId === undefined ? [0n] : [BigInt(search.minId) + 1n]
  const without: { low: IdCursor; high: IdCursor }[] = []
  for (const clause of clauses) {
    if (!('period' in clause)) continue
    const { from, to } = rangeOf(clause.kind, clause.period, timeZone)
    if (clause.not) without.push({ low: timeToId(from ?? 0), high: to === null ? maxId : timeToId(to) })
    else if (to !== null) highs.push(BigInt(timeToId(to)))
    if (!clause.not && from !== null) lows.push(BigInt(timeToId(from)))
  }
  return { high: String(least(highs)), low: String(greatest(lows)), now, without }
}

const least = (list: readonly bigint[]) => list.reduce((a, b) => (b < a ? b : a))
const greatest = (list: readonly bigint[]) => list.reduce((a, b) => (b > a ? b : a))

function rangeOf(kind: 'before' | 'after' | 'during', period: Period, timeZone: string | null) {
  const { start, end } = boundsOf(period, timeZone)
  if (kind === 'before') return { from: null, to: start }
  return { from: kind === 'after' ? end : start, to: kind === 'during' ? end : null }
}
