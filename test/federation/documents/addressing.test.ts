// Who is told of what people here write: right `to` and `cc`, those inboxes, and no others.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { deleteLocalAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { deliverResults } from '#federation/outbox/statuses.ts'
import { removeStatus } from '#domain/content/statuses/delete-status.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import { everyone } from '#test/peer/activities.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import type { Peer } from '#test/peer/peer.ts'
import { arriveWanted } from '#test/people/remote-statuses.ts'
import { asId, type AccountId, type PollId, type StatusId } from '#lib/id.ts'
import { variants } from '#test/run/night.ts'

const network = useNetwork()
const names = ['follower', 'named', 'author', 'liker', 'stranger'] as const
type Name = (typeof names)[number]

interface World {
  app: NetworkServer
  alice: Person
  uri: string
  peers: Record<Name, Peer>
  actors: Record<Name, PeerActor>
  /** The types of what each server got since the last time, at which inboxes. */
  got(): Promise<Partial<Record<Name, string[]>>>
}

/** Alice, and five servers with one actor each: only the first one's follows her. All are known here. */
async function setUp(): Promise<World> {
  const app = await network.server()
  const alice = await app.person('alice')
  const peers = {} as Record<Name, Peer>
  const actors = {} as Record<Name, PeerActor>
  for (const [index, name] of names.entries()) {
    peers[name] = await network.peer(`127.0.0.${index + 2}`)
    actors[name] = await peers[name].actor(name)
    await app.find(alice, actors[name].handle)
  }
  await actors.follower.follow(app.uriOf(alice))
  await app.settle()
  for (const peer of Object.values(peers)) peer.inbox.clear()
  const got = async () => {
    await app.settle()
    const all = names.map(
      (name) => [name, peers[name].inbox.map((post) => `${post.json.type} ${post.path}`)] as const,
    )
    for (const peer of Object.values(peers)) peer.inbox.clear()
    return Object.fromEntries(all.filter(([, posts]) => posts.length > 0))
  }
  return { app, alice, uri: app.uriOf(alice), peers, actors, got }
}

const audience = (post: { json: Record<string, unknown> } | undefined) => ({
  to: post?.json['to'],
  cc: post?.json['cc'],
})

const answers = [
  ['public', ['follower', 'named', 'author']],
  ['private', ['follower', 'named']],
  ['direct', ['named']],
  ['unlisted', ['follower', 'named', 'author']],
] as const

describe.each(variants(answers, 3))('a %s answer that names somebody', (visibility, reached) => {
  test(`reaches ${reached.join(', ')} and nobody else, then and when it is edited and deleted`, async () => {
    const { app, alice, uri, peers, actors, got } = await setUp()
    const parent = await arriveWanted(app, actors.author, actors.author.note('a question'))
    const status = await alice.say(`@${actors.named.handle} yes`, { visibility, in_reply_to_id: parent })
    await app.settle()
    const followers = `${uri}/followers`
    const named = actors.named.uri
    const expected = {
      public: { to: [everyone], cc: [followers, named] },
      unlisted: { to: [followers], cc: [everyone, named] },
      private: { to: [followers], cc: [named] },
      direct: { to: [named], cc: [] },
    }[visibility]
    const [create] = peers.named.inbox
    expect(audience(create)).toEqual(expected)
    expect(create?.json.object).toMatchObject(expected)
    const to = (type: string) => Object.fromEntries(reached.map((name) => [name, [`${type} /inbox`]]))
    expect(await got()).toEqual(to('Create'))
    await alice.put(`/api/v1/statuses/${status.id}`, { status: `@${actors.named.handle} no` })
    expect(await got()).toEqual(to('Update'))
    await alice.delete(`/api/v1/statuses/${status.id}`)
    expect(await got()).toEqual(to('Delete'))
  })
})

