import { expect, test } from 'vitest'
import { createBatchWriter } from './batch-writer.ts'

test('what comes while a write is under way is written together, in order', async () => {
  const written: number[][] = []
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const add = createBatchWriter<number>(async (items) => {
    written.push([...items])
    await gates[written.length - 1]?.promise
  })
  const first = add(1)
  await Promise.resolve()
  await Promise.resolve()
  const others = [add(2), add(3)]
  expect(written).toEqual([[1]])
  gates[0]?.resolve()
  await first
  gates[1]?.resolve()
  await Promise.all(others)
  expect(written).toEqual([[1], [2, 3]])
})

test('a failure reaches those whose items it concerns, and the next ones are written', async () => {
  let fails = true
  const add = createBatchWriter<number>(async () => {
    if (fails) throw new Error('away')
  })
  await expect(Promise.all([add(1), add(2)])).rejects.toThrow('away')
  fails = false
  await add(3)
})
