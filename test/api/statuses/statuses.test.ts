import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)

describe('posting', () => {
  test('a posted status is read back by its author and by strangers [5-10] [2.0-1] [2.0-2] [4-1] [8-5]', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('Hello <b>world</b> #Cats https://example.com/a')
    expect(posted.content).toContain(
      'Hello &lt;b&gt;world&lt;/b&gt; <a href="https://chat.example/tags/cats"',
    )
    expect(posted.id).toMatch(/^\d{16,19}$/)
    expect(BigInt(posted.id) < 2n ** 63n).toBe(true)
    const seen = (await app.anonymous.get(`/api/v1/statuses/${posted.id}`)).ok()
    expect(seen.tags).toEqual([{ name: 'cats', url: 'https://chat.example/tags/cats' }])
    expect(seen.favourited).toBeUndefined()
    expect(idsOf((await alice.get('/api/v1/timelines/home')).ok())).toEqual([posted.id])
    expect((await alice.get('/api/v1/accounts/verify_credentials')).ok().statuses_count).toBe(1)
  })

  test('parameters come as a form, as JSON or in the query alone [2.0-10]', async () => {
    const alice = await app.person('alice')
    const form = (
      await alice.post('/api/v1/statuses', new URLSearchParams({ status: 'form', sensitive: 'on' }))
    ).ok()
    expect(form).toMatchObject({ content: '<p>form</p>', sensitive: true })
    const multipart = new FormData()
    multipart.set('status', 'parts')
    multipart.set('sensitive', '0')
    expect((await alice.post('/api/v1/statuses', multipart)).ok()).toMatchObject({
      content: '<p>parts</p>',
      sensitive: false,
    })
    expect((await alice.post('/api/v1/statuses?status=query&spoiler_text=cw')).ok()).toMatchObject({
      content: '<p>query</p>',
      spoiler_text: 'cw',
      sensitive: true,
    })
  })

  test('bad input gets an error that says why, and nothing is written', async () => {
    const alice = await app.person('alice')
    const tries: [Record<string, unknown>, number, string][] = [
      [{ status: '  ' }, 422, "Validation failed: Text can't be blank"],
      [{ status: 'x'.repeat(501) }, 422, 'Validation failed: Text character limit of 500 exceeded'],
      [
        { status: 'x', in_reply_to_id: '1' },
        404,
        'The post you are trying to reply to does not appear to exist.',
      ],
      [{ status: 'x', visibility: 'secret' }, 422, 'Validation failed: Visibility is invalid'],
    ]
    for (const [params, status, error] of tries) {
      const answer = await alice.post('/api/v1/statuses', params)
      expect([answer.status, answer.body]).toEqual([status, { error }])
    }
    expect((await alice.get('/api/v1/timelines/home')).ok()).toEqual([])
  })

  test('links count as 23 characters and handles without their host', async () => {
    const alice = await app.person('alice')
    const link = `https://example.com/${'a'.repeat(300)}`
    await alice.say(`${'x'.repeat(500 - 24)} ${link}`)
    expect((await alice.post('/api/v1/statuses', { status: `${'x'.repeat(500 - 23)} ${link}` })).status).toBe(
      422,
    )
  })

  test('a warning without text becomes the text', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('', { spoiler_text: 'only this' })
    expect(posted).toMatchObject({ content: '<p>only this</p>', spoiler_text: '' })
  })

  test('the same Idempotency-Key in parallel makes one status, and another after an hour [ROB-13]', async () => {
    const alice = await app.person('alice')
    const post = () => alice.post('/api/v1/statuses', { status: 'once' }, { 'idempotency-key': 'k1' })
    const answers = await Promise.all(Array.from({ length: 5 }, post))
    expect(new Set(answers.map((answer) => answer.ok().id)).size).toBe(1)
    expect((await alice.get('/api/v1/timelines/home')).ok()).toHaveLength(1)
    app.clock.advance(3_700_000)
    await post()
    expect((await alice.get('/api/v1/timelines/home')).ok()).toHaveLength(2)
  })

  test('mentions are found by handle, with or without the local domain, and unknown ones stay text', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    const posted = await alice.say(`@${bob.username} @${bob.username}@chat.example @nobody9`)
    expect(posted.mentions).toEqual([
      {
        id: bob.accountId,
        username: bob.username,
        acct: bob.username,
        url: `https://chat.example/@${bob.username}`,
      },
    ])
    expect(posted.content).toContain('@nobody9')
  })

  test('allowed_mentions stops a status that would reach others', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    const answer = await alice.post('/api/v1/statuses', {
      status: `@${bob.username} hi`,
      allowed_mentions: [bob.accountId],
    })
    expect(answer.status).toBe(200)
    const refused = await alice.post('/api/v1/statuses', {
      status: `@${bob.username} hi`,
      allowed_mentions: [alice.accountId],
    })
    expect(refused.status).toBe(422)
    expect(refused.body.unexpected_accounts[0].id).toBe(bob.accountId)
  })

  test('posting needs its scope, a token, and a user [AUTH-6]', async () => {
    const alice = await app.person('alice')
    const reader = await app.withScopes(alice, ['read', 'write:favourites'])
    expect((await reader.post('/api/v1/statuses', { status: 'x' })).status).toBe(403)
    expect((await app.anonymous.post('/api/v1/statuses', { status: 'x' })).status).toBe(401)
    const application = await app.application(['write'])
    expect((await application.post('/api/v1/statuses', { status: 'x' })).status).toBe(422)
    const granular = await app.withScopes(alice, ['write:statuses'])
    expect((await granular.post('/api/v1/statuses', { status: 'x' })).status).toBe(200)
  })

  test('who may not act gets 403 with the reason [ACC-10]', async () => {
    const reasons = [
      [{ confirmed: false }, 'Your login is missing a confirmed e-mail address'],
      [{ approved: false }, 'Your login is currently pending approval'],
    ] as const
    for (const [state, error] of reasons) {
      const person = await app.person('held', state)
      const answer = await person.post('/api/v1/statuses', { status: 'x' })
      expect([answer.status, answer.body]).toEqual([403, { error }])
    }
  })
})

