// Takes a large ActivityPub collection apart as its bytes come in: never more than one item is in memory.
import { unprocessable } from '#lib/errors.ts'

export interface JsonItem {
  /** Where its bytes begin in the source, and how many they are. */
  offset: number
  length: number
  /** Null when it is longer than an item may be. */
  body: Buffer | null
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Bytes of a name that are looked at. */
const maxName = 64

/**
 * The items of the array `orderedItems` at the top of a JSON object, in their order. They are told apart by their
 * brackets and quotes alone: whoever parses one sees whether it is well formed. Throws `invalid` for what is no object
 * with such an array, or breaks off.
 */
export async function* splitItems(
  source: AsyncIterable<Buffer>,
  { itemBytes }: { itemBytes: number },
): AsyncGenerator<JsonItem> {
  const splitter = createSplitter(itemBytes)
  for await (const chunk of source) yield* splitter.read(chunk)
  splitter.end()
}

interface Splitter {
  read(chunk: Buffer): JsonItem[]
  /** Throws `invalid` when the source cannot end here. */
  end(): void
}

interface State {
  depth: number
  inString: boolean
  escaped: boolean
  /** The last string at the top of the object, which is a name when a colon follows. */
  name: number[]
  named: boolean
  inside: boolean
  found: boolean
}

function createSplitter(itemBytes: number): Splitter {
  const state: State = {
    depth: 0,
    inString: false,
    escaped: false,
    name: [],
    named: false,
    inside: false,
    found: false,
  }
  const item = createCollector(itemBytes)
  let position = 0

  function readByte(byte: number, at: number): JsonItem | null {
    if (state.inString) {
      readString(state, byte)
      return null
    }
    if (isSpace(byte)) return null
    if (state.inside && state.depth === 2) {
      if (byte === comma || byte === closeBracket) {
        const done = item.end(at)
        if (byte === closeBracket) leave(state)
        return done
      }
      item.begin(at)
    }
    readStructure(state, byte)
    return null
  }

  return {
    read(chunk) {
      const items: JsonItem[] = []
      item.enter(chunk, position)
      for (let i = 0; i < chunk.length; i++) {
        const done = readByte(chunk[i] as number, position + i)
        if (done) items.push(done)
      }
      position += chunk.length
      item.leave()
      return items
    },
    end() {
      if (!state.found) throw unprocessable('outbox_no_list')
      if (state.depth !== 0 || state.inString) throw unprocessable('outbox_breaks_off')
    },
  }
}

function readString(state: State, byte: number): void {
  if (state.escaped) state.escaped = false
  else if (byte === backslash) state.escaped = true
  else if (byte === quote) state.inString = false
  if (state.depth === 1 && state.inString && state.name.length < maxName) state.name.push(byte)
}

function readStructure(state: State, byte: number): void {
  switch (byte) {
    case quote:
      state.inString = true
      if (state.depth === 1) state.name = []
      return
    case colon:
      if (state.depth === 1) state.named = String.fromCharCode(...state.name) === 'orderedItems'
      return
    case openBrace:
    case openBracket:
      if (byte === openBracket && state.depth === 1 && state.named && !state.found) {
        state.inside = true
        state.found = true
      }
      state.depth += 1
      return
    case closeBrace:
    case closeBracket:
      state.depth -= 1
      if (state.depth < 0) throw unprocessable('outbox_no_json')
      return
    default:
      readOther(state, byte)
  }
}

function leave(state: State): void {
  state.inside = false
  state.depth -= 1
}

/** A byte order mark may come first; nothing else stands outside the object. */
function readOther(state: State, byte: number): void {
  if (state.depth === 0 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) {
    throw unprocessable('outbox_no_json')
  }
  if (byte === comma && state.depth === 1) state.named = false
}

/** Keeps the bytes from the begin of an item to its end, over the borders of chunks. */
function createCollector(max: number) {
  let chunk: Buffer = Buffer.alloc(0)
  let base = 0
  let start = -1
  let kept: Buffer[] = []
  let size = 0
  const keep = (from: number, to: number) => {
    size += to - from
    if (size > max) kept = []
    else if (to > from) kept.push(Buffer.from(chunk.subarray(from - base, to - base)))
  }
  return {
    enter(next: Buffer, position: number) {
      chunk = next
      base = position
    },
    begin(at: number) {
      if (start < 0) start = at
    },
    /** The item that ends before `at`, if one began. */
    end(at: number): JsonItem | null {
      if (start < 0) return null
      keep(Math.max(start, base), at)
      const done = { offset: start, length: at - start, body: size > max ? null : Buffer.concat(kept) }
      start = -1
      kept = []
      size = 0
      return done
    },
    leave() {
      if (start >= 0) keep(Math.max(start, base), base + chunk.length)
    },
  }
}
