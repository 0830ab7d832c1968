// What is asked of a request before an activity is taken in, and how it is dealt with then.
import { describe, expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { processActivity } from '#federation/inbox/process.ts'
import { loadRemoteActors } from '#domain/identity/accounts/remote/remote-actors.ts'
import { claimIncoming } from '#domain/federation/queue/incoming.ts'
import { startIncoming } from '#worker/inbox-worker.ts'
import type { Json } from '#test/client/client.ts'
import { waitForOthers } from '#test/app/wait-for-others.ts'
import { costsItsLength, costsNoMore } from '#test/client/growth-of-requests.ts'
import { followActor, statusOf } from '#test/people/meeting.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { often } from '#test/run/patience.ts'
import { transmit } from '#test/peer/transmit.ts'
import { asId, type AccountId } from '#lib/id.ts'

const network = useNetwork()

/** Everything that is due. */
const claim = { limit: 50, busy: [], fullHosts: [] }

/** A local person, and an actor elsewhere whom they follow. */
async function start() {
  const app = await network.server()
  const peer = await network.peer()
  const alice = await app.person('alice')
  const bob = await peer.actor('bob')
  return { app, peer, alice, bob }
}

const waiting = async ({ ctx }: NetworkServer) =>
  (await sql`select 1 from incoming_activities`.execute(ctx.db)).rows.length
const countOf = async ({ ctx }: NetworkServer, table: string) =>
  (await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(ctx.db)).rows[0]?.n
const typesOf = (notifications: Json[]) => notifications.map((one) => one.type)

describe('a signature', () => {
  test('is needed: without one nothing is taken in [FED-1]', async () => {
    const { app, alice, bob } = await start()
    const activity = bob.build.follow(app.uriOf(alice))
    const answer = await bob.send(activity, undefined, { unsigned: true })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.text).error).toMatch(/not signed/)
    expect((await bob.send(activity, app.inboxOf(alice), { unsigned: true })).status).toBe(401)
    expect(await waiting(app)).toBe(0)
  })

  test('counts in both schemes, at the shared inbox and at a personal one', async () => {
    const { app, alice, bob } = await start()
    for (const scheme of ['cavage', 'rfc9421'] as const) {
      const status = (await alice.say(`a post for ${scheme}`)).uri
      expect((await bob.send(bob.build.like(status), undefined, { scheme })).status).toBe(202)
      expect((await bob.send(bob.build.announce(status), app.inboxOf(alice), { scheme })).status).toBe(202)
    }
    await app.settle()
    const notifications = (await alice.get('/api/v1/notifications')).ok()
    expect(typesOf(notifications).toSorted()).toEqual(['favourite', 'favourite', 'reblog', 'reblog'])
  })

  test('is over the path as it was sent, with a slash at its end or without', async () => {
    const { app, alice, bob } = await start()
    const inbox = app.inboxOf(alice)
    const encoded = inbox.replace('/users/a', '/users/%61')
    for (const scheme of ['cavage', 'rfc9421'] as const) {
      for (const to of [`${inbox}/`, `${app.baseUrl}//inbox/`, encoded, `${encoded}//`]) {
        const { uri } = await alice.say(`a post for ${to}`)
        expect([to, (await bob.send(bob.build.like(uri), to, { scheme })).status]).toEqual([to, 202])
      }
      const target = new URL(inbox).pathname
      const lying = await bob.send(bob.build.like(inbox), `${inbox}/`, { scheme, target })
      expect(lying.status).toBe(401)
    }
    await app.settle()
    const notifications = (await alice.get('/api/v1/notifications')).ok()
    expect(typesOf(notifications)).toEqual(Array(8).fill('favourite'))
  })

  test('of another actor, also of the same server, does for nothing [FED-2]', async () => {
    const { app, peer, alice, bob } = await start()
    const mallory = await peer.actor('mallory')
    const otherPlace = await (await network.peer('127.0.0.9')).actor('eve')
    await followActor(app, alice, bob)
    const note = bob.note('not mine')
    for (const signer of [mallory, otherPlace]) {
      for (const activity of [
        bob.build.create(note),
        bob.build.follow(app.uriOf(alice)),
        bob.build.delete(bob.uri),
      ]) {
        expect((await signer.send(activity)).status).toBe(401)
      }
    }
    expect(await waiting(app)).toBe(0)
    expect((await alice.get('/api/v1/timelines/home')).ok()).toEqual([])
  })

  test('that is broken leads to no request but for the key [FED-3]', async () => {
    const { app, alice, peer, bob } = await start()
    const target = await network.peer('127.0.0.8')
    const activities = [
      bob.build.announce(target.url('/notes/1')),
      bob.build.create({ ...bob.note('x'), id: target.url('/notes/2'), inReplyTo: target.url('/notes/3') }),
      bob.build.like(target.url('/notes/4')),
    ]
    for (const activity of activities) {
      const alterSignature = (value: string) => value.replaceAll(/[a-f]/g, 'g')
      expect((await bob.send(activity, undefined, { alterSignature })).status).toBe(401)
    }
    const mallory = await peer.actor('mallory')
    for (const activity of activities) expect((await mallory.send(activity)).status).toBe(401)
    const asked = peer.requests.map((request) => request.path.split('?')[0] ?? '')
    expect(asked.filter((path) => !/^\/(users\/(bob|mallory)|\.well-known\/webfinger)$/.test(path))).toEqual(
      [],
    )
    await app.settle()
    expect(target.connections).toBe(0)
    expect((await alice.get('/api/v1/notifications')).ok()).toEqual([])
  })

  test('200 spoiled requests are all refused as such [FED-10]', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const raw = bob.prepare(bob.build.create(bob.note('spoiled')))
    let seed = 42
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below
    const statuses = new Set<number>()
    for (let i = 0; i < 200; i++) {
      const names = ['signature', 'digest', 'date', 'content-type']
      const name = names[random(names.length)] as string
      const headers = raw.headers.map(([key, value]): [string, string] =>
        key.toLowerCase() === name ? [key, mutate(value, random)] : [key, value],
      )
      statuses.add((await transmit({ ...raw, headers })).status)
    }
    expect([...statuses].filter((status) => ![400, 401].includes(status))).toEqual([])
    await app.settle()
  })

  test('of an account that is suspended here, or known to be deleted, is refused [FED-37]', async () => {
    const { app, alice, peer, bob } = await start()
    const carol = await peer.actor('carol')
    const ids = [await followActor(app, alice, bob), await followActor(app, alice, carol)]
    await sql`update accounts set suspended_at = now() where id = ${ids[0]}`.execute(app.ctx.db)
    for (const activity of [bob.build.create(bob.note('x')), bob.build.delete(bob.uri)]) {
      expect((await bob.send(activity)).status).toBe(403)
    }
    await carol.delete(carol.uri)
    await app.settle()
    expect((await alice.get(`/api/v1/accounts/${ids[1]}`)).status).toBe(404)
    expect([401, 403]).toContain((await carol.send(carol.build.create(carol.note('I am back')))).status)
    // Again the same news: there is nothing left to check it with.
    expect((await carol.send(carol.build.delete(carol.uri))).status).toBe(202)
    expect(await waiting(app)).toBe(0)
  })

  test('of an account that its own server suspends is good for little more than the end of that', async () => {
    const { app, alice, bob } = await start()
    const id = await followActor(app, alice, bob)
    await bob.update(bob.change({ suspended: true }))
    await app.settle()
    expect((await bob.send(bob.build.create(bob.note('still here')))).status).toBe(403)
    await bob.update(bob.change({ suspended: undefined }))
    await app.settle()
    expect((await alice.get(`/api/v1/accounts/${id}`)).ok().suspended).toBeUndefined()
    await bob.create(bob.note('back again'))
    await app.settle()
    expect((await alice.get('/api/v1/timelines/home')).ok()).toMatchObject([{ content: '<p>back again</p>' }])
  })

  test('of a blocked domain, or one below it, is refused [FED-36]', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const domain = new URL(bob.baseUrl).hostname
    const id = app.ctx.newId()
    await sql`insert into domain_blocks (id, domain, severity) values (${id}, ${domain}, 'suspend')`.execute(
      app.ctx.db,
    )
    expect((await bob.send(bob.build.create(bob.note('x')))).status).toBe(403)
    expect((await bob.get(app.uriOf(alice))).status).toBe(403)
    await sql`delete from domain_blocks where id = ${id}`.execute(app.ctx.db)
    expect((await bob.send(bob.build.create(bob.note('x')))).status).toBe(202)
    await app.settle()
  })
})

