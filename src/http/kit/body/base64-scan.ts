// Finds files in Base64 in bodies of JSON and forms while they stream in, by the bytes alone.
import { createValueReader, type Piece } from './base64-value.ts'

/** Takes a body apart, chunk by chunk, wherever the chunks are cut. Throws `invalid` for broken Base64. */
export interface Scanner {
  push(chunk: Uint8Array): readonly Piece[]
  /** The body has ended. */
  end(): readonly Piece[]
}

/** What a byte is to a body's syntax, when it is no character of a value. */
const outside = -1
const valueStarts = -2
const valueEnds = -3
/** A part of an escape in a value. */
const partial = -4

/** Tells what each byte is: a character of a value (0 to 255) or one of the above. */
type Lexer = (byte: number) => number

/** In any string of JSON. */
export const createJsonScanner = (): Scanner => createScanner(createJsonLexer(), { endsAtEnd: false })

/** In any value of `application/x-www-form-urlencoded`. */
export const createFormScanner = (): Scanner => createScanner(createFormLexer(), { endsAtEnd: true })

function createScanner(lex: Lexer, { endsAtEnd }: { endsAtEnd: boolean }): Scanner {
  const out: Piece[] = []
  const value = createValueReader(out)
  return {
    push(chunk) {
      value.reserve(chunk.length)
      let plainFrom = 0
      const passOn = (end: number) => {
        if (end > plainFrom) out.push({ kind: 'text', bytes: chunk.subarray(plainFrom, end) })
      }
      for (let i = 0; i < chunk.length; i++) {
        const byte = chunk[i] as number
        const meaning = lex(byte)
        if (value.state === 'plain') {
          if (meaning !== valueStarts) continue
          passOn(i + 1)
          value.start()
        } else if (meaning === valueEnds) {
          value.finish()
          plainFrom = i
        } else {
          value.take(byte, meaning >= 0 ? meaning : partial)
          plainFrom = i + 1
        }
      }
      if (value.state === 'plain') passOn(chunk.length)
      value.flush()
      return out.splice(0)
    },
    end() {
      if (value.state === 'marker' || (endsAtEnd && value.state === 'data')) value.finish()
      return out.splice(0)
    },
  }
}

const code = (character: string) => character.charCodeAt(0)
const [quote, backslash, letterU] = [code('"'), code('\\'), code('u')]
const [ampersand, equals, percent] = [code('&'), code('='), code('%')]
const hex = (byte: number) => Number.parseInt(String.fromCharCode(byte), 16)
/** No character that a file in Base64 could have. */
const unknown = 0xff
const controls: Readonly<Record<number, number>> = { [code('n')]: 10, [code('r')]: 13, [code('t')]: 9 }

/** RFC 8259 section 7. Names are strings as values are: a file in a name is nobody's. */
function createJsonLexer(): Lexer {
  let inString = false
  let escaped = false
  /** Digits of `\uXXXX` that are still to come. */
  let digits = 0
  let number = 0
  return (byte) => {
    if (!inString) {
      if (byte !== quote) return outside
      inString = true
      return valueStarts
    }
    if (digits > 0) {
      number = number * 16 + (hex(byte) || 0)
      if (--digits > 0) return partial
      return number < 0x80 ? number : unknown
    }
    if (escaped) {
      escaped = false
      if (byte !== letterU) return controls[byte] ?? byte
      ;[digits, number] = [4, 0]
      return partial
    }
    if (byte === backslash) {
      escaped = true
      return partial
    }
    if (byte !== quote) return byte
    inString = false
    return valueEnds
  }
}

/** https://url.spec.whatwg.org/#urlencoded-parsing, but for `+`: clients forget to escape it, and Base64 has no blank. */
function createFormLexer(): Lexer {
  let inName = true
  let digits = 0
  let number = 0
  return (byte) => {
    if (inName) {
      if (byte !== equals) return outside
      inName = false
      digits = 0
      return valueStarts
    }
    if (byte === ampersand) {
      inName = true
      return valueEnds
    }
    if (digits > 0) {
      const digit = hex(byte)
      number = Number.isNaN(digit) ? unknown : number * 16 + digit
      return --digits > 0 ? partial : number & unknown
    }
    if (byte !== percent) return byte
    ;[digits, number] = [2, 0]
    return partial
  }
}
