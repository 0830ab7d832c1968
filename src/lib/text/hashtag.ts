import { extractLinks } from './links.ts'
import { characterBefore, isWordCharacter, matchEnd, type Span, withoutOverlaps } from './text-scan.ts'

export interface HashtagEntity extends Span {
  /** The normal form, by which tags are the same. */
  name: string
  /** As written, without the sign. */
  display: string
}

// Middle dot, katakana middle dot and the zero-width non-joiner join words but neither begin nor end a tag.
const separators = '\u00B7\u30FB\u200C'
const sign = /[#\uFF03]/g
const nameRun = new RegExp(`[\\p{L}\\p{Nd}\\p{Pc}][\\p{L}\\p{M}\\p{Nd}\\p{Pc}${separators}]*`, 'uy')
const innerJoiner = new RegExp(`^.[^]*[\\p{Pc}${separators}][^]*.$`, 'u')
const foreign = new RegExp(`[^\\p{L}\\p{M}\\p{Nd}\\p{Pc}${separators}]+`, 'gu')
const composedLatin = /[\u00C0-\u024F\u1E00-\u1EFF]/g
const marksOnLatin = /([a-z])[\u0300-\u036F]+/g
// Latin letters with a stroke or the like, which have no decomposition.
const strokes = new Map(
  Object.entries({ đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ĸ: 'k', ł: 'l', ŋ: 'n', ø: 'o', ŧ: 't' }),
)

/**
 * The form by which hashtags are compared and found: NFKC, lower case, Latin letters without diacritics. A leading
 * sign and characters that no tag can hold are dropped, so the result may be ''.
 */
export function normaliseHashtag(name: string): string {
  if (/^[a-z0-9_]*$/.test(name)) return name
  const lower = name.normalize('NFKC').toLowerCase()
  // Dropping a character can bring a letter and a mark together, so it comes before they are composed and folded.
  const composed = lower.replace(foreign, '').normalize('NFKC')
  return composed.replace(composedLatin, foldLetter).replace(marksOnLatin, '$1').normalize('NFKC')
}

function foldLetter(letter: string): string {
  const base = letter.normalize('NFD').replace(/[\u0300-\u036F]+/g, '')
  return strokes.get(base) ?? base
}

/** Whether a text is, as a whole and without the sign, the name of a hashtag. */
export function isHashtag(text: string): boolean {
  return text !== '' && matchEnd(nameRun, text, 0) === text.length && isName(text)
}

/**
 * The hashtags in a text, in order, none inside a link: `#` or its full-width form and a name of any script, with
 * something besides digits, not after a word character, `/` or `)`. Linear in the length of the text.
 */
export function extractHashtags(text: string): HashtagEntity[] {
  const hashtags = scanHashtags(text)
  return hashtags.length === 0 ? hashtags : withoutOverlaps(hashtags, extractLinks(text))
}

/** As extractHashtags, but also those inside links, for a caller that knows the links already. */
export function scanHashtags(text: string): HashtagEntity[] {
  const hashtags: HashtagEntity[] = []
  for (const { index: start } of text.matchAll(sign)) {
    const before = characterBefore(text, start)
    if (before === '/' || before === ')' || isWordCharacter(before)) continue
    const end = trimSeparators(text, start + 1, matchEnd(nameRun, text, start + 1))
    const display = text.slice(start + 1, end)
    if (!isName(display)) continue
    const name = normaliseHashtag(display)
    if (name !== '') hashtags.push({ name, display, start, end })
  }
  return hashtags
}

function trimSeparators(text: string, start: number, end: number): number {
  while (end > start && separators.includes(text[end - 1]!)) end -= 1
  return end
}

/** The name has a letter, or a joiner between its first and last character; both ends are word characters. */
function isName(name: string): boolean {
  if (name === '' || separators.includes(name.at(-1)!)) return false
  return /\p{Alphabetic}/u.test(name) || innerJoiner.test(name)
}
