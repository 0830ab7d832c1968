// What tests start ends with the run of them, in whatever way that ends.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { admin } from '#test/run/global-setup.ts'
import { patience, until } from '#test/run/patience.ts'
import { startProcess } from '#test/processes/processes.ts'
import { processesOf } from '#test/processes/run-folder.ts'
import { cleanEnv, projectRoot } from '#test/processes/server-process.ts'

const program = path.join(projectRoot, 'node_modules/vitest/vitest.mjs')
const config = path.join(projectRoot, 'test/support/runner/vitest.config.ts')

interface Run {
  child: ChildProcess
  /** What the sample says when all of it runs. */
  sample: Promise<{ runFolder: string; worker: number }>
  ended: Promise<[number | null, NodeJS.Signals | null]>
  printed(): string
}

/** Runs the sample, in a session of its own as a terminal's. */
function run(kind: 'large' | 'small' | 'ends', ...words: string[]): Run {
  const env = cleanEnv({ SAMPLE: kind, ...(kind !== 'large' && { DATABASE_URL: inject('clusterUrl') }) })
  const child = startProcess(process.execPath, [program, 'run', '--config', config, ...words], {
    env,
    cwd: projectRoot,
    detached: true,
  })
  onTestFinished(() =>
    admin(inject('clusterUrl'), `drop database if exists stonechat_test_${child.pid}_template`),
  )
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
  const { child, sample, ended } = run('large')
  const { runFolder } = await sample
  const names = processesOf(runFolder).map(({ name }) => name)
  // That of the run, the one that the test started, and the one of the server.
  expect(names.filter((name) => name === 'postgres').length).toBeGreaterThan(3)
  child.kill('SIGKILL')
  await ended
  await expectNothingLeft(runFolder)
})

test('nothing is left when a run is ended by Ctrl-C', async () => {
  const { child, sample, ended } = run('small')
  const { runFolder } = await sample
  expect(processesOf(runFolder).length).toBeGreaterThan(2)
  process.kill(-child.pid!, 'SIGINT')
  // Once is for what may take its time.
  process.kill(-child.pid!, 'SIGINT')
  await ended
  await expectNothingLeft(runFolder)
})

test('nothing is left of a process of tests that is killed, and the run ends', async () => {
  const { sample, ended } = run('small')
  const { runFolder, worker } = await sample
  process.kill(worker, 'SIGKILL')
  expect(await ended).toEqual([1, null])
  await expectNothingLeft(runFolder)
})

test('what a test leaves running when its time is over ends with its file, and the others go on', async () => {
  const { sample, ended, printed } = run('small', `--testTimeout=${patience / 20}`)
  const { runFolder } = await sample
  expect(await ended).toEqual([1, null])
  expect(printed()).toContain('FAILED NOW test/support/runner/left-running.sample.ts > a server, a database')
  expect(printed()).toMatch(/left processes running: \S+ \(\d+\)/)
  expect(printed().trim().split('\n').at(-1)).toBe('1 passed, 1 failed')
  await expectNothingLeft(runFolder)
})

test('a test that passes and leaves processes running fails its file', async () => {
  const { sample, ended, printed } = run('ends')
  const { runFolder } = await sample
  expect(await ended).toEqual([1, null])
  expect(printed()).toMatch(/left processes running: \S+ \(\d+\)/)
  expect(printed().trim().split('\n').at(-1)).toBe('2 passed, 1 failed')
  await expectNothingLeft(runFolder)
})