describe('acting on statuses', () => {
  test('favouriting counts once and can be taken back [4-76]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id } = await alice.say('like me')
    await bob.post(`/api/v1/statuses/${id}/favourite`)
    expect((await bob.post(`/api/v1/statuses/${id}/favourite`)).ok()).toMatchObject({
      favourited: true,
      favourites_count: 1,
    })
    expect(idsOf((await alice.get(`/api/v1/statuses/${id}/favourited_by`)).ok())).toEqual([bob.accountId])
    await bob.post(`/api/v1/statuses/${id}/unfavourite`)
    expect((await bob.post(`/api/v1/statuses/${id}/unfavourite`)).ok()).toMatchObject({
      favourited: false,
      favourites_count: 0,
    })
  })

  test('unfavouriting works without access and reveals nothing [ACC-2] [4-80] [4-81]', async () => {
    const [alice, bob, eve] = [await app.person('alice'), await app.person('bob'), await app.person('eve')]
    await bob.follow(alice)
    const { id } = await alice.say('for followers', { visibility: 'private' })
    await bob.post(`/api/v1/statuses/${id}/favourite`)
    await bob.post(`/api/v1/accounts/${alice.accountId}/unfollow`)
    const undone = (await bob.post(`/api/v1/statuses/${id}/unfavourite`)).ok()
    expect(undone).toMatchObject({ id, favourited: false, content: '' })
    expect(JSON.stringify(undone)).not.toContain('for followers')
    expect((await bob.post(`/api/v1/statuses/${id}/unfavourite`)).status).toBe(404)
    expect((await eve.post(`/api/v1/statuses/${id}/unfavourite`)).status).toBe(404)
    expect((await alice.get(`/api/v1/statuses/${id}`)).ok().favourites_count).toBe(0)
  })

  test('reblogging answers the boost, once, and can be taken back [4-77]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id } = await alice.say('boost me')
    const boost = (await bob.post(`/api/v1/statuses/${id}/reblog`)).ok()
    expect(boost).toMatchObject({ reblogged: true, reblog: { id, reblogged: true, reblogs_count: 1 } })
    expect((await bob.post(`/api/v1/statuses/${boost.id}/reblog`)).ok().id).toBe(boost.id)
    expect(idsOf((await alice.get(`/api/v1/statuses/${id}/reblogged_by`)).ok())).toEqual([bob.accountId])
    const undone = (await bob.post(`/api/v1/statuses/${id}/unreblog`)).ok()
    expect(undone).toMatchObject({ id, reblogged: false, reblogs_count: 0 })
    expect((await bob.get(`/api/v1/statuses/${boost.id}`)).status).toBe(404)
    expect((await bob.post(`/api/v1/statuses/${id}/reblog`)).ok().id).not.toBe(boost.id)
  })

  test('only authors boost private statuses, nobody direct ones', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const hidden = await alice.say('followers', { visibility: 'private' })
    expect((await bob.post(`/api/v1/statuses/${hidden.id}/reblog`)).status).toBe(403)
    expect(
      (await alice.post(`/api/v1/statuses/${hidden.id}/reblog`, { visibility: 'public' })).ok().visibility,
    ).toBe('private')
    const direct = await alice.say(`@${bob.username} psst`, { visibility: 'direct' })
    expect((await bob.post(`/api/v1/statuses/${direct.id}/reblog`)).status).toBe(403)
  })

  test('bookmarks are private, listed by their own cursor, and page with min_id [4-78] [4-82] [4-115]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const posts: string[] = []
    for (let i = 0; i < 5; i++) posts.push((await alice.say(`post ${i}`)).id)
    for (const path of ['bookmark', 'favourite']) {
      for (const id of posts) (await bob.post(`/api/v1/statuses/${id}/${path}`)).ok()
      const list = `/api/v1/${path}s`
      const first = await bob.get(list, { limit: 2 })
      expect(idsOf(first.ok())).toEqual([posts[4], posts[3]])
      const second = await bob.get(first.links['next'] as string)
      expect(idsOf(second.ok())).toEqual([posts[2], posts[1]])
      expect(idsOf((await bob.get(second.links['prev'] as string)).ok())).toEqual([posts[4], posts[3]])
      expect((await alice.get(list)).ok()).toEqual([])
    }
    expect((await bob.post(`/api/v1/statuses/${posts[0]}/unbookmark`)).ok().bookmarked).toBe(false)
  })

  test('at most five own statuses are pinned, newest pin first [4-79]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const posts: string[] = []
    for (let i = 0; i < 6; i++) posts.push((await alice.say(`pin ${i}`)).id)
    for (const id of posts.slice(0, 5))
      expect((await alice.post(`/api/v1/statuses/${id}/pin`)).ok().pinned).toBe(true)
    expect((await alice.post(`/api/v1/statuses/${posts[5]}/pin`)).body.error).toContain('maximum number')
    expect((await bob.post(`/api/v1/statuses/${posts[0]}/pin`)).body.error).toContain("Someone else's post")
    const direct = await alice.say('note to self', { visibility: 'direct' })
    expect((await alice.post(`/api/v1/statuses/${direct.id}/pin`)).status).toBe(422)
    const pinned = (await bob.get(`/api/v1/accounts/${alice.accountId}/statuses`, { pinned: true })).ok()
    expect(idsOf(pinned)).toEqual(posts.slice(0, 5).toReversed())
    expect((await alice.post(`/api/v1/statuses/${posts[4]}/unpin`)).ok().pinned).toBe(false)
  })

  test('the conversation is muted as a whole [4-70] [4-71] [2.2-15]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const root = await alice.say('root')
    const reply = await bob.say(`@${alice.username} reply`, { in_reply_to_id: root.id })
    expect((await alice.post(`/api/v1/statuses/${root.id}/mute`)).ok().muted).toBe(true)
    expect((await alice.get(`/api/v1/statuses/${reply.id}`)).ok().muted).toBe(true)
    expect((await alice.post(`/api/v1/statuses/${reply.id}/unmute`)).ok().muted).toBe(false)
  })

  test('a status without a conversation fails validation [4-72] [7-5]', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('alone')
    await app.ctx.db
      .updateTable('statuses')
      .set({ conversation_id: null })
      .where('id', '=', asId<StatusId>(id))
      .execute()
    for (const verb of ['mute', 'unmute']) {
      const answer = await alice.post(`/api/v1/statuses/${id}/${verb}`)
      expect([answer.status, answer.body]).toEqual([422, { error: 'Validation failed' }])
    }
  })

  test('deleting answers the source, and the status with its boosts is gone everywhere', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const root = await alice.say('root')
    const mine = await alice.say('gone *soon*', { in_reply_to_id: root.id })
    await bob.post(`/api/v1/statuses/${mine.id}/reblog`)
    expect((await bob.delete(`/api/v1/statuses/${mine.id}`)).status).toBe(404)
    expect((await alice.delete(`/api/v1/statuses/${mine.id}`)).ok().text).toBe('gone *soon*')
    await app.settle()
    expect((await bob.get(`/api/v1/statuses/${mine.id}`)).status).toBe(404)
    expect((await bob.get('/api/v1/timelines/home')).ok()).toEqual([])
    expect((await alice.get(`/api/v1/statuses/${root.id}`)).ok().replies_count).toBe(0)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).ok().statuses_count).toBe(1)
    expect((await bob.get('/api/v1/accounts/verify_credentials')).ok().statuses_count).toBe(0)
  })

  test('parallel favourites and boosts and their undoing leave counters that equal rows [ROB-14]', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('busy')
    const crowd = await Promise.all(Array.from({ length: 6 }, () => app.person('crowd')))
    const verbs = ['favourite', 'unfavourite', 'reblog', 'unreblog', 'favourite', 'reblog']
    await Promise.all(
      crowd.flatMap((one, i) =>
        verbs.map((_, j) => one.post(`/api/v1/statuses/${id}/${verbs[(i + j) % 6]}`)),
      ),
    )
    const shown = (await alice.get(`/api/v1/statuses/${id}`)).ok()
    const favourites = (await alice.get(`/api/v1/statuses/${id}/favourited_by`)).ok()
    const boosts = (await alice.get(`/api/v1/statuses/${id}/reblogged_by`)).ok()
    expect([shown.favourites_count, shown.reblogs_count]).toEqual([favourites.length, boosts.length])
  })
})
