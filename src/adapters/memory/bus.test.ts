import { expect, test } from 'vitest'
import { quietLog, recordingLog } from '#test/app/log.ts'
import { createMemoryBus } from './bus.ts'

test('delivers at once, to those who listen on that channel', () => {
  const bus = createMemoryBus({ log: quietLog })
  const heard: string[] = []
  const stop = bus.subscribe('a', (message) => heard.push(`1 ${message}`))
  bus.subscribe('a', (message) => heard.push(`2 ${message}`))
  bus.subscribe('b', (message) => heard.push(`3 ${message}`))
  bus.publish('a', 'x')
  bus.publish('nobody', 'y')
  expect(heard).toEqual(['1 x', '2 x'])
  stop()
  stop()
  bus.publish('a', 'z')
  expect(heard).toEqual(['1 x', '2 x', '2 z'])
})

test('a listener that fails is logged and harms nobody', () => {
  const log = recordingLog()
  const bus = createMemoryBus({ log })
  const heard: string[] = []
  bus.subscribe('a', () => {
    throw new Error('broken')
  })
  bus.subscribe('a', (message) => heard.push(message))
  expect(() => bus.publish('a', 'x')).not.toThrow()
  expect(heard).toEqual(['x'])
  expect(log.lines).toMatchObject([{ level: 'error', fields: { channel: 'a' } }])
})

test('the same function may listen twice; who stops while being called is not called again', async () => {
  const bus = createMemoryBus({ log: quietLog })
  let calls = 0
  const listener = () => void calls++
  const stop = bus.subscribe('a', listener)
  bus.subscribe('a', listener)
  const stopOnce = bus.subscribe('a', () => stopOnce())
  bus.publish('a', '')
  expect(calls).toBe(2)
  stop()
  bus.publish('a', '')
  expect(calls).toBe(3)
  await bus.close()
  bus.publish('a', '')
  expect(calls).toBe(3)
})
