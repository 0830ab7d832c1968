// What people see of what actors elsewhere do, one kind of activity after the other.
import { describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { setSetting } from '#domain/server/instance/settings.ts'
import type { Json } from '#test/client/client.ts'
import {
  followActor,
  homeOf,
  meet,
  notificationTypesOf,
  relationshipOf,
  statusOf,
} from '#test/people/meeting.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()
const contents = (statuses: Json[]) => statuses.map((one) => one.content)

describe('Create', () => {
  test('brings a post to followers and tells whom it names', async () => {
    const { app, alice, bob } = await meet(network)
    await bob.create(bob.note('hello', bob.audience('public', [app.uriOf(alice)])))
    await app.settle()
    expect(contents(await homeOf(alice))).toEqual(['<p>hello</p>'])
    expect(await notificationTypesOf(alice)).toEqual(['mention'])
  })

  test('of what has to do with nobody here is not kept', async () => {
    const { app, alice, bob } = await meet(network, { following: false })
    const note = bob.note('to whom it may concern')
    await bob.create(note)
    await app.settle()
    expect((await sql`select 1 from statuses where uri = ${note.id}`.execute(app.ctx.db)).rows).toEqual([])
    expect(await homeOf(alice)).toEqual([])
  })

  test('by address alone has the post fetched', async () => {
    const { app, alice, bob } = await meet(network)
    await bob.create(bob.note('x'), { object: bob.note('fetched').id })
    await app.settle()
    expect(contents(await homeOf(alice))).toEqual(['<p>fetched</p>'])
  })

  test('sent to a personal inbox is for whoever has it, though it names them nowhere', async () => {
    const { app, alice, bob } = await meet(network)
    const carol = await app.person('carol')
    const note = bob.note('between us', { to: [`${bob.uri}/lists/1`], cc: [] })
    for (const person of [alice, carol]) await bob.send(bob.build.create(note), app.inboxOf(person))
    await app.settle()
    const { rows } = await sql<{ id: string }>`select id from statuses where uri = ${note.id}`.execute(
      app.ctx.db,
    )
    for (const person of [alice, carol]) {
      expect(await statusOf(person, rows[0]?.id ?? '')).toMatchObject({ content: '<p>between us</p>' })
    }
    const dave = await app.person('dave')
    expect((await dave.get(`/api/v1/statuses/${rows[0]?.id}`)).status).toBe(404)
  })

  test('of a vote is counted', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const poll = { options: ['red', 'blue', 'green'], expires_in: 600, multiple: true }
    const status = await alice.say('which?', { poll })
    const vote = (name: string, voter = bob) =>
      voter.create({
        id: `${voter.uri}/votes/${name}`,
        type: 'Note',
        name,
        attributedTo: voter.uri,
        to: [app.uriOf(alice)],
        inReplyTo: status.uri,
      })
    await vote('red')
    await vote('green')
    await vote('green')
    await vote('mauve')
    await vote('red', await peer.actor('carol'))
    await app.settle()
    expect((await statusOf(alice, status.id)).poll).toMatchObject({
      votes_count: 3,
      voters_count: 2,
      options: [{ votes_count: 2 }, { votes_count: 0 }, { votes_count: 1 }],
    })
    expect(await homeOf(alice)).toHaveLength(1)
  })

  test('of a vote too many, too late or for nothing is not [FED-46]', async () => {
    const { app, alice, bob } = await meet(network)
    const single = await alice.say('which?', { poll: { options: ['red', 'blue'], expires_in: 600 } })
    const text = await alice.say('no poll')
    const vote = (name: unknown, status: Json) =>
      bob.send(
        bob.build.create({
          id: `${bob.uri}/votes/${String(name)}/${status.id}`,
          type: 'Note',
          name,
          attributedTo: bob.uri,
          to: [app.uriOf(alice)],
          inReplyTo: status.uri,
        }),
      )
    for (const name of ['red', 'blue', '', null, ['red'], 'toString']) await vote(name, single)
    await vote('red', text)
    await app.settle()
    app.clock.advance(601_000)
    const late = await alice.say('late', { poll: { options: ['red', 'blue'], expires_in: 300 } })
    app.clock.advance(301_000)
    await vote('red', late)
    await app.settle()
    expect((await statusOf(alice, single.id)).poll).toMatchObject({ votes_count: 1, voters_count: 1 })
    expect((await statusOf(alice, late.id)).poll).toMatchObject({ votes_count: 0, voters_count: 0 })
  })
})

