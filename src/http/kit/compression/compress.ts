// How bytes are compressed: always in libuv's threads, never on the event loop.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Coding } from './accept-encoding.ts'

/** `swift`: for what is made for one request. `small`: for what is compressed once and sent often. */
export type Effort = 'swift' | 'small'

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)
const qualities = { swift: constants.BROTLI_MIN_QUALITY, small: constants.BROTLI_MAX_QUALITY }
const levels = { swift: constants.Z_BEST_SPEED, small: constants.Z_BEST_COMPRESSION }

export async function compress(bytes: Uint8Array, coding: Coding, effort: Effort): Promise<Buffer> {
  if (coding === 'gzip') return await gzipped(bytes, { level: levels[effort] })
  return await brotli(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: qualities[effort],
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })
}
