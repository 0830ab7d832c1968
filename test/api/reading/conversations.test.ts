import { describe, expect, test } from 'vitest'
import { addToConversations } from '#domain/reading/conversations/add-status.ts'
import { removeFromConversations } from '#domain/reading/conversations/remove.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()

/** People who follow each other, so that nobody's notifications are set aside. */
async function friends<const N extends string[]>(...names: N): Promise<{ [K in keyof N]: Person }> {
  const people = await Promise.all(names.map((name) => app.person(name)))
  for (const one of people) for (const other of people) if (one !== other) await one.follow(other)
  return people as { [K in keyof N]: Person }
}

/** Writes to these people alone, and lets all effects run. */
async function write(
  author: Person,
  to: readonly Person[],
  more: Record<string, unknown> = {},
): Promise<Json> {
  const names = to.map((one) => `@${one.username}`).join(' ')
  const status = await author.say(`${names} psst`, { visibility: 'direct', ...more })
  await app.settle()
  return status
}

const list = async (person: Person, query = {}): Promise<Json[]> =>
  (await person.get('/api/v1/conversations', query)).ok()
const only = async (person: Person): Promise<Json> => {
  const all = await list(person)
  expect(all).toHaveLength(1)
  return all[0]
}
const idsOf = (accounts: Json[]) => accounts.map((account) => account.id)

describe('what makes a conversation', () => {
  test('a direct status makes one for its author, read, and for those it names, unread [4-105]', async () => {
    const [alice, bob, carol] = await friends('alice', 'bob', 'carol')
    const status = await write(alice, [bob, carol])
    const own = await only(alice)
    expect(own).toMatchObject({ unread: false, last_status: { id: status.id } })
    expect(idsOf(own.accounts).toSorted()).toEqual([bob.accountId, carol.accountId].toSorted())
    const his = await only(bob)
    expect(his).toMatchObject({ unread: true, last_status: { id: status.id, visibility: 'direct' } })
    expect(idsOf(his.accounts).toSorted()).toEqual([alice.accountId, carol.accountId].toSorted())
    expect(new Set([own.id, his.id, (await only(carol)).id]).size).toBe(3)
  })

  test('other statuses make none', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    for (const visibility of ['public', 'unlisted', 'private']) {
      await alice.say(`@${bob.username} hello`, { visibility })
    }
    await app.settle()
    expect([await list(alice), await list(bob)]).toEqual([[], []])
  })

  test('somebody who writes to nobody is alone in it', async () => {
    const alice = await app.person('alice')
    await alice.say('a note to myself', { visibility: 'direct' })
    await app.settle()
    const own = await only(alice)
    expect([own.unread, idsOf(own.accounts)]).toEqual([false, [alice.accountId]])
  })

  test('answers in the same circle go on with it, others begin another one', async () => {
    const [alice, bob, carol] = await friends('alice', 'bob', 'carol')
    const first = await write(alice, [bob])
    const answer = await write(bob, [alice], { in_reply_to_id: first.id })
    const own = await only(alice)
    expect(own).toMatchObject({ unread: true, last_status: { id: answer.id } })
    expect(await only(bob)).toMatchObject({ unread: false, last_status: { id: answer.id } })
    const wider = await write(alice, [bob, carol], { in_reply_to_id: answer.id })
    const [latest, earlier] = await list(alice)
    expect([latest.last_status.id, earlier.id]).toEqual([wider.id, own.id])
    expect((await only(carol)).last_status.id).toBe(wider.id)
    const apart = await write(alice, [bob])
    expect((await list(alice)).map((one) => one.last_status.id)).toEqual([apart.id, wider.id, answer.id])
  })

  test('an edit that names somebody brings it to them, and only to them', async () => {
    const [alice, bob, carol] = await friends('alice', 'bob', 'carol')
    const status = await write(alice, [bob])
    ;(await bob.post(`/api/v1/conversations/${(await only(bob)).id}/read`)).ok()
    const text = `@${bob.username} @${carol.username} psst`
    ;(await alice.put(`/api/v1/statuses/${status.id}`, { status: text })).ok()
    await app.settle()
    expect(await only(bob)).toMatchObject({ unread: false })
    const hers = await only(carol)
    expect(hers).toMatchObject({ unread: true, last_status: { id: status.id } })
    expect(idsOf(hers.accounts).toSorted()).toEqual([alice.accountId, bob.accountId].toSorted())
  })

  test('whoever is quoted without being named takes no part', async () => {
    const [alice, bob, carol] = await friends('alice', 'bob', 'carol')
    const quoted = await carol.say('quote me', { visibility: 'public' })
    const text = `@${bob.username} @${carol.username} look`
    const status = await alice.say(text, { visibility: 'direct', quoted_status_id: quoted.id })
    ;(await alice.put(`/api/v1/statuses/${status.id}`, { status: `@${bob.username} look` })).ok()
    await app.settle()
    expect(idsOf((await only(bob)).accounts)).toEqual([alice.accountId])
    expect(await list(carol)).toEqual([])
  })

  test('effects that run twice change nothing', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const { id } = await write(alice, [bob])
    const his = await only(bob)
    ;(await bob.post(`/api/v1/conversations/${his.id}/read`)).ok()
    await app.ctx.transaction((tx) => tx.emit({ type: 'status.created', statusId: id }))
    await app.settle()
    expect(await only(bob)).toMatchObject({ id: his.id, unread: false })
  })
})

