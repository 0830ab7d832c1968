// A suspended account of this server: everything of it is out of sight at once, and comes back when it is let in again.
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { deleteDueAccounts } from '#domain/maintenance/deletion/delete-suspended.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { fillSignIn, newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { uploadForm } from '#test/client/upload.ts'

const app = useApp()
const path = '/api/v1/admin/accounts'

let admin: Person
beforeAll(async () => {
  admin = await app.person('admin', { role: 'Admin' })
})

const suspend = async (person: Person) =>
  (await admin.post(`${path}/${person.accountId}/action`, { type: 'suspend' })).ok()
const unsuspend = async (person: Person) => (await admin.post(`${path}/${person.accountId}/unsuspend`)).ok()

interface Scene {
  alice: Person
  bob: Person
  statusId: string
  /** A post that answers nothing. */
  openId: string
  listId: string
  collectionId: string
  files: string[]
}

/** Alice is all over the place; bob follows her, and she answered and named him. */
async function setUp(): Promise<Scene> {
  const [alice, bob] = [await personWithPassword(app, 'alice'), await app.person('bob')]
  const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const form = uploadForm(png)
  form.delete('file')
  form.append('avatar', new Blob([new Uint8Array(png)]), 'a.png')
  form.append('display_name', 'Alice in person')
  form.append('note', 'words of mine')
  form.append('discoverable', 'true')
  const profile = (await alice.patch('/api/v1/accounts/update_credentials', form)).ok()
  const media = (await alice.post('/api/v2/media', uploadForm(png))).ok()
  await bob.follow(alice)
  await alice.follow(bob)
  const first = await bob.say('hello')
  const { id } = await alice.say(`@${bob.username} larch #forest`, {
    in_reply_to_id: first.id,
    media_ids: [media.id],
  })
  const open = await alice.say('to all')
  ;(await alice.post(`/api/v1/statuses/${first.id}/favourite`)).ok()
  ;(await alice.post('/api/v1/featured_tags', { name: 'forest' })).ok()
  const { collection } = (await alice.post('/api/v1/collections', { name: 'people' })).ok()
  const list = (await bob.post('/api/v1/lists', { title: 'friends' })).ok()
  ;(await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.accountId] })).ok()
  await app.settle()
  return {
    alice,
    bob,
    statusId: id,
    openId: open.id,
    listId: list.id,
    collectionId: collection.id,
    files: [profile.avatar, media.url, media.preview_url],
  }
}

const ids = (items: Json[]): string[] => items.map((one) => one.id)

