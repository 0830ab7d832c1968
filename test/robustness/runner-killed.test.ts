// What tests start ends with the run of them, in whatever way that ends.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { patience, until } from '#test/run/patience.ts'
import { startProcess } from '#test/processes/processes.ts'
import { processesOf } from '#test/processes/run-folder.ts'
import { cleanEnv, projectRoot } from '#test/processes/server-process.ts'
import { isNight, variants } from '#test/run/night.ts'

const program = path.join(projectRoot, 'node_modules/vitest/vitest.mjs')
const config = path.join(projectRoot, 'test/support/runner/vitest.config.ts')

interface Run {
  child: ChildProcess
  /** What the sample says when all of it runs. */
  sample: Promise<{ runFolder: string; worker: number }>
  ended: Promise<[number | null, NodeJS.Signals | null]>
  printed(): string
}

/** Runs the samples of this name, in a session of its own as a terminal's. */
function run(kind: 'large' | 'small', ...words: string[]): Run {
  const env = cleanEnv({ SAMPLE: kind })
  const child = startProcess(process.execPath, [program, 'run', '--config', config, ...words], {
    env,
    cwd: projectRoot,
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const ended = once(child, 'exit') as Run['ended']
  const said = () => /^sample (.+)$/m.exec(printed)?.[1]
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const sample = until(
    () => said() ?? isOver(),
    () => printed,
  ).then(() => {
    const found = said()
    if (found === undefined) throw new Error(`The run ended: ${printed}`)
    return JSON.parse(found)
  })
  return { child, sample, ended, printed: () => printed }
}

async function expectNothingLeft(folder: string): Promise<void> {
  await expect.poll(() => processesOf(folder)).toEqual([])
  await expect.poll(() => existsSync(folder)).toBe(false)
}

test('nothing is left when a run with servers and databases is killed by SIGKILL', async () => {
  const { child, sample, ended } = run('large', 'left-running')
  const { runFolder } = await sample
  const names = processesOf(runFolder).map(({ name }) => name)
  // That of the run, the one that the test started, and the one of the server.
  expect(names.filter((name) => name === 'postgres').length).toBeGreaterThan(3)
  child.kill('SIGKILL')
  await ended
  await expectNothingLeft(runFolder)
})

test.runIf(isNight)('nothing is left when a run is ended by Ctrl-C', async () => {
  const { child, sample, ended } = run('small', 'left-running')
  const { runFolder } = await sample
  expect(processesOf(runFolder).length).toBeGreaterThan(2)
  process.kill(-child.pid!, 'SIGINT')
  // Once is for what may take its time.
  process.kill(-child.pid!, 'SIGINT')
  await ended
  await expectNothingLeft(runFolder)
})

test.runIf(isNight)('nothing is left of a process of tests that is killed, and the run ends', async () => {
  const { sample, ended } = run('small', 'left-running')
  const { runFolder, worker } = await sample
  process.kill(worker, 'SIGKILL')
  expect(await ended).toEqual([1, null])
  await expectNothingLeft(runFolder)
})

test.runIf(isNight)(
  'what tests leave running ends with their file, and fails it: whether their time was over or they passed',
  async () => {
    const { sample, ended, printed } = run('small', `--testTimeout=${patience / 20}`)
    const { runFolder } = await sample
    expect(await ended).toEqual([1, null])
    expect(printed()).toContain(
      'FAILED NOW test/support/runner/left-running.sample.ts > a server, a database',
    )
    for (const name of ['left-running', 'passing'])
      expect(printed()).toMatch(
        new RegExp(
          `^FAILED NOW test/support/runner/${name}\\.sample\\.ts\n.*left processes running: \\S+ \\(\\d+\\)`,
          'm',
        ),
      )
    // Of the first file the second test; of the other one its only test, and the file has failed all the same.
    expect(printed().trim().split('\n').at(-1)).toBe('2 passed, 2 failed')
    await expectNothingLeft(runFolder)
  },
)

// The watchdog, what was started, and its child; of a script also the shell.
const benchmark = {
  of: 'a check or a benchmark',
  program: process.execPath,
  sample: 'program.ts',
  count: 3,
} as const
const script = { of: 'a script of the shell', program: 'bash', sample: 'script.sh', count: 4 } as const
const watched = [
  { ...benchmark, signal: 'SIGKILL' },
  { ...script, signal: 'SIGTERM' },
  { ...benchmark, signal: 'SIGTERM' },
  { ...script, signal: 'SIGKILL' },
] as const

test.each(variants(watched, 2))(
  'nothing is left of $of that is ended by $signal',
  async ({ signal, program, sample, count }) => {
    const file = path.join(projectRoot, `test/support/runner/watched-folder.${sample}`)
    const child = startProcess(program, [file], { env: cleanEnv({}), cwd: projectRoot })
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    const folder = said.toString().trim()
    await expect.poll(() => processesOf(folder).length).toBe(count)
    child.kill(signal)
    await expectNothingLeft(folder)
  },
)