test('statuses that come and go at the same time leave the newest one there is', async () => {
  const [alice, bob] = await friends('alice', 'bob')
  const first = await write(alice, [bob])
  const text = `@${bob.username} psst`
  const more = { visibility: 'direct', in_reply_to_id: first.id }
  const made: string[] = []
  for (let i = 0; i < 12; i++) made.push((await alice.say(text, more)).id)
  await app.settle()
  const late: string[] = []
  for (let i = 0; i < 6; i++) late.push((await bob.say(`@${alice.username} psst`, more)).id)
  for (const id of [...made.slice(6), ...late.slice(5)]) {
    await app.ctx.db
      .updateTable('statuses')
      .set({ deleted_at: new Date() })
      .where('id', '=', asId<StatusId>(id))
      .execute()
  }
  const mention = {
    account_id: alice.accountId,
    from_account_id: bob.accountId,
    type: 'mention',
    group_key: 'x',
  }
  const rows = late.map((id) => ({ ...mention, status_id: asId<StatusId>(id) }))
  await app.ctx.db.insertInto('notifications').values(rows).execute()
  const gone = made.slice(6).map((id) => removeFromConversations(app.ctx, [asId<StatusId>(id)]))
  await Promise.all([...late.map((id) => addToConversations(app.ctx, asId<StatusId>(id))), ...gone])
  for (const person of [alice, bob]) expect((await only(person)).last_status.id).toBe(late[4])
  await app.ctx.db.deleteFrom('statuses').where('account_id', '=', bob.accountId).execute()
  for (const person of [alice, bob]) expect((await only(person)).last_status.id).toBe(made[5])
})

describe('whom it does not reach', () => {
  test('a muted conversation stays as it was', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const first = await write(alice, [bob])
    ;(await bob.post(`/api/v1/conversations/${(await only(bob)).id}/read`)).ok()
    ;(await bob.post(`/api/v1/statuses/${first.id}/mute`)).ok()
    await write(alice, [bob], { in_reply_to_id: first.id })
    expect(await only(bob)).toMatchObject({ unread: false, last_status: { id: first.id } })
  })

  test('people who are muted with their notifications begin none', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/mute`)).ok()
    await write(alice, [bob])
    expect(await list(bob)).toEqual([])
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/mute`, { notifications: false })).ok()
    await write(alice, [bob])
    expect(await list(bob)).toHaveLength(1)
  })

  test('what is set aside as a request waits until it is accepted', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await write(alice, [bob])
    const last = await write(alice, [bob])
    expect([await list(bob), (await list(alice)).length]).toEqual([[], 2])
    const [request] = (await bob.get('/api/v1/notifications/requests')).ok()
    ;(await bob.post(`/api/v1/notifications/requests/${request.id}/accept`)).ok()
    await app.settle()
    const [first, ...others] = await list(bob)
    expect([first.unread, first.last_status.id, others.length]).toEqual([true, last.id, 1])
    const next = await write(alice, [bob])
    expect((await list(bob)).map((one) => one.last_status.id)).toContain(next.id)
  })

  test('blocking somebody ends what was said with them, for the blocker', async () => {
    const [alice, bob, carol] = await friends('alice', 'bob', 'carol')
    await write(alice, [bob, carol])
    await write(bob, [alice])
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    expect(await list(bob)).toEqual([])
    await app.settle()
    expect(await list(bob)).toEqual([])
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/unblock`)).ok()
    await app.settle()
    expect(await list(bob)).toEqual([])
    expect(await list(carol)).toHaveLength(1)
    expect(await list(alice)).toHaveLength(2)
  })

  test('a blocked person no longer reads there what the blocker wrote', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const hers = await write(alice, [bob])
    const his = await write(bob, [alice], { in_reply_to_id: hers.id })
    await write(alice, [bob], { in_reply_to_id: his.id })
    await write(alice, [bob])
    expect(await list(bob)).toHaveLength(2)
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/block`)).ok()
    await app.settle()
    expect((await list(bob)).map((one) => one.last_status.id)).toEqual([his.id])
  })

  test('hiding a domain hides the conversations with its people', async () => {
    const alice = await app.person('alice')
    const away = await remoteAccount(app.ctx, 'talk.example')
    await alice.say(`@${away.acct} hello`, { visibility: 'direct' })
    await app.settle()
    expect(idsOf((await only(alice)).accounts)).toEqual([away.accountId])
    ;(await alice.post('/api/v1/domain_blocks', { domain: 'talk.example' })).ok()
    expect(await list(alice)).toEqual([])
    ;(await alice.delete('/api/v1/domain_blocks', { domain: 'talk.example' })).ok()
    expect(await list(alice)).toHaveLength(1)
  })
})

