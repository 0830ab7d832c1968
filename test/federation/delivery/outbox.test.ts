// What other servers are told of what people here do: the activity, and who signed it.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { verifyProof } from '#federation/signatures/integrity-proof.ts'
import { decodeMultikey } from '#federation/signatures/multikey.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { deliverReport } from '#federation/outbox/accounts.ts'
import { deliverResults } from '#federation/outbox/statuses.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { everyone } from '#test/peer/activities.ts'
import type { Peer } from '#test/peer/peer.ts'
import { arriveWanted } from '#test/people/remote-statuses.ts'
import { insertMedia } from '#test/people/status-parts.ts'
import { asId, type PollId, type ReportId } from '#lib/id.ts'

const network = useNetwork()

/** Alice here, bob elsewhere who follows her; what was exchanged until now is forgotten. */
async function setUp() {
  const app = await network.server()
  const peer = await network.peer()
  const alice = await app.person('alice')
  const bob = await peer.actor('bob')
  await bob.follow(app.uriOf(alice))
  await app.settle()
  const accountId = (await app.find(alice, bob.handle)).id as string
  peer.inbox.clear()
  return { app, peer, alice, bob, accountId, uri: app.uriOf(alice) }
}

/** The one activity that came since, signed by `person`. */
async function only(app: NetworkServer, peer: Peer, person: Person): Promise<Json> {
  await app.settle()
  expect(peer.inbox.map((post) => [post.json.type, post.signer])).toEqual([
    [expect.any(String), app.uriOf(person)],
  ])
  const [post] = peer.inbox
  peer.inbox.clear()
  return { ...post?.json, path: post?.path }
}

