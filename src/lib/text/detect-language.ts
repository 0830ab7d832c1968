// The language of a text, told by its letter sequences, for posts whose author names none.

import { parseLanguage } from './language.ts'
import { extractEntities, type TextEntities } from './text.ts'
import type { Span } from './text-scan.ts'

/** UTF-16 units that are looked at. */
const considered = 5000
/** Letters that a guess needs; a letter that is a syllable or a word counts for three. */
const enoughLetters = 16
const denseWeight = 3
/** How near the second guess may come to the first one, of 1. */
const nearest = 0.92

const letter = /\p{L}/gu
const dense = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu
const shortcode = /:[A-Za-z0-9_]{2,}:/g
const mailAddress = /[\w.+-]{1,64}@[\w-]/g

interface Detector {
  detect(text: string): { language: string; isReliable(): boolean; getScores(): Record<string, number> }
}

let loading: Promise<Detector> | null = null

/**
 * The code, one of `languages`, of the language that a text of a person is written in; null when it is too short to
 * tell or could be several. Addresses, mentions, hashtags and emoji shortcodes do not count. A guess takes about 0.1 ms.
 * The first one loads 30 MB of statistics (the smallest set: the larger ones guess no better on sentences and take up
 * to 135 MB), in 100 to 250 ms.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  const words = wordsOf(text.slice(0, considered))
  if (weightOf(words) < enoughLetters) return null
  loading ??= import('eld/extrasmall').then(({ eld }) => eld)
  const result = (await loading).detect(words)
  const [best = 0, second = 0] = Object.values(result.getScores())
    .map((score) => score / (1 - score))
    .toSorted((a, b) => b - a)
  // Its scores are squeezed into 0 to 1, and it does not look at how far apart they are.
  return result.isReliable() && second <= best * nearest ? parseLanguage(result.language) : null
}

/** What is language in a text. */
function wordsOf(text: string): string {
  const { links, mentions, hashtags }: TextEntities = extractEntities(text)
  let index = 0
  let words = ''
  const spans: Span[] = [...links, ...mentions, ...hashtags].toSorted((a, b) => a.start - b.start)
  for (const { start, end } of spans) {
    words += `${text.slice(index, start)} `
    index = end
  }
  return (words + text.slice(index)).replace(shortcode, ' ').replace(mailAddress, ' ')
}

function weightOf(words: string): number {
  const letters = words.match(letter)?.length ?? 0
  return letters + (denseWeight - 1) * (words.match(dense)?.length ?? 0)
}
