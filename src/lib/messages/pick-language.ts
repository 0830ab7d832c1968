// In which language the server speaks to somebody.
import { languages, source, type Language } from './catalogue.ts'

/** Returns the one that is asked for, then what the client prefers (RFC 9110 section 12.5.4), then English. */
export function pickLanguage(asked: string | null, acceptLanguage: string | null): Language {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .slice(0, 20)
    .map(parsePreference)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
  for (const tag of asked ? [asked, ...wanted] : wanted) {
    const known = findLanguage(tag)
    if (known) return known
  }
  return source
}

/** Returns the language of a locale such as `de-AT` in which there are texts, or English. */
export const languageOf = (locale: string): Language => findLanguage(locale) ?? source

/** `de-AT` finds `de-AT`, else `de`. */
function findLanguage(tag: string): Language | undefined {
  const asked = tag.toLowerCase().replaceAll('_', '-')
  const find = (name?: string) => languages.find((language) => language.toLowerCase() === name)
  return find(asked) ?? find(asked.split('-')[0])
}

function parsePreference(item: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = item.split(';').map((part) => part.trim())
  const written = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = written === undefined ? 1 : Number(written.slice(2))
  return { tag, quality: Number.isNaN(quality) ? 0 : quality }
}
