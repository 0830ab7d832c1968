// Private keys that begin with zero bytes, which one server in 256 has: their messages arrive as everybody's.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { loadSecrets } from '#app/secrets.ts'
import { findVapidPublicKey } from '#lib/vapid-keys.ts'
import { startApp } from '#test/app/app.ts'
import { startPushService } from '#test/servers/push-receiver.ts'

const whole = Buffer.alloc(32, 7).fill(0, 0, 1)
const privateKey = whole.toString('base64url')
const publicKey = findVapidPublicKey(privateKey) as string
const short = { publicKey, privateKey: whole.subarray(1).toString('base64url') }

test('a key that was stored without its zeros is made good when it is loaded', async () => {
  const app = await startApp()
  await sql`update secrets set value = ${JSON.stringify(short)} where name = 'vapid'`.execute(app.ctx.db)
  expect((await loadSecrets(app.ctx.db, app.ctx.config)).vapid).toEqual({ publicKey, privateKey })
  await app.close()
})

test('messages signed with a key that begins with a zero arrive', async () => {
  const app = await startApp({
    env: {
      LOCAL_HTTPS: 'false',
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
      VAPID_PUBLIC_KEY: short.publicKey,
      VAPID_PRIVATE_KEY: short.privateKey,
    },
  })
  const service = await startPushService(publicKey)
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const device = service.device()
  const data = { alerts: { mention: true } }
  const subscribed = await alice.post('/api/v1/push/subscription', {
    subscription: { ...device.subscription, standard: true },
    data,
  })
  expect(subscribed.ok().server_key).toBe(publicKey)
  await bob.say(`@${alice.username} hello`)
  await app.settle()
  expect(device.messages).toHaveLength(1)
  await app.close()
})
