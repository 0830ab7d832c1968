/** Written in two ways that mean the same, or not seen at all. */
const variants = /[ςß\u00AD\u200B\u2060\uFEFF]|i\u0307/g
const variantOf: Readonly<Record<string, string>> = { ς: 'σ', ß: 'ss', 'i\u0307': 'i' }

/**
 * A text as it is compared where neither case nor the way in which a character is encoded matters: compatibility forms
 * are plain ones (NFKC), all is in lower case, what is not seen is left out, and white space is one space. Folding
 * again changes nothing.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(variants, (found) => variantOf[found] ?? '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
}
