import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useFolder } from '#test/files/media-files.ts'
import { copyMp3Frames } from './mp3-frames.ts'

const folder = useFolder()
let made = 0
/** MPEG 1, 128 kbit/s, 44.1 kHz: 417 bytes, and 418 with padding. */
const frame = (fill: number, padding = 0) =>
  Buffer.concat([Buffer.from([0xff, 0xfb, 0x90 | (padding << 1), 0x64]), Buffer.alloc(413 + padding, fill)])
async function framesOf(bytes: Buffer) {
  const target = `${folder.path}/${++made}.out`
  const written = await copyMp3Frames(folder.write(`${made}.in`, bytes), target)
  const result = readFileSync(target)
  expect(result.length).toBe(written)
  return result
}

test('frames are kept, what lies around them is not', async () => {
  const [a, b, c] = [Buffer.concat([frame(1), frame(2, 1)]), frame(3), frame(4)]
  const junk = Buffer.from('ID3 secret \xff\xfb\x90\x64 secret', 'latin1')
  // The frame before something foreign goes with it: its length may be a lie.
  expect(await framesOf(Buffer.concat([junk, a, b, junk, c, c, c]))).toEqual(Buffer.concat([a, c, c, c]))
  expect(await framesOf(Buffer.concat([a, b, junk]))).toEqual(a)
  expect(await framesOf(Buffer.concat([a, b]))).toEqual(Buffer.concat([a, b]))
})

test('frames of another sample rate than the first are not', async () => {
  const other = Buffer.concat([Buffer.from([0xff, 0xfb, 0x94, 0x64]), Buffer.alloc(380, 9)])
  expect(await framesOf(Buffer.concat([frame(1), frame(2), other, other, frame(3), frame(4)]))).toEqual(
    Buffer.concat([frame(1), frame(3), frame(4)]),
  )
})

test('nothing is nothing', async () => {
  expect(await framesOf(Buffer.alloc(0))).toHaveLength(0)
  expect(await framesOf(Buffer.alloc(5000, 0xff))).toHaveLength(0)
  expect(await framesOf(Buffer.from('hello'))).toHaveLength(0)
})

test('frames across the borders of what is read at once', async () => {
  const many = Buffer.concat(Array.from({ length: 9000 }, (_, n) => frame(n % 250, n % 2)))
  expect((await framesOf(many)).equals(many)).toBe(true)
})
