import { expect, test } from 'vitest'
import { runProcessSync } from '#test/processes/processes.ts'
import { withoutServiceManager } from './service-manager.ts'

test('processes that this one starts do not speak to the service manager, though its environment is added to theirs', () => {
  const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '1', LISTEN_FDS: '2' }
  // As `cluster.fork` makes it.
  const merged = { ...env, ...withoutServiceManager(env) }
  const seen = runProcessSync('env', [], { env: merged }).stdout.toString()
  expect(seen).toContain('PATH=')
  expect(seen).not.toMatch(/NOTIFY_SOCKET|WATCHDOG_USEC|LISTEN_FDS/)
})
