import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { changeStatus } from '#test/people/status-parts.ts'

const app = useApp()
const ids = (list: Json[]) => list.map((item) => item.id)

test('finds accounts by the beginning of their names, the exact handle first [4-59]', async () => {
  const alice = await app.person('findme')
  const other = await app.person('x', { username: `${alice.username}more` })
  const found = (await alice.get('/api/v2/search', { q: alice.username })).ok()
  expect(ids(found.accounts)).toEqual([alice.accountId, other.accountId])
  const named = (await alice.get('/api/v2/search', { q: `@${alice.username}@chat.example` })).ok()
  expect(named.accounts[0].id).toBe(alice.accountId)
})

test('finds hashtags by their beginning, and statuses by their address', async () => {
  const alice = await app.person('alice')
  const posted = await alice.say('#Wintersonne #wintermond')
  const found = (await alice.get('/api/v2/search', { q: '#winter' })).ok()
  expect(found.hashtags.map((tag: Json) => tag.name).toSorted()).toEqual(['Wintersonne', 'wintermond'])
  for (const q of [posted.url, posted.uri]) {
    expect(ids((await alice.get('/api/v2/search', { q })).ok().statuses)).toEqual([posted.id])
  }
})

test('finds no status that the viewer cannot see, nor anybody who is gone or blocks them [ACC-4]', async () => {
  const [alice, eve] = [await app.person('seen'), await app.person('eve')]
  const hidden = await alice.say('followers', { visibility: 'private' })
  expect((await eve.get('/api/v2/search', { q: hidden.url })).ok().statuses).toEqual([])
  ;(await alice.post(`/api/v1/accounts/${eve.accountId}/block`)).ok()
  expect((await eve.get('/api/v2/search', { q: alice.username })).ok().accounts).toEqual([])
})

test('takes type, limit and offset, the last one only with a type and a user [4-60]', async () => {
  const alice = await app.person('alice')
  await alice.say('#paging1 #paging2 #paging3')
  const page = async (query: object) => (await alice.get('/api/v2/search', { q: 'paging', ...query })).ok()
  const first = await page({ type: 'hashtags', limit: 2 })
  const second = await page({ type: 'hashtags', limit: 2, offset: 2 })
  expect([...first.hashtags, ...second.hashtags].map((tag: Json) => tag.name).toSorted()).toEqual([
    'paging1',
    'paging2',
    'paging3',
  ])
  expect((await page({ type: 'accounts' })).hashtags).toEqual([])
  expect((await app.anonymous.get('/api/v2/search', { q: 'paging' })).ok().hashtags).toHaveLength(3)
})

test('bad and forbidden queries say why', async () => {
  const [alice, anonymous] = [await app.person('alice'), app.anonymous]
  expect((await alice.get('/api/v2/search')).status).toBe(400)
  expect((await alice.get('/api/v2/search', { q: ' ' })).status).toBe(400)
  expect((await anonymous.get('/api/v2/search', { q: 'a', offset: 1 })).status).toBe(401)
  expect((await anonymous.get('/api/v2/search', { q: 'a', resolve: true })).status).toBe(401)
  expect((await (await app.withScopes(alice, ['write'])).get('/api/v2/search', { q: 'a' })).status).toBe(403)
})

test('accounts are found by any word of their names, without accents, and when misspelled', async () => {
  const viewer = await app.person('viewer')
  const person = await app.person('zebrafish')
  const name = { display_name: '🐟 Jürgen (Ördög) Kowalski' }
  ;(await person.patch('/api/v1/accounts/update_credentials', name)).ok()
  for (const q of ['jurg', 'ÖRDÖG', 'kowal jürgen', 'zebrafsih', 'Kowalsky', 'zebra']) {
    const found = (await viewer.get('/api/v2/search', { q, type: 'accounts' })).ok().accounts
    expect([q, ids(found)]).toEqual([q, [person.accountId]])
  }
  for (const q of ['wals', '#zebra', 'zeb_', '%', 'zebrafsih@away.example']) {
    const found = (await viewer.get('/api/v2/search', { q, type: 'accounts' })).ok().accounts
    expect([q, ids(found)]).toEqual([q, []])
  }
})

test('behind the last page of those who are named so there is nobody, not those who are spelled alike', async () => {
  const viewer = await app.person('viewer')
  const [one, other, alike] = [
    await app.person('x', { username: 'walrusa' }),
    await app.person('x', { username: 'walrusb' }),
    await app.person('x', { username: 'walrvs' }),
  ]
  const page = async (q: string, offset: number) =>
    ids((await viewer.get('/api/v2/search', { q, type: 'accounts', limit: 1, offset })).ok().accounts)
  expect(await Promise.all([0, 1, 2].map((offset) => page('walrus', offset)))).toEqual([
    [one.accountId],
    [other.accountId],
    [],
  ])
  // Of whom nobody is named so.
  expect(await page('wallrvs', 0)).toEqual([alike.accountId])
})