describe('Like', () => {
  test('is a favourite, until it is undone', async () => {
    const { app, alice, bob } = await meet(network)
    const status = await alice.say('likeable')
    const like = await bob.like(status.uri)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 1 })
    expect(await notificationTypesOf(alice)).toEqual(['favourite'])
    await bob.undo(like)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 0 })
    expect(await notificationTypesOf(alice)).toEqual([])
  })

  test('of what the actor cannot see is none', async () => {
    const { app, alice, bob } = await meet(network)
    const status = await alice.say('for few', { visibility: 'private' })
    await bob.like(status.uri)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 0 })
  })

  test('with an emoji, and EmojiReact, are reactions where those are wanted', async () => {
    const { app, alice, bob } = await meet(network)
    const status = await alice.say('funny')
    const icon = { type: 'Image', url: `${bob.baseUrl}/blobcat.png` }
    const tag = [{ type: 'Emoji', id: `${bob.baseUrl}/emoji/blobcat`, name: ':blobcat:', icon }]
    await setSetting(app.ctx, 'emoji_reactions', true)
    const like = await bob.like(status.uri, { content: '🎉', _misskey_reaction: '🎉' })
    await bob.like(status.uri, { content: ':blobcat:', tag })
    await bob.like(status.uri, { type: 'EmojiReact', content: '👍' })
    await bob.like(status.uri, { type: 'EmojiReact', content: ':unknown:' })
    await bob.like(status.uri, { type: 'EmojiReact', content: 'hello' })
    await app.settle()
    const names = async () => {
      const { reactions } = (await statusOf(alice, status.id)) as Json
      return (reactions ?? []).map((one: Json) => one.name)
    }
    const domain = new URL(bob.baseUrl).host
    expect(await names()).toEqual(['🎉', `blobcat@${domain}`, '👍'])
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 0 })
    await bob.undo(like)
    await bob.undo({ type: 'Like', actor: bob.uri, object: status.uri, content: ':blobcat:', tag })
    await app.settle()
    expect(await names()).toEqual(['👍'])
    await setSetting(app.ctx, 'emoji_reactions', false)
  })

  test('with an emoji is a favourite where reactions are not wanted, and EmojiReact is nothing', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const carol = await peer.actor('carol')
    const status = await alice.say('not so funny')
    const like = await bob.like(status.uri, { content: '🎉' })
    await carol.like(status.uri, { type: 'EmojiReact', content: '🎉' })
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 1 })
    await bob.undo(like)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ favourites_count: 0 })
  })
})

