// Rows in the text format of COPY: cut into parts of whole rows, compressed, and counted.
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import type { DumpedTable } from '#db/dump/tables.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

const newline = 0x0a
const tab = 0x09
/** Rows of a part before compression, in bytes; a single row may be longer. */
const partBytes = 8 * 2 ** 20
/** A part is no longer than this by far: one row of the database has at most a gigabyte. */
const maxBytes = 2 ** 31

const options = {
  params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Parts of about the same size, each of whole rows. Line feeds in values are escaped, so that each one ends a row. */
export async function* cutRows(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let size = 0
  for await (const piece of source) {
    pieces.push(piece)
    size += piece.length
    if (size < partBytes) continue
    const end = piece.lastIndexOf(newline) + 1
    if (end === 0) continue
    pieces[pieces.length - 1] = piece.subarray(0, end)
    yield Buffer.concat(pieces)
    pieces = end < piece.length ? [piece.subarray(end)] : []
    size = piece.length - end
  }
  if (size > 0) yield Buffer.concat(pieces)
}

export const packRows = (rows: Buffer): Promise<Buffer> => compress(rows, options)

/** Rejects when the part is damaged. */
export const unpackRows = (part: Buffer): Promise<Buffer> => decompress(part, { maxOutputLength: maxBytes })

/** Null unless every row is whole and has as many columns as the table. */
export function countRows(rows: Buffer, { columns }: DumpedTable): number | null {
  let count = 0
  let tabs = 0
  for (const byte of rows) {
    if (byte === tab) tabs++
    else if (byte === newline) {
      if (tabs !== columns.length - 1) return null
      tabs = 0
      count++
    }
  }
  return rows.length === 0 || rows.at(-1) === newline ? count : null
}
