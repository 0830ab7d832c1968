import { encode } from 'blurhash'
import { expect, test } from 'vitest'
import { readBlurhash } from './archive-media.ts'

test('a blurhash is told from what is none', () => {
  const pixels = new Uint8ClampedArray(8 * 8 * 4).map((_, n) => (n * 7) % 256)
  for (const [x, y] of [
    [1, 1],
    [4, 3],
    [9, 9],
  ] as const) {
    const hash = encode(pixels, 8, 8, x, y)
    expect(readBlurhash(hash)).toBe(hash)
    for (const wrong of [hash.slice(1), `${hash}0`, `${hash.slice(0, -1)}"`, `${hash.slice(0, -2)}😀`]) {
      expect([wrong, readBlurhash(wrong)]).toEqual([wrong, null])
    }
  }
  for (const wrong of ['', ' ', '<b>', null]) expect(readBlurhash(wrong)).toBeNull()
})