describe('a status', () => {
  test('is a Create with all that it carries', async () => {
    const { app, peer, alice, bob, uri } = await setUp()
    const carol = await app.person('carol')
    const base = app.baseUrl
    await sql`
      insert into custom_emojis (id, shortcode, image_key) values (${app.ctx.newId()}, 'blobcat', 'emojis/blobcat.png')
      on conflict do nothing`.execute(app.ctx.db)
    const image = await insertMedia(app.ctx, alice, { description: 'A cat', focus: [0.5, -0.25] })
    const text = `hi @${bob.handle} and @${carol.username} #Cats :blobcat:`
    const status = await alice.say(text, {
      spoiler_text: 'careful',
      language: 'en',
      sensitive: true,
      media_ids: [image],
    })
    const create = await only(app, peer, alice)
    const id = `${uri}/statuses/${status.id}`
    const audience = { to: [everyone], cc: [`${uri}/followers`, bob.uri, app.uriOf(carol)] }
    const content = expect.stringContaining(`@<span>${bob.handle}</span>`)
    expect(create).toMatchObject({ id: `${id}/activity`, type: 'Create', actor: uri, path: '/inbox' })
    expect({ to: create.to, cc: create.cc.toSorted() }).toEqual({
      to: audience.to,
      cc: audience.cc.toSorted(),
    })
    expect(create.object).toMatchObject({
      id,
      type: 'Note',
      summary: 'careful',
      summaryMap: { en: 'careful' },
      inReplyTo: null,
      published: status.created_at,
      url: `${base}/@${alice.username}/${status.id}`,
      attributedTo: uri,
      sensitive: true,
      atomUri: id,
      conversation: expect.stringMatching(
        /^tag:127\.0\.1\.1:\d+,\d{4}-\d\d-\d\d:objectId=\d+:objectType=Conversation$/,
      ),
      context: expect.stringContaining(`${base}/contexts/`),
      content,
      contentMap: { en: content },
      attachment: [
        {
          type: 'Document',
          mediaType: 'image/png',
          name: 'A cat',
          focalPoint: [0.5, -0.25],
          width: 400,
          height: 300,
        },
      ],
      replies: { id: `${id}/replies`, type: 'Collection', first: { partOf: `${id}/replies`, items: [] } },
      likes: { id: `${id}/likes`, type: 'Collection', totalItems: 0 },
      shares: { id: `${id}/shares`, type: 'Collection', totalItems: 0 },
      interactionPolicy: {
        canQuote: { automaticApproval: [everyone] },
        canReply: { automaticApproval: [everyone] },
      },
    })
    expect(create.object.content).toContain(`@<span>${app.handleOf(carol)}</span>`)
    expect(create.object.tag).toEqual(
      expect.arrayContaining([
        { type: 'Mention', href: bob.uri, name: `@${bob.handle}` },
        { type: 'Mention', href: app.uriOf(carol), name: `@${app.handleOf(carol)}` },
        { type: 'Hashtag', href: `${base}/tags/cats`, name: '#cats' },
        {
          id: `${base}/emojis/blobcat`,
          type: 'Emoji',
          name: ':blobcat:',
          updated: expect.any(String),
          icon: { type: 'Image', mediaType: 'image/png', url: `${base}/media/emojis/blobcat.png` },
        },
      ]),
    )
  })

  test('that is public has a proof made with the key its author publishes', async () => {
    const { app, peer, alice, uri } = await setUp()
    await alice.say('prove it')
    const { path: _, ...create } = await only(app, peer, alice)
    const accept = 'application/activity+json'
    const actor = (await (await app.fetch(uri, { headers: { accept } })).json()) as Json
    const method = actor.assertionMethod[0]
    expect(create.proof.verificationMethod).toBe(method.id)
    const key = decodeMultikey(method.publicKeyMultibase)
    expect(key && verifyProof(create, key, app.clock.now())).toBe(true)
    expect(key && verifyProof({ ...create, to: [] }, key, app.clock.now())).toBe(false)
    await alice.say('not this one', { visibility: 'private' })
    expect((await only(app, peer, alice)).proof).toBeUndefined()
  })

  test('with a video has a picture of it', async () => {
    const { app, peer, alice } = await setUp()
    const video = await insertMedia(app.ctx, alice, { type: 'video', ending: 'mp4' })
    await alice.say('look', { media_ids: [video] })
    const { object } = await only(app, peer, alice)
    const icon = { type: 'Image', mediaType: 'image/webp' }
    expect(object.attachment).toMatchObject([{ type: 'Document', mediaType: 'video/mp4', name: null, icon }])
  })

  test('names what it answers, and its author’s own answers', async () => {
    const { app, peer, alice, bob, uri } = await setUp()
    const note = bob.note('a question')
    const id = await arriveWanted(app, bob, note)
    const reply = await alice.say('an answer', { in_reply_to_id: id })
    const create = await only(app, peer, alice)
    expect(create.object).toMatchObject({ inReplyTo: note.id, inReplyToAtomUri: note.id })
    const more = await alice.say('and more', { in_reply_to_id: reply.id })
    await only(app, peer, alice)
    await alice.put(`/api/v1/statuses/${reply.id}`, { status: 'an edited answer' })
    const update = await only(app, peer, alice)
    expect(update.object.replies.first.items).toEqual([`${uri}/statuses/${more.id}`])
  })

  test('is updated, and deleted with a Tombstone', async () => {
    const { app, peer, alice, uri } = await setUp()
    const status = await alice.say('frist')
    await only(app, peer, alice)
    app.clock.advance(1_000)
    await alice.put(`/api/v1/statuses/${status.id}`, { status: 'first' })
    const id = `${uri}/statuses/${status.id}`
    const update = await only(app, peer, alice)
    expect(update).toMatchObject({
      id: expect.stringMatching(RegExp(`^${RegExp.escape(id)}#updates/\\d+$`)),
      type: 'Update',
      actor: uri,
      to: [everyone],
      cc: [`${uri}/followers`],
      object: { id, type: 'Note', content: '<p>first</p>', updated: expect.any(String) },
    })
    await alice.delete(`/api/v1/statuses/${status.id}`)
    expect(await only(app, peer, alice)).toMatchObject({
      id: `${id}#delete`,
      type: 'Delete',
      actor: uri,
      to: [everyone],
      object: { id, type: 'Tombstone', atomUri: id },
    })
  })

  test('whose quote policy changes is updated too; a pin that comes and goes is Add and Remove', async () => {
    const { app, peer, alice, uri } = await setUp()
    const status = await alice.say('mine')
    await only(app, peer, alice)
    await alice.put(`/api/v1/statuses/${status.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
    const update = await only(app, peer, alice)
    expect(update).toMatchObject({ type: 'Update', object: { type: 'Note' } })
    expect(update.object.interactionPolicy).toEqual({
      canQuote: { automaticApproval: [uri] },
      canReply: { automaticApproval: [everyone] },
    })
    const target = `${uri}/collections/featured`
    for (const [verb, type] of [
      ['pin', 'Add'],
      ['unpin', 'Remove'],
    ]) {
      await alice.post(`/api/v1/statuses/${status.id}/${verb}`)
      const expected = { type, actor: uri, target, object: `${uri}/statuses/${status.id}` }
      expect(await only(app, peer, alice)).toMatchObject(expected)
    }
  })
})

test('a hashtag on the profile is an Add, and a Remove when it goes', async () => {
  const { app, peer, alice, uri } = await setUp()
  const tag = (await alice.post('/api/v1/featured_tags', { name: 'Gardens' })).ok()
  const expected = {
    actor: uri,
    target: `${uri}/collections/featured`,
    object: { type: 'Hashtag', name: '#Gardens', href: `${app.baseUrl}/tags/gardens` },
  }
  expect(await only(app, peer, alice)).toMatchObject({ ...expected, type: 'Add' })
  await alice.delete(`/api/v1/featured_tags/${tag.id}`)
  expect(await only(app, peer, alice)).toMatchObject({ ...expected, type: 'Remove' })
})

describe('a boost', () => {
  test('is an Announce by address, and undone by the Undo of it', async () => {
    const { app, peer, alice, bob, uri } = await setUp()
    const note = bob.note('boost me')
    const id = await arriveWanted(app, bob, note)
    const boost = (await alice.post(`/api/v1/statuses/${id}/reblog`)).ok()
    const announce = {
      id: `${uri}/statuses/${boost.id}/activity`,
      type: 'Announce',
      actor: uri,
      to: [everyone],
      cc: [bob.uri, `${uri}/followers`],
      object: note.id,
    }
    expect(await only(app, peer, alice)).toMatchObject(announce)
    await alice.post(`/api/v1/statuses/${id}/unreblog`)
    expect(await only(app, peer, alice)).toMatchObject({
      id: `${uri}#announces/${boost.id}/undo`,
      type: 'Undo',
      to: [everyone],
      object: announce,
    })
  })

  test('of one’s own private status has it inside', async () => {
    const { app, peer, alice, uri } = await setUp()
    const status = await alice.say('for followers', { visibility: 'private' })
    await only(app, peer, alice)
    await alice.post(`/api/v1/statuses/${status.id}/reblog`)
    const announce = await only(app, peer, alice)
    expect(announce).toMatchObject({ type: 'Announce', to: [`${uri}/followers`] })
    expect(announce.object).toMatchObject({
      id: `${uri}/statuses/${status.id}`,
      content: '<p>for followers</p>',
    })
  })
})

