// Beside snac, a server in C that others wrote and Debian ships: what happens on one side is seen on the other.
//
// What snac (2.75) cannot do, and so is not shown here:
// - mention a handle that contains a port, except by answering its owner (its pattern for mentions has no colon);
// - publish for followers only; send Block or Flag; hand out what is not public, even to those who sign;
// - understand Reject, Add, Remove, Flag (it drops them) and Undo of Announce (it keeps the boost on purpose);
// - tell why somebody may not read something: it answers 202 before it has checked a signature.
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { moveTo, nameAlias } from '#test/people/moves.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import { personWithPassword } from '#test/people/sign-in.ts'
import { snacMissing, startSnac, type Snac, type SnacUser } from '#test/servers/snac.ts'
import { uploadForm } from '#test/client/upload.ts'
import type { AccountId } from '#lib/id.ts'
import { isNight } from '#test/run/night.ts'

const network = useNetwork()
let chat: NetworkServer
let snac: Snac
let made = 0

/** Lets both sides do all they have to do. snac needs up to three seconds for what it hears and as long for what it says. */
async function exchange(): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    await network.settleAll()
    await snac.settle()
  }
  await network.settleAll()
}

const newUser = () => snac.user(`ann${++made}`)

/** A person here and a user there who follow each other. */
interface Pair {
  alice: Person
  ann: SnacUser
  /** Her account here. */
  there: Json
}

/** Made all at once, because each exchange takes its time. */
const pairs: Pair[] = []

async function makePair(): Promise<void> {
  const [alice, ann] = [await chat.person('alice'), await newUser()]
  const there = await chat.find(alice, ann.handle)
  await follow(alice, there.id)
  await ann.run('follow', `@${chat.handleOf(alice)}`)
  pairs.push({ alice, ann, there })
}

async function friends(): Promise<Pair> {
  if (pairs.length === 0) {
    await makePair()
    await exchange()
  }
  return pairs.pop() as Pair
}

const follow = async (person: Person, accountId: AccountId) =>
  (await person.post(`/api/v1/accounts/${accountId}/follow`)).ok()

async function relationship(person: Person, accountId: AccountId): Promise<Json> {
  return (await person.get('/api/v1/accounts/relationships', { id: [accountId] })).ok()[0]
}

const home = async (person: Person): Promise<Json[]> => (await person.get('/api/v1/timelines/home')).ok()
const statusOf = async (person: Person, { id }: Json) => (await person.get(`/api/v1/statuses/${id}`)).ok()
const act = async (person: Person, { id }: Json, verb: string) =>
  (await person.post(`/api/v1/statuses/${id}/${verb}`)).ok()

/** What somebody was told, as `type handle`. */
async function told(person: Person): Promise<string[]> {
  const notifications = (await person.get('/api/v1/notifications')).ok()
  return notifications.map(({ type, account }: Json) => `${type} ${account.acct}`)
}

const toldThere = async (user: SnacUser) =>
  (await user.notifications()).map(({ type, account }) => `${type} ${account.acct}`)

