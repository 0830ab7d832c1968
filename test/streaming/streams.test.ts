import { describe, expect, test } from 'vitest'
import { createStreamingAPIClient } from 'masto'
import { openListener, useStreamingApp } from '#test/app/streaming-app.ts'

const app = useStreamingApp()
const picture = () => {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const form = new FormData()
  form.set('file', new Blob([bytes], { type: 'image/png' }), 'dot.png')
  return form
}

describe('the stream of one’s own', () => {
  test('tells over a WebSocket what enters the home timeline, once [1-18] [4-108]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const listener = await app.listen(bob.token, { stream: 'user' })
    listener.subscribe('user')
    const post = await alice.say('hello stream')
    const heard = await listener.next('update')
    expect(heard.stream).toEqual(['user'])
    expect(heard.payload).toMatchObject({
      id: post.id,
      content: '<p>hello stream</p>',
      favourited: false,
      filtered: [],
    })
    await app.fence(listener, bob)
    expect(listener.heard.map((one) => one.event)).toEqual(['update', 'update'])
  })

  test('ids are strings, that of a deleted status too [2.0-3] [2.0-4]', async () => {
    const alice = await app.person('alice')
    const listener = await app.listen(alice.token, { stream: 'user' })
    const post = await alice.say('short-lived')
    const update = await listener.next('update')
    expect([update.payload.id, update.payload.account.id]).toEqual([post.id, alice.accountId])
    await alice.delete(`/api/v1/statuses/${post.id}`)
    expect(await listener.next('delete')).toMatchObject({ stream: ['user'], payload: post.id })
    expect(post.id).toBeTypeOf('string')
  })

  test('tells edits, boosts and that they are taken back', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const carol = await app.person('carol')
    const original = await carol.say('boost me')
    const listener = await app.listen(bob.token, { stream: 'user' })
    const boost = (await alice.post(`/api/v1/statuses/${original.id}/reblog`)).ok()
    expect((await listener.next('update')).payload.reblog.id).toBe(original.id)
    await alice.post(`/api/v1/statuses/${original.id}/unreblog`)
    expect((await listener.next('delete')).payload).toBe(boost.id)
    const post = await alice.say('first')
    await alice.put(`/api/v1/statuses/${post.id}`, { status: 'second' })
    const edit = await listener.next('status.update')
    expect(edit.payload).toMatchObject({ id: post.id, content: '<p>second</p>' })
  })

  test('tells those whom a status names of its edit and deletion, but not who blocks or mutes its author [ACC-13]', async () => {
    const [alice, ...named] = await Promise.all(
      ['alice', 'bob', 'blocking', 'muting'].map((name) => app.person(name)),
    )
    const [bob, blocking, muting] = named
    await blocking!.post(`/api/v1/accounts/${alice!.accountId}/block`)
    await muting!.post(`/api/v1/accounts/${alice!.accountId}/mute`)
    const listeners = await Promise.all(
      named.map(async (person) => {
        const listener = await app.listen(person.token, { stream: 'user' })
        listener.subscribe('user:notification')
        return listener
      }),
    )
    const text = named.map((person) => `@${person.username}`).join(' ')
    const post = await alice!.say(`${text} hello`)
    await listeners[0]!.next('notification')
    await alice!.put(`/api/v1/statuses/${post.id}`, { status: `${text} goodbye` })
    for (const stream of ['user', 'user:notification']) {
      const edit = await listeners[0]!.next('status.update', (one) => one.stream[0] === stream)
      expect(edit.payload).toMatchObject({ id: post.id, content: expect.stringContaining('goodbye') })
    }
    await alice!.delete(`/api/v1/statuses/${post.id}`)
    expect(await listeners[0]!.next('delete')).toMatchObject({ stream: ['user'], payload: post.id })
    for (const [index, person] of [blocking!, muting!].entries()) {
      const listener = listeners[index + 1]!
      await app.fence(listener, person)
      expect(listener.heard.map((one) => one.event)).toEqual(['update'])
    }
    await app.fence(listeners[0]!, bob!)
    expect(listeners[0]!.heard.filter((one) => one.event === 'delete')).toHaveLength(1)
  })

  test('tells polls and quotes as their reader sees them', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const listener = await app.listen(bob.token, { stream: 'user' })
    await alice.say('choose', { poll: { options: ['a', 'b'], expires_in: 600 } })
    expect((await listener.next('update')).payload.poll).toMatchObject({ voted: false, own_votes: [] })
    const quoted = await bob.say('quote me')
    const quote = await alice.say('as bob says', { quoted_status_id: quoted.id })
    const heard = await listener.next('update', (one) => one.payload.id === quote.id)
    expect(heard.payload.quote.quoted_status.id).toBe(quoted.id)
  })

  test('tells notifications, also on their own stream, and conversations on `direct`', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    // Private mentions by strangers would wait to be accepted.
    await bob.follow(alice)
    const listener = await app.listen(bob.token)
    for (const stream of ['user', 'user:notification', 'direct']) listener.subscribe(stream)
    await alice.say(`@${bob.username} psst`, { visibility: 'direct' })
    for (const stream of ['user', 'user:notification']) {
      const heard = await listener.next('notification', (one) => one.stream[0] === stream)
      expect(heard.payload).toMatchObject({ type: 'mention', account: { id: alice.accountId } })
      expect(heard.payload.id).toBeTypeOf('string')
    }
    const conversation = await listener.next('conversation')
    expect(conversation.stream).toEqual(['direct'])
    expect(conversation.payload).toMatchObject({ unread: true, last_status: { content: /psst/ } })
  })

  test('tells that filters have changed, and markers [6-2]', async () => {
    const alice = await app.person('alice')
    const [socket, events] = [
      await app.listen(alice.token, { stream: 'user' }),
      await app.read(alice.token, 'user'),
    ]
    await alice.post('/api/v2/filters', {
      title: 'words',
      context: ['home'],
      keywords_attributes: [{ keyword: 'x' }],
    })
    expect((await socket.next('filters_changed')).text).toBeUndefined()
    expect((await events.next('filters_changed')).text).toBe('')
    const post = await alice.say('read up to here')
    await alice.post('/api/v1/markers', { home: { last_read_id: post.id } })
    expect((await socket.next('marker')).payload.home).toMatchObject({ last_read_id: post.id, version: 1 })
  })

  test('tells that columns have changed, to whom they belong alone', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const [mine, theirs] = [
      await app.listen(alice.token, { stream: 'user' }),
      await app.listen(bob.token, { stream: 'user' }),
    ]
    const columns = [{ kind: 'conversations' }, { kind: 'account', about: 'bob' }, { kind: 'search' }]
    const kept = (await alice.put('/api/v1/columns', { columns })).ok()
    expect(kept.columns).toEqual(columns.slice(0, 2))
    expect((await mine.next('columns_changed')).text).toBeUndefined()
    await bob.put('/api/v1/columns', { columns: [] })
    await theirs.next('columns_changed')
    expect(theirs.heard.filter(({ event }) => event === 'columns_changed')).toHaveLength(1)
  })

  test('tells drafts that are saved, changed and thrown away', async () => {
    const alice = await app.person('alice')
    const listener = await app.listen(alice.token, { stream: 'user' })
    const made = (await alice.post('/api/v1/drafts', { posts: [{ status: 'be' }] })).ok()
    expect((await listener.next('draft')).payload).toEqual(made)
    const change = { version: 1, posts: [{ status: 'begun' }] }
    const changed = (await alice.put(`/api/v1/drafts/${made.id}`, change)).ok()
    const next = await listener.next('draft', (heard) => heard.payload.version === 2)
    expect(next.payload).toEqual(changed)
    await alice.delete(`/api/v1/drafts/${made.id}`)
    expect((await listener.next('draft.delete')).payload).toBe(made.id)
  })

  test('tells announcements, reactions and deletions, but nothing of the reactions to what was deleted [6-3]', async () => {
    const [owner, alice] = [await app.person('owner', { role: 'Owner' }), await app.person('alice')]
    const listener = await app.listen(alice.token, { stream: 'user' })
    const made = (await owner.post('/api/v1/admin/announcements', { text: 'We move', published: true })).ok()
    const told = await listener.next('announcement')
    expect(told.payload).toMatchObject({ id: made.id, content: '<p>We move</p>' })
    expect(told.payload).not.toHaveProperty('read')
    await alice.put(`/api/v1/announcements/${made.id}/reactions/👍`)
    expect((await listener.next('announcement.reaction')).payload).toEqual({
      name: '👍',
      count: 1,
      announcement_id: made.id,
    })
    await owner.delete(`/api/v1/admin/announcements/${made.id}`)
    expect((await listener.next('announcement.delete')).payload).toBe(made.id)
    await app.fence(listener, alice)
    const kinds = listener.heard.map((one) => one.event)
    expect(kinds.filter((kind) => kind === 'announcement.reaction')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'announcement.delete')).toHaveLength(1)
  })
})