describe('deleting', () => {
  test('of the last status leaves the one before, of the only one nothing', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const first = await write(alice, [bob])
    const second = await write(bob, [alice], { in_reply_to_id: first.id })
    ;(await bob.delete(`/api/v1/statuses/${second.id}`)).ok()
    await app.settle()
    expect((await only(bob)).last_status.id).toBe(first.id)
    expect((await only(alice)).last_status.id).toBe(first.id)
    ;(await alice.delete(`/api/v1/statuses/${first.id}`)).ok()
    await app.settle()
    expect([await list(alice), await list(bob)]).toEqual([[], []])
  })

  test('of the rows of statuses comes to the same', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const first = await write(alice, [bob])
    const second = await write(bob, [alice], { in_reply_to_id: first.id })
    await app.ctx.db.deleteFrom('statuses').where('id', '=', second.id).execute()
    expect((await only(alice)).last_status.id).toBe(first.id)
    await app.ctx.db.deleteFrom('statuses').where('id', '=', first.id).execute()
    expect([await list(alice), await list(bob)]).toEqual([[], []])
  })

  test('a conversation is personal, and the next status brings it back [ACC-22]', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const first = await write(alice, [bob])
    const { id } = await only(bob)
    expect((await bob.delete(`/api/v1/conversations/${id}`)).ok()).toEqual({})
    expect(await list(bob)).toEqual([])
    expect((await only(alice)).last_status.id).toBe(first.id)
    expect((await bob.get(`/api/v1/statuses/${first.id}`)).ok().id).toBe(first.id)
    expect((await bob.delete(`/api/v1/conversations/${id}`)).status).toBe(404)
    const next = await write(alice, [bob], { in_reply_to_id: first.id })
    expect(await only(bob)).toMatchObject({ unread: true, last_status: { id: next.id } })
    ;(await alice.delete(`/api/v1/statuses/${next.id}`)).ok()
    await app.settle()
    expect(await list(bob)).toEqual([])
  })
})

describe('marks', () => {
  test('a conversation is read and unread again [2.2-41] [4-42]', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const status = await write(alice, [bob])
    const { id } = await only(bob)
    const mark = async (verb: string) => (await bob.post(`/api/v1/conversations/${id}/${verb}`)).ok()
    for (const [verb, unread] of [
      ['read', false],
      ['read', false],
      ['unread', true],
      ['unread', true],
    ] as const) {
      expect(await mark(verb)).toMatchObject({ id, unread, last_status: { id: status.id } })
      expect((await only(bob)).unread).toBe(unread)
    }
    expect((await only(alice)).unread).toBe(false)
  })

  test('one’s own answer reads it', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const status = await write(alice, [bob])
    expect((await only(bob)).unread).toBe(true)
    await write(bob, [alice], { in_reply_to_id: status.id })
    expect((await only(bob)).unread).toBe(false)
  })
})