describe('Announce', () => {
  test('is a boost, until it is undone', async () => {
    const { app, alice, bob } = await meet(network)
    const status = await alice.say('boostable')
    const announce = await bob.announce(status.uri)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ reblogs_count: 1 })
    expect(await notificationTypesOf(alice)).toEqual(['reblog'])
    await bob.undo(announce)
    await app.settle()
    expect(await statusOf(alice, status.id)).toMatchObject({ reblogs_count: 0 })
  })

  test('has what it boosts fetched, when somebody here follows the booster', async () => {
    const { app, alice, bob } = await meet(network)
    const carol = await (await network.peer('127.0.0.3')).actor('carol')
    await bob.announce(carol.note('from afar').id)
    await app.settle()
    const [boost] = await homeOf(alice)
    expect(boost).toMatchObject({ visibility: 'public', account: { username: 'bob' } })
    expect(boost.reblog).toMatchObject({ content: '<p>from afar</p>', account: { username: 'carol' } })
  })

  test('of somebody whom nobody follows is not looked at', async () => {
    const { app, alice, bob } = await meet(network, { following: false })
    const other = await network.peer('127.0.0.3')
    await bob.announce((await other.actor('carol')).note('unasked').id)
    await app.settle()
    expect(other.connections).toBe(0)
    expect(await homeOf(alice)).toEqual([])
  })

  test('of what only followers may see is none, but for the author', async () => {
    const { app, alice, bob, bobId, peer } = await meet(network)
    const carol = await peer.actor('carol')
    await followActor(app, alice, carol)
    const note = bob.note('for followers', bob.audience('private'))
    await bob.create(note)
    await carol.announce(note.id)
    await app.settle()
    expect((await homeOf(alice)).map((one) => one.reblog)).toEqual([null])
    await bob.announce(note.id, { to: [bob.followers], cc: [] })
    await app.settle()
    const ofBob = (await alice.get(`/api/v1/accounts/${bobId}/statuses`)).ok() as Json[]
    expect(ofBob.map((one) => [one.visibility, one.reblog?.content ?? null])).toEqual([
      ['private', '<p>for followers</p>'],
      ['private', null],
    ])
  })

  test('of a post by somebody suspended here is none [FED-35]', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const carol = await peer.actor('carol')
    const carolId = await followActor(app, alice, carol)
    const known = carol.note('known')
    await carol.create(known)
    await app.settle()
    await sql`update accounts set suspended_at = now() where id = ${carolId}`.execute(app.ctx.db)
    await bob.announce(known.id)
    await bob.announce(carol.note('unknown').id)
    await app.settle()
    expect(await homeOf(alice)).toEqual([])
  })

  test('by a group brings the posts that its members make', async () => {
    const { app, alice, peer } = await meet(network)
    const group = await peer.actor('cats', { type: 'Group' })
    await followActor(app, alice, group)
    const other = await network.peer('127.0.0.3')
    const carol = await other.actor('carol')
    const page = carol.note('a cat', { type: 'Page', name: 'Look at my cat', content: '<p>It is a cat</p>' })
    const passed = (activity: Json) => ({ ...activity, '@context': undefined })
    const create = await group.announce(carol.uri, {
      object: passed(carol.build.create(page, { audience: group.uri })),
    })
    await group.announce(page.id)
    await group.announce(carol.uri, { object: passed(carol.build.like(page.id)) })
    await group.announce(carol.uri, { object: passed({ ...carol.build.like(page.id), type: 'Dislike' }) })
    const comment = carol.note('aww', { inReplyTo: page.id })
    await group.announce(carol.uri, { object: passed(carol.build.create(comment)) })
    const stray = carol.note('elsewhere', { inReplyTo: `${other.baseUrl}/unknown` })
    await group.announce(carol.uri, { object: passed(carol.build.create(stray)) })
    await app.settle()
    const home = await homeOf(alice)
    expect(home).toHaveLength(1)
    expect(home[0]).toMatchObject({ uri: create.id, account: { username: 'cats', group: true } })
    expect(home[0].reblog.content).toContain('Look at my cat')
    const { descendants } = (await alice.get(`/api/v1/statuses/${home[0].reblog.id}/context`)).ok()
    expect(contents(descendants)).toEqual(['<p>aww</p>'])
    other.gone(new URL(page.id).pathname)
    await group.announce(carol.uri, { object: passed(carol.build.delete(page.id)) })
    await app.settle()
    expect(await homeOf(alice)).toEqual([])
  })
})

