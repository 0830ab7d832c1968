import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client, Json, Answer } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'

const app = useApp()
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)

async function people(...names: string[]): Promise<Person[]> {
  return Promise.all(names.map((name) => app.person(name)))
}

async function listOf(
  owner: Client,
  title = 'friends',
  options: Record<string, unknown> = {},
): Promise<Json> {
  return (await owner.post('/api/v1/lists', { title, ...options })).ok()
}

const membersPath = (list: Json) => `/api/v1/lists/${list.id}/accounts`
const add = (owner: Client, list: Json, ...ids: string[]) =>
  owner.post(membersPath(list), { account_ids: ids })
const members = async (owner: Client, list: Json) => idsOf((await owner.get(membersPath(list))).ok())

describe('a list', () => {
  test('is made with its defaults, read, changed in part and deleted [4-83] [2.2-42] [2.2-43] [1-7]', async () => {
    const alice = await app.person('alice')
    const made = await listOf(alice, 'friends')
    expect(made).toEqual({ id: made.id, title: 'friends', replies_policy: 'list', exclusive: false })
    const other = await listOf(alice, 'work', { replies_policy: 'none', exclusive: true })
    expect(other).toMatchObject({ title: 'work', replies_policy: 'none', exclusive: true })
    const path = `/api/v1/lists/${made.id}`
    expect((await alice.get(path)).ok()).toEqual(made)
    expect((await alice.put(path, { title: 'pals' })).ok()).toEqual({ ...made, title: 'pals' })
    const changed = { ...made, title: 'pals', replies_policy: 'followed', exclusive: true }
    expect((await alice.put(path, { replies_policy: 'followed', exclusive: 'true' })).ok()).toEqual(changed)
    expect((await alice.put(path)).ok()).toEqual(changed)
    expect((await alice.get('/api/v1/lists')).ok()).toEqual([changed, other])
    expect((await alice.delete(path)).ok()).toEqual({})
    expect((await alice.get(path)).status).toBe(404)
    expect((await alice.delete(path)).status).toBe(404)
    expect((await alice.get('/api/v1/lists')).ok()).toEqual([other])
  })

  test('takes forms as well as JSON, and blank words for what is not given', async () => {
    const alice = await app.person('alice')
    const made = (await alice.post('/api/v1/lists', new URLSearchParams('title=x&exclusive=1'))).ok()
    expect(made).toMatchObject({ title: 'x', exclusive: true })
    const path = `/api/v1/lists/${made.id}`
    const blank = new URLSearchParams('replies_policy=&exclusive=')
    expect((await alice.put(path, blank)).ok()).toEqual(made)
    expect((await alice.put(path, { title: null, replies_policy: null, exclusive: null })).ok()).toEqual(made)
  })

  test('wants a title of 1 to 256 characters and a known policy', async () => {
    const alice = await app.person('alice')
    const made = await listOf(alice, '😀'.repeat(256))
    const wrong: [Record<string, unknown>, string][] = [
      [{ title: '' }, "Title can't be blank"],
      [{ title: ' \n ' }, "Title can't be blank"],
      [{ title: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
      [{ title: 'x', replies_policy: 'some' }, 'Replies policy is not included in the list'],
      [
        { title: '', replies_policy: 'some' },
        "Title can't be blank, Replies policy is not included in the list",
      ],
    ]
    for (const [params, problem] of [...wrong, [{}, "Title can't be blank"] as const]) {
      const answer = await alice.post('/api/v1/lists', params)
      expect([answer.status, answer.body.error]).toEqual([422, `Validation failed: ${problem}`])
    }
    for (const [params, problem] of wrong) {
      const answer = await alice.put(`/api/v1/lists/${made.id}`, params)
      expect([answer.status, answer.body.error]).toEqual([422, `Validation failed: ${problem}`])
    }
    expect((await alice.get('/api/v1/lists')).ok()).toEqual([made])
  })

  test('is one of 50 at most, also when many are made at once, and all come in one answer [4-86] [8-2] [4-116]', async () => {
    const alice = await app.person('alice')
    for (let i = 0; i < 45; i++) await listOf(alice, `list ${i}`)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => alice.post('/api/v1/lists', { title: 'one more' })),
    )
    const refused = answers.filter((answer) => answer.status === 422)
    expect(refused).toHaveLength(5)
    expect(refused[0]?.body.error).toBe('Validation failed: You have reached the maximum number of lists')
    const all = await alice.get('/api/v1/lists?limit=2')
    expect([all.ok().length, all.links]).toEqual([50, {}])
    ;(await alice.delete(`/api/v1/lists/${all.body[0].id}`)).ok()
    await listOf(alice)
    expect((await alice.post('/api/v1/lists', { title: 'too many' })).status).toBe(422)
  })

  test('is there for its owner alone, and those of others answer 404 [ACC-7]', async () => {
    const [alice, mallory] = (await people('alice', 'mallory')) as [Person, Person]
    const list = await listOf(alice)
    await alice.follow(mallory)
    ;(await add(alice, list, mallory.accountId)).ok()
    const path = `/api/v1/lists/${list.id}`
    const answers = [
      await mallory.get(path),
      await mallory.put(path, { title: 'mine' }),
      await mallory.delete(path),
      await mallory.get(`${path}/accounts`),
      await mallory.get(`${path}/accounts?limit=0`),
      await mallory.post(`${path}/accounts`, { account_ids: [mallory.accountId] }),
      await mallory.post(`${path}/accounts`),
      await mallory.delete(`${path}/accounts`, { account_ids: [mallory.accountId] }),
      await mallory.get(`/api/v1/timelines/list/${list.id}`),
      await alice.get('/api/v1/lists/1'),
      await alice.get('/api/v1/lists/nonsense'),
      await alice.get('/api/v1/timelines/list/99999999999999999999'),
    ]
    expect(answers.map((answer) => [answer.status, answer.body.error])).toEqual(
      answers.map(() => [404, 'Record not found']),
    )
    expect((await alice.get(path)).ok()).toEqual(list)
    expect(await members(alice, list)).toEqual([mallory.accountId])
    expect((await mallory.get('/api/v1/lists')).ok()).toEqual([])
  })

  test('wants a token, a user and a scope: read to read, write to change [5-5] [5-6]', async () => {
    const alice = await app.person('alice')
    const list = await listOf(alice)
    const path = `/api/v1/lists/${list.id}`
    const reads = ['/api/v1/lists', path, `${path}/accounts`, `/api/v1/timelines/list/${list.id}`].concat(
      `/api/v1/accounts/${alice.accountId}/lists`,
    )
    const writes: [string, (client: Client) => Promise<{ status: number }>][] = [
      ['create', (client) => client.post('/api/v1/lists', { title: 'x' })],
      ['change', (client) => client.put(path, { title: 'x' })],
      ['add', (client) => client.post(`${path}/accounts`, { account_ids: [alice.accountId] })],
      ['remove', (client) => client.delete(`${path}/accounts`, { account_ids: [alice.accountId] })],
      ['delete', (client) => client.delete(path)],
    ]
    const statuses = async (client: Client) => [
      await Promise.all(reads.map(async (read) => (await client.get(read)).status)),
      await Promise.all(writes.map(async ([, write]) => (await write(client)).status)),
    ]
    const every = (read: number, write: number) => [reads.map(() => read), writes.map(() => write)]
    expect(await statuses(app.anonymous)).toEqual(every(401, 401))
    expect(await statuses(await app.application(['read', 'write']))).toEqual(every(422, 422))
    expect(await statuses(await app.withScopes(alice, ['read:statuses', 'write:statuses']))).toEqual(
      every(403, 403),
    )
    for (const scope of ['read', 'read:lists']) {
      expect(await statuses(await app.withScopes(alice, [scope]))).toEqual(every(200, 403))
    }
    const writer = await app.withScopes(alice, ['write:lists'])
    expect((await writer.get(path)).status).toBe(403)
    for (const [name, write] of writes) expect([name, (await write(writer)).status]).toEqual([name, 200])
  })
})