/** Places where others meet her or what she wrote: what of it is there. */
const places: Record<string, (scene: Scene, client: Client) => Promise<boolean>> = {
  'her post': async ({ statusId }, client) =>
    (await client.get(`/api/v1/statuses/${statusId}`)).status === 200,
  'the conversation': async ({ statusId }, client) =>
    (await client.get(`/api/v1/statuses/${statusId}/context`)).status === 200,
  'her profile': async ({ alice }, client) =>
    (await client.get(`/api/v1/accounts/${alice.accountId}`)).status === 200,
  'her posts': async ({ alice }, client) =>
    (await client.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok().length > 0,
  'her followers': async ({ alice }, client) =>
    (await client.get(`/api/v1/accounts/${alice.accountId}/followers`)).ok().length > 0,
  'whom she follows': async ({ alice }, client) =>
    (await client.get(`/api/v1/accounts/${alice.accountId}/following`)).ok().length > 0,
  'her featured tags': async ({ alice }, client) =>
    (await client.get(`/api/v1/accounts/${alice.accountId}/featured_tags`)).ok().length > 0,
  'her collections': async ({ alice }, client) =>
    (await client.get(`/api/v1/accounts/${alice.accountId}/collections`)).ok().collections.length > 0,
  'her collection': async ({ collectionId }, client) =>
    (await client.get(`/api/v1/collections/${collectionId}`)).status === 200,
  'what others say of them, by name': async ({ alice }, client) => {
    const { display_name, suspended } = (
      await client.get('/api/v1/accounts/lookup', { acct: alice.username })
    ).ok()
    expect(suspended).toBe(display_name === '' ? true : undefined)
    return display_name !== ''
  },
  'the public timeline': async ({ openId: statusId }, client) =>
    ids((await client.get('/api/v1/timelines/public', { limit: 40 })).ok()).includes(statusId),
  'the timeline of the tag': async ({ statusId }, client) =>
    ids((await client.get('/api/v1/timelines/tag/forest', { limit: 40 })).ok()).includes(statusId),
  'the directory': async ({ alice }, client) =>
    ids((await client.get('/api/v1/directory', { limit: 80 })).ok()).includes(alice.accountId),
  'her page': async ({ alice }) => (await app.fetch(`/@${alice.username}`)).status === 200,
  'the page of her post': async ({ alice, statusId }) =>
    (await app.fetch(`/@${alice.username}/${statusId}`)).status === 200,
  'her feed': async ({ alice }) => (await app.fetch(`/@${alice.username}.rss`)).status === 200,
}

const signedInPlaces: Record<string, (scene: Scene) => Promise<boolean>> = {
  'his home timeline': async ({ bob, statusId }) =>
    ids((await bob.get('/api/v1/timelines/home')).ok()).includes(statusId),
  'his list': async ({ bob, listId, statusId }) =>
    ids((await bob.get(`/api/v1/timelines/list/${listId}`)).ok()).includes(statusId),
  'the members of his list': async ({ bob, alice, listId }) =>
    ids((await bob.get(`/api/v1/lists/${listId}/accounts`)).ok()).includes(alice.accountId),
  'his notifications': async ({ bob, alice }) =>
    (await bob.get('/api/v1/notifications')).ok().some((one: Json) => one.account.id === alice.accountId),
  'his search for her': async ({ bob, alice }) =>
    ids((await bob.get('/api/v2/search', { q: alice.username })).ok().accounts).includes(alice.accountId),
  'his search for her words': async ({ bob, statusId }) =>
    ids((await bob.get('/api/v2/search', { q: 'larch', type: 'statuses' })).ok().statuses).includes(statusId),
  'his followers': async ({ bob, alice }) =>
    ids((await bob.get(`/api/v1/accounts/${bob.accountId}/followers`)).ok()).includes(alice.accountId),
}

async function look(scene: Scene): Promise<Record<string, boolean>> {
  const found: Record<string, boolean> = {}
  for (const [name, find] of Object.entries(places)) {
    found[`${name}, for strangers`] = await find(scene, app.anonymous)
    found[`${name}, for a follower`] = await find(scene, scene.bob)
  }
  for (const [name, find] of Object.entries(signedInPlaces)) found[name] = await find(scene)
  for (const file of scene.files) found[file] = (await app.fetch(file)).status === 200
  return found
}

const allOf = (found: Record<string, boolean>, value: boolean) =>
  Object.fromEntries(Object.keys(found).map((name) => [name, value]))

test('profile, posts, media, feeds and search are gone at once, and back when it is lifted [ACC-17]', async () => {
  const scene = await setUp()
  const before = await look(scene)
  expect(before).toEqual(allOf(before, true))
  await suspend(scene.alice)
  // What is told in public may be kept by caches here for some seconds.
  app.clock.advance(5_000)
  const during = await look(scene)
  expect(during).toEqual(allOf(during, false))
  await app.settle()
  expect(await look(scene)).toEqual(during)
  await unsuspend(scene.alice)
  app.clock.advance(5_000)
  expect(await look(scene)).toEqual(before)
  await app.settle()
  expect(await look(scene)).toEqual(before)
})

test('counters stay, and all else of the account is blank', async () => {
  const { alice, bob } = await setUp()
  await suspend(alice)
  const shown = (await bob.get('/api/v1/accounts/lookup', { acct: alice.username })).ok()
  expect(shown).toMatchObject({
    suspended: true,
    display_name: '',
    note: '',
    fields: [],
    emojis: [],
    locked: false,
    bot: false,
    discoverable: false,
    followers_count: 1,
    following_count: 1,
    statuses_count: 2,
  })
  expect(shown.avatar).toMatch(/missing/)
  expect(shown.moved).toBeUndefined()
})

describe('whoever is suspended', () => {
  test('is signed out everywhere, and may sign in again afterwards [ACC-10]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const browser = await signedIn(app, alice)
    await suspend(alice)
    expect(await alice.get('/api/v1/timelines/home')).toMatchObject({
      status: 403,
      body: { error: 'Your login is currently disabled' },
    })
    expect((await browser.get('/auth/edit')).status).not.toBe(200)
    expect((await fillSignIn(newBrowser(app), alice.email)).status).not.toBe(303)
    await unsuspend(alice)
    ;(await alice.get('/api/v1/timelines/home')).ok()
    expect((await fillSignIn(newBrowser(app), alice.email)).status).toBe(303)
    expect((await browser.get('/auth/edit')).status).not.toBe(200)
  })

  test('gets no notifications meanwhile', async () => {
    const { alice, bob } = await setUp()
    await suspend(alice)
    await bob.say(`@${alice.username} are you there?`)
    await app.settle()
    await unsuspend(alice)
    const texts = (await alice.get('/api/v1/notifications', { types: ['mention'] })).ok()
    expect(texts).toEqual([])
  })

  test('posts nothing that was scheduled', async () => {
    const alice = await app.person('alice')
    const scheduled_at = new Date(app.clock.now() + hours(1)).toISOString()
    ;(await alice.post('/api/v1/statuses', { status: 'later', scheduled_at })).ok()
    await suspend(alice)
    app.clock.advance(hours(2))
    await app.settle()
    const { rows } = await sql`select 1 from statuses where account_id = ${alice.accountId}`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([])
  })
})

