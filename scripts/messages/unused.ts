// Messages that nothing says.
import { flatten, type Tree } from './compare.ts'

/** Their codes are thrown as words between quotes, far from where they are told. */
const byCode = /^errors\.(?:sentences|base|problems|oauth)\./

/** Names of values are those of parameters, which stand in the source as they are. */
const byName = /^errors\.fields\./

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Whether a name that only the running program knows is looked up in what is called `part`: `part[…]`, `pick(part, …)`. */
const isLookedUp = (part: string, text: string): boolean =>
  new RegExp(`\\b${escaped(part)}(?:\\[|\\)|,| }| =>)`).test(text)

/** All words of the source, and those between quotes. Names such as `admin.report` have keys without dots, which part a key. */
function indexWords(sources: Map<string, string>): { words: Set<string>; quoted: Set<string> } {
  const all = [...sources.values()].join('\n')
  const quoted = new Set([...all.matchAll(/'([^'\s]+)'/g)].map(([, word = '']) => word))
  const joined = [...quoted].map((word) => word.replaceAll(/[.:]/g, '_'))
  return { words: new Set([...(all.match(/[\w$]+/g) ?? []), ...quoted, ...joined]), quoted }
}

/** The text of the files that name a part of a catalogue, such as `invites`. */
function createFilesOf(sources: Map<string, string>): (part: string) => string {
  const speaking = [...sources.values()].filter((text) => text.includes('textsIn('))
  const known = new Map<string, string>()
  return (part) => {
    const named = new RegExp(`(?:\\.|{ )${escaped(part)}\\b`)
    const text = known.get(part) ?? speaking.filter((one) => named.test(one)).join('\n')
    known.set(part, text)
    return text
  }
}

/**
 * The keys of English that no source says, a line each. A message is said in the files that name its part of the
 * catalogue; where messages are looked up by a name of elsewhere, that name has to stand somewhere in the source.
 */
export function findUnused(english: Tree, sources: Map<string, string>): string[] {
  const { words, quoted } = indexWords(sources)
  const filesOf = createFilesOf(sources)
  const isUsed = (key: string): boolean => {
    const path = key.split('.')
    const last = path.at(-1) ?? ''
    if (byName.test(key)) return words.has(last)
    if (byCode.test(key) && quoted.has(last)) return true
    const part = path.at(path.length > 2 ? 1 : 0) ?? ''
    const text = filesOf(part)
    const isNamed = new RegExp(`(?<![\\w$-])${escaped(last)}(?![\\w$-])`).test(text)
    if (isNamed || path.slice(2, -1).some((between) => isLookedUp(between, text))) return true
    return words.has(last) && [part, 't'].some((name) => isLookedUp(name, text))
  }
  return [...flatten(english).keys()]
    .filter((key) => !isUsed(key))
    .map((key) => `locales/en.json: nothing says ${key}`)
}
