// What differs between a language and English.
import { paramsOf } from './params.ts'

/** A catalogue, or a part of one. */
export interface Tree {
  readonly [key: string]: string | Tree
}

/** The key by which a catalogue says that nobody who speaks the language has read it. */
export const stateKey = '$state'

/** Whether nobody who speaks the language has read it: it may lack messages, which are then said in English. */
export const isUnreviewed = (tree: Tree): boolean => tree[stateKey] === 'unreviewed'

/** Messages by their whole keys, such as `errors.fields.text`. */
export function flatten(tree: Tree, before = ''): Map<string, string> {
  return new Map(
    Object.entries(tree)
      .filter(([key]) => key !== stateKey)
      .flatMap(([key, value]) =>
        typeof value === 'string'
          ? [[before + key, value] as const]
          : [...flatten(value, `${before}${key}.`)],
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
export function compareCatalogues(english: Map<string, string>, tree: Tree, language: string): string[] {
  const own = flatten(tree)
  const isPartial = isUnreviewed(tree)
  const lacking = isPartial ? [] : listMissing(english, own)
  const missing = lacking.map((key) => `has no ${key}`)
  const surplus = [...own.keys()]
    .filter((key) => !english.has(key))
    .map((key) => `has ${key}, which English lacks`)
  const different = [...english].flatMap(([key, text]) => {
    const said = own.get(key)
    if (said === undefined) return []
    return [...parameterProblems(key, text, said), ...(isPartial ? [] : equalityProblems(key, text, said))]
  })
  return [...missing, ...surplus, ...different].map((problem) => `locales/${language}.json: ${problem}`)
}

/** The keys of English that a language has no words for. */
export function listMissing(english: Map<string, string>, own: Map<string, string>): string[] {
  return [...english.keys()].filter((key) => !own.has(key))
}

/** A catalogue without what English does not have, or has with other parameters: what time has made of a translation. */
export function prune(tree: Tree, english: Tree): Tree {
  const kept = Object.entries(tree).flatMap(([key, value]): [string, string | Tree][] => {
    const source = english[key]
    if (key === stateKey) return [[key, value]]
    if (typeof value === 'object') return typeof source === 'object' ? [[key, prune(value, source)]] : []
    return typeof source === 'string' && parameterProblems(key, source, value).length === 0
      ? [[key, value]]
      : []
  })
  return Object.fromEntries(
    kept.filter(([, value]) => typeof value === 'string' || Object.keys(value).length > 0),
  )
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