const picture = (color: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer()

describe.skipIf(snacMissing)('beside snac (skipped where it is not installed)', () => {
  beforeAll(async () => {
    chat = await network.server()
    snac = await startSnac('127.0.3.1')
    for (let count = 0; count < (isNight ? 12 : 5); count += 1) await makePair()
    await exchange()
  })
  afterAll(() => snac?.stop())

  test('follows and is followed, until either side ends it', async () => {
    const { alice, ann, there } = await friends()
    expect(there).toMatchObject({ acct: ann.handle, url: ann.uri, locked: false })
    expect(await relationship(alice, there.id)).toMatchObject({
      following: true,
      requested: false,
      followed_by: true,
    })
    expect(await ann.relationship(chat.uriOf(alice))).toMatchObject({ following: true, followed_by: true })
    expect(await ann.isFollowAccepted(chat.uriOf(alice))).toBe(true)
    expect(await told(alice)).toEqual([`follow ${ann.handle}`])
    expect(await toldThere(ann)).toEqual([`follow ${chat.handleOf(alice)}`])

    ;(await alice.post(`/api/v1/accounts/${there.id}/unfollow`)).ok()
    await ann.run('unfollow', chat.uriOf(alice))
    await exchange()
    expect(await relationship(alice, there.id)).toMatchObject({ following: false, followed_by: false })
    expect(await ann.relationship(chat.uriOf(alice))).toMatchObject({ following: false, followed_by: false })
  })

  test.runIf(isNight)('asks to follow the locked, both ways', async () => {
    const [alice, bob, ann, joe] = [
      await chat.person('alice'),
      await chat.person('bob'),
      await newUser(),
      await newUser(),
    ]
    ;(await alice.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    await ann.setUp({ approve_followers: 'on' })
    const there = await chat.find(bob, ann.handle)
    expect(there.locked).toBe(true)
    expect(await follow(bob, there.id)).toMatchObject({ following: false, requested: true })
    await ann.run('follow', `@${chat.handleOf(alice)}`)
    await joe.run('follow', `@${chat.handleOf(alice)}`)
    await exchange()
    expect(await ann.followRequests()).toEqual([chat.uriOf(bob)])
    expect(await relationship(bob, there.id)).toMatchObject({ following: false, requested: true })
    const requests: Json[] = (await alice.get('/api/v1/follow_requests')).ok()
    expect(requests.map(({ acct }) => acct).toSorted()).toEqual([ann.handle, joe.handle].toSorted())
    expect(await ann.isFollowAccepted(chat.uriOf(alice))).toBe(false)

    const requestOf = (user: SnacUser) => requests.find(({ url }) => url === user.uri).id
    ;(await alice.post(`/api/v1/follow_requests/${requestOf(ann)}/authorize`)).ok()
    ;(await alice.post(`/api/v1/follow_requests/${requestOf(joe)}/reject`)).ok()
    await ann.press('Approve', { actor: chat.uriOf(bob) })
    await exchange()
    expect(await relationship(bob, there.id)).toMatchObject({ following: true, requested: false })
    expect(await ann.isFollowAccepted(chat.uriOf(alice))).toBe(true)
    expect(await joe.isFollowAccepted(chat.uriOf(alice))).toBe(false)
    expect((await alice.get('/api/v1/follow_requests')).ok()).toEqual([])
  })

  test('publishes there with each visibility, with a picture, a warning, tags and mentions', async () => {
    const { alice, ann } = await friends()
    const media = (
      await alice.post('/api/v2/media', uploadForm(await picture('#88ccff'), { description: 'The sky' }))
    ).ok()
    const open = await alice.say(`Look up, @${ann.handle} #sky`, {
      media_ids: [media.id],
      spoiler_text: 'Weather',
    })
    const unlisted = await alice.say('quietly', { visibility: 'unlisted' })
    const closed = await alice.say('for followers', { visibility: 'private' })
    const direct = await alice.say(`@${ann.handle} psst`, { visibility: 'direct' })
    const remote = await alice.say('a note to myself', { visibility: 'direct' })
    await exchange()

    const seen = await ann.status(open.uri)
    expect(seen).toMatchObject({
      uri: open.uri,
      visibility: 'public',
      sensitive: true,
      spoiler_text: 'Weather',
      account: { acct: chat.handleOf(alice), uri: chat.uriOf(alice) },
      tags: [{ name: 'sky' }],
      media_attachments: [{ type: 'image', description: 'The sky' }],
    })
    expect(seen.content).toContain('Look up, ')
    const file = await fetch(seen.media_attachments[0].url)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])

    const visibilities = { [unlisted.uri]: 'public', [closed.uri]: 'private', [direct.uri]: 'private' }
    for (const [uri, visibility] of Object.entries(visibilities))
      expect(await ann.status(uri)).toMatchObject({ visibility })
    expect(await ann.status(remote.uri)).toBeNull()
    const timeline = await ann.timeline()
    expect(timeline.map(({ uri }) => uri).toSorted()).toEqual(
      [open, unlisted, closed, direct].map(({ uri }) => uri).toSorted(),
    )
    expect((await toldThere(ann)).filter((line) => line.startsWith('mention'))).toHaveLength(2)
  })

  test('shows what is published there: public, unlisted, for one alone, with a picture and a warning', async () => {
    const { alice, ann } = await friends()
    const open = await ann.note('Look *down* #ground', {
      summary: 'Earth',
      media: { bytes: await picture('#885522'), name: 'earth.png', description: 'The ground' },
    })
    const unlisted = await ann.note('quietly', { visibility: 'unlisted' })
    await ann.whisper(chat.uriOf(alice), 'for you alone')
    await exchange()

    const timeline = await home(alice)
    const [shown] = timeline.filter(({ uri }) => uri === open)
    expect(shown).toMatchObject({
      url: open,
      visibility: 'public',
      sensitive: true,
      spoiler_text: 'Earth',
      account: { acct: ann.handle },
      tags: [{ name: 'ground' }],
      media_attachments: [{ type: 'image', description: 'The ground' }],
    })
    expect(shown.content).toContain('Look <i>down</i>')
    const [media] = shown.media_attachments
    expect(media.remote_url).toMatch(new RegExp(`^${snac.url}/`))
    const file = await fetch(new URL(media.url, chat.baseUrl))
    expect([file.status, (await sharp(await file.bytes()).metadata()).width]).toEqual([200, 60])
    expect(timeline.find(({ uri }) => uri === unlisted)).toMatchObject({ visibility: 'unlisted' })
    // Addressed without being mentioned: `limited` inside, which the API calls private.
    expect(timeline.find(({ content }) => content.includes('for you alone'))).toMatchObject({
      visibility: 'private',
    })
  })

  test('answers, and is answered', async () => {
    const { alice, ann } = await friends()
    const question = await alice.say('How are you?')
    await exchange()
    const answer = await ann.note('Fine', { replyTo: question.uri })
    const secret = await ann.note('Not so fine', { replyTo: question.uri, visibility: 'direct' })
    await exchange()
    expect(await told(alice)).toEqual([
      `mention ${ann.handle}`,
      `mention ${ann.handle}`,
      `follow ${ann.handle}`,
    ])
    const { descendants } = (await alice.get(`/api/v1/statuses/${question.id}/context`)).ok()
    const [first, second] = [answer, secret].map((uri) => descendants.find((one) => one.uri === uri))
    expect(first).toMatchObject({ visibility: 'public', in_reply_to_id: question.id })
    expect(second).toMatchObject({ visibility: 'direct', in_reply_to_id: question.id })
    expect(first!.mentions).toMatchObject([{ id: alice.accountId }])

    const thanks = await alice.say(`@${ann.handle} Good!`, { in_reply_to_id: first!.id })
    await exchange()
    const seen = await ann.status(thanks.uri)
    expect(seen.content).toContain('Good!')
    expect(seen.in_reply_to_id).toBe((await ann.status(answer)).id)
    expect((await toldThere(ann)).filter((line) => line.startsWith('mention'))).toHaveLength(1)
  })

  test('favourites and boosts, and takes it back', async () => {
    const { alice, ann } = await friends()
    const ours = await alice.say('Ours')
    const theirs = await ann.note('Theirs')
    await exchange()
    const shown = (await home(alice)).find(({ uri }) => uri === theirs)
    await ann.press('Like', { id: ours.uri })
    await ann.press('Boost', { id: ours.uri })
    await act(alice, shown, 'favourite')
    await act(alice, shown, 'reblog')
    await exchange()
    expect(await statusOf(alice, ours)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
    expect((await told(alice)).toSorted()).toEqual(
      ['favourite', 'follow', 'reblog'].map((type) => `${type} ${ann.handle}`),
    )
    expect(await ann.status(theirs)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
    expect((await toldThere(ann)).toSorted()).toEqual(
      ['favourite', 'follow', 'reblog'].map((type) => `${type} ${chat.handleOf(alice)}`),
    )

    await ann.press('Unlike', { id: ours.uri })
    await ann.press('Unboost', { id: ours.uri })
    await act(alice, shown, 'unfavourite')
    await act(alice, shown, 'unreblog')
    await exchange()
    expect(await statusOf(alice, ours)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
    // It keeps a boost that was taken back, and says so.
    expect(await ann.status(theirs)).toMatchObject({ favourites_count: 0 })
    expect(snac.log.join('\n')).toContain(`Unboost for ${theirs}`)
  })

  test.runIf(isNight)('edits and deletes', async () => {
    const { alice, ann } = await friends()
    const ours = await alice.say('Frist')
    const theirs = await ann.note('Secnod')
    await exchange()
    const shown = (await home(alice)).find(({ uri }) => uri === theirs)
    ;(await alice.put(`/api/v1/statuses/${ours.id}`, { status: 'First' })).ok()
    await ann.edit(theirs, 'Second')
    await exchange()
    expect((await ann.status(ours.uri)).content).toContain('First')
    const edited = await statusOf(alice, shown)
    expect(edited.content).toContain('Second')
    expect(edited.edited_at).not.toBeNull()

    ;(await alice.delete(`/api/v1/statuses/${ours.id}`)).ok()
    await ann.press('Delete', { id: theirs })
    await exchange()
    expect(await ann.status(ours.uri)).toBeNull()
    expect((await alice.get(`/api/v1/statuses/${shown.id}`)).status).toBe(404)
  })

  test.runIf(isNight)('votes in polls', async () => {
    const { alice, ann } = await friends()
    const poll = { options: ['tea', 'coffee'], expires_in: 3600 }
    const ours = await alice.say('What to drink?', { poll })
    const theirs = await ann.poll('What to eat?', ['bread', 'rice'])
    await exchange()
    expect((await ann.status(ours.uri)).poll.options).toMatchObject([{ title: 'tea' }, { title: 'coffee' }])
    const shown = (await home(alice)).find(({ uri }) => uri === theirs)
    expect(shown.poll).toMatchObject({ expired: false, options: [{ title: 'bread' }, { title: 'rice' }] })
    await ann.vote(ours.uri, chat.uriOf(alice), 'coffee')
    ;(await alice.post(`/api/v1/polls/${shown.poll.id}/votes`, { choices: [1] })).ok()
    await exchange()
    const votesIn = async (status: Json) =>
      (await statusOf(alice, status)).poll.options.map((option: Json) => option.votes_count)
    expect(await votesIn(ours)).toEqual([0, 1])
    expect((await home(alice)).filter(({ account }) => account.acct === ann.handle)).toHaveLength(1)
    const counted = (await ann.status(theirs)).poll
    expect(counted.options.map((option: Json) => option.votes_count)).toEqual([0, 1])
    // It sends its counts to those who voted.
    expect(await votesIn(shown)).toEqual([0, 1])
    expect((await statusOf(alice, shown)).poll).toMatchObject({ voted: true, own_votes: [1] })
  })

  test.runIf(isNight)('tells about changed profiles', async () => {
    const { alice, ann, there } = await friends()
    const changes = { display_name: 'Alice of Stonechat', note: 'Birds' }
    ;(await alice.patch('/api/v1/accounts/update_credentials', changes)).ok()
    await ann.setUp({ name: 'Ann of snac', bio: 'Snacks', metadata: 'Food=Bread' })
    const status = await alice.say('Hello')
    await exchange()
    const shown = (await alice.get(`/api/v1/accounts/${there.id}`)).ok()
    expect(shown).toMatchObject({
      display_name: 'Ann of snac',
      fields: [{ name: 'Food', value: 'Bread' }],
    })
    expect(shown.note).toContain('Snacks')
    const { account } = await ann.status(status.uri)
    expect(account.display_name).toBe('Alice of Stonechat')
    expect(account.note).toContain('Birds')
  })

  test.runIf(isNight)('blocks, which ends follows, and is shut out by those who mute', async () => {
    const { alice, ann, there } = await friends()
    const { alice: bob, ann: joe } = await friends()
    ;(await alice.post(`/api/v1/accounts/${there.id}/block`)).ok()
    await joe.press('MUTE', { actor: chat.uriOf(bob) })
    await exchange()
    expect(snac.log.join('\n')).toContain(`'Block' received from ${chat.uriOf(alice)}`)
    expect(await ann.relationship(chat.uriOf(alice))).toMatchObject({ followed_by: false })

    const hidden = await alice.say('Not for Ann')
    const refused = await bob.say('Not for Joe')
    const ignored = await ann.note('Not for Alice')
    await exchange()
    // A public post may reach the server because of others, but not her timeline.
    expect((await ann.timeline()).map(({ uri }) => uri)).not.toContain(hidden.uri)
    expect((await joe.timeline()).map(({ uri }) => uri)).not.toContain(refused.uri)
    expect((await home(alice)).map(({ uri }) => uri)).not.toContain(ignored)
  })

  test.runIf(isNight)('takes followers along when somebody there moves', async () => {
    const { alice, ann } = await friends()
    const next = await newUser()
    await next.run('alias', ann.handle)
    await ann.run('alias', next.handle)
    await ann.run('migrate')
    await exchange()
    const moved = await chat.find(alice, next.handle)
    expect(await relationship(alice, moved.id)).toMatchObject({ following: true })
    expect(await next.relationship(chat.uriOf(alice))).toMatchObject({ followed_by: true })
  })

  test.runIf(isNight)('takes followers there along when somebody here moves', async () => {
    const [alice, next] = [await personWithPassword(chat, 'alice'), await personWithPassword(chat, 'alice')]
    const ann = await newUser()
    await ann.run('follow', chat.handleOf(alice))
    await nameAlias(chat, next, alice.username)
    await exchange()
    // It goes only where it has been before.
    await ann.run('actor', chat.uriOf(next))
    await moveTo(chat, alice, next.username)
    await exchange()
    expect(await ann.relationship(chat.uriOf(alice))).toMatchObject({ following: false })
    expect(await ann.relationship(chat.uriOf(next))).toMatchObject({ following: true })
    const followers = (await next.get(`/api/v1/accounts/${next.accountId}/followers`)).ok()
    expect(followers.map(({ acct }: Json) => acct)).toEqual([ann.handle])
  })

  test.runIf(isNight)('sends reports, which it does not read', async () => {
    const { alice, ann, there } = await friends()
    const theirs = await ann.note('Buy now')
    await exchange()
    const shown = (await home(alice)).find(({ uri }) => uri === theirs)
    const report = { account_id: there.id, status_ids: [shown.id], comment: 'Spam', forward: true }
    ;(await alice.post('/api/v1/reports', report)).ok()
    await exchange()
    expect(snac.log.join('\n')).toContain("process_input_message type 'Flag' ignored")
    expect(snac.log.filter((line) => line.includes('bad signature'))).toEqual([])
  })
})
