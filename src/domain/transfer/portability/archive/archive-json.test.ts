import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { splitItems, type JsonItem } from './archive-json.ts'
import { costsAtMostInAll } from '#test/run/growth.ts'
import { runs } from '#test/run/night.ts'

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function split(text: string | Buffer, { size = 7, itemBytes = 1000 } = {}) {
  const bytes = Buffer.from(text as string)
  const items: JsonItem[] = []
  for await (const item of splitItems(inPieces(bytes, size), { itemBytes })) items.push(item)
  const told = items.map(({ offset, length, body }) => body && bytes.subarray(offset, offset + length))
  expect(told).toEqual(items.map((item) => item.body))
  return items.map((item) => item.body && JSON.parse(item.body.toString()))
}

describe('the items of a collection', () => {
  test('are those that JSON.parse finds, however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (items, more, size, pretty) => {
          const whole = { orderedItems: items, after: { orderedItems: [1] } }
          delete more['orderedItems']
          const text = JSON.stringify({ ...more, ...whole }, null, pretty ? 2 : 0)
          expect(await split(text, { size, itemBytes: 100_000 })).toEqual(JSON.parse(text).orderedItems)
        },
      ),
      { numRuns: runs(300) },
    )
  })

  test('come out of the array at the top alone', async () => {
    const text = '{"first":{"orderedItems":[1]},"x":"orderedItems","orderedItems":[{"a":[2]},3],"y":[4]}'
    expect(await split(text)).toEqual([{ a: [2] }, 3])
    expect(await split(`\ufeff{"orderedItems":[]}`)).toEqual([])
  })

  test('that are too long are told without their bytes, and the next is found', async () => {
    const text = JSON.stringify({ orderedItems: ['x'.repeat(5000), { a: 1 }] })
    expect(await split(text)).toEqual([null, { a: 1 }])
  })

  test('of what is no collection are none', async () => {
    for (const text of [
      '',
      '[]',
      '{}',
      '{"orderedItems":{}}',
      'hello',
      '\0\0\0',
      '{"orderedItems":"["}',
      ']',
    ]) {
      await expect(split(text)).rejects.toMatchObject({ code: 'invalid' })
    }
    for (const text of ['{"orderedItems":[{"a":1},{"b', '{"orderedItems":[1]', '{"orderedItems":["x']) {
      await expect(split(text)).rejects.toMatchObject({ message: 'outbox.json breaks off' })
    }
  })

  test('of a large file cost what those of as many small ones do', async () => {
    const item = JSON.stringify({ id: 'https://a.example/1', content: 'words " \\ '.repeat(50) })
    const page = Buffer.from(`${item},`.repeat(500))
    async function* source(pages: number) {
      yield Buffer.from('{"orderedItems":[')
      for (let n = 0; n < pages; n++) yield page
      yield Buffer.from(`${item}]}`)
    }
    const readPages = async (pages: number) => {
      let count = 0
      for await (const one of splitItems(source(pages), { itemBytes: 10_000 })) count += one.body ? 1 : 0
      expect(count).toBe(pages * 500 + 1)
    }
    const inParts = async () => {
      for (let n = 0; n < 16; n++) await readPages(1)
    }
    expect(await costsAtMostInAll(() => readPages(16), 4, inParts)).toBe(true)
  })
})