describe('who may', () => {
  test('only participants, each their own [ACC-22] [ACC-7]', async () => {
    const [alice, bob, eve] = await friends('alice', 'bob', 'eve')
    await write(alice, [bob])
    expect(await list(eve)).toEqual([])
    const { id } = await only(bob)
    for (const person of [alice, eve]) {
      for (const verb of ['read', 'unread']) {
        const answer = await person.post(`/api/v1/conversations/${id}/${verb}`)
        expect([verb, answer.status, answer.body]).toEqual([verb, 404, { error: 'Record not found' }])
      }
      expect((await person.delete(`/api/v1/conversations/${id}`)).status).toBe(404)
    }
    expect(await only(bob)).toMatchObject({ id, unread: true })
    for (const wrong of ['1', 'x', '99999999999999999999']) {
      expect((await bob.post(`/api/v1/conversations/${wrong}/read`)).status).toBe(404)
      expect((await bob.delete(`/api/v1/conversations/${wrong}`)).status).toBe(404)
    }
  })

  test('scopes and tokens', async () => {
    const alice = await app.person('alice')
    const reader = await app.withScopes(alice, ['read:statuses'])
    const writer = await app.withScopes(alice, ['write:conversations'])
    expect((await reader.get('/api/v1/conversations')).status).toBe(200)
    expect((await writer.get('/api/v1/conversations')).status).toBe(403)
    expect((await reader.post('/api/v1/conversations/1/read')).status).toBe(403)
    expect((await writer.post('/api/v1/conversations/1/read')).status).toBe(404)
    expect((await app.anonymous.get('/api/v1/conversations')).status).toBe(401)
    expect((await app.anonymous.post('/api/v1/conversations/1/unread')).status).toBe(401)
    expect((await app.anonymous.delete('/api/v1/conversations/1')).status).toBe(401)
  })
})

describe('the list', () => {
  test('is paged by the last statuses, newest first', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const made: Json[] = []
    for (let i = 0; i < 5; i++) made.push(await alice.say(`@${bob.username} ${i}`, { visibility: 'direct' }))
    await app.settle()
    const wanted = made.map((status) => status.id).toReversed()
    const shown = (page: Json[]) => page.map((one) => one.last_status.id)
    const first = await bob.get('/api/v1/conversations', { limit: 2 })
    expect(shown(first.ok())).toEqual(wanted.slice(0, 2))
    const second = await bob.get(first.links['next'] as string)
    expect(shown(second.ok())).toEqual(wanted.slice(2, 4))
    expect(shown((await bob.get(second.links['prev'] as string)).ok())).toEqual(wanted.slice(0, 2))
    expect(shown(await list(bob, { since_id: wanted[1], limit: 40 }))).toEqual(wanted.slice(0, 1))
    expect(shown(await list(bob, { min_id: wanted[4], limit: 2 }))).toEqual(wanted.slice(2, 4))
  })

  test('costs the same number of queries for 2 and for 20', async () => {
    const [alice, bob, carol] = await friends('alice', 'bob', 'carol')
    await alice.say('warm', { visibility: 'direct' })
    for (let i = 0; i < 20; i++) {
      const to = i % 2 ? `@${bob.username}` : `@${bob.username} @${carol.username}`
      await alice.say(`${to} ${i}`, { visibility: 'direct' })
    }
    await app.settle()
    const count = async (limit: number) => (await app.countQueries(() => list(bob, { limit }))).length
    for (let i = 0; i < 3; i++) await count(20)
    expect(await count(20)).toBe(await count(2))
  })
})

describe('muted conversations', () => {
  const listed = async (who: Person, query: Record<string, unknown> = {}) =>
    await who.get('/api/v1/muted_conversations', query as never)
  const ids = (found: readonly Json[]) => found.map((status) => status.id)

  test('are listed by the first post that one may see, and heard of again by it', async () => {
    const [alice, bob] = await friends('alice', 'bob')
    const roots: Json[] = []
    for (let i = 0; i < 3; i++) {
      const root = await alice.say(`@${bob.username} talk ${i}`)
      const answer = await bob.say(`@${alice.username} yes`, { in_reply_to_id: root.id })
      ;(await bob.post(`/api/v1/statuses/${answer.id}/mute`)).ok()
      roots.push(root)
    }
    const hidden = await alice.say('for those who follow', { visibility: 'private' })
    const seen = await alice.say(`@${bob.username} come`, { in_reply_to_id: hidden.id })
    ;(await bob.post(`/api/v1/statuses/${seen.id}/mute`)).ok()
    expect(ids((await listed(bob)).ok())).toEqual([hidden.id, ...ids(roots).toReversed()])
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/unfollow`)).ok()
    const wanted = [seen.id, ...ids(roots).toReversed()]
    const first = await listed(bob, { limit: 2 })
    expect(ids(first.ok())).toEqual(wanted.slice(0, 2))
    expect(first.ok()[0]).toMatchObject({ muted: true })
    expect(ids((await bob.get(first.links['next'] as string)).ok())).toEqual(wanted.slice(2))
    ;(await bob.post(`/api/v1/statuses/${roots[2]?.id}/unmute`)).ok()
    expect(ids((await listed(bob)).ok())).toEqual([seen.id, roots[1]?.id, roots[0]?.id])
    expect((await listed(alice)).ok()).toEqual([])
    const count = async (limit: number) =>
      (await app.countQueries(async () => (await listed(bob, { limit })).ok())).length
    await count(3)
    expect(await count(3)).toBe(await count(1))
  })
})