describe('members', () => {
  test('are followed accounts, oneself and those one has asked to follow; others answer 404 [4-84]', async () => {
    const [alice, bob, carol, stranger] = (await people('alice', 'bob', 'carol', 'stranger')) as [
      Person,
      Person,
      Person,
      Person,
    ]
    ;(await carol.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    await alice.follow(bob)
    await alice.follow(carol)
    await stranger.follow(alice)
    const list = await listOf(alice)
    expect((await add(alice, list, bob.accountId, alice.accountId, carol.accountId)).ok()).toEqual({})
    const all = [carol.accountId, alice.accountId, bob.accountId]
    expect(await members(alice, list)).toEqual(all)
    for (const wrong of [stranger.accountId, '1', 'nonsense']) {
      const refused = await add(alice, await listOf(alice), bob.accountId, wrong)
      expect([wrong, refused.status, refused.body.error]).toEqual([wrong, 404, 'Record not found'])
    }
    const others = await alice.get('/api/v1/lists')
    for (const other of others.ok().slice(1)) expect(await members(alice, other)).toEqual([])
    const removed = { account_ids: [bob.accountId, stranger.accountId, carol.accountId] }
    expect((await alice.delete(membersPath(list), removed)).ok()).toEqual({})
    expect(await members(alice, list)).toEqual([alice.accountId])
  })

  test('are in a list once: again is 422, and nothing of that request counts', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    await alice.follow(bob)
    await alice.follow(carol)
    const list = await listOf(alice)
    ;(await add(alice, list, bob.accountId, bob.accountId)).ok()
    const again = await add(alice, list, carol.accountId, bob.accountId)
    expect([again.status, again.body.error]).toEqual([
      422,
      'Validation failed: Account has already been taken',
    ])
    expect(await members(alice, list)).toEqual([bob.accountId])
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(alice, list, carol.accountId)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 422, 422, 422])
    expect((await add(alice, list)).ok()).toEqual({})
  })

  test('go by a query too, and one id without brackets will do', async () => {
    const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
    await alice.follow(bob)
    await alice.follow(carol)
    const list = await listOf(alice)
    ;(await alice.post(membersPath(list), new URLSearchParams(`account_ids=${bob.accountId}`))).ok()
    ;(await alice.post(`${membersPath(list)}?account_ids[]=${carol.accountId}`)).ok()
    expect(await members(alice, list)).toEqual([carol.accountId, bob.accountId])
    const query = `account_ids[]=${bob.accountId}&account_ids[]=${carol.accountId}`
    ;(await alice.delete(`${membersPath(list)}?${query}`)).ok()
    expect(await members(alice, list)).toEqual([])
  })

  test('are paged without gaps by the Link header, and limit=0 gives all [4-85]', async () => {
    const alice = await app.person('alice')
    const others = await people(...Array.from({ length: 9 }, (_, i) => `member${i}x`))
    const list = await listOf(alice)
    const added: string[] = []
    for (const other of others) {
      await alice.follow(other)
      ;(await add(alice, list, other.accountId)).ok()
      added.unshift(other.accountId)
    }
    const seen: string[] = []
    let next: string | undefined = `${membersPath(list)}?limit=4`
    let prev: string | undefined
    while (next) {
      const answer: Answer = await alice.get(next)
      seen.push(...idsOf(answer.ok()))
      prev ??= answer.links['prev']
      next = answer.links['next']
    }
    expect(seen).toEqual(added)
    expect(prev).toContain('since_id=')
    expect((await alice.get(prev as string)).ok()).toEqual([])
    const whole = await alice.get(`${membersPath(list)}?limit=0`)
    expect([idsOf(whole.ok()), whole.links]).toEqual([added, {}])
  })

  test('cost as many queries when they are many, paged or not', async () => {
    const alice = await app.person('alice')
    const list = await listOf(alice)
    const count = async (query: string) =>
      (await app.countQueries(() => alice.get(`${membersPath(list)}?${query}`))).length
    const join = async (person: Person) => {
      await alice.follow(person)
      ;(await add(alice, list, person.accountId)).ok()
    }
    for (const person of await people('m1x', 'm2x')) await join(person)
    await count('limit=0')
    const [page, all] = [await count('limit=40'), await count('limit=0')]
    for (const person of await people('m3x', 'm4x', 'm5x', 'm6x')) await join(person)
    await count('limit=0')
    expect([await count('limit=40'), await count('limit=0')]).toEqual([page, all])
    expect(page).toBeLessThanOrEqual(5)
  })

  test('leave with the follow or the request they rest on, whoever ends it', async () => {
    const names = [
      'owner',
      'unfollowed',
      'blocked',
      'blocker',
      'remover',
      'refuser',
      'withdrawn',
      'kept',
      'taker',
    ]
    const all = await people(...names)
    const [owner, unfollowed, blocked, blocker, remover, refuser, withdrawn, kept, taker] = all as [
      ...Person[],
    ] as [Person, Person, Person, Person, Person, Person, Person, Person, Person]
    for (const locked of [refuser, withdrawn, taker]) {
      ;(await locked.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    }
    const list = await listOf(owner)
    for (const other of all.slice(1)) await owner.follow(other)
    ;(await add(owner, list, ...all.slice(1).map((other) => other.accountId))).ok()
    // Somebody else's list of the same people stays as it is.
    await kept.follow(unfollowed)
    const foreign = await listOf(kept)
    ;(await add(kept, foreign, unfollowed.accountId)).ok()
    const of = (person: Person, verb: string) => `/api/v1/accounts/${person.accountId}/${verb}`
    ;(await owner.post(of(unfollowed, 'unfollow'))).ok()
    ;(await owner.post(of(blocked, 'block'))).ok()
    ;(await blocker.post(of(owner, 'block'))).ok()
    ;(await remover.post(of(owner, 'remove_from_followers'))).ok()
    ;(await refuser.post(`/api/v1/follow_requests/${owner.accountId}/reject`)).ok()
    ;(await owner.post(of(withdrawn, 'unfollow'))).ok()
    ;(await taker.post(`/api/v1/follow_requests/${owner.accountId}/authorize`)).ok()
    ;(await owner.post(of(kept, 'mute'))).ok()
    await app.settle()
    expect((await members(owner, list)).toSorted()).toEqual([kept.accountId, taker.accountId].toSorted())
    expect(await members(kept, foreign)).toEqual([unfollowed.accountId])
  })

  test('of a domain that the owner hides leave too', async () => {
    const alice = await app.person('alice')
    const away = await remoteAccount(app.ctx, 'lists-away.example')
    const pair = { account_id: alice.accountId, target_account_id: away.accountId }
    await app.ctx.db
      .insertInto('follows')
      .values({ id: app.ctx.newId(), ...pair })
      .execute()
    const list = await listOf(alice)
    ;(await add(alice, list, away.accountId)).ok()
    ;(await alice.post('/api/v1/domain_blocks', { domain: away.domain })).ok()
    await app.settle()
    expect(await members(alice, list)).toEqual([])
  })

  test('who are suspended are not shown, and are there again afterwards', async () => {
    const [alice, bob] = (await people('alice', 'bob')) as [Person, Person]
    await alice.follow(bob)
    const list = await listOf(alice)
    ;(await add(alice, list, bob.accountId)).ok()
    const suspend = (suspended_at: Date | null) =>
      app.ctx.db.updateTable('accounts').set({ suspended_at }).where('id', '=', bob.accountId).execute()
    await suspend(new Date())
    expect(await members(alice, list)).toEqual([])
    expect((await alice.get(`/api/v1/accounts/${bob.accountId}/lists`)).ok()).toEqual([])
    await suspend(null)
    expect(await members(alice, list)).toEqual([bob.accountId])
  })
})

test('the lists that have an account are the caller’s own [4-15]', async () => {
  const [alice, bob, carol] = (await people('alice', 'bob', 'carol')) as [Person, Person, Person]
  await alice.follow(bob)
  await carol.follow(bob)
  const [one, , three] = [
    await listOf(alice, 'one'),
    await listOf(alice, 'two'),
    await listOf(alice, 'three'),
  ]
  const foreign = await listOf(carol, 'foreign')
  for (const [owner, list] of [
    [alice, three],
    [alice, one],
    [carol, foreign],
  ] as const) {
    ;(await add(owner, list, bob.accountId)).ok()
  }
  const path = `/api/v1/accounts/${bob.accountId}/lists`
  expect((await alice.get(path)).ok()).toEqual([one, three])
  expect((await carol.get(path)).ok()).toEqual([foreign])
  expect((await bob.get(path)).ok()).toEqual([])
  expect((await alice.get('/api/v1/accounts/1/lists')).status).toBe(404)
  expect((await app.anonymous.get(path)).status).toBe(401)
})
