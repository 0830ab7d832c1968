// A test that leaves behind whatever tests start, and never ends.
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { freePort } from '#test/processes/free-port.ts'
import { startProcess } from '#test/processes/processes.ts'
import { until } from '#test/run/patience.ts'
import { sayWhere, startStubborn } from './stubborn.ts'

/** A database of this process, and a server with one of its own. Only one run wants them, and loads what they need. */
async function startLarge(): Promise<void> {
  const { startEmbeddedPostgres } = await import('#adapters/embedded-postgres/start.ts')
  const { quietLog } = await import('#test/app/log.ts')
  await startEmbeddedPostgres({ dataDir: path.join(tmpdir(), 'database'), log: quietLog })
  const launcher = path.resolve(import.meta.dirname, '../../../bin/stonechat')
  const env = { ...process.env, DATA_DIR: path.join(tmpdir(), 'server'), PORT: String(await freePort()) }
  const server = startProcess(launcher, ['serve'], { env, cwd: '/' })
  let said = ''
  server.stdout.on('data', (data) => (said += data))
  await until(
    () => said.includes('Stonechat serves'),
    () => `the server serves: ${said}`,
  )
}

test('a server, a database and processes of processes are left', async () => {
  await startStubborn()
  if (process.env['SAMPLE'] === 'large') await startLarge()
  sayWhere()
  expect(tmpdir()).toContain(inject('runFolder'))
  await new Promise(() => {})
})

test('another one comes after it', () => {
  expect(inject('runFolder')).not.toBe('')
})
