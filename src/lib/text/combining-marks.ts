// Signs that are set on a character. Piled up by the hundred they cover the lines above and below it.

/**
 * On one character at most: Burmese sets seven, Tibetan Sanskrit about as many, Hebrew with cantillation five. Those of no
 * script of their own, which can be set on anything: Vietnamese has two, phonetic letters up to four.
 */
const max = { all: 8, inherited: 5 }
const mark = /\p{M}/u
const inherited = /^\p{Script=Inherited}$/u
/** Not seen itself, and not what ends a pile. */
const unseen = /^[\p{Cf}\p{Default_Ignorable_Code_Point}]$/u

/** Takes the pieces of a text one after the other, and gives each back without the marks that are too many. */
export type MarkBound = (text: string) => string

/** For a text in pieces: what stands at the end of one counts for the next. */
export function createMarkBound(): MarkBound {
  let all = 0
  let special = 0
  const keep = (character: string): boolean => {
    if (mark.test(character)) {
      all += 1
      if (inherited.test(character)) special += 1
      return all <= max.all && special <= max.inherited
    }
    if (!unseen.test(character)) all = special = 0
    return true
  }
  return (text) => {
    if (mark.test(text)) return Array.from(text).filter(keep).join('')
    // Letter by letter is for the few texts that have such signs.
    if (text !== '' && !/^[\p{Cf}]*$/u.test(text)) all = special = 0
    return text
  }
}

/** The text with a bounded number of combining marks on each character; those beyond it are left out. */
export const boundMarks: MarkBound = (text) => createMarkBound()(text)