describe('what is for one account alone goes to its own inbox', () => {
  test('Like, and Undo of it', async () => {
    const { app, peer, alice, bob, uri } = await setUp()
    const note = bob.note('like me')
    const id = await arriveWanted(app, bob, note)
    await alice.post(`/api/v1/statuses/${id}/favourite`)
    const like = await only(app, peer, alice)
    expect(like).toMatchObject({ type: 'Like', actor: uri, object: note.id, path: '/users/bob/inbox' })
    expect(like.id).toMatch(RegExp(`^${RegExp.escape(uri)}#likes/\\d+$`))
    await alice.post(`/api/v1/statuses/${id}/unfavourite`)
    const undo = await only(app, peer, alice)
    expect(undo).toMatchObject({ id: `${like.id}/undo`, type: 'Undo', path: '/users/bob/inbox' })
    expect(undo.object).toMatchObject({ id: like.id, type: 'Like', object: note.id })
  })

  test('EmojiReact, and Undo of it', async () => {
    const { app, peer, alice, bob, uri } = await setUp()
    await setSetting(app.ctx, 'emoji_reactions', true)
    const note = bob.note('react to me')
    const id = await arriveWanted(app, bob, note)
    await alice.put(`/api/v1/pleroma/statuses/${id}/reactions/🎉`)
    const react = await only(app, peer, alice)
    expect(react).toMatchObject({
      type: 'EmojiReact',
      actor: uri,
      object: note.id,
      content: '🎉',
      to: [bob.uri],
    })
    await alice.delete(`/api/v1/pleroma/statuses/${id}/reactions/🎉`)
    expect(await only(app, peer, alice)).toMatchObject({
      type: 'Undo',
      object: { id: react.id, type: 'EmojiReact', content: '🎉' },
    })
  })

  test('Follow, Undo of it, and of a request', async () => {
    const { app, peer, alice, bob, accountId, uri } = await setUp()
    await alice.post(`/api/v1/accounts/${accountId}/follow`)
    const follow = await only(app, peer, alice)
    expect(follow).toMatchObject({ type: 'Follow', actor: uri, object: bob.uri, path: '/users/bob/inbox' })
    expect(follow.id).toMatch(RegExp(`^${RegExp.escape(app.baseUrl)}/`))
    await alice.post(`/api/v1/accounts/${accountId}/unfollow`)
    const undo = { type: 'Undo', actor: uri, object: { id: follow.id, type: 'Follow', object: bob.uri } }
    expect(await only(app, peer, alice)).toMatchObject(undo)
    await alice.post(`/api/v1/accounts/${accountId}/follow`)
    const second = await only(app, peer, alice)
    expect(second.id).not.toBe(follow.id)
    await bob.accept(second)
    await app.settle()
    await alice.post(`/api/v1/accounts/${accountId}/unfollow`)
    expect(await only(app, peer, alice)).toMatchObject({ type: 'Undo', object: { id: second.id } })
  })

  test('Block after the end of both follows, and Undo of it', async () => {
    const { app, peer, alice, bob, accountId, uri } = await setUp()
    await alice.post(`/api/v1/accounts/${accountId}/follow`)
    const follow = await only(app, peer, alice)
    await bob.accept(follow)
    await app.settle()
    await alice.post(`/api/v1/accounts/${accountId}/block`)
    await app.settle()
    expect(peer.inbox.types().toSorted()).toEqual(['Block', 'Reject', 'Undo'])
    const [block] = peer.inbox.of('Block')
    expect(block?.json).toMatchObject({ actor: uri, object: bob.uri })
    expect(peer.inbox.of('Reject')[0]?.json.object).toMatchObject({
      type: 'Follow',
      actor: bob.uri,
      object: uri,
    })
    peer.inbox.clear()
    await alice.post(`/api/v1/accounts/${accountId}/unblock`)
    expect(await only(app, peer, alice)).toMatchObject({
      type: 'Undo',
      object: { id: block?.json.id, type: 'Block' },
    })
  })

  test('votes, one Create each', async () => {
    const { app, peer, alice, bob, uri } = await setUp()
    const options = ['one', 'two', 'three'].map((name) => ({
      type: 'Note',
      name,
      replies: { totalItems: 0 },
    }))
    const note = bob.note('choose', { type: 'Question', anyOf: options, endTime: '2099-01-01T00:00:00Z' })
    const id = await arriveWanted(app, bob, note)
    const { poll } = (await alice.get(`/api/v1/statuses/${id}`)).ok()
    await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0, 2] })
    await app.settle()
    expect(peer.inbox.map((post) => [post.path, post.json.type, post.json.to])).toEqual([
      ['/users/bob/inbox', 'Create', [bob.uri]],
      ['/users/bob/inbox', 'Create', [bob.uri]],
    ])
    const votes = peer.inbox.map((post) => post.json.object)
    expect(votes.map((vote) => vote.name).toSorted()).toEqual(['one', 'three'])
    expect(votes[0]).toMatchObject({ type: 'Note', inReplyTo: note.id, attributedTo: uri, to: [bob.uri] })
    expect(votes[0]?.content).toBeUndefined()
    expect(new Set(votes.map((vote) => vote.id)).size).toBe(2)
    // What was told before is not told again.
    peer.inbox.clear()
    ;(await alice.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })).ok()
    await app.settle()
    expect(peer.inbox.map((post) => post.json.object.name)).toEqual(['two'])
  })
})

