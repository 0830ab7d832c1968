import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { startApp } from '#test/app/app.ts'
import { letGo } from './let-go.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** A function of its own, whose frame is gone with what it holds. */
async function useServer() {
  const app = await startApp()
  const alice = await app.person('alice')
  await alice.say('hello')
  await app.settle()
  await app.close()
  return { app, alice, server: new WeakRef(app.ctx) }
}

test('a server that was closed is held by nothing, though the variables of its test file hold people of it', async () => {
  const { app, alice, server } = await useServer()
  letGo()
  // A weak reference that was just made holds until the turn ends.
  await turn()
  collect()
  expect(server.deref()).toBeUndefined()
  expect(() => app.ctx).toThrow('has ended')
  await expect(alice.get('/api/v1/accounts/verify_credentials')).rejects.toThrow('has ended')
})