describe('a public status', () => {
  test('goes once to a server, however many follow there', async () => {
    const { app, alice, peers, uri, got } = await setUp()
    for (const name of ['one', 'two']) await (await peers.follower.actor(name)).follow(uri)
    await app.settle()
    await got()
    await alice.say('to all')
    expect(await got()).toEqual({ follower: ['Create /inbox'] })
  })

  test('that was favourited, boosted or answered elsewhere is edited and deleted there too', async () => {
    const { app, alice, peers, uri, actors, got } = await setUp()
    const status = await alice.say('popular')
    const id = `${uri}/statuses/${status.id}`
    await got()
    await actors.liker.like(id)
    await actors.stranger.announce(id)
    await actors.author.create(
      actors.author.note('indeed', { inReplyTo: id, ...actors.author.audience('public', [uri]) }),
    )
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${status.id}`)).ok()).toMatchObject({
      favourites_count: 1,
      reblogs_count: 1,
      replies_count: 1,
    })
    const reached = ['follower', 'author', 'liker', 'stranger'] as const
    await alice.put(`/api/v1/statuses/${status.id}`, { status: 'most popular' })
    const to = (type: string) => Object.fromEntries(reached.map((name) => [name, [`${type} /inbox`]]))
    expect(await got()).toEqual(to('Update'))
    await alice.delete(`/api/v1/statuses/${status.id}`)
    expect(await got()).toEqual(to('Delete'))
    expect(peers.named.connections).toBeLessThan(5)
  })

  test('that answers somebody here goes to their followers too', async () => {
    const { app, alice, actors, got } = await setUp()
    const carol = await app.person('carol')
    await actors.liker.follow(app.uriOf(carol))
    await app.settle()
    await got()
    const parent = await carol.say('hello')
    await got()
    await alice.say('hi', { in_reply_to_id: parent.id })
    expect(await got()).toEqual({ follower: ['Create /inbox'], liker: ['Create /inbox'] })
    await alice.say('hi in private', { in_reply_to_id: parent.id, visibility: 'private' })
    expect(await got()).toEqual({ follower: ['Create /inbox'] })
  })

  test('that answers somebody here does not go to their followers on servers that its author hides', async () => {
    const { app, alice, peers, actors, got } = await setUp()
    const carol = await app.person('carol')
    await actors.liker.follow(app.uriOf(carol))
    await app.settle()
    const parent = await carol.say('hello')
    await alice.post('/api/v1/domain_blocks', { domain: peers.liker.domain })
    await got()
    await alice.say('hi', { in_reply_to_id: parent.id })
    expect(await got()).toEqual({ follower: ['Create /inbox'] })
  })

  test('goes to relays with a JSON-LD signature, and only they get one', async () => {
    const { app, alice, peers, got } = await setUp()
    const id = app.ctx.newId()
    await sql`
      insert into relays (id, inbox_url, state) values (${id}, ${peers.stranger.url('/inbox')}, 'accepted')`.execute(
      app.ctx.db,
    )
    try {
      await alice.say('to the world')
      await app.settle()
      expect(peers.stranger.inbox[0]?.json.signature).toMatchObject({ type: 'RsaSignature2017' })
      expect(peers.follower.inbox[0]?.json.signature).toBeUndefined()
      expect(await got()).toEqual({ follower: ['Create /inbox'], stranger: ['Create /inbox'] })
      for (const visibility of ['unlisted', 'private']) await alice.say('quiet', { visibility })
      expect(await got()).toEqual({ follower: ['Create /inbox', 'Create /inbox'] })
    } finally {
      await sql`delete from relays where id = ${id}`.execute(app.ctx.db)
    }
  })
})

describe('a status for few', () => {
  /** For `follower`, who liked it or voted and follows no more, and `named`, who is blocked since. */
  async function setUpLeft(deed: 'like' | 'vote') {
    const world = await setUp()
    const { app, alice, uri, actors, got } = world
    const poll = { options: ['a', 'b'], expires_in: 300 }
    const text = `@${actors.named.handle} for few`
    const status = await alice.say(text, { visibility: 'private', poll })
    await got()
    const id = `${uri}/statuses/${status.id}`
    if (deed === 'like') await actors.follower.like(id)
    else
      await actors.follower.create(
        actors.follower.note('', { name: 'a', inReplyTo: id, content: undefined, to: [uri], cc: [] }),
      )
    await app.settle()
    const accounts = [actors.follower, actors.named].map((actor) => app.find(alice, actor.handle))
    const [follower, named] = await Promise.all(accounts)
    await alice.post(`/api/v1/accounts/${follower.id}/remove_from_followers`)
    await alice.post(`/api/v1/accounts/${named.id}/block`)
    await got()
    return { ...world, status, poll }
  }

  test('is not told in new words to who follows no more or is blocked, but they hear that it is deleted', async () => {
    const { alice, actors, status, poll, got } = await setUpLeft('like')
    expect((await alice.get(`/api/v1/statuses/${status.id}`)).ok()).toMatchObject({
      favourites_count: 1,
    })
    const text = `@${actors.named.handle} for fewer`
    ;(await alice.put(`/api/v1/statuses/${status.id}`, { status: text, poll })).ok()
    expect(await got()).toEqual({})
    await alice.delete(`/api/v1/statuses/${status.id}`)
    expect(await got()).toEqual({ follower: ['Delete /inbox'], named: ['Delete /inbox'] })
  })

  test('nor are the results of its poll', async () => {
    const { app, alice, status, got } = await setUpLeft('vote')
    expect((await alice.get(`/api/v1/statuses/${status.id}`)).ok().poll.votes_count).toBe(1)
    await deliverResults(app.ctx, asId<PollId>(status.poll.id))
    expect(await got()).toEqual({})
  })
})

describe('a boost', () => {
  test('reaches followers and the author, and so does taking it back', async () => {
    const { app, alice, actors, got } = await setUp()
    const id = await arriveWanted(app, actors.author, actors.author.note('boost me'))
    await alice.post(`/api/v1/statuses/${id}/reblog`)
    expect(await got()).toEqual({ follower: ['Announce /inbox'], author: ['Announce /inbox'] })
    await alice.post(`/api/v1/statuses/${id}/unreblog`)
    expect(await got()).toEqual({ follower: ['Undo /inbox'], author: ['Undo /inbox'] })
  })

  test('is taken back when what it boosts is deleted: nobody else tells those who have it by the boost', async () => {
    const { app, alice, actors, got } = await setUp()
    const note = actors.author.note('boost me')
    const id = await arriveWanted(app, actors.author, note)
    await alice.post(`/api/v1/statuses/${id}/reblog`)
    await got()
    await actors.author.delete(note)
    expect((await got()).follower).toContain('Undo /inbox')
  })
})

describe('what never leaves', () => {
  let world: World
  beforeAll(async () => {
    const app = await network.server()
    await setSetting(app.ctx, 'local_only_statuses', true)
  })

  test('a local-only status, its edit, a boost, a pin, a poll’s results and its deletion', async () => {
    world = await setUp()
    const { app, alice, actors, got } = world
    const carol = await app.person('carol')
    await actors.liker.follow(app.uriOf(carol))
    await app.settle()
    await got()
    const status = await alice.say(`@${actors.named.handle} just us`, {
      local_only: true,
      poll: { options: ['a', 'b'], expires_in: 300 },
    })
    await carol.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] })
    await carol.post(`/api/v1/statuses/${status.id}/reblog`)
    await carol.post(`/api/v1/statuses/${status.id}/favourite`)
    await alice.post(`/api/v1/statuses/${status.id}/pin`)
    await alice.put(`/api/v1/statuses/${status.id}`, { status: 'just us, edited' })
    await carol.say('quoting', { quoted_status_id: status.id })
    await alice.put(`/api/v1/statuses/${status.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
    await app.settle()
    await carol.post(`/api/v1/statuses/${status.id}/unreblog`)
    await alice.delete(`/api/v1/statuses/${status.id}`)
    expect(await got()).toEqual({})
  })

  test('what people of this server do with each other’s statuses', async () => {
    const { app, alice, got } = await setUp()
    const carol = await app.person('carol')
    const status = await alice.say('hello')
    await got()
    await carol.post(`/api/v1/statuses/${status.id}/favourite`)
    await carol.follow(alice)
    await carol.post(`/api/v1/accounts/${alice.accountId}/block`)
    expect(await got()).toEqual({})
  })
})

describe('an author who is gone', () => {
  test('is one Delete for every server, and none for each status', async () => {
    const { app, alice, actors, got } = await setUp()
    for (const text of ['one', 'two']) await alice.say(`@${actors.named.handle} ${text}`)
    const id = await arriveWanted(app, actors.author, actors.author.note('boost me'))
    await alice.post(`/api/v1/statuses/${id}/reblog`)
    await got()
    await deleteLocalAccount(app.ctx, alice.accountId as AccountId)
    const told = await got()
    expect(Object.keys(told).toSorted()).toEqual([...names].toSorted())
    for (const posts of Object.values(told)) expect(posts).toEqual(['Delete /inbox'])
  })
})

describe('an author who is suspended', () => {
  test('says nothing any more, though what they wrote can be deleted', async () => {
    const { app, alice, got } = await setUp()
    const status = await alice.say('choose', { poll: { options: ['a', 'b'], expires_in: 300 } })
    await got()
    await alice.put(`/api/v1/statuses/${status.id}`, { status: 'choose well' })
    await sql`update accounts set suspended_at = now() where id = ${alice.accountId}`.execute(app.ctx.db)
    await deliverResults(app.ctx, asId<PollId>(status.poll.id))
    expect(await got()).toEqual({})
    await app.ctx.transaction((tx) => removeStatus(tx, asId<StatusId>(status.id)))
    expect(await got()).toEqual({ follower: ['Delete /inbox'] })
  })
})

describe('an author who is limited', () => {
  test('has the results of a poll told to them alone too', async () => {
    const { app, alice, actors, got } = await setUp()
    await sql`update accounts set silenced_at = now() where id = ${alice.accountId}`.execute(app.ctx.db)
    const poll = { options: ['a', 'b'], expires_in: 300 }
    const status = await alice.say(`@${actors.named.handle} hello`, { visibility: 'unlisted', poll })
    await got()
    await deliverResults(app.ctx, asId<PollId>(status.poll.id))
    expect(await got()).toEqual({ follower: ['Update /inbox'] })
  })

  test('reaches only those named who follow, or ask to', async () => {
    const { app, alice, actors, peers, uri, got } = await setUp()
    await sql`update accounts set silenced_at = now() where id = ${alice.accountId}`.execute(app.ctx.db)
    await alice.say(`@${actors.named.handle} @${actors.follower.handle} hello`, { visibility: 'unlisted' })
    await app.settle()
    const [post] = peers.follower.inbox
    expect(audience(post)).toEqual({ to: [`${uri}/followers`], cc: [everyone, actors.follower.uri] })
    expect(await got()).toEqual({ follower: ['Create /inbox'] })
  })
})
