// What differs between a language and English.
import { paramsOf } from './params.ts'

/** A catalogue, or a part of one. */
export interface Tree {
  readonly [key: string]: string | Tree
}

/** Messages by their whole keys, such as `errors.fields.text`. */
export function flatten(tree: Tree, before = ''): Map<string, string> {
  return new Map(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[before + key, value] as const] : [...flatten(value, `${before}${key}.`)],
    ),
  )
}

/** Words that several languages share. */
const shared: ReadonlySet<string> = new Set([
  'ALT',
  'API',
  'Animation',
  'Bot',
  'Browser',
  'Domain',
  'GIF',
  'Hashtag',
  'Mails',
  'Name',
  'Passkeys',
  'Spam',
  'Text',
  'Video',
  'Website',
])

/** What is wrong with a language, a line each. */
export function compareCatalogues(
  english: Map<string, string>,
  own: Map<string, string>,
  language: string,
): string[] {
  const missing = [...english.keys()].filter((key) => !own.has(key)).map((key) => `has no ${key}`)
  const surplus = [...own.keys()]
    .filter((key) => !english.has(key))
    .map((key) => `has ${key}, which English lacks`)
  const different = [...english].flatMap(([key, text]) => {
    const said = own.get(key)
    if (said === undefined) return []
    return [...parameterProblems(key, text, said), ...equalityProblems(key, text, said)]
  })
  return [...missing, ...surplus, ...different].map((problem) => `locales/${language}.json: ${problem}`)
}

function parameterProblems(key: string, english: string, own: string): string[] {
  const [expected, found] = [english, own].map((text) => Object.keys(paramsOf(text)).toSorted().join(', '))
  if (expected === found) return []
  return [`${key} has the parameters ${found || 'none'} instead of ${expected || 'none'}`]
}

/** Words of at least two letters, outside of parameters. */
const hasWords = (text: string) => /\p{L}{2}/u.test(text.replace(/\{\w+\}/g, ''))

function equalityProblems(key: string, english: string, own: string): string[] {
  if (english !== own || !hasWords(english) || shared.has(english)) return []
  return [`${key} is the English text: ${english}`]
}