describe('other streams', () => {
  test('public posts are told on the public streams they belong to', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const listener = await app.listen(bob.token)
    const names = [
      'public',
      'public:local',
      'public:remote',
      'public:media',
      'public:local:media',
      'public:remote:media',
    ]
    for (const name of names) listener.subscribe(name)
    const media = (await alice.post('/api/v2/media', picture())).ok()
    const post = await alice.say('with a picture', { media_ids: [media.id] })
    const streams = ['public', 'public:local', 'public:media', 'public:local:media']
    for (const name of streams) {
      const heard = await listener.next('update', (one) => one.stream[0] === name)
      expect(heard.payload.id).toBe(post.id)
      expect(heard.payload).not.toHaveProperty('favourited')
    }
    await alice.say('not listed', { visibility: 'unlisted' })
    await alice.say('for followers', { visibility: 'private' })
    await bob.say(`@${alice.username} an answer`, { in_reply_to_id: post.id })
    const last = await alice.say('plain')
    await listener.next('update', (one) => one.payload.id === last.id && one.stream[0] === 'public:local')
    const told = listener.heard.map((one) => `${one.stream[0]} ${one.payload.content}`)
    expect(told).toEqual([
      ...['public', 'public:media', 'public:local', 'public:local:media'].map(
        (name) => `${name} <p>with a picture</p>`,
      ),
      'public <p>plain</p>',
      'public:local <p>plain</p>',
    ])
  })

  test('hashtags, by any spelling, with replies', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const listener = await app.listen(bob.token)
    listener.subscribe('hashtag', { tag: 'CátsOfTests' })
    listener.subscribe('hashtag:local', { tag: 'catsoftests' })
    const post = await alice.say('look #CatsOfTests')
    expect((await listener.next('update', (one) => one.stream[0] === 'hashtag')).stream).toEqual([
      'hashtag',
      'CátsOfTests',
    ])
    await listener.next('update', (one) => one.stream[0] === 'hashtag:local')
    await bob.say(`@${alice.username} nice #catsoftests`, { in_reply_to_id: post.id })
    await listener.next('update', (one) => one.payload.content.includes('nice'))
    await alice.delete(`/api/v1/statuses/${post.id}`)
    expect((await listener.next('delete')).payload).toBe(post.id)
  })

  test('a list tells what enters its timeline, to its owner alone [6-1]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const list = (await bob.post('/api/v1/lists', { title: 'friends' })).ok()
    await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.accountId] })
    const listener = await app.listen(bob.token, { stream: 'list', list: list.id })
    const foreign = await app.listen(alice.token, { stream: 'list', list: list.id })
    expect(await foreign.next('error')).toMatchObject({
      error: 'Not authorized to stream this list',
      status: 401,
    })
    const post = await alice.say('to the list')
    expect(await listener.next('update')).toMatchObject({
      stream: ['list', list.id],
      payload: { id: post.id },
    })
    await alice.delete(`/api/v1/statuses/${post.id}`)
    await listener.next('delete', (one) => one.payload === post.id)
  })

  test('streams are told until they are unsubscribed', async () => {
    const alice = await app.person('alice')
    const listener = await app.listen(alice.token)
    listener.subscribe('public')
    listener.subscribe('user')
    await listener.answered()
    await alice.say('one')
    await listener.next('update', (one) => one.stream[0] === 'public')
    listener.unsubscribe('public')
    await listener.answered()
    await app.fence(listener, alice)
    expect(listener.heard.filter((one) => one.stream[0] === 'public')).toHaveLength(1)
  })
})

