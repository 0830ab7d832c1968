// Which of a person's filters a text meets. Pure: see load-matcher.ts for where they come from.
import type { FilterAction, FilterContext } from './rules.ts'
import { unique } from '#lib/collections.ts'
import { createPhraseFinder } from '#lib/text/matching/phrase-matcher.ts'
import { edgesOf, foldParts, standsFree, type Edges } from '#lib/text/matching/find-words.ts'
import { foldText } from '#lib/text/matching/fold.ts'
import type { FilterId, StatusId } from '#lib/id.ts'

export interface FilterKeyword {
  readonly keyword: string
  readonly wholeWord: boolean
}

/** A filter as far as it is applied. */
export interface ActiveFilter {
  readonly id: FilterId
  readonly title: string
  readonly context: readonly FilterContext[]
  readonly action: FilterAction
  readonly expiresAt: Date | null
  readonly keywords: readonly FilterKeyword[]
  readonly statusIds: readonly StatusId[]
}

/** A filter that applies, and why: its keywords as they are written in it, and the statuses it names. */
export interface FilterMatch {
  readonly filter: ActiveFilter
  readonly keywords: readonly string[]
  readonly statusIds: readonly StatusId[]
}

export interface FilterMatcher {
  /** About how much memory it takes. */
  readonly bytes: number
  readonly filters: readonly ActiveFilter[]
  /**
   * The filters that a status meets at `now`, milliseconds, in their order. `text` comes from `filterText`; `ids` are
   * those of the status and of what it boosts.
   */
  match(text: string, ids: readonly StatusId[], now: number): readonly FilterMatch[]
}

/** What of a status filters look at, folded: no keyword reaches across the end of a part. */
export const filterText = foldParts

/** A keyword of one filter. */
interface Rule {
  filter: number
  keyword: string
}

/** A folded keyword and who has it: however many do, it is looked at once for each place where it is found. */
interface Phrase extends Edges {
  length: number
  anywhere: Rule[]
  wholeWord: Rule[]
}

/** Compiles filters for `match`. Matching is linear in the text and next to independent of how many keywords there are. */
export function compileFilters(filters: readonly ActiveFilter[]): FilterMatcher {
  const phrases = new Map<string, Phrase>()
  const naming = new Map<StatusId, number[]>()
  for (const [filter, { keywords, statusIds }] of filters.entries()) {
    for (const { keyword, wholeWord } of keywords) {
      const phrase = ensurePhrase(phrases, foldText(keyword))
      phrase[wholeWord ? 'wholeWord' : 'anywhere'].push({ filter, keyword })
    }
    for (const id of statusIds) append(naming, id, filter)
  }
  const finder = createPhraseFinder([...phrases.keys()])
  const compiled = [...phrases.values()]
  return {
    bytes: finder.bytes + JSON.stringify(filters).length * 4,
    filters,
    match(text, ids, now) {
      const hits = findRules(text, finder, compiled)
      const named = ids.flatMap((id) => (naming.get(id) ?? []).map((filter) => ({ filter, id })))
      return hits.length + named.length === 0 ? none : collect(filters, { hits, named, now })
    },
  }
}

const none: readonly FilterMatch[] = []

function ensurePhrase(phrases: Map<string, Phrase>, folded: string): Phrase {
  const known = phrases.get(folded)
  if (known) return known
  const phrase = {
    length: folded.length,
    ...edgesOf(folded),
    anywhere: [],
    wholeWord: [],
  }
  phrases.set(folded, phrase)
  return phrase
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}

function findRules(
  text: string,
  finder: ReturnType<typeof createPhraseFinder>,
  phrases: readonly Phrase[],
): Rule[] {
  const groups = new Set<Rule[]>()
  finder.scan(text, (index, end) => {
    const phrase = phrases[index]!
    const { anywhere, wholeWord } = phrase
    if (anywhere.length > 0) groups.add(anywhere)
    if (wholeWord.length > 0 && !groups.has(wholeWord) && standsFree(text, phrase, end)) groups.add(wholeWord)
  })
  return [...groups].flat()
}

interface Found {
  hits: readonly Rule[]
  named: readonly { filter: number; id: StatusId }[]
  now: number
}

function collect(filters: readonly ActiveFilter[], { hits, named, now }: Found): FilterMatch[] {
  const keywordsOf = new Map<number, string[]>()
  const statusesOf = new Map<number, StatusId[]>()
  for (const { filter, keyword } of hits) append(keywordsOf, filter, keyword)
  for (const { filter, id } of named) append(statusesOf, filter, id)
  const met = unique([...keywordsOf.keys(), ...statusesOf.keys()]).toSorted((a, b) => a - b)
  return met.flatMap((index) => {
    const filter = filters[index]!
    if (filter.expiresAt !== null && filter.expiresAt.getTime() <= now) return []
    const keywords = inOrderOf(filter, keywordsOf.get(index) ?? [])
    return [{ filter, keywords, statusIds: statusesOf.get(index) ?? [] }]
  })
}

/** As the filter lists them; what it holds twice is told once. */
function inOrderOf(filter: ActiveFilter, keywords: readonly string[]): string[] {
  if (keywords.length < 2) return [...keywords]
  const found = new Set(keywords)
  return unique(filter.keywords.map(({ keyword }) => keyword)).filter((keyword) => found.has(keyword))
}
