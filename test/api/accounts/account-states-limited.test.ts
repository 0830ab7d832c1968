// Accounts that staff limit, mark or shut out of their login, and memorials: what others see of them.
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { fillSignIn, newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { uploadForm } from '#test/client/upload.ts'

const app = useApp()
const path = '/api/v1/admin/accounts'

let admin: Person
beforeAll(async () => {
  admin = await app.person('admin', { role: 'Admin' })
})

const act = async (person: Person, type: string) =>
  (await admin.post(`${path}/${person.accountId}/action`, { type })).ok()
const lift = async (person: Person, verb: string) =>
  (await admin.post(`${path}/${person.accountId}/${verb}`)).ok()
const ids = (items: Json[]): string[] => items.map((one) => one.id)

describe('a limited account [ACC-14]', () => {
  interface Scene {
    alice: Person
    follower: Person
    stranger: Person
    statusId: string
  }

  async function setUp(): Promise<Scene> {
    const [alice, follower, stranger] = [
      await app.person('alice'),
      await app.person('follower'),
      await app.person('stranger'),
    ]
    await follower.follow(alice)
    ;(await alice.patch('/api/v1/accounts/update_credentials', { discoverable: true, indexable: true })).ok()
    const { id } = await alice.say('larch #forest')
    await app.settle()
    return { alice, follower, stranger, statusId: id }
  }

  type Find = (scene: Scene, client: Client) => Promise<boolean>
  const inList =
    (target: string, query = {}): Find =>
    async ({ statusId }, client) =>
      ids((await client.get(target, { limit: 40, ...query })).ok()).includes(statusId)

  const publicPlaces: Record<string, Find> = {
    'the public timeline': inList('/api/v1/timelines/public'),
    'the local timeline': inList('/api/v1/timelines/public', { local: true }),
    'the timeline of a tag': inList('/api/v1/timelines/tag/forest'),
    'the directory': async ({ alice }, client) =>
      ids((await client.get('/api/v1/directory', { limit: 80 })).ok()).includes(alice.accountId),
  }

  test.each(Object.entries(publicPlaces))('is not in %s', async (_, find) => {
    const scene = await setUp()
    const everybody = [app.anonymous, scene.stranger, scene.follower]
    for (const client of everybody) expect(await find(scene, client)).toBe(true)
    await act(scene.alice, 'silence')
    // What is told in public may be kept by caches here for some seconds.
    app.clock.advance(5_000)
    for (const client of everybody) expect(await find(scene, client)).toBe(false)
    await lift(scene.alice, 'unsilence')
    app.clock.advance(5_000)
    for (const client of everybody) expect(await find(scene, client)).toBe(true)
  })

  test('is found by its followers alone', async () => {
    const { alice, follower, stranger } = await setUp()
    const found = async (client: Client) =>
      ids(
        (
          await client.get('/api/v2/search', { q: alice.username.slice(0, -1), type: 'accounts', limit: 40 })
        ).ok().accounts,
      )
    await act(alice, 'silence')
    expect(await found(follower)).toContain(alice.accountId)
    expect(await found(stranger)).not.toContain(alice.accountId)
  })

  test('stays in the home timelines of its followers, and says so on its profile', async () => {
    const { alice, follower, stranger, statusId } = await setUp()
    await act(alice, 'silence')
    const later = await alice.say('still here')
    await app.settle()
    expect(ids((await follower.get('/api/v1/timelines/home')).ok())).toEqual([later.id, statusId])
    for (const client of [app.anonymous, stranger]) {
      expect((await client.get(`/api/v1/accounts/${alice.accountId}`)).ok().limited).toBe(true)
      expect(ids((await client.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok())).toEqual([
        later.id,
        statusId,
      ])
    }
  })

  test('writes nothing that is public, and asks whom it follows', async () => {
    const { alice, stranger } = await setUp()
    await act(alice, 'silence')
    expect((await alice.say('new', { visibility: 'public' })).visibility).toBe('unlisted')
    expect(await alice.follow(stranger)).toMatchObject({ following: false, requested: true })
    await lift(alice, 'unsilence')
    expect((await alice.say('free', { visibility: 'public' })).visibility).toBe('public')
  })
})

describe('an account whose media are sensitive', () => {
  test('shows all of them so to others, as long as it is marked', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const media = (await alice.post('/api/v2/media', uploadForm(png))).ok()
    const seen = await alice.say('look', { media_ids: [media.id] })
    const words = await alice.say('just words')
    await app.settle()
    const isSensitive = async (client: Client, id: string) =>
      (await client.get(`/api/v1/statuses/${id}`)).ok().sensitive
    const all = async () => [
      await isSensitive(app.anonymous, seen.id),
      await isSensitive(bob, seen.id),
      await isSensitive(alice, seen.id),
      await isSensitive(bob, words.id),
    ]
    expect(await all()).toEqual([false, false, false, false])
    await act(alice, 'sensitive')
    expect(await all()).toEqual([true, true, false, false])
    const home = (await bob.get('/api/v1/timelines/home')).ok()
    expect(home.map((one: Json) => one.sensitive)).toEqual([false, true])
    await lift(alice, 'unsensitive')
    expect(await all()).toEqual([false, false, false, false])
  })
})

describe('a disabled login [ACC-10]', () => {
  test('does nothing and signs in nowhere, while the account is there for all', async () => {
    const alice = await personWithPassword(app, 'alice', { role: 'Moderator' })
    const browser = await signedIn(app, alice)
    const { id } = await alice.say('hello')
    await act(alice, 'disable')
    expect(await alice.post('/api/v1/statuses', { status: 'x' })).toMatchObject({
      status: 403,
      body: { error: 'Your login is currently disabled' },
    })
    expect((await alice.get(path)).status).toBe(403)
    ;(await alice.get('/api/v1/timelines/public')).ok()
    expect((await browser.get('/auth/edit')).status).not.toBe(200)
    expect((await fillSignIn(newBrowser(app), alice.email)).status).not.toBe(303)
    expect((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).ok().suspended).toBeUndefined()
    ;(await app.anonymous.get(`/api/v1/statuses/${id}`)).ok()
    await lift(alice, 'enable')
    ;(await alice.get(path)).ok()
    expect((await fillSignIn(newBrowser(app), alice.email)).status).toBe(303)
  })
})

describe('a memorial', () => {
  test('keeps what was written, says what it is, and is nobody’s login', async () => {
    const alice = await personWithPassword(app, 'alice')
    const { id } = await alice.say('hello')
    const target = `${path}/${alice.accountId}`
    const moderator = await app.person('mod', { role: 'Moderator' })
    expect((await moderator.post(`${target}/memorialize`)).status).toBe(403)
    expect((await admin.post(`${target}/memorialize`)).ok().account.memorial).toBe(true)
    expect((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).ok().memorial).toBe(true)
    ;(await app.anonymous.get(`/api/v1/statuses/${id}`)).ok()
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(403)
    expect((await fillSignIn(newBrowser(app), alice.email)).status).not.toBe(303)
    expect((await admin.post(`${target}/unmemorialize`)).ok().account.memorial).toBeUndefined()
    ;(await alice.get('/api/v1/timelines/home')).ok()
  })
})
