import path from 'node:path'
import { expect, test } from 'vitest'
import { runProcess } from '#test/processes/processes.ts'

/** Prints whether code that was optimized for objects of a shape is so before and after a collection that finds no other. */
const script = (keeps: boolean) => `
  import { keepSpecimen } from ${JSON.stringify(path.join(import.meta.dirname, 'specimens.ts'))}
  const native = (call) => Function('code', 'return %' + call + '(code)')
  const isOptimized = () => (native('GetOptimizationStatus')(total) & 16) > 0
  const total = (answer) => answer.status + answer.length
  const make = (status) => { const answer = { status }; answer.length = status; return answer }
  native('PrepareFunctionForOptimization')(total)
  for (let i = 0; i < 1000; i++) total(make(i))
  native('OptimizeFunctionOnNextCall')(total)
  total(make(1))
  const before = isOptimized()
  if (${keeps}) keepSpecimen('exchange', make(2))
  await new Promise(setImmediate)
  gc({ type: 'major', flavor: 'last-resort' })
  console.log(before, isOptimized())`

const run = (keeps: boolean) =>
  runProcess([
    process.execPath,
    '--allow-natives-syntax',
    '--expose-gc',
    '--input-type=module',
    '-e',
    script(keeps),
  ])

test('code for objects that come and go outlives a quiet moment while one of them is kept', async () => {
  expect(await run(true)).toMatchObject({ code: 0, stdout: 'true true\n' })
})

test('and does not without: V8 would make keeping them useless otherwise', async () => {
  expect(await run(false)).toMatchObject({ code: 0, stdout: 'true false\n' })
})
