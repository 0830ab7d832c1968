import { expect, test } from 'vitest'
import { idFloor } from '#db/id-node.ts'
import { claimEvents } from '#db/outbox.ts'
import { createIdGenerator } from '#lib/ids.ts'
import { releaseClaims } from '#worker/outbox.ts'
import { startApp, useApp } from '#test/app/app.ts'
import { hours } from '#test/app/clock.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { allow, askToken, carried, obtainToken, registerClient } from '#test/client/oauth.ts'

const app = useApp()

test('when the clock is set back by an hour ids still rise, and sessions, codes and tokens go on working [ROB-5]', async () => {
  const alice = await personWithPassword(app, 'alice')
  const client = await registerClient(app)
  const browser = await signedIn(app, alice)
  const code = carried(await allow(browser, client))['code']!
  const before = [await alice.say('one'), await alice.say('two')]
  app.clock.advance(-hours(1))
  const after = [await alice.say('three'), await alice.say('four')]
  const ids = [...before, ...after].map((status) => BigInt(status.id))
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(new Set(ids).size).toBe(4)
  await app.settle()
  const home = (await alice.get('/api/v1/timelines/home')).ok()
  expect(home.map((status: { id: string }) => status.id)).toEqual(ids.toReversed().map(String))

  expect((await browser.get('/oauth/authorized_applications')).status).toBe(200)
  const params = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri }
  expect((await askToken(app, client, params)).status).toBe(200)
  const later = await signedIn(app, alice)
  expect(await obtainToken(app, later, client, 'write')).toMatchObject({ token_type: 'Bearer' })
  expect((await newBrowser(app).get('/auth/sign_in')).status).toBe(200)
})

test('a server that starts after its clock was set back makes ids above those that are there [ROB-5]', async () => {
  const second = await startApp()
  try {
    const alice = await second.person('alice')
    const { id } = await alice.say('before')
    const newId = createIdGenerator({
      now: () => second.clock.now() - hours(1),
      node: 0,
      floor: await idFloor(second.ctx.db),
    })
    expect(BigInt(newId())).toBeGreaterThan(BigInt(id))
  } finally {
    await second.close()
  }
})

test('events that wait or were taken before the clock was set back are not left lying [ROB-5]', async () => {
  const alice = await app.person('alice')
  await alice.follow(await app.person('bob'))
  await app.settle()
  await alice.say('taken by a process that died')
  const now = app.clock.now()
  await claimEvents(app.ctx.db, { now, until: now + 1_000, limit: 10 })
  await alice.say('waiting')
  app.clock.advance(-hours(1))
  await releaseClaims(app.ctx)
  await app.settle()
  expect((await app.ctx.db.selectFrom('outbox').select('id').execute()).length).toBe(0)
})