test('whom one follows is found however many have that name, unless they are suspended', async () => {
  const viewer = await app.person('viewer')
  await sql`
    insert into accounts (id, username, domain, display_name, uri)
    select i, 'throng' || i, 'away.example', 'Throng', 'https://away.example/u/' || i
    from generate_series(1, 900) i`.execute(app.ctx.db)
  await sql`
    insert into follows (id, account_id, target_account_id)
    select i, ${viewer.accountId}, i from unnest(array[3, 450, 899, 900]) i`.execute(app.ctx.db)
  await sql`update accounts set suspended_at = now() where id = 900`.execute(app.ctx.db)
  await sql`update accounts set silenced_at = now() where id in (5, 899)`.execute(app.ctx.db)
  const found = (await viewer.get('/api/v2/search', { q: 'throng', type: 'accounts', limit: 40 })).ok()
    .accounts
  expect(ids(found.slice(0, 3))).toEqual(['3', '450', '899'])
  expect(new Set(ids(found)).size).toBe(40)
  expect(ids(found)).not.toContain('900')
})

test('strangers find by less than three characters only what these name exactly', async () => {
  const [exact, other] = [
    await app.person('x', { username: 'qz' }),
    await app.person('x', { username: 'qzx' }),
  ]
  await exact.say('#qz #qzz')
  await app.settle()
  const search = async (q: string, person = app.anonymous) => (await person.get('/api/v2/search', { q })).ok()
  const few = await search('qz')
  expect(ids(few.accounts)).toEqual([exact.accountId])
  expect(few.hashtags.map((tag: Json) => tag.name)).toEqual(['qz'])
  expect(ids((await search('qz', exact)).accounts)).toEqual([exact.accountId, other.accountId])
  expect(ids((await search('qzx')).accounts)).toEqual([other.accountId])
})

test('hashtags used alike come by their length, then by the alphabet', async () => {
  const alice = await app.person('alice')
  for (const text of ['#heathland', '#heather #heathen', '#heathery', '#heaths']) await alice.say(text)
  await app.settle()
  const found = (await alice.get('/api/v2/search', { q: 'heath', type: 'hashtags' })).ok().hashtags
  const names = found.map((tag: Json) => tag.name)
  expect(names).toEqual(['heaths', 'heathen', 'heather', 'heathery', 'heathland'])
  await alice.say('#heathland again')
  await app.settle()
  const again = (await alice.get('/api/v2/search', { q: '#heath', type: 'hashtags', limit: 2 })).ok().hashtags
  expect(again.map((tag: Json) => tag.name)).toEqual(['heathland', 'heaths'])
})

test('hashtags: the exact one first, then those used most; reviewed ones alone when asked', async () => {
  const alice = await app.person('alice')
  for (const text of ['#moor', '#moorhen #moorland', '#moorland', '#moorhens']) await alice.say(text)
  await app.settle()
  const names = async (q: string, query = {}) =>
    (await alice.get('/api/v2/search', { q, type: 'hashtags', ...query }))
      .ok()
      .hashtags.map((t: Json) => t.name)
  expect((await names('Moor')).slice(0, 2)).toEqual(['moor', 'moorland'])
  expect(await names('＃MOORHEN')).toEqual(['moorhen', 'moorhens'])
  expect(await names('moor', { exclude_unreviewed: true })).toEqual([])
  expect(await names('moor@away')).toEqual([])
  const reviewed = { reviewed_at: new Date(app.clock.now()) }
  await app.ctx.db.updateTable('tags').set(reviewed).where('name', '=', 'moor').execute()
  expect(await names('moor', { exclude_unreviewed: true })).toEqual(['moor'])
  await app.ctx.db.updateTable('tags').set({ listable: false }).where('name', '=', 'moor').execute()
  expect(await names('moor')).not.toContain('moor')
})

