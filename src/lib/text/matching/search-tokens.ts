// The words of a text as search knows them. Scripts that do not part words give every two neighbouring characters.

export interface Token {
  /** Folded: see `foldText`. */
  text: string
  /** Counted from 1. What follows directly has the next number. */
  position: number
  /** Of a script that parts words, and not only of digits: has a stem. */
  word: boolean
}

/** How a token is looked for. */
export interface SoughtToken extends Token {
  /** It is the beginning of a token. */
  prefix: boolean
}

/** Longer texts are read up to here, in UTF-16 units. */
const maxText = 50_000
/** Longer words are cut, in code points: no entry of an index may be longer than 2 kB. */
const maxWord = 80

const run = /[\p{L}\p{N}\p{M}]+/gu
const dense =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu
// Soft hyphens, joiners of letters, and what only chooses how an emoji looks.
const invisible = /[\u20E3\u00AD\u2060\uFEFF\p{Variation_Selector}]/gu
// Accents, and the vowel signs of Hebrew and Arabic, which most people do not write. The breve makes й of и.
const marks =
  /(?<!\u0438)\u0306|[\u0300-\u0305\u0307-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u0640]/g
const others = /[ßæœþđðħıłøŧŋςﬀ-ﬆ]/g
const plain = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l' }).concat(
    Object.entries({ ø: 'o', ŧ: 't', ŋ: 'n', ς: 'σ' }),
  ),
)

// oxlint-disable-next-line no-control-regex -- all of ASCII, line breaks included
const ascii = /^[\x00-\x7F]*$/

/** One spelling for what people take for the same: NFKC, lower case, without accents. Linear. */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(invisible, '')
    .replace(others, (letter) => plain.get(letter) ?? letter)
    .normalize('NFD')
    .replace(marks, '')
    .normalize('NFC')
}

/**
 * The tokens of a text, in its order. A run of characters without word boundaries gives one for each character: it and
 * the next one, or the last one alone. Linear in the length of the text.
 */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = []
  for (const { piece, position, isDense } of runsOf(text)) {
    if (isDense) tokens.push(...pairsOf([...piece], position))
    else tokens.push(wordOf(piece, position))
  }
  return tokens
}

const pairsOf = (characters: string[], position: number): Token[] =>
  characters.map((character, index) => ({
    text: character + (characters[index + 1] ?? ''),
    position: position + index,
    word: false,
  }))

/**
 * The tokens by which a text is looked for, in its order: of characters without word boundaries only pairs, or, where
 * there is but one, all tokens that begin with it.
 */
export function tokeniseSought(text: string): SoughtToken[] {
  return runsOf(text).flatMap(({ piece, position, isDense }): SoughtToken[] => {
    if (!isDense) return [{ ...wordOf(piece, position), prefix: false }]
    const characters = [...piece]
    if (characters.length === 1) return [{ text: piece, position, word: false, prefix: true }]
    return characters.slice(1).map((character, index) => ({
      text: (characters[index] as string) + character,
      position: position + index,
      word: false,
      prefix: false,
    }))
  })
}

interface Run {
  piece: string
  position: number
  isDense: boolean
}

/** Most words, once they are folded. What is asked of others is not asked of them: every post that comes has a hundred. */
const simple = /^[a-z0-9]+$/

function runsOf(text: string): Run[] {
  const runs: Run[] = []
  let position = 1
  const add = (piece: string, isDense: boolean) => {
    if (!/[\p{L}\p{N}]/u.test(piece)) return
    runs.push({ piece, position, isDense })
    position += isDense ? [...piece].length : 1
  }
  for (const piece of foldText(text.slice(0, maxText)).match(run) ?? []) {
    if (simple.test(piece)) {
      runs.push({ piece, position, isDense: false })
      position += 1
      continue
    }
    let end = 0
    for (const found of piece.matchAll(dense)) {
      add(piece.slice(end, found.index), false)
      add(found[0], true)
      end = found.index + found[0].length
    }
    add(piece.slice(end), false)
  }
  return runs
}

function wordOf(piece: string, position: number): Token {
  // As many UTF-16 units are no more code points.
  const text = piece.length <= maxWord ? piece : [...piece].slice(0, maxWord).join('')
  return { text, position, word: /\p{L}/u.test(text) }
}