/** One character is changed, taken away or put in. */
function mutate(value: string, random: (below: number) => number): string {
  const at = random(value.length)
  const letter = String.fromCharCode(33 + random(94))
  const way = random(3)
  const changed = value.slice(0, at) + (way === 1 ? '' : letter) + value.slice(way === 2 ? at : at + 1)
  return changed === value ? mutate(value, random) : changed
}

describe('a body', () => {
  test('may name any contexts: nobody asks for them [FED-30]', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const contexts = await network.peer('127.0.0.7')
    const huge = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, i) => [`term${i}`, `https://x.example/${i}`]),
    )
    let sent = 0
    const create = (more: object) => {
      sent++
      return bob.create({ ...bob.note('with a strange context'), ...more }, { ...more })
    }
    for (const context of [[contexts.url('/context')], huge, { '@import': contexts.url('/more') }, 42]) {
      const asUsual = await costsNoMore(
        () => create({ '@context': context }),
        () => create({}),
        { max: 5 },
      )
      expect(asUsual).toBe(true)
    }
    await app.settle()
    expect(contexts.connections).toBe(0)
    expect((await alice.get('/api/v1/timelines/home', { limit: 40 })).ok()).toHaveLength(sent)
  })

  test.each([
    ['nested too deeply', '{"object":'.repeat(100_000)],
    ['lists in lists', '['.repeat(100_000)],
    ['200,000 items', `{"type":"Like","actor":"ACTOR","object":[${'1,'.repeat(200_000)}1]}`],
    ['no JSON', '{"type":'],
    ['a list', '[]'],
    ['no actor', '{"type":"Like"}'],
    ['an actor that is no address', '{"type":"Like","actor":"bob"}'],
    ['no type', '{"actor":"ACTOR"}'],
  ])('is refused at once: %s [FED-31]', async (_, body) => {
    const { app, bob } = await start()
    const refused = async (text: string) => expect((await bob.send(text)).status).toBe(400)
    expect(await costsItsLength(body.replace('ACTOR', bob.uri), refused)).toBe(true)
    expect(await waiting(app)).toBe(0)
  })

  test('over one mebibyte is refused, told by its length or not [FED-45] [FED-31]', async () => {
    const { bob } = await start()
    const text = JSON.stringify({ ...bob.build.create(bob.note('x')), content: 'x'.repeat(1_100_000) })
    for (const chunked of [false, true]) {
      expect((await bob.send(text, undefined, { chunked })).status).toBe(413)
    }
  })

  test('with strange members is taken without them [FED-32]', async () => {
    const { app, alice, bob } = await start()
    const status = await alice.say('members')
    const like = JSON.stringify(bob.build.like(status.uri))
    const strange = like.replace(
      '{',
      '{"__proto__":{"type":"Delete","isAdmin":true},"constructor":{"prototype":{"type":"Delete"}},"toString":null,"type":"Block",',
    )
    expect((await bob.send(strange)).status).toBe(202)
    for (const type of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await bob.send({ ...bob.build.like(status.uri), type })).status).toBe(202)
    }
    await app.settle()
    expect(({} as Json).isAdmin).toBeUndefined()
    expect(typesOf((await alice.get('/api/v1/notifications')).ok())).toEqual(['favourite'])
  })

  test('may have any characters in ids [FED-49]', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const ids = [
      "'; drop table accounts; --",
      '\u0000\u0007\u001b[31m',
      '"><script>',
      '%00%0a',
      '\r\nX-Evil: 1',
      '😀',
    ]
    for (const id of ids) {
      const uri = `${bob.uri}/${id}`
      const note = { ...bob.note('odd'), id: uri }
      const status = (await bob.send(bob.build.create(note, { id: `${uri}/activity` }))).status
      expect([202, 400]).toContain(status)
      await bob.send(bob.build.like(uri, { id: `${uri}#like` }))
      await bob.send(bob.build.undo(`${uri}#like`))
    }
    await app.settle()
    expect((await alice.get('/api/v1/timelines/home')).status).toBe(200)
    expect(await countOf(app, 'accounts')).toBeGreaterThan(0)
  })

  test('that comes ten times to both inboxes at once has one effect [FED-50]', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const mention = { ...bob.audience('public', [app.uriOf(alice)]) }
    const create = bob.build.create(bob.note('once', mention))
    const like = bob.build.like((await alice.say('liked once')).uri)
    const sent = Array.from({ length: 10 }, (_, i) => [
      bob.send(create, i % 2 ? undefined : app.inboxOf(alice)),
      bob.send(like, i % 2 ? app.inboxOf(alice) : undefined),
    ]).flat()
    for (const { status } of await Promise.all(sent)) expect(status).toBe(202)
    await app.settle()
    expect(
      (await alice.get('/api/v1/timelines/home')).ok().filter((one: Json) => one.content === '<p>once</p>'),
    ).toHaveLength(1)
    expect(typesOf((await alice.get('/api/v1/notifications')).ok()).toSorted()).toEqual([
      'favourite',
      'mention',
    ])
  })

  test('of a type that nobody knows is taken and forgotten', async () => {
    const { app, bob } = await start()
    expect((await bob.send({ ...bob.build.like('https://x.example/1'), type: 'Dance' })).status).toBe(202)
    expect(await waiting(app)).toBe(0)
  })

  test('to the inbox of nobody is refused', async () => {
    const { app, bob } = await start()
    const answer = await bob.send(bob.build.follow(app.baseUrl), `${app.baseUrl}/users/nobody/inbox`)
    expect(answer.status).toBe(404)
  })

  test('about the end or a change of a stranger is taken without asking who that was', async () => {
    const { app, peer, bob } = await start()
    for (const activity of [bob.build.delete(bob.uri), bob.build.update(bob.document())]) {
      expect((await bob.send(activity)).status).toBe(202)
    }
    expect(peer.requests).toEqual([])
    expect(await waiting(app)).toBe(0)
  })
})