test('an address finds what it names, and nothing else', async () => {
  const alice = await app.person('alice')
  const away = await remoteAccount(app.ctx)
  const post = await alice.say('here')
  const theirs = await alice.say('there')
  const address = { uri: 'https://away.example/users/x/1', url: 'https://away.example/@x/1' }
  await changeStatus(app.ctx, theirs.id, { ...address, account_id: away.accountId })
  const search = async (q: string, query = {}) => {
    const found = (await app.anonymous.get('/api/v2/search', { q, ...query })).ok()
    return [ids(found.accounts), ids(found.statuses)]
  }
  const base = 'https://chat.example'
  for (const url of [`${base}/@${alice.username}`, `${base}/users/${alice.username}/`]) {
    expect(await search(url)).toEqual([[alice.accountId], []])
  }
  expect(await search(post.url)).toEqual([[], [post.id]])
  expect(await search(post.url, { type: 'accounts' })).toEqual([[], []])
  expect(await search(address.uri)).toEqual([[], [theirs.id]])
  expect(await search(address.url)).toEqual([[], [theirs.id]])
  const [name] = away.acct.split('@')
  expect(await search(`https://away.example/users/${name}`)).toEqual([[away.accountId], []])
  expect(await search(`https://away.example/@${name}`)).toEqual([[away.accountId], []])
  await app.ctx.db
    .updateTable('accounts')
    .set({ suspended_at: new Date(app.clock.now()) })
    .where('id', '=', away.accountId)
    .execute()
  expect(await search(`https://away.example/@${name}`)).toEqual([[], []])
  expect(await search(address.url)).toEqual([[], []])
  expect(await search(`https://away.example/${'x'.repeat(5000)}`)).toEqual([[], []])
})

test('collections are found by their names and addresses, where they may be discovered', async () => {
  const [alice, eve] = [await app.person('alice'), await app.person('eve')]
  const make = async (name: string, discoverable: boolean) =>
    (await alice.post('/api/v1/collections', { name, discoverable })).ok().collection
  const shown = await make('Marsh birds', true)
  const hidden = await make('Marsh frogs', false)
  const search = async (q: string, query = {}) =>
    ids((await eve.get('/api/v2/search', { q, ...query })).ok().collections)
  expect(await search('marsh')).toEqual([shown.id])
  expect(await search('BIRD')).toEqual([shown.id])
  expect(await search('irds')).toEqual([])
  expect(await search('marsh', { type: 'statuses' })).toEqual([])
  expect(await search(hidden.url)).toEqual([hidden.id])
  ;(await eve.post(`/api/v1/accounts/${alice.accountId}/mute`)).ok()
  expect(await search('marsh')).toEqual([])
  ;(await alice.post(`/api/v1/accounts/${eve.accountId}/block`)).ok()
  expect(await search(shown.url)).toEqual([])
})

test('whoever searches again and again finds at once what they touched, and nobody who hides or is hidden since [ACC-4]', async () => {
  const [eve, alice] = [await app.person('eve'), await app.person('again')]
  const beginning = alice.username.slice(0, -1)
  ;(await alice.post('/api/v1/collections', { name: `${beginning} odds`, discoverable: true })).ok()
  const posted = await alice.say(`${beginning} plover`)
  await app.settle()
  const find = async () => {
    const { accounts, statuses, collections } = (await eve.get('/api/v2/search', { q: beginning })).ok()
    return [accounts, statuses, collections].map((list) => list.length)
  }
  const found = [1, 0, 1]
  for (let time = 0; time < 4; time++) expect(await find()).toEqual(found)

  const post = async (person: typeof eve, path: string) => (await person.post(path)).ok()
  const turns: [does: () => Promise<unknown>, then: number[], undoes: () => Promise<unknown>][] = (
    [
      [eve, `statuses/${posted.id}/favourite`, 'unfavourite', [1, 1, 1]],
      [eve, `statuses/${posted.id}/bookmark`, 'unbookmark', [1, 1, 1]],
      [eve, `statuses/${posted.id}/reblog`, 'unreblog', [1, 1, 1]],
      [eve, `accounts/${alice.accountId}/block`, 'unblock', [0, 0, 0]],
      [alice, `accounts/${eve.accountId}/block`, 'unblock', [0, 0, 0]],
      [eve, `accounts/${alice.accountId}/mute`, 'unmute', [1, 0, 0]],
    ] as const
  ).map(([person, path, undo, then]) => [
    () => post(person, `/api/v1/${path}`),
    [...then],
    () => post(person, `/api/v1/${path.replace(/[^/]+$/, undo)}`),
  ])
  for (const [does, then, undoes] of turns) {
    await does()
    for (let time = 0; time < 3; time++) expect(await find()).toEqual(then)
    await undoes()
    for (let time = 0; time < 3; time++) expect(await find()).toEqual(found)
  }
  await alice.say(`@${eve.username} ${beginning}`)
  await app.settle()
  expect(await find()).toEqual([1, 1, 1])
})
