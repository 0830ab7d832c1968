// Many phrases looked for in one pass over a text (Aho and Corasick, 1975): the time grows with the text, not with
// the number of phrases, and no choice of them makes it go back over what it has read.

export interface PhraseFinder {
  /** About how much memory it takes. */
  readonly bytes: number
  /** Tells of every occurrence: the index of the phrase and where it ends in UTF-16 units, end exclusive. */
  scan(text: string, onFound: (phrase: number, end: number) => void): void
}

/** A state is what of the phrases has been read last. The root, 0, is nothing; a state's children are neighbours. */
interface Automaton {
  /** The unit that leads to each state. */
  units: Uint16Array
  /** The children of state n are `first[n]` up to, but without, `first[n + 1]`, by rising unit. */
  first: Uint32Array
  /** The longest other state that ends the same. */
  fail: Uint32Array
  /** The phrase that is complete here, or -1. */
  phrase: Int32Array
  /** The longest such state where a phrase is complete; 0 when none is. */
  shorter: Uint32Array
  bytes: number
}

interface Branch {
  children: Map<number, Branch>
  phrase: number
}

/** Compiles phrases for `scan`. They are compared unit by unit and must differ; an empty one is never found. */
export function createPhraseFinder(phrases: readonly string[]): PhraseFinder {
  const automaton = flatten(growTree(phrases))
  const { phrase, shorter } = automaton
  const table = tabulate(automaton)
  const states = table.length / tabulatedUnits
  return {
    bytes: automaton.bytes + table.byteLength,
    scan(text, onFound) {
      let state = 0
      for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index)
        state =
          state < states && unit < tabulatedUnits
            ? table[state * tabulatedUnits + unit]!
            : step(automaton, state, unit)
        if (phrase[state] === -1 && shorter[state] === 0) continue
        for (let at = state; at !== 0; at = shorter[at]!) {
          if (phrase[at] !== -1) onFound(phrase[at]!, index + 1)
        }
      }
    },
  }
}

/** Most steps of a text are from the root or one of its first children, by an ASCII character: these are looked up. */
const tabulatedUnits = 128
const tabulatedStates = 64

function tabulate(automaton: Automaton): Uint32Array {
  const states = Math.min(automaton.first[1] ?? 1, tabulatedStates)
  const table = new Uint32Array(states * tabulatedUnits)
  for (let place = 0; place < table.length; place++) {
    table[place] = step(automaton, Math.floor(place / tabulatedUnits), place % tabulatedUnits)
  }
  return table
}

/** The state after one more unit: the longest that goes on with it. */
function step(automaton: Automaton, from: number, unit: number): number {
  let state = from
  let next = childOf(automaton, state, unit)
  while (next === 0 && state !== 0) {
    state = automaton.fail[state]!
    next = childOf(automaton, state, unit)
  }
  return next
}

function growTree(phrases: readonly string[]): Branch {
  const root: Branch = { children: new Map(), phrase: -1 }
  for (const [index, phrase] of phrases.entries()) {
    let branch = root
    for (let at = 0; at < phrase.length; at++) {
      const unit = phrase.charCodeAt(at)
      let child = branch.children.get(unit)
      if (!child) branch.children.set(unit, (child = { children: new Map(), phrase: -1 }))
      branch = child
    }
    if (branch !== root) branch.phrase = index
  }
  return root
}

/** States in the order of their depth, so that each is worked out from shorter ones. */
function flatten(root: Branch): Automaton {
  const branches = [root]
  const units = [0]
  const first: number[] = []
  for (let state = 0; state < branches.length; state++) {
    first.push(branches.length)
    const children = [...branches[state]!.children].toSorted(([a], [b]) => a - b)
    for (const [unit, child] of children) {
      units.push(unit)
      branches.push(child)
    }
  }
  const count = branches.length
  const automaton: Automaton = {
    units: Uint16Array.from(units),
    first: Uint32Array.from([...first, count]),
    fail: new Uint32Array(count),
    phrase: Int32Array.from(branches, (branch) => branch.phrase),
    shorter: new Uint32Array(count),
    bytes: count * 18,
  }
  linkStates(automaton)
  return automaton
}

function linkStates(automaton: Automaton): void {
  const { units, first, fail, phrase, shorter } = automaton
  for (let state = 0; state < fail.length; state++) {
    const ending = fail[state]!
    shorter[state] = phrase[ending]! >= 0 ? ending : shorter[ending]!
    for (let child = first[state]!; child < first[state + 1]!; child++) {
      if (state !== 0) fail[child] = step(automaton, ending, units[child]!)
    }
  }
}

/** The child that a unit leads to, or 0, which is nobody's child. */
function childOf({ units, first }: Automaton, state: number, unit: number): number {
  let low = first[state]!
  let high = first[state + 1]!
  while (low < high) {
    const middle = (low + high) >> 1
    const found = units[middle]!
    if (found === unit) return middle
    if (found < unit) low = middle + 1
    else high = middle
  }
  return 0
}
