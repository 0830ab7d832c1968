import { describe, expect, test } from 'vitest'
import { createCache, createWeighedCache } from './caches.ts'
import { asId, type AnyId } from '#lib/id.ts'

const bounds = { entries: 3, characters: 1_000 }
const kept = (cache: ReturnType<typeof createCache>, ids: string[]) =>
  ids.filter((id) => cache.get(asId<AnyId>(id), 1))

describe('a cache of renderings', () => {
  test('knows an entry by its version', () => {
    const cache = createCache<{ name: string }>(bounds)
    cache.set(asId<AnyId>('1'), 2, { name: 'new' })
    expect([
      cache.get(asId<AnyId>('1'), 1),
      cache.get(asId<AnyId>('1'), 2),
      cache.get(asId<AnyId>('1'), 3),
    ]).toEqual([undefined, { name: 'new' }, undefined])
    cache.set(asId<AnyId>('1'), 3, { name: 'newer' })
    expect([cache.get(asId<AnyId>('1'), 2), cache.get(asId<AnyId>('1'), 3)]).toEqual([
      undefined,
      { name: 'newer' },
    ])
  })

  test('keeps so many entries, and lets go of what was unused for longest', () => {
    const cache = createCache(bounds)
    for (const id of ['1', '2', '3']) cache.set(asId<AnyId>(id), 1, { id })
    cache.get(asId<AnyId>('1'), 1)
    cache.set(asId<AnyId>('4'), 1, { id: '4' })
    expect(kept(cache, ['1', '2', '3', '4'])).toEqual(['1', '3', '4'])
  })

  test('keeps so much: large entries push out others, and one that is too large is not kept', () => {
    const cache = createCache(bounds)
    for (const id of ['1', '2']) cache.set(asId<AnyId>(id), 1, { text: 'x'.repeat(600) })
    expect(kept(cache, ['1', '2'])).toEqual(['2'])
    cache.set(asId<AnyId>('3'), 1, { text: 'x'.repeat(2_000) })
    expect(kept(cache, ['2', '3'])).toEqual(['2'])
  })

  test('of what knows its own weight goes by that', () => {
    const cache = createWeighedCache<{ bytes: number }>({ entries: 3, bytes: 100 })
    for (const id of ['1', '2', '3']) cache.set(asId<AnyId>(id), 1, { bytes: 40 })
    expect(kept(cache, ['1', '2', '3'])).toEqual(['2', '3'])
    for (const id of ['4', '5']) cache.set(asId<AnyId>(id), 1, { bytes: 0 })
    expect(kept(cache, ['2', '3', '4', '5'])).toEqual(['3', '4', '5'])
  })
})