describe('server-sent events', () => {
  test('every documented path tells its events', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const list = (await bob.post('/api/v1/lists', { title: 'friends' })).ok()
    await bob.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [alice.accountId] })
    const paths = ['user', 'public', 'public/local', 'public?only_media=true', 'public/local?only_media=true']
    const further = ['hashtag?tag=Sse', 'hashtag/local?tag=sse', `list?list=${list.id}`]
    const readers = await Promise.all([...paths, ...further].map((path) => app.read(bob.token, path)))
    const [direct, notifications] = [
      await app.read(bob.token, 'direct'),
      await app.read(bob.token, 'user/notification'),
    ]
    expect(readers[0]!.response.headers.get('content-type')).toBe('text/event-stream')
    expect(readers[0]!.response.headers.get('cache-control')).toBe('no-store')
    const media = (await alice.post('/api/v2/media', picture())).ok()
    const post = await alice.say('everywhere #sse', { media_ids: [media.id] })
    for (const reader of readers) {
      expect((await reader.next('update')).payload.id).toBe(post.id)
      expect(reader.comments[0]).toBe(':)')
    }
    await alice.say(`@${bob.username} here`, { visibility: 'direct' })
    await direct.next('conversation')
    await notifications.next('notification')
    expect((await app.fetch('/api/v1/streaming/public/remote', { method: 'HEAD' })).status).toBe(404)
  })

  test('paths with a slash at their end are the same', async () => {
    const alice = await app.person('alice')
    const listeners = [
      await openListener(`${app.streamUrl}/?access_token=${alice.token}&stream=user`),
      await openListener(
        `${app.url.replace('http', 'ws')}//api/v1/streaming///?access_token=${alice.token}&stream=user`,
      ),
    ]
    const readers = [await app.read(alice.token, 'user/'), await app.read(alice.token, '/user//?x=/')]
    readers.push(await app.read(alice.token, '?stream=user'))
    const post = await alice.say('heard by all')
    for (const inbox of [...listeners, ...readers])
      expect((await inbox.next('update')).payload.id).toBe(post.id)
    for (const listener of listeners) listener.close()
    for (const path of ['/api/v1/streaming/', '/api/v1/streaming/health/']) {
      const bare = await app.fetch(path.slice(0, -1))
      expect((await app.fetch(path)).status).toBe(bare.status)
    }
    const preflight = await app.fetch('/api/v1/streaming/', { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    const wrong = await app.fetch(`${app.url}/api/v1/streaming%2Fuser`, {
      headers: { authorization: `Bearer ${alice.token}` },
    })
    expect(wrong.status).toBe(404)
  })

  test('health', async () => {
    const answer = await app.fetch('/api/v1/streaming/health')
    expect([answer.status, await answer.text()]).toEqual([200, 'OK'])
  })
})

describe('clients', () => {
  test('masto subscribes, hears and unsubscribes', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const client = createStreamingAPIClient({
      streamingApiUrl: app.streamUrl.replace('/api/v1/streaming', ''),
      accessToken: bob.token,
    })
    await client.prepare()
    const subscription = client.user.subscribe()
    const events = subscription.values()
    const first = events.next()
    const post = await alice.say('for masto')
    expect((await first).value).toMatchObject({ event: 'update', payload: { id: post.id } })
    subscription.unsubscribe()
    client.close()
  })

  test('the sub-protocol that held the token is echoed', async () => {
    const alice = await app.person('alice')
    const listener = await openListener(app.streamUrl, [alice.token])
    expect(listener.socket.protocol).toBe(alice.token)
    listener.subscribe('user')
    await app.fence(listener, alice)
    listener.close()
  })
})
