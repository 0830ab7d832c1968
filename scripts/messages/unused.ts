// Messages that nothing says.
import type { Tree } from './compare.ts'
import { flatten } from './compare.ts'

/** Their codes are thrown as words between quotes, far from where they are told. */
const byCode = /^errors\.(?:sentences|base|problems|oauth)\./

/** The names of values are those of parameters: they stand in the source as they are. */
const byName = /^errors\.fields\./

/** The keys of English that no source says, a line each. */
export function findUnused(english: Tree, sources: Map<string, string>): string[] {
  const words = new Set<string>()
  const quoted = new Set<string>()
  for (const text of sources.values()) {
    for (const [word] of text.matchAll(/[\w$]+/g)) words.add(word)
    for (const [, word = ''] of text.matchAll(/'([\w-]+)'/g)) quoted.add(word)
  }
  const isUsed = (key: string): boolean => {
    const last = key.slice(key.lastIndexOf('.') + 1)
    if (byCode.test(key)) return quoted.has(last)
    return byName.test(key) ? words.has(last) : words.has(last)
  }
  return [...flatten(english).keys()]
    .filter((key) => !isUsed(key))
    .map((key) => `locales/en.json: nothing says ${key}`)
}
