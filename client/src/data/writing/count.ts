// Characters as the server counts them: what people see as one is one, an address counts the same whatever its length, and
// a mention without its server. src/lib/text of the server has the rules.

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const address =
  /(?<![A-Za-z0-9@$#\uFF20\uFF03])(?:(?:https?|gopher|gemini):\/\/([\p{L}\p{M}\p{N}._-]+)(:\d{1,5}(?!\d))?([/?#][^\s\p{Cc}\p{Cs}\p{Bidi_C}<>"`\\「」『』【】《》〈〉。、]*)?)/giu
const ending = /[.,;:!?'*~|[\]{}…“”‘’‚„»«›‹！？，．；：（）［］｛｝]+$/u
const mention =
  /(?<![\p{L}\p{M}\p{Nd}\p{Pc}=/])(@[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?)@[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_.-]*[\p{L}\p{M}\p{N}_])?(?::\d{1,5}(?![\p{L}\p{N}_]))?/gu

/** `urlLength`: what an address counts. */
export function countCharacters(text: string, urlLength: number): number {
  const shortened = text
    .replaceAll(address, (found, host: string, port: string | undefined, tail: string | undefined) =>
      shorten(found, { host, port: port ?? '', tail: tail ?? '' }, 'x'.repeat(urlLength)),
    )
    .replaceAll(mention, '$1')
  return [...graphemes.segment(shortened)].length
}

function shorten(found: string, parts: { host: string; port: string; tail: string }, filler: string): string {
  const host = parts.host.replace(/[._-]+$/, '')
  if (!isHost(host)) return found
  // Punctuation that ends a sentence is none of the address.
  if (host !== parts.host) return filler + parts.host.slice(host.length) + parts.port + parts.tail
  const tail = closeParentheses(parts.tail)
  const kept = tail.replace(ending, '')
  return filler + parts.tail.slice(kept.length)
}

function isHost(host: string): boolean {
  if (/^(?:[a-z0-9-]+\.)*localhost$/i.test(host) || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return true
  const labels = host.split('.')
  return labels.length > 1 && labels.every((label) => label !== '') && /^(?:\p{L}{2,}|xn--[a-z0-9-]+)$/iu.test(labels.at(-1) ?? '')
}

/** Up to the first parenthesis without its partner. */
function closeParentheses(tail: string): string {
  const open: number[] = []
  let end = tail.length
  for (const { 0: sign, index } of tail.matchAll(/[()]/g)) {
    if (sign === '(') open.push(index)
    else if (open.pop() === undefined) {
      end = index
      break
    }
  }
  return tail.slice(0, Math.min(end, open.find((index) => index < end) ?? end))
}