describe('Follow', () => {
  test('is accepted at once, and again when it is repeated', async () => {
    const { app, alice, bob, bobId, peer } = await meet(network, { following: false })
    const first = await bob.follow(app.uriOf(alice))
    await app.settle()
    const [accept] = await peer.received('Accept')
    expect(accept?.json).toMatchObject({ actor: app.uriOf(alice), object: { id: first.id, actor: bob.uri } })
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: true })
    const again = await bob.follow(app.uriOf(alice))
    await app.settle()
    expect((await peer.received('Accept', 2))[1]?.json.object.id).toBe(again.id)
    await bob.undo(again)
    await app.settle()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: false })
  })

  test('of a locked account waits for it', async () => {
    const { app, alice, bob, bobId, peer } = await meet(network, { following: false })
    await alice.patch('/api/v1/accounts/update_credentials', { locked: true })
    const follow = await bob.follow(app.uriOf(alice))
    await app.settle()
    expect(peer.inbox.of('Accept')).toEqual([])
    expect((await alice.get('/api/v1/follow_requests')).ok()).toMatchObject([{ id: bobId }])
    ;(await alice.post(`/api/v1/follow_requests/${bobId}/authorize`)).ok()
    await app.settle()
    expect((await peer.received('Accept'))[0]?.json.object.id).toBe(follow.id)
  })

  test('of whoever blocks the actor, and of the server itself, is rejected', async () => {
    const { app, alice, bob, bobId, peer } = await meet(network, { following: false })
    ;(await alice.post(`/api/v1/accounts/${bobId}/block`)).ok()
    await app.settle()
    peer.inbox.clear()
    const follow = await bob.follow(app.uriOf(alice))
    const ofServer = await bob.follow(`${app.baseUrl}/actor`)
    await app.settle()
    const rejects = await peer.received('Reject', 2)
    expect(rejects.map((one) => [one.json.object.id, one.json.actor])).toEqual([
      [follow.id, app.uriOf(alice)],
      [ofServer.id, `${app.baseUrl}/actor`],
    ])
    expect(await relationshipOf(alice, bobId)).toMatchObject({ followed_by: false })
  })
})

describe('Accept and Reject', () => {
  test('of a follow, embedded or by its id', async () => {
    const { app, alice, bob, bobId, peer } = await meet(network, { following: false })
    for (const embedded of [true, false]) {
      ;(await alice.post(`/api/v1/accounts/${bobId}/follow`)).ok()
      await app.settle()
      expect(await relationshipOf(alice, bobId)).toMatchObject({ following: false, requested: true })
      const follow = (await peer.received('Follow')).at(-1)?.json
      await bob.accept(embedded ? follow : follow.id)
      await app.settle()
      expect(await relationshipOf(alice, bobId)).toMatchObject({ following: true, requested: false })
      await bob.reject(embedded ? follow : follow.id)
      await app.settle()
      expect(await relationshipOf(alice, bobId)).toMatchObject({ following: false, requested: false })
    }
  })

  test('an Accept that is undone ends the follow', async () => {
    const { app, alice, bob, bobId, peer } = await meet(network)
    const follow = (await peer.received('Follow')).at(-1)?.json
    await bob.undo({ type: 'Accept', actor: bob.uri, object: follow })
    await app.settle()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ following: false })
  })
})

describe('Block', () => {
  test('ends the follow of whom it is about, who is not told [FED-28]', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    const block = await bob.block(app.uriOf(alice))
    await app.settle()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ following: false, requested: false })
    expect((await relationshipOf(alice, bobId)).blocked_by ?? false).toBe(false)
    expect(await notificationTypesOf(alice)).toEqual([])
    expect((await alice.post(`/api/v1/accounts/${bobId}/follow`)).status).toBe(403)
    await bob.undo(block)
    await app.settle()
    ;(await alice.post(`/api/v1/accounts/${bobId}/follow`)).ok()
    expect(await relationshipOf(alice, bobId)).toMatchObject({ requested: true })
  })
})

