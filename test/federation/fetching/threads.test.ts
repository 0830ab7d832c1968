import { sql, type RawBuilder } from 'kysely'
import { describe, expect, test } from 'vitest'
import { attachParent } from '#domain/content/statuses/publish/attach-parent.ts'
import { useNetwork } from '#test/servers/network.ts'
import type { Json } from '#test/client/client.ts'
import type { JsonObject } from '#test/peer/documents.ts'
import type { Person } from '#test/people/people.ts'
import { arrive, arriveWanted, stored } from '#test/people/remote-statuses.ts'
import { asId, type StatusId } from '#lib/id.ts'
import { isNight } from '#test/run/night.ts'

const network = useNetwork()

async function setUp(host = '127.0.0.2') {
  const app = await network.server()
  const peer = await network.peer(host)
  const [bob, ann] = [await peer.actor('bob'), await app.person('ann')]
  await stored(app, bob)
  const pathOf = (uri: string) => new URL(uri).pathname
  /** A note whose replies are listed at its address, on `pages` of one reply each. */
  const withReplies = (content: string, replies: readonly string[], more: JsonObject = {}) => {
    const note = bob.note(content, more)
    const url = `${note.id}/replies`
    note['replies'] = url
    const page = (n: number) => ({
      id: `${url}?page=${n}`,
      type: 'CollectionPage',
      items: [replies[n]],
      ...(n + 1 < replies.length && { next: `${url}?page=${n + 1}` }),
    })
    for (const n of replies.keys()) peer.put(`${pathOf(url)}?page=${n}`, page(n))
    peer.put(pathOf(url), { id: url, type: 'Collection', totalItems: 1e9, first: `${url}?page=0` })
    return note
  }
  return { app, peer, bob, ann, pathOf, withReplies }
}

const threadOf = async (person: Person, id: string): Promise<{ ancestors: Json[]; descendants: Json[] }> =>
  (await person.get(`/api/v1/statuses/${id}/context`)).ok()
const texts = (statuses: Json[]) => statuses.map((status) => status.content.replaceAll(/<\/?p>/g, ''))

describe('what a status answers', () => {
  test('is fetched, up to the beginning of the thread', async () => {
    const { app, bob, ann } = await setUp()
    const root = bob.note('one')
    const middle = bob.note('two', { inReplyTo: root.id })
    const id = await arriveWanted(app, bob, bob.note('three', { inReplyTo: middle.id }))
    expect(texts((await threadOf(ann, id)).ancestors)).toEqual(['one', 'two'])
    const { rows } = await sql`
      select 1 from statuses where account_id = ${(await stored(app, bob)).id} group by conversation_id`.execute(
      app.ctx.db,
    )
    expect(rows).toHaveLength(1)
    const rootId = (await threadOf(ann, id)).ancestors[0].id
    expect((await ann.get(`/api/v1/statuses/${rootId}`)).ok()).toMatchObject({ replies_count: 1 })
  })

  test('decides whether a reply is shown to followers, also when it comes later', async () => {
    const { app, bob, ann } = await setUp()
    const { id } = await stored(app, bob)
    await sql`
      insert into follows (id, account_id, target_account_id) values (${app.ctx.newId()}, ${ann.accountId}, ${id})`.execute(
      app.ctx.db,
    )
    await ann.get('/api/v1/timelines/home')
    const mine = bob.note('to myself', { inReplyTo: bob.note('before').id })
    const far = await (await network.peer('127.0.0.3')).actor('far')
    const others = bob.note('to a stranger', { inReplyTo: far.note('strange').id })
    const mineId = await arrive(app, bob, mine)
    const othersId = await arrive(app, bob, others)
    const home = (await ann.get('/api/v1/timelines/home')).ok().map((status: Json) => status.id)
    expect(home).toContain(mineId)
    expect(home).not.toContain(othersId)
  })

  test('may be a thread that is named, known here or not', async () => {
    const { app, peer, bob, ann } = await setUp()
    const own = await ann.say('own')
    const conversationOf = async (id: string) => {
      const { rows } = await sql<{ c: string }>`
        select conversation_id as c from statuses where id = ${id}`.execute(app.ctx.db)
      return rows[0]?.c
    }
    const threadId = await conversationOf(own.id)
    const named = (context: string) => arriveWanted(app, bob, bob.note('x', { context }))
    expect(await conversationOf(await named(`${app.baseUrl}/contexts/${threadId}`))).toBe(threadId)
    const nowhere = await named(`${app.baseUrl}/contexts/12345`)
    expect(await conversationOf(nowhere)).toBe(nowhere)
    const [one, two] = [await named(peer.url('/contexts/1')), await named(peer.url('/contexts/1'))]
    expect(await conversationOf(one)).toBe(await conversationOf(two))
    expect(await conversationOf(await named('tag:x,2026:objectId=1'))).not.toBe(await conversationOf(one))
  })

  test('is not followed without end [FED-47]', async () => {
    const { app, peer, bob } = await setUp()
    const document = (n: number) =>
      bob.note(`${n}`, { id: peer.url(`/chain/${n}`), inReplyTo: peer.url(`/chain/${n + 1}`) })
    for (let n = 0; n < 100; n += 1) document(n)
    await arriveWanted(app, bob, document(0))
    const asked = peer.requests.filter((request) => request.path.startsWith('/chain/')).length
    expect(asked).toBeGreaterThan(10)
    expect(asked).toBeLessThan(40)
  })

  test('of a status is never an answer to it', async () => {
    const { app, bob, ann } = await setUp()
    const [one, two] = [bob.note('one'), bob.note('two')]
    one['inReplyTo'] = two.id
    two['inReplyTo'] = one.id
    const id = await arriveWanted(app, bob, one)
    const thread = await threadOf(ann, id)
    expect(thread.ancestors.length + thread.descendants.length).toBeLessThanOrEqual(1)
    expect(await attachParent(app.ctx, asId<StatusId>(id), asId<StatusId>(id))).toBe(false)
  })

  test('that came along is fetched when it is of the same server, five of them', async () => {
    const { app, peer, bob, ann } = await setUp()
    const far = await (await network.peer('127.0.0.3')).actor('far')
    const root = bob.note('root')
    const items = Array.from({ length: 8 }, (_, n) => bob.note(`reply ${n}`, { inReplyTo: root.id }).id)
    const otherPlace = far.note('elsewhere', { inReplyTo: root.id }).id
    root['replies'] = {
      id: `${root.id}/replies`,
      type: 'Collection',
      first: { items: [otherPlace, ...items] },
    }
    const id = await arriveWanted(app, bob, root)
    expect(texts((await threadOf(ann, id)).descendants)).toEqual([0, 1, 2, 3, 4].map((n) => `reply ${n}`))
    expect(peer.requests.length).toBeGreaterThan(0)
  })
})