describe('after thirty days', () => {
  /** After the daily job. */
  async function isDeleted(person: Person): Promise<boolean> {
    await deleteDueAccounts(app.ctx)
    return (await admin.get(`${path}/${person.accountId}`)).status === 404
  }

  test('its data goes, and a word of that is left', async () => {
    const { alice, statusId } = await setUp()
    await suspend(alice)
    app.clock.advance(days(29))
    expect(await isDeleted(alice)).toBe(false)
    app.clock.advance(days(1))
    expect(await isDeleted(alice)).toBe(true)
    expect(await deleteDueAccounts(app.ctx)).toBe(0)
    await app.settle()
    expect((await app.anonymous.get(`/api/v1/accounts/${alice.accountId}`)).status).toBe(404)
    expect((await app.anonymous.get(`/api/v1/statuses/${statusId}`)).status).toBe(404)
    expect((await admin.post(`${path}/${alice.accountId}/unsuspend`)).status).toBe(404)
    const { rows } = await sql<{ action: string; actor: string }>`
      select action, actor from audit_log where target_id = ${alice.accountId} order by id`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([
      { action: 'suspend', actor: 'staff' },
      { action: 'destroy', actor: 'server' },
    ])
  })

  test('but not of one that was let in again, nor where the suspension ends by itself', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await suspend(alice)
    await unsuspend(alice)
    const params = { type: 'suspend', expires_in: days(60) / 1000 }
    ;(await admin.post(`${path}/${bob.accountId}/action`, params)).ok()
    app.clock.advance(days(31))
    expect([await isDeleted(alice), await isDeleted(bob)]).toEqual([false, false])
  })

  test('counted from the first time, when it is suspended again meanwhile', async () => {
    const alice = await app.person('alice')
    await suspend(alice)
    app.clock.advance(days(20))
    await suspend(alice)
    app.clock.advance(days(10))
    expect(await isDeleted(alice)).toBe(true)
  })
})