describe('what was taken in', () => {
  test('is dealt with in the order in which one sender sent it', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const note = bob.note('first')
    await bob.create(note)
    for (let i = 0; i < 5; i++) {
      app.clock.advance(1_000)
      await bob.update(bob.revise(note, { content: `<p>version ${i}</p>` }))
    }
    const status = await alice.say('an answer')
    await bob.like(status.uri)
    await bob.undo(bob.build.like(status.uri))
    await app.settle()
    expect((await alice.get('/api/v1/timelines/home')).ok().map((one: Json) => one.content)).toContain(
      '<p>version 4</p>',
    )
    expect((await alice.get(`/api/v1/statuses/${status.id}`)).ok().favourites_count).toBe(0)
  })

  test('is tried again when another server does not answer, and is given up in the end', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const other = await network.peer('127.0.0.6')
    const carol = await other.actor('carol')
    const note = carol.note('boosted')
    await other.goAway()
    await bob.announce(note.id)
    await app.settle()
    expect(await waiting(app)).toBe(1)
    expect((await alice.get('/api/v1/timelines/home')).ok()).toEqual([])
    await other.comeBack()
    app.clock.advance(7 * 60_000)
    await app.settle()
    expect(await waiting(app)).toBe(0)
    expect((await alice.get('/api/v1/timelines/home')).ok()).toMatchObject([
      { reblog: { content: '<p>boosted</p>' } },
    ])
    await other.goAway()
    await bob.announce(carol.note('lost').id)
    for (let i = 0; i < 8; i++) {
      await app.settle()
      app.clock.advance(5 * 3_600_000)
    }
    expect(await waiting(app)).toBe(0)
  })

  test('does not wait for another sender who is slow', async () => {
    const { app, alice, bob, peer } = await start()
    await followActor(app, alice, bob)
    const tarpit = await network.peer('127.0.0.5')
    const dave = await tarpit.actor('dave')
    const slow = await Promise.all(Array.from({ length: 12 }, (_, i) => peer.actor(`slow${i}`)))
    for (const actor of slow) await followActor(app, alice, actor)
    const notes = slow.map((_, i) => dave.note(`slow ${i}`))
    const release = tarpit.hold()
    waitForOthers(app.ctx)
    for (const [i, actor] of slow.entries()) await actor.announce((notes[i] as { id: string }).id)
    await bob.create(bob.note('quick'))
    const settled = app.settle()
    await vi.waitFor(async () => expect(await isStored(app, '<p>quick</p>')).toBe(true), often)
    expect(await isStored(app, '<p>slow 0</p>')).toBe(false)
    release()
    await settled
    await app.settle()
    expect((await alice.get('/api/v1/timelines/home', { limit: 40 })).ok()).toHaveLength(13)
  })

  test('is set aside when the process ends each time', async () => {
    const { app, alice, bob } = await start()
    const id = await followActor(app, alice, bob)
    const status = await alice.say('poison')
    await bob.like(status.uri)
    await sql`update incoming_activities set suspected = 6`.execute(app.ctx.db)
    await bob.announce(status.uri)
    await app.settle()
    const { favourites_count, reblogs_count } = (await alice.get(`/api/v1/statuses/${status.id}`)).ok()
    expect({ favourites_count, reblogs_count }).toEqual({ favourites_count: 0, reblogs_count: 1 })
    expect(app.logLines.some((line) => /set aside/.test(JSON.stringify(line)))).toBe(true)
    const { rows } = await sql<{ failed: boolean }>`
      select failed_at is not null as failed from incoming_activities where signer_id = ${id}`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([{ failed: true }])
    await sql`delete from incoming_activities`.execute(app.ctx.db)
  })

  test('is dealt with as soon as it is there, and what another process had taken is given back', async () => {
    const { app, alice, bob } = await start()
    await followActor(app, alice, bob)
    const [left, next] = [await alice.say('left behind'), await alice.say('next')]
    await bob.like(left.uri)
    const now = app.clock.now()
    const taken = await app.ctx.transaction((tx) =>
      claimIncoming(tx, { ...claim, now, until: now + 300_000 }),
    )
    expect(taken).toMatchObject([{ suspected: 0 }])
    const processor = await startIncoming(app.ctx, true)
    const isLiked = async (id: string) =>
      expect(await statusOf(alice, id)).toMatchObject({ favourites_count: 1 })
    await vi.waitFor(() => isLiked(left.id), often)
    await bob.like(next.uri)
    await vi.waitFor(() => isLiked(next.id), often)
    await processor.stop()
    await expect.poll(() => waiting(app)).toBe(0)
    await bob.undo(bob.build.like(next.uri))
    expect(await waiting(app)).toBe(1)
    await app.settle()
  })

  test('is not even read again when it is no activity', async () => {
    const { app, alice, bob } = await start()
    const id = await followActor(app, alice, bob)
    const signer = (await loadRemoteActors(app.ctx, [asId<AccountId>(id)])).get(asId<AccountId>(id))
    if (!signer) throw new Error('bob is not known')
    for (const body of [
      '',
      '[]',
      'null',
      '{"type":"Create"}',
      `{"type":"Create","actor":"${signer.uri}","object":null}`,
    ]) {
      expect(await processActivity(app.ctx, { signer, body, recipientId: null, signedAt: null })).toBe(
        'ignored',
      )
    }
  })
})

const isStored = async ({ ctx }: NetworkServer, content: string) =>
  (await sql`select 1 from statuses where content = ${content}`.execute(ctx.db)).rows.length > 0
