import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { runProcess, startProcess } from '#test/processes/processes.ts'

const module = JSON.stringify(path.join(import.meta.dirname, 'gathered-output.ts'))
const program = (script: string, options = '') => [
  '--input-type=module',
  '-e',
  `import { createGatheredOutput } from ${module}
   const output = createGatheredOutput(1${options})
   ${script}`,
]

const count = 3_000
const script = `for (let n = 0; n < ${count}; n++) output.write('line ' + n + '\\n')`
const lines = Array.from({ length: count }, (_, n) => `line ${n}`)

test('lines are written in their order, all before the process ends', async () => {
  const ended = await runProcess([process.execPath, ...program(script)])
  expect(ended).toMatchObject({ code: 0, stdout: `${lines.join('\n')}\n` })
})

test.each([
  ['process.exit', 'process.exit(3)', 3],
  ['an uncaught error', 'throw new Error("nobody foresaw that")', 1],
])('none is lost by %s', async (_, end, code) => {
  const ended = await runProcess([process.execPath, ...program(`${script}\n${end}`)])
  expect(ended.code).toBe(code)
  // What is being written just then may come after the rest.
  expect(ended.stdout.trim().split('\n').toSorted()).toEqual(lines.toSorted())
})

test('lines are written while the process goes on, the first and those that wait', async () => {
  const twoLines = `for (const line of ['one\\n', 'two\\n']) output.write(line)`
  const child = startProcess(process.execPath, program(`${twoLines}\nprocess.stdin.resume()`))
  let written = ''
  for await (const data of child.stdout) {
    written += data
    if (written === 'one\ntwo\n') child.stdin.end()
  }
  expect([written, child.exitCode ?? (await once(child, 'exit'))[0]]).toEqual(['one\ntwo\n', 0])
})

test('lines of several processes that share a pipe stay whole', async () => {
  const writer = program(
    `
    const line = process.argv[1].repeat(249) + '\\n'
    for (let n = 0; n < 2_000; n++) output.write(line)
    process.stderr.write('written')`,
    ', { shared: true }',
  )
  // Node's own would be a socket. Nobody reads from the pipe before they are told to.
  const writers = `for letter in a b c; do "$@" "$letter" & done; wait`
  const several = `exec 3<&0; { ${writers}; } | { read go <&3; cat; }`
  const child = startProcess('sh', ['-c', several, 'sh', process.execPath, ...writer])
  for (let told = ''; told.length < 3 * 'written'.length;) told += String(await once(child.stderr, 'data'))
  // They wait for room in the pipe, all of them in the middle of something.
  child.stdin.end('go\n')
  const written = (await text(child.stdout)).split('\n').filter((line) => line !== '')
  const counts = Object.entries(Object.groupBy(written, (line) => line))
  expect(Object.fromEntries(counts.map(([line, all = []]) => [line, all.length]))).toEqual({
    ['a'.repeat(249)]: 2_000,
    ['b'.repeat(249)]: 2_000,
    ['c'.repeat(249)]: 2_000,
  })
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
