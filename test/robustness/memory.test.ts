import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createCaches } from '#adapters/memory/caches.ts'
import { createMemoryKv } from '#adapters/memory/kv.ts'
import { createDrain } from '#worker/outbox.ts'
import { useApp } from '#test/app/app.ts'
import { isNight } from '#test/run/night.ts'
import { asId, type AnyId } from '#lib/id.ts'

const app = useApp()
setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Events that wait: a hundred times what is taken at once, by day forty times. */
const waiting = isNight ? 5_000 : 2_000

/** Bytes that are in use: how much waits to be collected is the engine's choice, and grows with the whole. */
function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

describe('bounded memory', () => {
  test('thousands of waiting events are taken in small batches, all of them, and do not pile up', async () => {
    const alice = await app.person('alice')
    await app.settle()
    const { id } = await alice.say('popular')
    await app.settle()
    // No account of this kind is there: the effects look for it and find nothing.
    await sql`
      insert into outbox (event)
      select jsonb_build_object('type', 'favourite.created', 'accountId', n::text, 'statusId', ${id}::text)
      from generate_series(1, ${waiting}::int) n`.execute(app.ctx.db)
    const drain = createDrain(app.ctx)
    const before = usedHeap()
    let max = 0
    let total = 0
    let highest = 0
    for (let count = await drain.run(); count > 0; count = await drain.run()) {
      total += count
      max = Math.max(max, count)
      if (total % 1000 === 0) highest = Math.max(highest, usedHeap())
    }
    expect(total).toBe(waiting)
    expect(max).toBeLessThanOrEqual(50)
    expect(highest - before).toBeLessThan(100 * 2 ** 20)
    expect((await sql`select id from outbox`.execute(app.ctx.db)).rows).toEqual([])
    expect(app.logLines.filter((line) => line.level === 'warn' || line.level === 'error')).toEqual([])
  })

  test('what is rendered is kept for so many entities and no more', () => {
    const caches = createCaches({
      clock: app.clock,
      changes: { listen: () => () => {}, listenToShown: () => () => {}, hear: () => {} },
      meter: app.ctx.meter,
    })
    for (const cache of [caches.statuses, caches.accounts]) {
      const kept = () =>
        Array.from({ length: 50_000 }, (_, i) => i).filter((i) => cache.get(asId<AnyId>(String(i)), 1)).length
      for (let i = 0; i < 50_000; i++)
        cache.set(asId<AnyId>(String(i)), 1, { id: String(i), bytes: 1_500 } as never)
      expect(kept()).toBeGreaterThan(1_000)
      expect(kept()).toBeLessThanOrEqual(12_000)
      expect(cache.get(asId<AnyId>('49999'), 1)).toBeDefined()
      expect(cache.get(asId<AnyId>('49999'), 2)).toBeUndefined()
    }
  })

  test('short-lived keys are bounded too, and the newest stay', async () => {
    const kv = createMemoryKv({ clock: app.clock, maxKeys: 1_000 })
    for (let i = 0; i < 5_000; i++) await kv.set(`key${i}`, 'x', 3_600)
    const found = await Promise.all(Array.from({ length: 5_000 }, (_, i) => kv.get(`key${i}`)))
    expect(found.filter((value) => value !== null)).toHaveLength(1_000)
    expect(await kv.get('key4999')).toBe('x')
  })
})
