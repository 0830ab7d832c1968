// The snowball dictionaries that every PostgreSQL 15 brings, by language.

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