describe('a thread that somebody opens', () => {
  test('is completed in the background, and the client can follow that', async () => {
    const { app, bob, ann, withReplies } = await setUp()
    const far = await (await network.peer('127.0.0.3')).actor('far')
    const rootUri = `${bob.uri}/statuses/root${Math.random()}`
    const deepUri = `${bob.uri}/statuses/deep${Math.random()}`
    const first = withReplies('first', [deepUri], { inReplyTo: rootUri })
    const deep = bob.note('deep', { id: deepUri, inReplyTo: first.id })
    const second = far.note('second', { inReplyTo: rootUri })
    const id = await arriveWanted(
      app,
      bob,
      withReplies('root', [first.id, second.id, deep.id], { id: rootUri }),
    )
    await network.advance(10 * 60_000)

    const opened = await ann.get(`/api/v1/statuses/${id}/context`)
    expect(opened.ok().descendants).toEqual([])
    const header = opened.headers.get('mastodon-async-refresh') ?? ''
    const refreshId = /^id="([^"]+)", retry=\d+, result_count=0$/.exec(header)?.[1] as string
    const follow = async () =>
      (await ann.get(`/api/v1_alpha/async_refreshes/${refreshId}`)).ok().async_refresh
    expect(await follow()).toEqual({ id: refreshId, status: 'running', result_count: 0 })

    await app.settle()
    expect(await follow()).toEqual({ id: refreshId, status: 'finished', result_count: 3 })
    const again = await ann.get(`/api/v1/statuses/${id}/context`)
    expect(texts(again.ok().descendants).toSorted()).toEqual(['deep', 'first', 'second'])
    expect(again.headers.get('mastodon-async-refresh')).toBeNull()
  })

  test('is under way no longer than its job: not when that was given up, nor when it is gone', async () => {
    const { app, bob, ann, withReplies } = await setUp()
    const id = await arriveWanted(app, bob, withReplies('lost', []))
    await network.advance(10 * 60_000)
    await ann.get(`/api/v1/statuses/${id}/context`)
    const follow = async () =>
      (await ann.get(`/api/v1_alpha/async_refreshes/thread-${id}`)).ok().async_refresh.status
    const become = (columns: RawBuilder<unknown>) =>
      sql`update graphile_worker._private_jobs set ${columns} where key = ${`replies:${id}`}`.execute(
        app.ctx.db,
      )
    expect(await follow()).toBe('running')
    await become(sql`attempts = max_attempts, locked_at = now()`)
    expect(await follow()).toBe('running')
    await become(sql`locked_at = null`)
    expect(await follow()).toBe('finished')
    await become(sql`attempts = 0`)
    expect(await follow()).toBe('running')
    await sql`delete from graphile_worker._private_jobs where key = ${`replies:${id}`}`.execute(app.ctx.db)
    expect(await follow()).toBe('finished')
  })

  test('is not fetched for strangers, when it is new, or when it is of this server', async () => {
    const { app, bob, ann, withReplies } = await setUp()
    const id = await arriveWanted(app, bob, withReplies('root', []))
    const header = async (person: Pick<Person, 'get'>, statusId: string) =>
      (await person.get(`/api/v1/statuses/${statusId}/context`)).headers.get('mastodon-async-refresh')
    expect(await header(ann, id)).toBeNull()
    const own = await ann.say('own')
    await network.advance(10 * 60_000)
    expect(await header(app.anonymous, id)).toBeNull()
    expect(await header(ann, own.id)).toBeNull()
    expect(await header(ann, id)).not.toBeNull()
  })

  test('its refresh is told to those who may see it', async () => {
    const { app, ann } = await setUp()
    for (const id of ['thread-1', 'thread-x', 'nothing', `thread-${(await ann.say('x')).id}`]) {
      expect((await ann.get(`/api/v1_alpha/async_refreshes/${id}`)).status).toBe(404)
    }
    expect((await app.anonymous.get('/api/v1_alpha/async_refreshes/thread-1')).status).toBe(401)
  })

  test('ends, though its pages do not [FED-48]', async () => {
    const { app, peer, bob, ann } = await setUp()
    const note = bob.note('root')
    const path = `${new URL(note.id).pathname}/replies`
    note['replies'] = peer.url(path)
    let asked = 0
    peer.answer(path, (_, response) => {
      asked += 1
      response.setHeader('content-type', 'application/activity+json')
      const next = peer.url(`${path}?n=${asked}`)
      const page = { id: peer.url(path), type: 'CollectionPage', totalItems: 1e12, items: [], next }
      response.end(JSON.stringify(asked === 1 ? page : { ...page, id: peer.url(`${path}?n=${asked - 1}`) }))
    })
    const id = await arriveWanted(app, bob, note)
    await network.advance(10 * 60_000)
    await threadOf(ann, id)
    await app.settle()
    expect(asked).toBeGreaterThan(1)
    expect(asked).toBeLessThanOrEqual(101)
    expect((await ann.get(`/api/v1/statuses/${id}`)).ok().replies_count).toBe(0)
  })

  // As many requests as are allowed: the bound of pages is seen by day, above.
  test.runIf(isNight)('that names what is not there is not asked for without end [FED-48]', async () => {
    const { app, peer, bob, ann } = await setUp()
    const note = bob.note('root')
    const url = `${note.id}/replies`
    const lists = [0, 1].map((n) => ({
      id: `${url}?n=${n}`,
      items: Array.from({ length: 600 }, (_, k) => peer.url(`/nothing/${n}/${k}`)),
      ...(n === 0 && { next: `${url}?n=1` }),
    }))
    const [reply, answers] = [bob.note('reply', { inReplyTo: note.id }), peer.url('/answers')]
    reply['replies'] = answers
    const items = Array.from({ length: 600 }, (_, k) => peer.url(`/nothing/2/${k}`))
    peer.put('/answers', { id: answers, type: 'Collection', items })
    for (const list of lists) peer.put(list.id.slice(peer.url('').length), list)
    lists[0]?.items.unshift(reply.id)
    note['replies'] = `${url}?n=0`
    const id = await arriveWanted(app, bob, note)
    await network.advance(10 * 60_000)
    await threadOf(ann, id)
    await app.settle()
    const asked = peer.requests.filter((request) => request.path.startsWith('/nothing/')).length
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(1000)
  })

  test('whose list names what answers something else leads nowhere from there [FED-48]', async () => {
    const { app, peer, bob, ann, withReplies } = await setUp()
    const away = await network.peer('127.0.0.3')
    const carl = await away.actor('carl')
    const other = carl.note('nothing to do with it')
    other['replies'] = away.url('/others')
    away.put('/others', { id: away.url('/others'), type: 'Collection', items: [] })
    const id = await arriveWanted(app, bob, withReplies('root', [other.id]))
    await network.advance(10 * 60_000)
    await threadOf(ann, id)
    await app.settle()
    expect(peer.requests.length).toBeGreaterThan(0)
    expect(away.requests.map((request) => request.path)).not.toContain('/others')
  })

  test('whose pages lead in a circle is read once [FED-48]', async () => {
    const { app, peer, bob, ann } = await setUp()
    const note = bob.note('root')
    const path = `${new URL(note.id).pathname}/replies`
    note['replies'] = peer.url(path)
    peer.put(path, { id: peer.url(path), type: 'Collection', first: peer.url(`${path}?page=1`) })
    peer.put(`${path}?page=1`, { id: peer.url(`${path}?page=1`), items: [note.id], next: peer.url(path) })
    const id = await arriveWanted(app, bob, note)
    await network.advance(10 * 60_000)
    await threadOf(ann, id)
    await app.settle()
    expect(peer.requests.filter((request) => request.path.startsWith(path))).toHaveLength(2)
  })
})
