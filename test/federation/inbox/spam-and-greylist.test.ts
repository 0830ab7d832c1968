import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { ensureStatus } from '#federation/ingest/notes/status.ts'
import type { Json } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import { useNetwork } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { JsonObject } from '#test/peer/documents.ts'

const network = useNetwork()
const path = '/api/v1/admin/spam_rules'

beforeEach(async () => {
  const { ctx } = await network.server()
  await ctx.db.deleteFrom('spam_rules').execute()
  await ctx.db.deleteFrom('held_posts').execute()
  await setSetting(ctx, 'greylist_minutes', null)
})

let hosts = 10
/** A server that was never heard of. */
const newHost = () => `127.0.0.${++hosts}`

async function setUp() {
  const app = await network.server()
  const peer = await network.peer(newHost())
  const [admin, ann] = [await app.person('admin', { role: 'Admin' }), await app.person('ann')]
  return { app, peer, bob: await peer.actor('bob'), admin, ann }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

const makeRule = async (admin: Person, conditions: object, action: string): Promise<Json> =>
  (await admin.post(path, { name: 'Casinos', conditions, action })).ok()
const toAnn = ({ app, ann }: SetUp, bob: PeerActor, text: string, more: JsonObject = {}) =>
  bob.note(text, { ...bob.audience('public', [app.uriOf(ann)]), ...more })
const told = async (ann: Person): Promise<Json[]> => (await ann.get('/api/v1/notifications')).ok()
const isStored = async ({ app }: SetUp, uri: string) =>
  (await app.ctx.db.selectFrom('statuses').select('id').where('uri', '=', uri).execute()).length === 1

async function send(at: SetUp, note: JsonObject): Promise<void> {
  await at.bob.create(note)
  await network.settleAll()
}

describe('a rule against spam', () => {
  test('drops what it rejects, also when it comes again, until that is undone', async () => {
    const at = await setUp()
    const { app, bob, admin, ann } = at
    const { id } = await makeRule(admin, { origin: 'remote', keywords: ['casino'] }, 'reject')
    const note = toAnn(at, bob, 'best casino')
    await send(at, note)
    await send(at, note)
    expect(await isStored(at, note.id)).toBe(false)
    expect(await ensureStatus(app.ctx, note.id)).toBeNull()
    expect(await told(ann)).toEqual([])
    expect((await admin.get(`${path}/${id}/hits`)).ok()).toMatchObject([
      { action: 'reject', uri: note.id, account: { acct: bob.handle } },
    ])
    await send(at, toAnn(at, bob, 'a letter'))
    expect(await told(ann)).toHaveLength(1)
    ;(await admin.post(`${path}/${id}/undo`)).ok()
    await admin.delete(`${path}/${id}`)
    await network.settleAll()
    await send(at, note)
    expect(await isStored(at, note.id)).toBe(true)
  })

  test('holds for what is only named by its address, too', async () => {
    const at = await setUp()
    await makeRule(at.admin, { keywords: ['casino'] }, 'reject')
    const note = toAnn(at, at.bob, 'best casino')
    await at.bob.send(at.bob.build.create(note, { object: note.id }))
    await network.settleAll()
    expect(await isStored(at, note.id)).toBe(false)
  })

  test('holds for what a harmless post drags along: what it answers, its replies, what it quotes', async () => {
    const at = await setUp()
    const { app, bob } = at
    await makeRule(at.admin, { keywords: ['casino'] }, 'reject')
    const [root, quoted, answer] = ['root', 'quoted', 'answer'].map((name) =>
      toAnn(at, bob, `casino ${name}`),
    )
    const fine = toAnn(at, bob, 'harmless', {
      inReplyTo: root?.id,
      quoteUrl: quoted?.id,
      replies: { type: 'Collection', items: [answer?.id] },
    })
    await send(at, fine)
    expect(await isStored(at, fine.id)).toBe(true)
    for (const note of [root, quoted, answer]) expect(await isStored(at, note?.id ?? '')).toBe(false)
    const { rows } = await sql`select 1 from spam_hits where uri like ${`${bob.uri}%`}`.execute(app.ctx.db)
    expect(rows).toHaveLength(3)
    expect(await told(at.ann)).toHaveLength(1)
  })

  test('asks for the followers of an author who was never heard of', async () => {
    const at = await setUp()
    const { bob, peer, admin } = at
    await makeRule(admin, { followers_below: 10, statuses_below: 10 }, 'reject')
    const few = toAnn(at, bob, 'first')
    await send(at, few)
    const known = await peer.actor('known')
    peer.put(new URL(known.followers).pathname, {
      id: known.followers,
      type: 'OrderedCollection',
      totalItems: 500,
    })
    const many = toAnn(at, known, 'first')
    await send({ ...at, bob: known }, many)
    expect([await isStored(at, few.id), await isStored(at, many.id)]).toEqual([false, true])
  })

  test('asks nothing of what is fetched because somebody here looks for it', async () => {
    const at = await setUp()
    await makeRule(at.admin, { keywords: ['casino'] }, 'reject')
    const note = toAnn(at, at.bob, 'best casino')
    expect(await at.app.find(at.ann, note.id)).toMatchObject({ uri: note.id })
  })

  test('holds posts until staff release them, private ones too', async () => {
    const at = await setUp()
    const { app, bob, admin, ann } = at
    await makeRule(admin, { host_age_hours_below: 24, mentions_at_least: 1 }, 'hold')
    const note = toAnn(at, bob, 'psst', {
      ...bob.audience('private', [app.uriOf(ann)]),
      unknown: 'characters \u0000 \ud800 of all kinds',
    })
    await send(at, note)
    await send(at, note)
    expect(await told(ann)).toEqual([])
    const [post, ...others]: Json[] = (await admin.get('/api/v1/admin/held_posts')).ok()
    expect(others).toEqual([])
    expect(post).toMatchObject({ content: 'psst', uri: note.id, account: { acct: bob.handle } })
    ;(await admin.post(`/api/v1/admin/held_posts/${post.id}/release`)).ok()
    expect((await admin.get('/api/v1/admin/held_posts')).ok()).toEqual([])
    await network.settleAll()
    expect(await told(ann)).toMatchObject([
      { type: 'mention', status: { uri: note.id, visibility: 'private', content: '<p>psst</p>' } },
    ])
    expect(await app.ctx.db.selectFrom('held_posts').selectAll().execute()).toEqual([])
  })

  test('lets through what staff release though nobody here follows or is named', async () => {
    const at = await setUp()
    const { app, bob, admin } = at
    await makeRule(admin, { keywords: ['casino'] }, 'hold')
    const note = bob.note('casino')
    expect(await ensureStatus(app.ctx, note.id, { unasked: true })).toBeNull()
    const [post]: Json[] = (await admin.get('/api/v1/admin/held_posts')).ok()
    ;(await admin.post(`/api/v1/admin/held_posts/${post?.id}/release`)).ok()
    await network.settleAll()
    expect(await isStored(at, note.id)).toBe(true)
  })

  test('holds no longer what its author has made harmless', async () => {
    const at = await setUp()
    const { bob, admin } = at
    await makeRule(admin, { keywords: ['casino'] }, 'hold')
    const note = toAnn(at, bob, 'casino')
    await send(at, note)
    await network.advance(minutes(1))
    await bob.update(bob.revise(note, { content: 'chess' }))
    await network.settleAll()
    expect((await told(at.ann)).map(({ status }) => status.content)).toEqual(['chess'])
    expect((await admin.get('/api/v1/admin/held_posts')).ok()).toEqual([])
  })

  test('forgets what it holds when the author deletes it, and what staff reject never comes', async () => {
    const at = await setUp()
    const { app, bob, admin, ann } = at
    const { id } = await makeRule(admin, { keywords: ['casino'] }, 'hold')
    const [first, second] = [toAnn(at, bob, 'casino 1'), toAnn(at, bob, 'casino 2')]
    await send(at, first)
    await send(at, second)
    await bob.delete(first)
    await network.settleAll()
    const [post, ...others]: Json[] = (await admin.get('/api/v1/admin/held_posts')).ok()
    expect([post.uri, others]).toEqual([second.id, []])
    ;(await admin.post(`/api/v1/admin/held_posts/${post.id}/reject`)).ok()
    await admin.delete(`${path}/${id}`)
    await network.settleAll()
    for (const note of [first, second]) await send(at, note)
    expect(await told(ann)).toEqual([])
    expect(await ensureStatus(app.ctx, second.id)).toBeNull()
  })

  test('reports and limits accounts of other servers', async () => {
    const at = await setUp()
    const { bob, admin } = at
    await makeRule(admin, { keywords: ['casino'] }, 'report')
    await makeRule(admin, { keywords: ['pills'], strangers_mentioned_at_least: 1 }, 'limit')
    const note = toAnn(at, bob, 'casino')
    await send(at, note)
    const [report]: Json[] = (await admin.get('/api/v1/admin/reports')).ok()
    expect(report).toMatchObject({
      target_account: { account: { acct: bob.handle } },
      statuses: [{ uri: note.id }],
      forwarded: false,
    })
    expect((await admin.get(`/api/v1/admin/accounts/${report.target_account.id}`)).ok().silenced).toBe(false)
    await send(at, toAnn(at, bob, 'pills'))
    expect((await admin.get(`/api/v1/admin/accounts/${report.target_account.id}`)).ok().silenced).toBe(true)
  })

  test('refuses edits, but takes votes along', async () => {
    const at = await setUp()
    const { bob, admin, ann } = at
    await makeRule(admin, { keywords: ['casino'] }, 'reject')
    const note = toAnn(at, bob, 'harmless')
    await send(at, note)
    await network.advance(minutes(1))
    const quoteUrl = bob.note('fine').id
    const likes = { type: 'Collection', totalItems: 7 }
    await bob.update(bob.revise(note, { content: 'casino', likes, quoteUrl }))
    await network.settleAll()
    expect(await isStored(at, quoteUrl)).toBe(false)
    const [{ status }] = (await told(ann)) as [Json]
    expect(status).toMatchObject({ content: '<p>harmless</p>', edited_at: null, favourites_count: 7 })
    await bob.update(bob.revise(note, { content: 'still harmless' }))
    await network.settleAll()
    expect((await told(ann))[0]?.status.content).toContain('still harmless')
  })
})

describe('greylisting', () => {
  const waiting = async ({ app, peer }: SetUp) =>
    (
      await sql`select 1 from incoming_activities where host = ${new URL(peer.baseUrl).host}`.execute(
        app.ctx.db,
      )
    ).rows.length

  test('has what comes from a server never heard of before wait for its minutes, once', async () => {
    const at = await setUp()
    await setSetting(at.app.ctx, 'greylist_minutes', 30)
    await send(at, toAnn(at, at.bob, 'first'))
    await network.advance(minutes(10))
    await send(at, toAnn(at, at.bob, 'second'))
    expect([await told(at.ann), await waiting(at)]).toEqual([[], 2])
    await network.advance(minutes(21))
    await network.settleAll()
    // Who is told of which first is not said.
    const contents = (await told(at.ann)).map(({ status }) => status.content)
    expect(contents.toSorted()).toEqual(['<p>first</p>', '<p>second</p>'])
    await send(at, toAnn(at, at.bob, 'third'))
    expect(await told(at.ann)).toHaveLength(3)
  })

  test('ends at once for what waits when staff do without it', async () => {
    const at = await setUp()
    const { ctx } = at.app
    await setSetting(ctx, 'greylist_minutes', 30)
    await send(at, toAnn(at, at.bob, 'first'))
    await ctx.jobs.add('end-greylisting', {})
    await network.settleAll()
    expect([await told(at.ann), await waiting(at)]).toEqual([[], 1])
    await setSetting(ctx, 'greylist_minutes', null)
    await ctx.jobs.add('end-greylisting', {})
    await network.settleAll()
    expect([await told(at.ann), await waiting(at)]).toEqual([[expect.anything()], 0])
  })

  test('does not hold up those whom somebody here asked for', async () => {
    const at = await setUp()
    const { app, bob, ann } = at
    const found = await app.find(ann, bob.handle)
    await sql`delete from hosts where host = ${new URL(bob.baseUrl).host}`.execute(app.ctx.db)
    ;(await ann.post(`/api/v1/accounts/${found.id}/follow`)).ok()
    await setSetting(app.ctx, 'greylist_minutes', 30)
    await network.settleAll()
    await bob.acceptFollow()
    await network.settleAll()
    await send(at, toAnn(at, bob, 'hello'))
    expect((await told(ann)).map(({ type }) => type)).toContain('mention')
  })

  test('loses what waits when the server is blocked meanwhile', async () => {
    const at = await setUp()
    await setSetting(at.app.ctx, 'greylist_minutes', 30)
    await send(at, toAnn(at, at.bob, 'first'))
    const block = { domain: at.peer.domain, severity: 'suspend' }
    ;(await at.admin.post('/api/v1/admin/domain_blocks', block)).ok()
    await network.settleAll()
    expect(await waiting(at)).toBe(0)
    await network.advance(minutes(31))
    await network.settleAll()
    expect(await told(at.ann)).toEqual([])
  })

  test('asks for nothing while it is off, or of servers that are known for long', async () => {
    const at = await setUp()
    await send(at, toAnn(at, at.bob, 'before'))
    const take = (text: string) =>
      at.app.countQueries(async () => {
        await at.bob.create(toAnn(at, at.bob, text))
      })
    await take('warm')
    const off = await take('off')
    await network.advance(minutes(31))
    await setSetting(at.app.ctx, 'greylist_minutes', 30)
    await take('first')
    const on = await take('on')
    expect(on).toHaveLength(off.length)
    expect(off.filter((one) => one.includes('follow_requests'))).toEqual([])
  })
})