describe('Update', () => {
  test('of a post is an edit', async () => {
    const { app, alice, bob } = await meet(network)
    const note = bob.note('first')
    await bob.create(note)
    app.clock.advance(60_000)
    await bob.update(bob.revise(note, { content: '<p>second</p>' }))
    await app.settle()
    const [status] = await homeOf(alice)
    expect(status.content).toBe('<p>second</p>')
    expect(status.edited_at).not.toBeNull()
    expect((await alice.get(`/api/v1/statuses/${status.id}/history`)).ok()).toHaveLength(2)
  })

  test('of the actor changes the profile', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    await bob.update(bob.change({ name: 'Robert', summary: '<p>new</p>' }))
    await app.settle()
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).ok()).toMatchObject({
      display_name: 'Robert',
      note: '<p>new</p>',
    })
    bob.change({ name: 'Bobby' })
    await bob.update({ id: bob.uri }, { object: bob.uri })
    await app.settle()
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).ok()).toMatchObject({ display_name: 'Bobby' })
  })
})

describe('Delete', () => {
  test('of a post takes it, and the boosts of it, away for good', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const carol = await peer.actor('carol')
    await followActor(app, alice, carol)
    const note = bob.note('short-lived')
    await bob.create(note)
    await carol.announce(note.id)
    await app.settle()
    expect(await homeOf(alice)).not.toEqual([])
    await bob.delete(note)
    await app.settle()
    expect(await homeOf(alice)).toEqual([])
    await bob.create(note)
    await carol.announce(note.id)
    await app.settle()
    expect(await homeOf(alice)).toEqual([])
  })

  test('of the actor takes all away', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    await bob.create(bob.note('the last'))
    await app.settle()
    await bob.delete(bob.uri)
    await app.settle()
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).status).toBe(404)
    expect(await homeOf(alice)).toEqual([])
  })
})

describe('Flag', () => {
  test('is a report of each local account that is named', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    const dave = await app.person('dave')
    const status = await dave.say('rude')
    const flag = bob.build.flag(
      [app.uriOf(dave), status.uri, app.uriOf(alice), 'https://x.example/1'],
      'They are rude',
    )
    await bob.send(flag)
    await bob.send(flag)
    await app.settle()
    const { rows } = await sql<Json>`
      select target_account_id, comment, status_ids from reports where account_id = ${bobId} order by id`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([
      { target_account_id: dave.accountId, comment: 'They are rude', status_ids: [status.id] },
      { target_account_id: alice.accountId, comment: 'They are rude', status_ids: [] },
    ])
  })

  test('of a server whose reports are not wanted is none', async () => {
    const { app, alice, bob } = await meet(network)
    const id = app.ctx.newId()
    await sql`
      insert into domain_blocks (id, domain, severity, reject_reports)
      values (${id}, ${new URL(bob.baseUrl).hostname}, 'noop', true)`.execute(app.ctx.db)
    await bob.flag([app.uriOf(alice)], 'nonsense')
    await app.settle()
    await sql`delete from domain_blocks where id = ${id}`.execute(app.ctx.db)
    expect((await sql`select 1 from reports where comment = 'nonsense'`.execute(app.ctx.db)).rows).toEqual([])
  })
})

describe('Move', () => {
  test('takes followers along to an account that names the old one', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    const other = await network.peer('127.0.0.3')
    const robert = await other.actor('robert', { alsoKnownAs: [bob.uri] })
    bob.change({ movedTo: robert.uri })
    await bob.move(robert.uri)
    await app.settle()
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).ok().moved).toMatchObject({ username: 'robert' })
    const { id } = await app.find(alice, robert.handle)
    expect(await relationshipOf(alice, id)).toMatchObject({ requested: true })
    expect((await other.received('Follow')).map((post) => post.json.object)).toEqual([robert.uri])
  })
})

