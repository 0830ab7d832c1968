import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runProcess, startProcess } from '#test/processes/processes.ts'

const module = JSON.stringify(path.join(import.meta.dirname, 'gathered-output.ts'))
const program = (script: string) => [
  '--input-type=module',
  '-e',
  `import { createGatheredOutput } from ${module}
   const output = createGatheredOutput(1)
   ${script}`,
]

test.each([
  ['by itself', '', 0],
  ['by process.exit', 'process.exit(3)', 3],
  ['by an uncaught error', 'throw new Error("nobody foresaw that")', 1],
])('what waits is written in its order when the process ends %s', async (_, end, code) => {
  const script = `for (let n = 0; n < 500; n++) output.write('line ' + n + '\\n'); ${end}`
  const ended = await runProcess([process.execPath, ...program(script)])
  const lines = Array.from({ length: 500 }, (_, n) => `line ${n}\n`)
  expect(ended).toMatchObject({ code, stdout: lines.join('') })
})

test('a line is written while the process goes on', async () => {
  const child = startProcess(process.execPath, program(`output.write('a line\\n'); process.stdin.resume()`))
  const [line] = await once(child.stdout, 'data')
  expect(String(line)).toBe('a line\n')
  child.stdin.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('what a reader does not read is lost some time, instead of filling memory', async () => {
  const script = `
    const line = 'x'.repeat(1023) + '\\n'
    for (let n = 0; n < 40_000; n++) {
      output.write(line)
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    process.stderr.write('written')`
  const child = startProcess(process.execPath, program(script))
  await once(child.stderr, 'data')
  const { length } = await text(child.stdout)
  expect(length % 1024).toBe(0)
  expect(length / 1024 ** 2).toBeGreaterThan(15)
  expect(length / 1024 ** 2).toBeLessThan(18)
})
