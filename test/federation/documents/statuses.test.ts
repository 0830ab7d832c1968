import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { tombstoneStatus } from '#domain/federation/queue/tombstone-status.ts'
import { insertTombstone } from '#domain/federation/queue/tombstones.ts'
import { ensureStatus, ingestStatus } from '#federation/ingest/notes/status.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import { everyone } from '#test/peer/activities.ts'
import { arrive, arriveWanted, stored } from '#test/people/remote-statuses.ts'
import type { AccountId } from '#lib/id.ts'

const network = useNetwork()

async function setUp(host = '127.0.0.2') {
  const app = await network.server()
  const peer = await network.peer(host)
  return { app, peer, bob: await peer.actor('bob'), ann: await app.person('ann') }
}

const see = async (person: Person, id: string) => (await person.get(`/api/v1/statuses/${id}`)).ok()

async function follow(app: NetworkServer, person: Person, accountId: AccountId) {
  await sql`
    insert into follows (id, account_id, target_account_id) values (${app.ctx.newId()}, ${person.accountId}, ${accountId})`.execute(
    app.ctx.db,
  )
}

describe('a status of another server', () => {
  test('is shown with all that it carries', async () => {
    const { app, peer, bob, ann } = await setUp()
    const note = bob.note('hello', {
      summary: 'careful',
      sensitive: true,
      contentMap: { de: '<p>hello</p>' },
      content: '<p>hello <b>all</b><script>x</script></p>',
      tag: [
        { type: 'Mention', href: app.uriOf(ann), name: `@${app.handleOf(ann)}` },
        { type: 'Hashtag', name: '#Cats', href: peer.url('/tags/cats') },
      ],
      attachment: [
        {
          type: 'Document',
          mediaType: 'image/png',
          url: peer.url('/a.png'),
          name: 'A cat',
          width: 40,
          height: 30,
        },
      ],
      likes: { type: 'Collection', totalItems: 12 },
      shares: { type: 'Collection', totalItems: 3 },
      interactionPolicy: {
        canQuote: { automaticApproval: [everyone] },
        canReply: { always: bob.uri, approvalRequired: [everyone] },
      },
    })
    const id = (await arrive(app, bob, note)) as string
    expect(await see(ann, id)).toMatchObject({
      uri: note.id,
      url: note['url'],
      content: '<p>hello <b>all</b></p>',
      spoiler_text: 'careful',
      sensitive: true,
      language: 'de',
      visibility: 'public',
      favourites_count: 12,
      reblogs_count: 3,
      application: null,
      mentions: [{ username: ann.username }],
      tags: [{ name: 'cats' }],
      media_attachments: [
        {
          type: 'image',
          description: 'A cat',
          remote_url: peer.url('/a.png'),
          url: expect.stringContaining('/media_proxy/'),
        },
      ],
      quote_approval: { automatic: ['public'] },
      interaction_policy: {
        can_reply: {
          always: ['author', 'mentioned'],
          with_approval: ['public'],
          current_user: 'automatic',
        },
      },
      account: { acct: bob.handle },
    })
    const told = (await ann.get('/api/v1/notifications')).ok()
    expect(told).toMatchObject([{ type: 'mention', status: { id } }])
  })

  test('counts what people here do on top of what its server says', async () => {
    const { app, bob, ann } = await setUp()
    const id = await arriveWanted(app, bob, bob.note('liked', { likes: { totalItems: 12 } }))
    expect((await ann.post(`/api/v1/statuses/${id}/favourite`)).ok()).toMatchObject({ favourites_count: 13 })
    expect((await ann.post(`/api/v1/statuses/${id}/unfavourite`)).ok()).toMatchObject({
      favourites_count: 12,
    })
    expect((await ann.post(`/api/v1/statuses/${id}/reblog`)).ok().reblog).toMatchObject({ reblogs_count: 1 })
  })

  test('can be liked, boosted and voted on, whatever numbers its server tells [FED-48]', async () => {
    const { app, bob, ann } = await setUp()
    const many = { type: 'Collection', totalItems: Number.MAX_SAFE_INTEGER }
    const note = bob.note('huge', {
      type: 'Question',
      likes: many,
      shares: many,
      votersCount: 1e15,
      endTime: new Date(app.clock.now() + 3_600_000).toISOString(),
      oneOf: ['a', 'b'].map((name) => ({ type: 'Note', name, replies: many })),
    })
    const id = await arriveWanted(app, bob, note)
    const { favourites_count } = await see(ann, id)
    expect((await ann.post(`/api/v1/statuses/${id}/favourite`)).ok()).toMatchObject({
      favourites_count: favourites_count + 1,
    })
    ;(await ann.post(`/api/v1/statuses/${id}/reblog`)).ok()
    const { poll } = await see(ann, id)
    ;(await ann.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0] })).ok()
  })

  test('reaches the home feed of followers, and is in its place by id', async () => {
    const { app, bob, ann } = await setUp()
    await follow(app, ann, (await stored(app, bob)).id)
    await ann.get('/api/v1/timelines/home')
    const before = await ann.say('before')
    const published = new Date(app.clock.now() - 60_000).toISOString()
    const id = (await arrive(app, bob, bob.note('news', { published }))) as string
    const home = (await ann.get('/api/v1/timelines/home', { min_id: before.id })).ok()
    expect(home.map((status: { id: string }) => status.id)).toEqual([id])
    expect(new Date(home[0].created_at).toISOString()).toBe(published)
  })

  test('is news to nobody when it was fetched and is old', async () => {
    const { app, bob, ann } = await setUp()
    await follow(app, ann, (await stored(app, bob)).id)
    await ann.get('/api/v1/timelines/home')
    const published = new Date(app.clock.now() - 86_400_000 * 30).toISOString()
    const tag = [{ type: 'Mention', href: app.uriOf(ann) }]
    const id = (await ensureStatus(app.ctx, bob.note('old', { published, tag }).id)) as string
    await app.settle()
    expect((await ann.get('/api/v1/timelines/home')).ok()).toEqual([])
    expect((await ann.get('/api/v1/notifications')).ok()).toEqual([])
    const newest = await ann.say('new')
    expect(BigInt(id)).toBeLessThan(BigInt(newest.id))
    const statuses = (await ann.get(`/api/v1/accounts/${(await stored(app, bob)).id}/statuses`)).ok()
    expect(statuses).toMatchObject([{ id }])
  })

  test('with an id that is too long to be found by is not stored, and one of a thread is left out', async () => {
    const { app, peer, bob } = await setUp()
    const long = Array.from({ length: 2_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)))
    const endless = long.join('')
    expect(
      await arrive(app, bob, bob.note('x', { id: peer.url(`/${endless}`) }), { via: 'fetch' }),
    ).toBeNull()
    for (const context of [`tag:${endless}`, peer.url(`/${endless}`)]) {
      await arriveWanted(app, bob, bob.note('x', { context }))
    }
  })

  test('nothing is published in the future', async () => {
    const { app, bob, ann } = await setUp()
    const published = new Date(app.clock.now() + 86_400_000).toISOString()
    const id = await arriveWanted(app, bob, bob.note('soon', { published }))
    expect(Date.parse((await see(ann, id)).created_at)).toBeLessThanOrEqual(app.clock.now())
  })

  test('is not kept when nobody here has to do with it', async () => {
    const { app, bob, ann } = await setUp()
    expect(await arrive(app, bob, bob.note('to nobody'))).toBeNull()
    const mine = await ann.say('mine')
    const answer = bob.note('answer', { inReplyTo: `${app.uriOf(ann)}/statuses/${mine.id}` })
    const id = (await arrive(app, bob, answer)) as string
    expect(await see(ann, id)).toMatchObject({
      in_reply_to_id: mine.id,
      in_reply_to_account_id: ann.accountId,
    })
    expect(await see(ann, mine.id)).toMatchObject({ replies_count: 1 })
    expect(
      await arrive(app, bob, bob.note('to an inbox', { to: [], cc: [] }), { recipientId: ann.accountId }),
    ).not.toBeNull()
  })

  test('is stored once, however many bring it at the same time', async () => {
    const { app, bob } = await setUp()
    const note = bob.note('once')
    const author = await stored(app, bob)
    await app.settle()
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        n % 2
          ? ensureStatus(app.ctx, note.id)
          : ingestStatus(app.ctx, { document: note, author, via: 'fetch' }),
      ),
    )
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).not.toBeNull()
    await app.settle()
    const { rows } = await sql<{ n: number }>`
      select statuses_count as n from account_stats where account_id = ${author.id}`.execute(app.ctx.db)
    expect(rows).toEqual([{ n: 1 }])
  })
})