describe('Add and Remove', () => {
  test('change what is pinned and which hashtags are featured', async () => {
    const { app, alice, bob, bobId } = await meet(network)
    const note = bob.note('pinned')
    const pinned = async () =>
      contents((await alice.get(`/api/v1/accounts/${bobId}/statuses`, { pinned: true })).ok())
    const tags = async () =>
      (await alice.get(`/api/v1/accounts/${bobId}/featured_tags`)).ok().map((one: Json) => one.name)
    const hashtag = { type: 'Hashtag', name: '#birds', href: `${bob.baseUrl}/tags/birds` }
    await bob.add(note.id)
    await bob.add(hashtag)
    await app.settle()
    expect([await pinned(), await tags()]).toEqual([['<p>pinned</p>'], ['birds']])
    await bob.remove(note.id)
    await bob.remove(hashtag)
    await app.settle()
    expect([await pinned(), await tags()]).toEqual([[], []])
  })
})

describe('QuoteRequest', () => {
  const ask = (
    bob: { uri: string; build: { like(uri: string, more: Json): Json } },
    quoting: Json,
    quoted: Json,
  ) => bob.build.like(quoted.uri, { type: 'QuoteRequest', instrument: quoting })

  test('is answered as the policy of the quoted post says', async () => {
    const { app, alice, bob, peer } = await meet(network)
    for (const [policy, answer] of [
      ['public', 'Accept'],
      ['nobody', 'Reject'],
    ] as const) {
      const quoted = await alice.say(`quotable by ${policy}`, { quote_approval_policy: policy })
      const quoting = bob.note('quoting', { quote: quoted.uri })
      const request = ask(bob, quoting, quoted)
      expect((await bob.send(request)).status).toBe(202)
      await app.settle()
      const [post] = await peer.received(
        (one) => one.json?.type === answer && one.json.object?.type === 'QuoteRequest',
      )
      expect(post?.json.object.id).toBe(request['id'])
      await bob.create(quoting)
      await app.settle()
      const status = (await homeOf(alice)).find((one) => one.uri === quoting.id)
      expect(status.quote).toMatchObject({ state: answer === 'Accept' ? 'accepted' : 'rejected' })
    }
  })

  test('for a post that somebody else wrote is not answered', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const carol = await peer.actor('carol')
    const quoted = await alice.say('quotable', { quote_approval_policy: 'public' })
    const quoting = carol.note('quoting', { quote: quoted.uri })
    await bob.send(ask(bob, quoting.id, quoted))
    await bob.send(ask(bob, { ...quoting, attributedTo: bob.uri }, quoted))
    await app.settle()
    expect(peer.inbox.of((one) => one.json?.object?.type === 'QuoteRequest')).toEqual([])
  })
})

describe('consent to quotes of posts elsewhere', () => {
  test('is taken from the author alone, and can be taken back', async () => {
    const { app, alice, bob, peer } = await meet(network)
    const mallory = await peer.actor('mallory')
    const policy = {
      interactionPolicy: {
        canQuote: { automaticApproval: ['https://www.w3.org/ns/activitystreams#Public'] },
      },
    }
    await bob.create(bob.note('quote me', policy))
    await app.settle()
    const [quoted] = await homeOf(alice)
    const status = await alice.say('as bob says', { quoted_status_id: quoted.id })
    await app.settle()
    const request = (await peer.received('QuoteRequest'))[0]?.json
    const state = async () => (await statusOf(alice, status.id)).quote.state
    const stamp = `${bob.uri}/stamps/1`
    await mallory.send(mallory.build.accept(request, { result: `${mallory.uri}/stamps/1` }))
    await bob.accept(request, { result: 'https://x.example/stamps/1' })
    await app.settle()
    expect(await state()).toBe('pending')
    await bob.accept(request, { result: stamp })
    await app.settle()
    expect(await state()).toBe('accepted')
    await mallory.send(mallory.build.delete(stamp))
    await app.settle()
    expect(await state()).toBe('accepted')
    await bob.delete({ id: stamp })
    await app.settle()
    expect(await state()).toBe('revoked')
  })
})
