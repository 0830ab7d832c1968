import { languages } from '#lib/text/language.ts'

const english = new Map(languages.map(({ code, name }) => [code, name]))
const names = new Map<string, Intl.DisplayNames>()

/** Returns what a language is called in another one; in English where that has no name for it. */
export function nameLanguage(code: string, inLanguage: string): string {
  let known = names.get(inLanguage)
  if (!known) {
    known = new Intl.DisplayNames([inLanguage], { type: 'language', fallback: 'none' })
    names.set(inLanguage, known)
  }
  return (isTag(code) ? known.of(code) : undefined) ?? english.get(code) ?? code
}

/** Some codes that Mastodon gave are no language tags, at which the runtime throws. */
const isTag = (code: string) => !/-[A-Z]{3}$/.test(code)
