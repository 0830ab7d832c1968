import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readBody, type BodyLimit } from './body.ts'

const whole: BodyLimit = { maxBytes: 1_000_000, longer: 'error' }

/** In pieces of `size` bytes. */
function source(bytes: Buffer, size = 1000): Readable {
  return Readable.from(
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    ),
  )
}

const encodings = {
  gzip: gzipSync,
  'X-GZIP ': gzipSync,
  deflate: deflateSync,
  'deflate (raw)': deflateRawSync,
  br: brotliCompressSync,
  identity: (bytes: Buffer) => bytes,
}

describe.each(Object.entries(encodings))('%s', (name, encode) => {
  const encoding = name.replace(' (raw)', '')

  test('whatever was sent is read, in pieces of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 500 }),
        fc.integer({ min: 1, max: 50 }),
        async (array, size) => {
          const bytes = Buffer.from(array)
          const read = await buffer(readBody(source(encode(bytes), size), encoding, whole))
          expect(read.equals(bytes)).toBe(true)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('the limit is of what came out', async () => {
    const bytes = randomBytes(50_000)
    const read = (limit: BodyLimit) => buffer(readBody(source(encode(bytes)), encoding, limit))
    expect(await read({ maxBytes: 50_000, longer: 'error' })).toHaveLength(50_000)
    await expect(read({ maxBytes: 49_999, longer: 'error' })).rejects.toMatchObject({ problem: 'too-large' })
    const cut = await read({ maxBytes: 333, longer: 'cut' })
    expect(cut.equals(bytes.subarray(0, 333))).toBe(true)
  })
})

test('an encoding of nothing is nothing', async () => {
  expect(await buffer(readBody(source(Buffer.alloc(0)), 'gzip', whole))).toHaveLength(0)
})

test.each(['gzip', 'br', 'deflate'])('broken %s is an error', async (encoding) => {
  await expect(buffer(readBody(source(Buffer.alloc(100, 0xff)), encoding, whole))).rejects.toThrow()
  const broken = source(encodings[encoding as 'gzip'](randomBytes(1000)).subarray(0, 900), 100)
  await expect(buffer(readBody(broken, encoding, whole))).rejects.toThrow()
})

test('data that inflates to nothing is not read without end', async () => {
  const nothing = gzipSync('')
  let sent = 0
  const endless = Readable.from(
    (function* () {
      for (;;) {
        sent += nothing.length * 100
        yield Buffer.concat(Array.from({ length: 100 }, () => nothing))
      }
    })(),
  )
  await expect(buffer(readBody(endless, 'gzip', { maxBytes: 100, longer: 'error' }))).rejects.toMatchObject({
    problem: 'too-large',
  })
  expect(sent).toBeLessThan(2_000_000)
  expect(endless.destroyed).toBe(true)
})

test('the source is let go however it ends', async () => {
  const cut = source(Buffer.alloc(10_000))
  await buffer(readBody(cut, null, { maxBytes: 10, longer: 'cut' }))
  expect(cut.destroyed).toBe(true)
  const left = source(gzipSync(randomBytes(10_000)))
  for await (const _ of readBody(left, 'gzip', whole)) break
  expect(left.destroyed).toBe(true)
})
