import type { Hash } from 'node:crypto'

/** Passes bytes on and hashes them. */
export async function* hashing(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const piece of source) {
    hash.update(piece)
    yield piece
  }
}
