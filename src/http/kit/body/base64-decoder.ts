import { invalid } from '#lib/errors.ts'

/** What a byte is in Base64, beside the digits 0 to 63. */
const padding = 64
const blank = 65
const foreign = 66

const kinds = makeKinds()

/** Both alphabets of RFC 4648, as clients use either. Line breaks come from encoders made for mail. */
function makeKinds(): Uint8Array {
  const made = new Uint8Array(256).fill(foreign)
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  for (const [value, character] of [...digits].entries()) made[character.charCodeAt(0)] = value
  for (const character of '+-') made[character.charCodeAt(0)] = 62
  for (const character of '/_') made[character.charCodeAt(0)] = 63
  for (const character of ' \t\r\n') made[character.charCodeAt(0)] = blank
  made['='.charCodeAt(0)] = padding
  return made
}

export interface Base64Decoder {
  /** Makes room for so many more characters. What `takeAway` answered before is overwritten. */
  reserve(characters: number): void
  /** One character. Throws `invalid` for what does not belong there. */
  take(character: number): void
  /** The end of one text, after which the next may begin. Throws `invalid` when it is cut off. */
  finish(): void
  /** What was decoded since the last call, valid until `reserve`. */
  takeAway(): Uint8Array
}

const broken = () => invalid('file', 'not_base64')

/** So many blanks are taken without a digit: more than these, and more than there are digits, are no text of Base64. */
const freeBlanks = 1024

/** Decodes Base64 (RFC 4648 sections 4 and 5, with or without padding) piece by piece, strictly. */
export function createBase64Decoder(): Base64Decoder {
  let room = new Uint8Array(0)
  let [start, end] = [0, 0]
  let [bits, held, pads, digits, blanks] = [0, 0, 0, 0, 0]
  return {
    reserve(characters) {
      ;[start, end] = [0, 0]
      // Three bytes more, for what is held from before.
      const wanted = Math.ceil((characters * 3) / 4) + 3
      if (room.length < wanted) room = new Uint8Array(wanted)
    },
    take(character) {
      const kind = kinds[character] as number
      if (kind < padding) {
        if (pads > 0) throw broken()
        digits++
        bits = (bits << 6) | kind
        if (++held < 4) return
        room[end++] = bits >> 16
        room[end++] = bits >> 8
        room[end++] = bits
        bits = held = 0
      } else if (kind === blank) {
        if (++blanks > freeBlanks + digits) throw broken()
      } else if (kind === foreign || ++pads > 2) throw broken()
    },
    finish() {
      if (held === 1 || (pads > 0 && held + pads !== 4)) throw broken()
      if (held >= 2) room[end++] = bits >> (held === 2 ? 4 : 10)
      if (held === 3) room[end++] = bits >> 2
      bits = held = pads = digits = blanks = 0
    },
    takeAway() {
      const decoded = room.subarray(start, end)
      start = end
      return decoded
    },
  }
}