describe('who may see it', () => {
  test('private ones only followers, direct ones only those named', async () => {
    const { app, bob, ann } = await setUp()
    const [carl, dora] = [await app.person('carl'), await app.person('dora')]
    for (const person of [ann, carl]) await follow(app, person, (await stored(app, bob)).id)
    const secret = bob.note('secret', bob.audience('private'))
    const toAnn = bob.note('direct', bob.audience('direct', [app.uriOf(ann)]))
    const secretId = (await arrive(app, bob, secret)) as string
    const directId = (await arrive(app, bob, toAnn)) as string
    expect(await see(carl, secretId)).toMatchObject({ visibility: 'private' })
    expect(await see(ann, directId)).toMatchObject({ visibility: 'direct' })
    for (const [person, id] of [
      [dora, secretId],
      [dora, directId],
      [carl, directId],
    ] as const) {
      expect((await person.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    }
    expect((await ann.get('/api/v1/conversations')).ok()).toMatchObject([{ last_status: { id: directId } }])
  })

  test('what is sent again with a wider audience or new mentions has no new reader [FED-34]', async () => {
    const { app, peer, bob, ann } = await setUp()
    const [carl, eve] = [await app.person('carl'), await peer.actor('eve')]
    const note = bob.note('direct', bob.audience('direct', [app.uriOf(ann)]))
    const id = (await arrive(app, bob, note)) as string
    const wider = { ...note, ...bob.audience('public', [app.uriOf(carl)]) }
    expect(await arrive(app, eve, wider)).toBeNull()
    expect(await arrive(app, bob, wider)).toBe(id)
    expect((await carl.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect((await app.anonymous.get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })

  test('who may not see a status here does not answer it, whatever address they guess [FED-42]', async () => {
    const { app, bob, ann } = await setUp()
    const reader = await app.person('reader')
    await follow(app, reader, (await stored(app, bob)).id)
    const hidden = [
      await ann.say('for followers', { visibility: 'private' }),
      await ann.say('for one', { visibility: 'direct' }),
    ]
    for (const post of hidden) {
      const answer = bob.note('I know', { inReplyTo: `${app.uriOf(ann)}/statuses/${post.id}` })
      const id = (await arrive(app, bob, answer)) as string
      expect(await see(reader, id)).toMatchObject({ in_reply_to_id: null, in_reply_to_account_id: null })
      expect(await see(ann, post.id)).toMatchObject({ replies_count: 0 })
      expect((await ann.get(`/api/v1/statuses/${post.id}/context`)).ok().descendants).toEqual([])
    }
    const open = await ann.say('open')
    ;(await ann.post(`/api/v1/accounts/${(await stored(app, bob)).id}/block`)).ok()
    await app.settle()
    const answer = bob.note('still here', { inReplyTo: `${app.uriOf(ann)}/statuses/${open.id}` })
    await arrive(app, bob, answer, { via: 'fetch' })
    expect(await see(ann, open.id)).toMatchObject({ replies_count: 0 })
  })

  test('somebody to whose inbox it came may see it too, without being named', async () => {
    const { app, bob, ann } = await setUp()
    const carl = await app.person('carl')
    const note = bob.note('direct', bob.audience('direct', [app.uriOf(ann)]))
    const id = (await arrive(app, bob, note)) as string
    expect(await arrive(app, bob, note, { recipientId: carl.accountId })).toBe(id)
    expect(await see(carl, id)).toMatchObject({
      visibility: 'private',
      mentions: [{ username: ann.username }],
    })
    const other = (await arrive(app, bob, bob.note('open'), { via: 'fetch' })) as string
    await tombstoneStatus(app.ctx, note.id, (await stored(app, bob)).id)
    expect((await see(ann, other)).account).toMatchObject({ statuses_count: 1 })
  })

  test('the audience of the activity counts where the note names none', async () => {
    const { app, bob } = await setUp()
    const note = bob.note('plain', { to: undefined, cc: undefined })
    const audience = { to: 'as:Public', cc: [] }
    const id = (await arrive(app, bob, note, { via: 'fetch', audience })) as string
    expect((await app.anonymous.get(`/api/v1/statuses/${id}`)).ok()).toMatchObject({ visibility: 'public' })
  })
})

describe('whose it is', () => {
  test('its page is shown only from the host it is on [FED-17]', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('mine', { url: 'https://bank.example/@bank/1' })
    expect(await see(ann, await arriveWanted(app, bob, note))).toMatchObject({ url: note.id, uri: note.id })
  })

  test('an author of another host, or another author of the host, is not believed [FED-18] [FED-23]', async () => {
    const { app, peer, bob } = await setUp()
    const [eve, far] = [await peer.actor('eve'), await (await network.peer('127.0.0.3')).actor('far')]
    for (const attributedTo of [far.uri, eve.uri]) {
      expect(await arrive(app, bob, bob.note('x', { attributedTo }), { via: 'fetch' })).toBeNull()
    }
    const foreign = far.note('x', { attributedTo: bob.uri })
    expect(await arrive(app, bob, foreign, { via: 'fetch' })).toBeNull()
    expect(await ensureStatus(app.ctx, foreign.id)).toBeNull()
    expect(
      await arrive(app, bob, { ...bob.note('x'), id: `${app.baseUrl}/users/x/statuses/1` }, { via: 'fetch' }),
    ).toBeNull()
  })

  test('of a suspended author nothing is stored or fetched [FED-35]', async () => {
    const { app, bob, peer } = await setUp()
    const author = await stored(app, bob)
    await sql`update accounts set suspended_at = now() where id = ${author.id}`.execute(app.ctx.db)
    const note = bob.note('x')
    expect(await ensureStatus(app.ctx, note.id)).toBeNull()
    expect(await ingestStatus(app.ctx, { document: note, author, via: 'fetch' })).toBeNull()
    expect(peer.requests.length).toBeGreaterThan(0)
  })

  test('what was deleted before it came does not come [FED-52]', async () => {
    const { app, bob } = await setUp()
    const note = bob.note('gone')
    await insertTombstone(app.ctx, note.id, 6 * 3_600_000)
    expect(await arrive(app, bob, note, { via: 'fetch' })).toBeNull()
    expect(await ensureStatus(app.ctx, note.id)).toBeNull()
  })

  test('what its author deleted under any id does not come by somebody else either [FED-52]', async () => {
    const { app, peer, bob } = await setUp()
    await stored(app, bob)
    const note = bob.note('gone', { id: peer.url('/objects/1') })
    await bob.delete(note.id)
    await app.settle()
    expect(await ensureStatus(app.ctx, note.id)).toBeNull()
  })
})

describe('what it names', () => {
  test('actors who were not known are looked up afterwards, a bounded number of them [FED-47]', async () => {
    const { app, bob, ann } = await setUp()
    const far = await network.peer('127.0.0.4')
    const carl = await far.actor('carl')
    const strangers = Array.from({ length: 60 }, (_, n) => ({
      type: 'Mention',
      href: far.url(`/nobody/${n}`),
    }))
    const tag = [{ type: 'Mention', href: carl.uri }, ...strangers]
    const id = await arriveWanted(app, bob, bob.note('hi', { tag }))
    expect(await see(ann, id)).toMatchObject({ mentions: [{ acct: carl.handle }] })
    expect(far.requests.filter((request) => request.path.startsWith('/nobody/')).length).toBeLessThan(25)
  })

  test('odd attachments do not spoil a timeline [FED-51]', async () => {
    const { app, bob } = await setUp()
    const attachment = [
      null,
      {},
      { type: 'Note' },
      { type: 'Image', url: 'x' },
      { type: 'Document', url: [null] },
    ]
    await arriveWanted(app, bob, bob.note('odd', { attachment }))
    await arriveWanted(
      app,
      bob,
      bob.note('odder', { attachment: { type: 'Document', url: bob.uri, width: 0, height: 0 } }),
    )
    expect((await app.anonymous.get('/api/v1/timelines/public')).status).toBe(200)
  })

  test('its search, card and source are those of its HTML', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('unusualword here', { tag: [{ type: 'Mention', href: app.uriOf(ann) }] })
    const id = (await arrive(app, bob, note)) as string
    const found = (await ann.get('/api/v2/search', { q: 'unusualword', type: 'statuses' })).ok()
    expect(found.statuses).toMatchObject([{ id }])
  })
})
