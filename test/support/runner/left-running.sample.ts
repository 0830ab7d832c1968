// Tests that leave behind whatever tests start, and never end.
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { quietLog } from '#test/app/log.ts'
import { startProcess } from '#test/processes/processes.ts'
import { createServerProcess } from '#test/processes/server-process.ts'

/** A process that has a child in a session of its own, and neither minds being asked to end. */
const stubborn = `
  process.on('SIGTERM', () => {})
  if (process.argv[1] === 'child') process.stdout.write('ready\\n')
  else require('node:child_process').spawn(process.execPath, [...process.execArgv, 'child'],
    { detached: true, env: {}, cwd: process.env.TMPDIR, stdio: 'inherit' })
  setInterval(() => {}, 1000)`

const say = (found: object) => process.stdout.write(`\nsample ${JSON.stringify(found)}\n`)

async function startStubborn(): Promise<void> {
  const child = startProcess(process.execPath, ['-e', stubborn], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
}

test('a server, a database and processes of processes are left', async () => {
  await startStubborn()
  if (process.env['SAMPLE'] === 'large') {
    await startEmbeddedPostgres({ dataDir: path.join(tmpdir(), 'database'), log: quietLog })
    await (await createServerProcess()).start()
  }
  say({ runFolder: inject('runFolder'), worker: process.pid })
  expect(tmpdir()).toContain(inject('runFolder'))
  if (process.env['SAMPLE'] !== 'ends') await new Promise(() => {})
})

test('another one comes after it', () => {
  expect(inject('runFolder')).not.toBe('')
})
