// What a user name looks like to people: digits stand for letters.

/** One digit, one letter, as Mastodon has them. */
const lookAlikes: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
}

/** Lower case, and digits turned into the letters that they look like. */
export function normaliseLookAlikes(name: string): string {
  return name.toLowerCase().replace(/\d/g, (digit) => lookAlikes[digit] ?? digit)
}

/** Turned into as few letters as there can be: what can be read as the same word is the same. */
export function foldLookAlikes(name: string): string {
  return normaliseLookAlikes(name).replaceAll('l', 'i')
}

/**
 * Whether a name can be read as a word, or with `contains` has a part that can: 1 and a capital I stand for i and for l,
 * even in one name. `word` is normalised.
 */
export function canBeRead(name: string, word: string, contains = false): boolean {
  const letters = name.split(/[1I]/).map(normaliseLookAlikes).join('1')
  const pattern = word.replace(/\W/g, '\\$&').replace(/[il]/g, '[$&1]')
  return new RegExp(contains ? pattern : `^${pattern}$`).test(letters)
}
