// What people may have this server ask other servers: 30 look-ups in five minutes, however they are caused.
import { expect, test } from 'vitest'
import { minutes } from '#test/app/clock.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork({ env: { RATE_LIMITS: 'on' } })

async function setUp() {
  const app = await network.server()
  const [person, other] = [await app.person('asker'), await app.person('other')]
  const peer = await network.peer()
  // Windows begin anew, so that the limit of another test does not reach into this one.
  app.clock.advance(minutes(6))
  const isFound = async (handle: string, who = person) =>
    (await who.get('/api/v2/search', { q: handle, resolve: true })).ok().accounts.length > 0
  return { app, person, other, peer, isFound }
}

test('the 31st answers what is known, without an error, and five minutes later all is well', async () => {
  const { app, peer, other, isFound } = await setUp()
  const known = await peer.actor('known')
  expect(await isFound(known.handle)).toBe(true)
  for (let tries = 0; tries < 29; tries++) expect(await isFound(`nobody${tries}@${peer.domain}`)).toBe(false)
  const late = await peer.actor('late')
  const before = peer.requests.length
  expect(await isFound(late.handle)).toBe(false)
  expect(await isFound(late.uri)).toBe(false)
  expect(await isFound(known.handle)).toBe(true)
  expect(peer.requests).toHaveLength(before)
  expect(await isFound(late.handle, other)).toBe(true)
  expect(await isFound(late.handle)).toBe(true)
  const later = await peer.actor('later')
  app.clock.advance(minutes(5))
  expect(await isFound(later.handle)).toBe(true)
})

test('all that asks counts together: searches, follows by address, mentions, aliases', async () => {
  const { app, person, peer } = await setUp()
  const unknown = (() => {
    let made = 0
    return () => `unknown${++made}@${peer.domain}`
  })()
  const asked = () =>
    new Set(peer.requests.map(({ path }) => path).filter((path) => path.includes('unknown')))
  for (let tries = 0; tries < 10; tries++)
    (await person.get('/api/v1/accounts/search', { q: unknown(), resolve: true })).ok()
  await person.say(Array.from({ length: 15 }, () => `@${unknown()}`).join(' '))
  for (let tries = 0; tries < 5; tries++)
    expect((await person.post('/api/v1/follows', { uri: unknown() })).status).toBe(404)
  expect(asked().size).toBe(30)
  expect((await person.post('/api/v1/follows', { uri: unknown() })).status).toBe(429)
  ;(await person.get('/api/v2/search', { q: unknown(), resolve: true })).ok()
  await person.say(`@${unknown()} hello`)
  await app.settle()
  expect(asked().size).toBe(30)
})

test('profiles that somebody opens count too, and are left for who may have them fetched', async () => {
  const { app, person, other, peer, isFound } = await setUp()
  const actor = await peer.actor('opened')
  expect(await isFound(actor.handle, other)).toBe(true)
  const { accounts } = (await other.get('/api/v2/search', { q: actor.handle })).ok()
  const open = async (who: typeof person) =>
    (await who.get(`/api/v1/accounts/${accounts[0].id}/statuses`)).headers.get('mastodon-async-refresh')
  for (let tries = 0; tries < 30; tries++) await isFound(`nobody${tries}@${peer.domain}`)
  expect(await open(person)).toBeNull()
  expect(await open(other)).toContain(`account-${accounts[0].id}`)
  await app.settle()
})
