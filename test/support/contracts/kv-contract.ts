import { expect, test } from 'vitest'
import type { Kv } from '#ports/kv.ts'

/** What every Kv must do. `advance` lets the given seconds pass. */
export function describeKv(open: () => Kv, advance: (seconds: number) => Promise<void>): void {
  describeValues(open, advance)
  describeCounters(open, advance)
}

const fresh = () => `key:${crypto.randomUUID()}`

function describeValues(open: () => Kv, advance: (seconds: number) => Promise<void>): void {
  test('a value lives as long as it was told', async () => {
    const [kv, key] = [open(), fresh()]
    expect(await kv.get(key)).toBeNull()
    await kv.set(key, 'välue', 1)
    expect(await kv.get(key)).toBe('välue')
    await kv.set(key, 'other', 1)
    expect(await kv.get(key)).toBe('other')
    await advance(1.1)
    expect(await kv.get(key)).toBeNull()
  })

  test('delete forgets, and forgets again', async () => {
    const [kv, key] = [open(), fresh()]
    await kv.set(key, '', 60)
    expect(await kv.get(key)).toBe('')
    await kv.delete(key)
    await kv.delete(key)
    expect(await kv.get(key)).toBeNull()
  })

  test('of many who take a key exactly one gets it, and the next when it has expired', async () => {
    const [kv, key] = [open(), fresh()]
    const taken = await Promise.all(['a', 'b', 'c'].map((name) => kv.setIfAbsent(key, name, 1)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await kv.setIfAbsent(key, 'd', 1)).toBe(false)
    await advance(1.1)
    expect(await kv.setIfAbsent(key, 'e', 1)).toBe(true)
    expect(await kv.get(key)).toBe('e')
  })
}

function describeCounters(open: () => Kv, advance: (seconds: number) => Promise<void>): void {
  test('a counter keeps the end it was made with', async () => {
    const [kv, key] = [open(), fresh()]
    expect(await kv.increment(key, 1, 1)).toBe(1)
    await advance(0.6)
    expect(await kv.increment(key, 2, 60)).toBe(3)
    await advance(0.6)
    expect(await kv.increment(key, 5, 60)).toBe(5)
  })

  test('counters go down, stay with 0, and are read as text', async () => {
    const [kv, key] = [open(), fresh()]
    expect(await kv.increment(key, 0, 60)).toBe(0)
    expect(await kv.increment(key, -3, 60)).toBe(-3)
    expect(await kv.get(key)).toBe('-3')
  })

  test('several counters in one go, in order, the same one twice', async () => {
    const [kv, one, two] = [open(), fresh(), fresh()]
    const counts = await kv.incrementMany([
      { key: one, by: 1, ttlSeconds: 60 },
      { key: two, by: 10, ttlSeconds: 60 },
      { key: one, by: 1, ttlSeconds: 60 },
    ])
    expect(counts).toEqual([1, 10, 2])
    expect(await kv.incrementMany([])).toEqual([])
  })

  test('what is no counter cannot be counted', async () => {
    const [kv, key] = [open(), fresh()]
    await kv.set(key, 'text', 60)
    await expect(kv.increment(key, 1, 60)).rejects.toThrow(/counter|integer/)
    expect(await kv.get(key)).toBe('text')
  })
}
