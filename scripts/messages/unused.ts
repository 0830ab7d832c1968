// Messages that nothing says.
import { flatten, type Tree } from './compare.ts'

/** Their codes are thrown as words between quotes, far from where they are told. */
const byCode = /^errors\.(?:sentences|base|problems|oauth)\./

const wordOf = (key: string) => key.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Whether a name that only the running program knows is looked up among the messages of `part`. */
const isLookedUp = (part: string, text: string): boolean =>
  new RegExp(`\\b${wordOf(part)}(?:\\[|\\)|,| }| =>)`).test(text)

/**
 * The keys of English that no source says, a line each. A part of a catalogue such as `pages.invites` is said in the files
 * that name it; where its messages are looked up by a name of elsewhere, that name has to stand somewhere in the source.
 */
export function findUnused(english: Tree, sources: Map<string, string>): string[] {
  const all = [...sources.values()].join('\n')
  const words = new Set(all.match(/[\w$:/-]+|[\w$]+/g))
  for (const word of all.match(/[\w$]+/g) ?? []) words.add(word)
  const quoted = new Set([...all.matchAll(/'([^'\s]+)'/g)].map(([, word = '']) => word))
  // Names such as `admin.report` have keys without dots, which part a key.
  for (const word of quoted) words.add(word.replaceAll(/[.:]/g, '_'))
  const saidIn = new Map<string, string>()
  const filesOf = (part: string): string => {
    const known = saidIn.get(part)
    if (known !== undefined) return known
    const named = new RegExp(`(?:\\.|{ )${wordOf(part)}\\b`)
    const texts = [...sources.values()].filter((text) => text.includes('textsIn(') && named.test(text))
    saidIn.set(part, texts.join('\n'))
    return texts.join('\n')
  }
  const isUsed = (key: string): boolean => {
    const path = key.split('.')
    const last = path.at(-1) ?? ''
    if (byCode.test(key)) return quoted.has(last)
    if (path[0] === 'errors') return words.has(last)
    const text = filesOf(path.at(path.length > 2 ? 1 : 0) ?? '')
    if (text !== '' && path.slice(2, -1).some((part) => isLookedUp(part, text))) return true
    const isNamed = new RegExp(`(?<![\\w$-])${wordOf(last)}(?![\\w$-])`).test(text)
    return isNamed || (/\bt\[|\(t, /.test(text) && words.has(last))
  }
  return [...flatten(english).keys()]
    .filter((key) => !isUsed(key))
    .map((key) => `locales/en.json: nothing says ${key}`)
}
