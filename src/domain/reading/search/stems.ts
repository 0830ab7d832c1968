// The snowball dictionaries that every PostgreSQL 15 brings, by language, and what they make of words.
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Reader } from '#ports/ctx.ts'

const dictionaries: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'ar arabic · ca catalan · da danish · de german · el greek · en english · es spanish · eu basque · fi finnish · ' +
    'fr french · ga irish · hi hindi · hu hungarian · hy armenian · id indonesian · it italian · lt lithuanian · ' +
    'nb norwegian · ne nepali · nl dutch · nn norwegian · no norwegian · pt portuguese · ro romanian · ru russian · ' +
    'sr serbian · sv swedish · ta tamil · tr turkish · yi yiddish'
  )
    .split(' · ')
    .map((pair) => pair.split(' ') as [string, string]),
)

/** The dictionary that knows the stems of a language's words; null where there is none. */
export function dictionaryOf(language: string | null): string | null {
  const name = language === null ? undefined : dictionaries[language.split('-', 1)[0] as string]
  return name === undefined ? null : `pg_catalog.${name}_stem`
}

/** Stems by dictionary and word, which stay as they are; so many characters of them. */
const known = new LRUCache<string, readonly string[]>({
  maxSize: 500_000,
  sizeCalculation: (stems, key) => 100 + key.length + stems.join('').length,
})
const keyOf = (dictionary: string, word: string) => `${dictionary} ${word}`

/** The stems of each word in some dictionaries, but for those that are the word itself. */
export async function loadStems(
  reader: Reader,
  words: readonly string[],
  dictionaries: readonly string[],
): Promise<Map<string, string[]>> {
  const pairs = dictionaries.flatMap((dictionary) => words.map((word) => ({ dictionary, word })))
  const found = new Map(pairs.map((pair) => [pair, known.get(keyOf(pair.dictionary, pair.word))]))
  const unknown = pairs.filter((pair) => !found.get(pair))
  if (unknown.length > 0) {
    const { rows } = await sql<{ place: number; stems: string[] }>`
      select p.place::int, array(select distinct stem from unnest(ts_lexize(p.dictionary::regdictionary, p.word)) stem
        where stem <> p.word and stem <> '') as stems
      from unnest(${unknown.map((pair) => pair.dictionary)}::text[], ${unknown.map((pair) => pair.word)}::text[])
        with ordinality p (dictionary, word, place)`.execute(reader.db)
    for (const { place, stems } of rows) {
      const pair = unknown[place - 1] as (typeof pairs)[number]
      found.set(pair, stems)
      known.set(keyOf(pair.dictionary, pair.word), stems)
    }
  }
  const stemsOf = (word: string) =>
    pairs.flatMap((pair) => (pair.word === word ? (found.get(pair) ?? []) : []))
  return new Map(words.map((word) => [word, [...new Set(stemsOf(word))]]))
}
