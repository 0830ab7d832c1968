import type { Facts } from './facts.ts'

/** Of more forms than these only so many are kept that each branch is in one. */
const maxForms = 32

/** Enough of these that every piece and every outcome of a condition that is in one of them still is. */
export function thinOut<T extends { facts: Facts }>(
  all: readonly T[],
  piecesOf: (one: T) => Iterable<unknown>,
): T[] {
  if (all.length <= maxForms) return [...all]
  const seen = new Set<unknown>()
  return all.filter((one) => {
    const has = [...piecesOf(one), ...[...one.facts].map(branchOf)]
    const isNew = has.some((piece) => !seen.has(piece))
    for (const piece of has) seen.add(piece)
    return isNew
  })
}

/** The outcome of a condition, in whichever call. */
const branchOf = (fact: readonly [string, string]) => fact.join(': ').replaceAll(/#\d+/g, '')
