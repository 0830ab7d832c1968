// Whole words in folded texts, in scripts with and without spaces between words.
import { createPhraseFinder } from './phrase-matcher.ts'
import { foldText } from './fold.ts'
import { characterBefore, isWordCharacter } from '../text-scan.ts'

/** Scripts that put no space between words, so that the edge of a word cannot be seen there. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u

/** Whether a character belongs to a word that has edges. */
export function isEdged(character: string): boolean {
  return isWordCharacter(character) && !(character > '\u007f' && unspaced.test(character))
}

/** Whether the character before, or after, a phrase must not go on with its word. */
export interface Edges {
  edgeBefore: boolean
  edgeAfter: boolean
}

/** The edges of a folded phrase. */
export function edgesOf(folded: string): Edges {
  return {
    edgeBefore: isEdged(String.fromCodePoint(folded.codePointAt(0) ?? 0)),
    edgeAfter: isEdged(characterBefore(folded, folded.length)),
  }
}

/** Whether a phrase of this length that ends at `end` stands in the text as words of its own. */
export function standsFree(text: string, phrase: Edges & { length: number }, end: number): boolean {
  if (phrase.edgeBefore && isEdged(characterBefore(text, end - phrase.length))) return false
  if (!phrase.edgeAfter || end === text.length) return true
  return !isEdged(String.fromCodePoint(text.codePointAt(end)!))
}

/** Makes texts comparable: the same for words and for what they are looked for in. It leaves no line breaks. */
type Fold = (text: string) => string

/**
 * Parts of a text, folded, line by line: no phrase reaches across the end of a part, because a folded phrase has no line
 * break.
 */
export function foldParts(parts: readonly string[], fold: Fold = foldText): string {
  return parts
    .filter((part) => part !== '')
    .map(fold)
    .join('\n')
}

/**
 * Compiles words and phrases, as people write them. The function answers the indexes of those that stand in a text made
 * by `foldParts` with the same `fold`, in time that grows with the text alone.
 */
export function createWordFinder(
  words: readonly string[],
  fold: Fold = foldText,
): (text: string) => ReadonlySet<number> {
  const indexesOf = new Map<string, number[]>()
  for (const [index, word] of words.entries()) {
    const folded = fold(word)
    indexesOf.set(folded, [...(indexesOf.get(folded) ?? []), index])
  }
  const phrases = [...indexesOf].map(([folded, indexes]) => ({
    indexes,
    length: folded.length,
    ...edgesOf(folded),
  }))
  const finder = createPhraseFinder([...indexesOf.keys()])
  return (text) => {
    const found = new Set<number>()
    finder.scan(text, (phrase, end) => {
      const { indexes, ...place } = phrases[phrase]!
      if (!found.has(indexes[0]!) && standsFree(text, place, end))
        for (const index of indexes) found.add(index)
    })
    return found
  }
}
