import { describe, expect, test } from 'vitest'
import { describeKv } from '#test/contracts/kv-contract.ts'
import { createMemoryKv } from './kv.ts'

function createClock() {
  let time = 1_000_000
  return { now: () => time, pass: (seconds: number) => void (time += seconds * 1000) }
}

describe('contract', () => {
  const clock = createClock()
  const kv = createMemoryKv({ clock })
  describeKv(
    () => kv,
    async (seconds) => clock.pass(seconds),
  )
})

describe('bounds', () => {
  test('the oldest key goes when there are too many', async () => {
    const kv = createMemoryKv({ clock: createClock(), maxKeys: 3 })
    for (const key of ['a', 'b', 'c']) await kv.set(key, key, 60)
    await kv.set('a', 'again', 60)
    await kv.set('d', 'd', 60)
    expect(await kv.get('b')).toBeNull()
    expect(await kv.get('a')).toBe('again')
    expect(await kv.get('d')).toBe('d')
  })

  test('expired keys make room, so that those who live on are not pushed out', async () => {
    const clock = createClock()
    const kv = createMemoryKv({ clock, maxKeys: 1500 })
    await kv.set('keep', 'me', 3600)
    for (let n = 0; n < 1000; n++) await kv.set(`short:${n}`, '', 1)
    clock.pass(2)
    for (let n = 0; n < 1499; n++) await kv.set(`long:${n}`, '', 3600)
    expect(await kv.get('keep')).toBe('me')
    expect(await kv.get('long:0')).toBe('')
  })
})