describe('what is done, taken back and done again before anything is sent', () => {
  test.each(['favourite', 'follow', 'block'])(
    '%s: ends as it should, in the order in which it happened',
    async (what) => {
      const { app, peer, alice, bob, accountId } = await setUp()
      const statusId = await arriveWanted(app, bob, bob.note('again'))
      const path = what === 'favourite' ? `/api/v1/statuses/${statusId}` : `/api/v1/accounts/${accountId}`
      for (const verb of [what, `un${what}`, what]) await alice.post(`${path}/${verb}`)
      await app.settle()
      const type = { favourite: 'Like', follow: 'Follow', block: 'Block' }[what]
      const told = peer.inbox.filter((post) => post.json.type !== 'Reject')
      expect(told.map((post) => post.json.type)).toEqual(['Undo', type])
      expect(told[0]?.json.object.id).not.toBe(told[1]?.json.id)
    },
  )
})

test('what is pinned or featured and no longer so before anything is sent is not told', async () => {
  const { app, peer, alice } = await setUp()
  const status = await alice.say('pin me')
  await only(app, peer, alice)
  for (const verb of ['pin', 'unpin']) await alice.post(`/api/v1/statuses/${status.id}/${verb}`)
  const tag = (await alice.post('/api/v1/featured_tags', { name: 'Gardens' })).ok()
  await alice.delete(`/api/v1/featured_tags/${tag.id}`)
  await app.settle()
  expect(peer.inbox.filter((post) => post.json.type !== 'Remove')).toEqual([])
})

