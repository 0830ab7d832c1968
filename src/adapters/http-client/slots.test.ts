import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal

test('each host has its share, all together have a limit, in order', async () => {
  const slots = createSlots({ perHost: 2, total: 3 })
  const started: string[] = []
  const open = new Map<string, PromiseWithResolvers<void>>()
  const run = (name: string) =>
    slots.run(name[0]!, never, () => {
      started.push(name)
      const work = Promise.withResolvers<void>()
      open.set(name, work)
      return work.promise
    })
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'a4'].map(run)
  expect(started).toEqual(['a1', 'a2', 'b1'])
  for (const [name, then] of [
    ['b1', ['c1']],
    ['a1', ['a3']],
    ['c1', []],
    ['a2', ['a4']],
  ] as const) {
    const before = started.length
    open.get(name)!.resolve()
    await new Promise(setImmediate)
    expect([name, started.slice(before)]).toEqual([name, then])
  }
  for (const work of open.values()) work.resolve()
  await Promise.all(all)
})

test('who fails makes room, and who gives up takes none', async () => {
  const slots = createSlots({ perHost: 1, total: 1 })
  const first = Promise.withResolvers<void>()
  const failing = slots.run('a', never, () => first.promise)
  const controller = new AbortController()
  const waiting = slots.run('a', controller.signal, async () => 'too late')
  controller.abort(new Error('no more time'))
  await expect(waiting).rejects.toThrow('no more time')
  await expect(slots.run('b', controller.signal, async () => 'too late')).rejects.toThrow('no more time')
  first.reject(new Error('failed'))
  await expect(failing).rejects.toThrow('failed')
  expect(await slots.run('a', never, async () => 'done')).toBe('done')
})
