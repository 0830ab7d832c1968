// What the scanners of links, mentions and hashtags share. They walk the text once, so their time grows with its
// length only: no pattern here may be retried over the same characters.

/** A piece of a text: UTF-16 offsets, `end` is exclusive. */
export interface Span {
  start: number
  end: number
}

const asciiWord = /[A-Za-z0-9_]/
// Marks count, but not the ones that only choose how an emoji looks.
const otherWord = /(?!\p{Variation_Selector}|\u20E3)[\p{L}\p{M}\p{Nd}\p{Pc}]/u

/** The character (whole code point) that ends at `index`, or '' at the start of the text. */
export function characterBefore(text: string, index: number): string {
  const isPair = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(Math.max(0, index - 2), index))
  return text.slice(Math.max(0, index - (isPair ? 2 : 1)), index)
}

/** Whether a character is a letter, mark, digit or joining punctuation of any script. */
export function isWordCharacter(character: string): boolean {
  if (character === '') return false
  return character <= '\u007f' ? asciiWord.test(character) : otherWord.test(character)
}

/** Where a sticky pattern (flag y) that is tried at `index` ends; `index` itself when it does not match there. */
export function matchEnd(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index
  return pattern.test(text) ? pattern.lastIndex : index
}

/** The items that touch none of `taken`. Both are in the order of the text and without overlaps of their own. */
export function withoutOverlaps<Item extends Span>(items: Item[], taken: readonly Span[]): Item[] {
  if (taken.length === 0) return items
  let next = 0
  return items.filter((item) => {
    while (next < taken.length && taken[next]!.end <= item.start) next += 1
    return next === taken.length || taken[next]!.start >= item.end
  })
}