describe('a follower', () => {
  test('gets one Accept with the id they asked with', async () => {
    const { app, peer, uri } = await setUp()
    const carol = await peer.actor('carol')
    const follow = await carol.follow(uri)
    await app.settle()
    expect(peer.inbox.map((post) => [post.json.type, post.path])).toEqual([['Accept', '/users/carol/inbox']])
    expect(peer.inbox[0]?.json).toMatchObject({
      actor: uri,
      object: { id: follow.id, type: 'Follow', actor: carol.uri, object: uri },
    })
  })

  test.each(['authorize', 'reject'])('of a locked account gets one answer to %s', async (verb) => {
    const { app, peer, alice, uri } = await setUp()
    await alice.patch('/api/v1/accounts/update_credentials', { locked: true })
    await app.settle()
    const carol = await peer.actor('carol')
    const follow = await carol.follow(uri)
    await app.settle()
    expect(peer.inbox.types()).not.toContain('Accept')
    peer.inbox.clear()
    const { id } = await app.find(alice, carol.handle)
    await alice.post(`/api/v1/follow_requests/${id}/${verb}`)
    const type = verb === 'authorize' ? 'Accept' : 'Reject'
    expect(await only(app, peer, alice)).toMatchObject({ type, object: { id: follow.id, actor: carol.uri } })
  })

  test('who is removed gets a Reject', async () => {
    const { app, peer, alice, bob, accountId, uri } = await setUp()
    await alice.post(`/api/v1/accounts/${accountId}/remove_from_followers`)
    expect(await only(app, peer, alice)).toMatchObject({
      type: 'Reject',
      object: { actor: bob.uri, object: uri },
    })
  })
})

describe('a poll', () => {
  test('is a Question, and its results are told', async () => {
    const { app, peer, alice, uri } = await setUp()
    const status = await alice.say('choose', { poll: { options: ['yes', 'no'], expires_in: 3600 } })
    const create = await only(app, peer, alice)
    const count = (totalItems: number) => ({ type: 'Collection', totalItems })
    expect(create.object).toMatchObject({
      type: 'Question',
      oneOf: [
        { type: 'Note', name: 'yes', replies: count(0) },
        { type: 'Note', name: 'no', replies: count(0) },
      ],
      endTime: status.poll.expires_at,
      votersCount: 0,
    })
    const carol = await app.person('carol')
    await carol.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [1] })
    await app.settle()
    const dan = await app.person('dan')
    await dan.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [1] })
    await app.settle()
    expect(peer.inbox.types()).toEqual([])
    const { rows } = await sql<{ run_at: Date }>`
      select run_at from graphile_worker.jobs where key like ${`deliver-results:${status.poll.id}:%`}`.execute(
      app.ctx.db,
    )
    expect(rows.length).toBeLessThanOrEqual(2)
    expect(Math.max(...rows.map((row) => row.run_at.getTime())) - app.clock.now()).toBeLessThanOrEqual(
      180_000,
    )
    await deliverResults(app.ctx, asId<PollId>(status.poll.id))
    const update = await only(app, peer, alice)
    expect(update).toMatchObject({ type: 'Update', actor: uri })
    expect(update.object.oneOf[1].replies).toEqual(count(2))
  })
})

