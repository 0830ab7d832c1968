// Words that somebody wrote so that people read them and programs do not: for those who look for what is meant to be
// overlooked. Everybody else compares by `foldText`.
import { foldText } from './fold.ts'

/** What is not seen at all (joiners, direction marks, variation selectors, fillers, tags). */
const unseen = /\p{Default_Ignorable_Code_Point}+/gu
/** Strokes and accents through letters that no language has: what is usual has become one character with its letter. */
const strokes = /\p{Script=Inherited}+/gu
const greekOrCyrillic = /[\u0370-\u052F]/
/** Letters that may look like others: most texts, and words, have none. */
const doubtful = /[\u0131\u0250-\u02AF\u0370-\u052F\u1D00-\u1D7F\uA730\uA731]/
const words = /[\p{L}\p{N}]+/gu

/** Cyrillic letters with the Latin ones that they look like, in lower case. */
const cyrillic = pairs('аaвbсcԁdеeһhнhіiјjкkӏlмmоoрpԛqѕsтtуyѵvԝwхx')
const latin = new Map([...cyrillic].map(([letter, twin]) => [twin, letter] as const))
const greek = pairs('αaβbεeζzηhιiκkνvοoρpτtυuχxωw')
/** Letters of phonetic alphabets that serve as small capitals. */
const small = pairs('ᴀaɑaʙbᴄcᴅdᴇeꜰfɢgɡgʜhɪiıiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz')

function pairs(text: string): ReadonlyMap<string, string> {
  const letters = [...text]
  return new Map(
    letters.flatMap((letter, at) => (at % 2 === 0 ? [[letter, letters[at + 1] as string] as const] : [])),
  )
}

/**
 * A text as by `foldText`, without what is not seen, without strokes through letters, and with the letters of words that
 * mix scripts, of which there are none otherwise, in one script: that which the other letters leave.
 */
export function deobfuscateText(text: string): string {
  const folded = foldText(text.replace(unseen, '')).replace(strokes, '')
  return doubtful.test(folded) ? folded.replace(words, deobfuscateWord) : folded
}

function deobfuscateWord(word: string): string {
  if (!doubtful.test(word)) return word
  const plain = replace(word, small)
  if (!greekOrCyrillic.test(plain) || !/[a-z]/.test(plain)) return plain
  const inCyrillic = replace(plain, latin)
  const isCyrillic = /^[\u0400-\u052F\d]+$/.test(inCyrillic) && [...plain].some(isCyrillicAlone)
  return isCyrillic ? inCyrillic : replace(replace(plain, cyrillic), greek)
}

const isCyrillicAlone = (letter: string) => /[\u0400-\u052F]/.test(letter) && !cyrillic.has(letter)

function replace(word: string, by: ReadonlyMap<string, string>): string {
  let text = ''
  for (const letter of word) text += by.get(letter) ?? letter
  return text
}