describe('an account', () => {
  test('that changes is an Update with its keys', async () => {
    const { app, peer, alice, uri } = await setUp()
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice A.' })
    const update = await only(app, peer, alice)
    expect(update).toMatchObject({ type: 'Update', actor: uri, to: [everyone] })
    expect(update.object).toMatchObject({
      id: uri,
      type: 'Person',
      name: 'Alice A.',
      webfinger: app.handleOf(alice),
      publicKey: { id: `${uri}#main-key`, owner: uri },
      assertionMethod: [{ type: 'Multikey', controller: uri }],
    })
  })

  test('that is gone is a Delete of itself', async () => {
    const { app, peer, alice, uri } = await setUp()
    await app.ctx.transaction(async (tx) => {
      await sql`update accounts set deleted_at = now() where id = ${alice.accountId}`.execute(tx.db)
      await tx.emit({ type: 'account.deleted', accountId: alice.accountId })
    })
    await app.settle()
    const [remove] = peer.inbox.of('Delete')
    expect(remove?.json).toMatchObject({ id: `${uri}#delete`, actor: uri, object: uri })
  })

  test('that is reported is flagged by the server, without a name', async () => {
    const { app, peer, alice, bob, accountId } = await setUp()
    const note = bob.note('bad')
    const statusId = await arriveWanted(app, bob, note)
    const id = app.ctx.newId<ReportId>()
    await sql`
      insert into reports (id, account_id, target_account_id, comment, status_ids, forwarded)
      values (${id}, ${alice.accountId}, ${accountId}, 'rude', array[${statusId}::bigint], true)`.execute(
      app.ctx.db,
    )
    await deliverReport(app.ctx, id)
    await app.settle()
    const [post] = peer.inbox
    expect(post).toMatchObject({ path: '/users/bob/inbox', signer: `${app.baseUrl}/actor` })
    expect(post?.json).toMatchObject({
      type: 'Flag',
      actor: `${app.baseUrl}/actor`,
      content: 'rude',
      object: [bob.uri, note.id],
    })
    expect(JSON.stringify(post?.json)).not.toContain(alice.username)
  })
})

describe('a quote', () => {
  test('of another server’s status asks its author, and carries the stamp once that has come', async () => {
    const { app, peer, alice, bob, uri } = await setUp()
    const policy = { canQuote: { automaticApproval: [everyone] } }
    const note = bob.note('quote me', { interactionPolicy: policy })
    const quotedId = await arriveWanted(app, bob, note)
    const status = await alice.say('look', { quoted_status_id: quotedId })
    await app.settle()
    expect(peer.inbox.types().toSorted()).toEqual(['Create', 'QuoteRequest'])
    const [request] = peer.inbox.of('QuoteRequest')
    expect(request).toMatchObject({ path: '/users/bob/inbox', signer: uri })
    expect(request?.json).toMatchObject({ actor: uri, object: note.id, instrument: { quote: note.id } })
    expect(peer.inbox.of('Create')[0]?.json.object).toMatchObject({
      quote: note.id,
      quoteUri: note.id,
      _misskey_quote: note.id,
    })
    peer.inbox.clear()
    const stamp = peer.url('/stamps/1')
    await bob.accept(request?.json, { result: stamp })
    const update = await only(app, peer, alice)
    expect(update.object).toMatchObject({ id: `${uri}/statuses/${status.id}`, quoteAuthorization: stamp })
  })

  test('of a status of this server carries its stamp, which can be taken back', async () => {
    const { app, peer, alice, uri } = await setUp()
    const carol = await app.person('carol')
    const quoted = await carol.say('quote me')
    await app.settle()
    const status = await alice.say('look', { quoted_status_id: quoted.id })
    const create = await only(app, peer, alice)
    const stamp = `${app.uriOf(carol)}/quote_authorizations/${status.id}`
    expect(create.object.quoteAuthorization).toBe(stamp)
    await carol.post(`/api/v1/statuses/${quoted.id}/quotes/${status.id}/revoke`)
    await app.settle()
    expect(peer.inbox.of('Delete')[0]).toMatchObject({ signer: app.uriOf(carol) })
    expect(peer.inbox.of('Delete')[0]?.json).toMatchObject({
      actor: app.uriOf(carol),
      object: { id: stamp, type: 'QuoteAuthorization', interactingObject: `${uri}/statuses/${status.id}` },
    })
    const update = peer.inbox.of('Update')[0]?.json
    expect(update).toMatchObject({
      actor: uri,
      object: { quote: `${app.uriOf(carol)}/statuses/${quoted.id}` },
    })
    expect(update.object.quoteAuthorization).toBeUndefined()
  })
})
