// Beside a server on Fedify, a library others wrote, which shares no code with this one: it expands documents as
// JSON-LD, refuses what is no proper ActivityPub, and makes and checks signatures by itself.
//
// What the library cannot do, and so is not shown here: find somebody by handle over plain http (its WebFinger
// client insists on https for them). It looks up the ids of actors instead.
import {
  Accept,
  Announce,
  Block,
  Create,
  Delete,
  Document,
  Flag,
  Follow,
  Hashtag,
  isActor,
  Like,
  Mention,
  Move,
  Note,
  Person as ApPerson,
  PropertyValue,
  PUBLIC_COLLECTION,
  Question,
  Reject,
  Service,
  Tombstone,
  Undo,
  Update,
  type Activity,
} from '@fedify/fedify/vocab'
import { parseNodeInfo } from '@fedify/fedify'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import type { Json } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import { startFedifyPeer, type FedifyPeer } from '#test/servers/fedify-peer.ts'
import type { FedifyActor } from '#test/fedify/actor.ts'
import { moveTo, nameAlias } from '#test/people/moves.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import { personWithPassword } from '#test/people/sign-in.ts'
import { uploadForm } from '#test/client/upload.ts'
import type { AccountId } from '#lib/id.ts'
import { isNight } from '#test/run/night.ts'

const network = useNetwork()
let chat: NetworkServer
let peer: FedifyPeer
let made = 0

beforeAll(async () => {
  chat = await network.server()
  peer = await startFedifyPeer('127.0.3.2')
})
afterAll(() => peer?.stop())
// Nothing that was sent there may have been refused.
afterEach(() => {
  const problems = peer?.problems.splice(0) ?? []
  if (problems.length > 0) throw new Error(`refused there:\n${problems.join('\n')}`)
})

const newActor = (options?: { locked?: boolean }) => peer.actor(`ann${++made}`, options)

/** A person here and an actor there who follow each other. */
async function friends(): Promise<{ alice: Person; ann: FedifyActor; there: Json; uri: string }> {
  const [alice, ann] = [await chat.person('alice'), await newActor()]
  const there = await chat.find(alice, ann.handle)
  await follow(alice, there.id)
  await ann.follow(chat.uriOf(alice))
  await network.settleAll()
  return { alice, ann, there, uri: chat.uriOf(alice) }
}

const follow = async (person: Person, accountId: AccountId) =>
  (await person.post(`/api/v1/accounts/${accountId}/follow`)).ok()
const relationship = async (person: Person, accountId: AccountId): Promise<Json> =>
  (await person.get('/api/v1/accounts/relationships', { id: [accountId] })).ok()[0]
const home = async (person: Person): Promise<Json[]> => (await person.get('/api/v1/timelines/home')).ok()
const inHome = async (person: Person, uri: string) => (await home(person)).find((one) => one.uri === uri)
const statusOf = async (person: Person, { id }: Json) => (await person.get(`/api/v1/statuses/${id}`)).ok()
const act = async (person: Person, { id }: Json, verb: string) =>
  (await person.post(`/api/v1/statuses/${id}/${verb}`)).ok()

/** What somebody was told, as `type handle`, in the order of the alphabet. */
async function told(person: Person): Promise<string[]> {
  const notifications: Json[] = (await person.get('/api/v1/notifications')).ok()
  return notifications.map(({ type, account }) => `${type} ${account.acct}`).toSorted()
}

/** What came there from an actor, oldest first. */
const heard = <T extends Activity>(type: Parameters<typeof peer.received<T>>[0], actor: string): T[] =>
  peer.received(type).filter(({ actorId }) => actorId?.href === actor)
const last = <T extends Activity>(type: Parameters<typeof peer.received<T>>[0], actor: string): T => {
  const found = heard(type, actor).at(-1)
  if (!found) throw new Error(`no ${type.name} of ${actor} has come`)
  return found
}

const hrefs = (urls: readonly (URL | null)[]) => urls.map((url) => url?.href).toSorted()

async function partsOf<T>(parts: AsyncIterable<unknown>, type: new (...args: never[]) => T) {
  const found: T[] = []
  for await (const part of parts) if (part instanceof type) found.push(part)
  return found
}

const readJson = async (url: string): Promise<Json> => (await fetch(url)).json()

const picture = (color: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer()

test('is found, with a profile that a stranger understands', async () => {
  const [alice, ann] = [await chat.person('alice'), await newActor()]
  const changes = {
    display_name: 'Alice',
    note: 'Birds',
    fields_attributes: [{ name: 'Home', value: 'Here' }],
    avatar: `data:image/png;base64,${(await picture('#88ccff')).toString('base64')}`,
  }
  ;(await alice.patch('/api/v1/accounts/update_credentials', changes)).ok()
  const uri = chat.uriOf(alice)
  const found = await peer.webFinger(uri)
  expect(found?.subject).toBe(`acct:${chat.handleOf(alice)}`)
  expect(found?.links?.find(({ rel }) => rel === 'self')).toMatchObject({ href: uri })

  const actor = await ann.read(uri)
  if (!(actor instanceof ApPerson)) throw new Error('no Person')
  expect(actor).toMatchObject({ preferredUsername: alice.username, name: 'Alice' })
  expect(String(actor.summary)).toContain('Birds')
  expect([actor.inboxId?.href, actor.endpoints?.sharedInbox?.href]).toEqual([
    chat.inboxOf(alice),
    `${chat.baseUrl}/inbox`,
  ])
  expect((await actor.getPublicKey())?.ownerId?.href).toBe(uri)
  expect((await actor.getIcon())?.url?.toString()).toMatch(new RegExp(`^${chat.baseUrl}/`))
  const [field] = await partsOf(actor.getAttachments(), PropertyValue)
  expect(field).toMatchObject({ name: 'Home', value: 'Here' })

  const status = await alice.say('My first')
  await network.settleAll()
  const [item] = await ann.items(actor.outboxId?.href as string)
  if (!(item instanceof Create)) throw new Error('no Create in the outbox')
  expect(item.objectId?.href).toBe(status.uri)
  const { links } = await readJson(`${chat.baseUrl}/.well-known/nodeinfo`)
  const nodeInfo = parseNodeInfo(await readJson(links[0].href))
  expect(nodeInfo).toMatchObject({ software: { name: 'stonechat' }, protocols: ['activitypub'] })
  expect(isActor(await ann.read(`${chat.baseUrl}/actor`))).toBe(true)
})

test('follows and is followed, until either side ends it', async () => {
  const { alice, ann, there, uri } = await friends()
  expect(there).toMatchObject({ acct: ann.handle, uri: ann.uri, locked: false })
  expect(await relationship(alice, there.id)).toMatchObject({ following: true, followed_by: true })
  expect([ann.followers, ann.following]).toEqual([[uri], [uri]])
  expect(await told(alice)).toEqual([`follow ${ann.handle}`])
  expect(peer.deliveries(Follow).at(-1)?.inbox).toBe(ann.name)
  expect((await last(Accept, uri).getObject({ crossOrigin: 'trust' }))?.id?.href).toMatch(
    `${ann.uri}#follows/`,
  )

  ;(await alice.post(`/api/v1/accounts/${there.id}/unfollow`)).ok()
  await ann.unfollow(uri)
  await network.settleAll()
  expect(await relationship(alice, there.id)).toMatchObject({ following: false, followed_by: false })
  expect(ann.followers).toEqual([])
  expect(await last(Undo, uri).getObject()).toBeInstanceOf(Follow)
})

test('asks to follow the locked, both ways, and may be refused or shown out', async () => {
  const [alice, bob, joe, ann] = [
    await chat.person('alice'),
    await chat.person('bob'),
    await newActor(),
    await newActor({ locked: true }),
  ]
  ;(await alice.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
  const there = await chat.find(alice, ann.handle)
  expect(there.locked).toBe(true)
  for (const person of [alice, bob])
    expect(await follow(person, there.id)).toMatchObject({ following: false, requested: true })
  await ann.follow(chat.uriOf(alice))
  await joe.follow(chat.uriOf(alice))
  await network.settleAll()
  expect(ann.requests.toSorted()).toEqual([alice, bob].map(chat.uriOf).toSorted())
  expect(await ann.read(chat.uriOf(alice))).toMatchObject({ manuallyApprovesFollowers: true })
  const requests: Json[] = (await alice.get('/api/v1/follow_requests')).ok()
  const answer = async (actor: FedifyActor, verb: string) => {
    const { id } = requests.find(({ acct }) => acct === actor.handle)
    ;(await alice.post(`/api/v1/follow_requests/${id}/${verb}`)).ok()
  }
  await answer(ann, 'authorize')
  await answer(joe, 'reject')
  await ann.accept(chat.uriOf(alice))
  await ann.reject(chat.uriOf(bob))
  await network.settleAll()
  expect([ann.following, joe.following, joe.rejectedBy]).toEqual([
    [chat.uriOf(alice)],
    [],
    [chat.uriOf(alice)],
  ])
  expect(await relationship(alice, there.id)).toMatchObject({ following: true, requested: false })
  expect(await relationship(bob, there.id)).toMatchObject({ following: false, requested: false })

  ;(await alice.post(`/api/v1/accounts/${there.id}/remove_from_followers`)).ok()
  await ann.reject(chat.uriOf(alice))
  await network.settleAll()
  expect(ann.rejectedBy).toEqual([chat.uriOf(alice)])
  expect(heard(Reject, chat.uriOf(alice))).toHaveLength(2)
  expect(await relationship(alice, there.id)).toMatchObject({ following: false, followed_by: false })
})

test('publishes there with each visibility, to no more inboxes than need be', async () => {
  const { alice, ann, uri } = await friends()
  const stranger = await newActor()
  const followers = `${uri}/followers`
  const wanted = [
    ['public', [PUBLIC_COLLECTION.href], [followers, ann.uri]],
    ['unlisted', [followers], [PUBLIC_COLLECTION.href, ann.uri]],
    ['private', [followers], [ann.uri]],
    ['direct', [ann.uri], []],
  ] as const
  for (const [visibility, to, cc] of wanted) {
    const before = heard(Create, uri).length
    const status = await alice.say(`@${ann.handle} ${visibility}`, { visibility })
    await network.settleAll()
    expect(heard(Create, uri)).toHaveLength(before + 1)
    const create = last(Create, uri)
    const note = await create.getObject()
    if (!(note instanceof Note)) throw new Error('no Note')
    expect(note.id?.href).toBe(status.uri)
    for (const audience of [create, note]) {
      expect(hrefs(audience.toIds)).toEqual([...to].toSorted())
      expect(hrefs(audience.ccIds)).toEqual([...cc].toSorted())
    }
    const isOpen = visibility === 'public' || visibility === 'unlisted'
    expect((await ann.read(status.uri))?.id?.href).toBe(status.uri)
    expect((await stranger.read(status.uri))?.id?.href).toBe(isOpen ? status.uri : undefined)
  }
  expect(peer.deliveries(Create).map(({ inbox }) => inbox)).not.toContain(stranger.name)
  const before = heard(Create, uri).length
  await alice.say('a note to myself', { visibility: 'direct' })
  await network.settleAll()
  expect(heard(Create, uri)).toHaveLength(before)
})

test.runIf(isNight)('publishes pictures, warnings, languages, tags and mentions there', async () => {
  const { alice, ann, uri } = await friends()
  const form = uploadForm(await picture('#88ccff'), { description: 'The sky', focus: '0.5,-0.5' })
  const media = (await alice.post('/api/v2/media', form)).ok()
  await alice.say(`Schau @${ann.handle} #Himmel`, {
    media_ids: [media.id],
    spoiler_text: 'Wetter',
    language: 'de',
  })
  await network.settleAll()
  const create = last(Create, uri)
  expect(await peer.isProven(create)).toBe(true)
  const note = (await create.getObject()) as Note
  expect(note).toMatchObject({ sensitive: true, summary: 'Wetter', replyTargetId: null })
  expect(
    note.contents.map((content) => (typeof content === 'object' ? content.locale.baseName : null)),
  ).toContain('de')
  expect(note.url?.toString()).toBe(`${chat.baseUrl}/@${alice.username}/${note.id?.href.split('/').at(-1)}`)
  const [document] = await partsOf(note.getAttachments(), Document)
  expect(document).toMatchObject({ mediaType: 'image/png', name: 'The sky', width: 60, height: 40 })
  const file = await fetch(String(document?.url))
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
  const [mention] = await partsOf(note.getTags(), Mention)
  expect([mention?.href?.href, String(mention?.name)]).toEqual([ann.uri, `@${ann.handle}`])
  const [hashtag] = await partsOf(note.getTags(), Hashtag)
  expect(String(hashtag?.name).toLowerCase()).toBe('#himmel')
})

test('shows what is published there, with each visibility, pictures and warnings', async () => {
  const { alice, ann, uri } = await friends()
  const bytes = await picture('#885522')
  const url = peer.serve('/earth.png', { bytes, type: 'image/png' })
  for (const visibility of ['public', 'unlisted', 'private', 'direct'] as const) {
    const id = await ann.post(`Look: ${visibility}`, {
      visibility,
      mention: [uri],
      summary: 'Earth',
      media: { url, type: 'image/png', description: 'The ground' },
    })
    await network.settleAll()
    const shown = await inHome(alice, id)
    expect(shown).toMatchObject({
      visibility,
      sensitive: true,
      spoiler_text: 'Earth',
      language: 'en',
      account: { acct: ann.handle },
      mentions: [{ id: alice.accountId }],
      media_attachments: [{ type: 'image', description: 'The ground', remote_url: url.href }],
    })
    const headers = { authorization: `Bearer ${alice.token}` }
    const file = await fetch(shown.media_attachments[0].url, { headers })
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect((await sharp(await file.bytes()).metadata()).width).toBe(60)
  }
  expect((await told(alice)).filter((line) => line.startsWith('mention'))).toHaveLength(4)
  const stranger = await chat.person('bob')
  const [direct] = await home(alice)
  expect((await stranger.get(`/api/v1/statuses/${direct.id}`)).status).toBe(404)
})

test.runIf(isNight)('answers, and is answered', async () => {
  const { alice, ann, uri } = await friends()
  const question = await alice.say('How are you?')
  const answer = await ann.post('Fine', { replyTo: question.uri, mention: [uri] })
  await network.settleAll()
  expect(await told(alice)).toEqual([`follow ${ann.handle}`, `mention ${ann.handle}`])
  const { descendants } = (await alice.get(`/api/v1/statuses/${question.id}/context`)).ok()
  expect(descendants).toMatchObject([{ uri: answer, in_reply_to_id: question.id }])
  const thanks = await alice.say(`@${ann.handle} Good!`, { in_reply_to_id: descendants[0].id })
  await network.settleAll()
  const note = (await last(Create, uri).getObject()) as Note
  expect([note.id?.href, note.replyTargetId?.href]).toEqual([thanks.uri, answer])
})

test.runIf(isNight)('favourites and boosts, and takes it back', async () => {
  const { alice, ann, uri } = await friends()
  const ours = await alice.say('Ours')
  const theirs = await ann.post('Theirs')
  await ann.like(ours.uri)
  await ann.announce(ours.uri)
  await network.settleAll()
  const shown = await inHome(alice, theirs)
  await act(alice, shown, 'favourite')
  await act(alice, shown, 'reblog')
  await network.settleAll()
  expect(await statusOf(alice, ours)).toMatchObject({ favourites_count: 1, reblogs_count: 1 })
  expect(await told(alice)).toEqual(['favourite', 'follow', 'reblog'].map((type) => `${type} ${ann.handle}`))
  const [like, announce] = [last(Like, uri), last(Announce, uri)]
  expect([like.objectId?.href, announce.objectId?.href]).toEqual([theirs, theirs])
  expect(hrefs(announce.toIds)).toEqual([PUBLIC_COLLECTION.href])
  expect(hrefs(announce.ccIds)).toEqual([`${uri}/followers`, ann.uri].toSorted())

  await ann.unlike(ours.uri)
  await ann.unannounce(ours.uri)
  await act(alice, shown, 'unfavourite')
  await act(alice, shown, 'unreblog')
  await network.settleAll()
  expect(await statusOf(alice, ours)).toMatchObject({ favourites_count: 0, reblogs_count: 0 })
  const undone = await Promise.all(heard(Undo, uri).map((undo) => undo.getObject()))
  expect(hrefs(undone.map((one) => one?.id ?? null))).toEqual(hrefs([like.id, announce.id]))
})

test('edits and deletes', async () => {
  const { alice, ann, uri } = await friends()
  const ours = await alice.say('Frist')
  const theirs = await ann.post('Secnod')
  await network.settleAll()
  const shown = await inHome(alice, theirs)
  ;(await alice.put(`/api/v1/statuses/${ours.id}`, { status: 'First' })).ok()
  await ann.edit(theirs, 'Second')
  await network.settleAll()
  const note = (await last(Update, uri).getObject()) as Note
  expect([note.id?.href, note.updated === null]).toEqual([ours.uri, false])
  expect(String(note.content)).toContain('First')
  const edited = await statusOf(alice, shown)
  expect(edited.content).toContain('Second')
  expect(edited.edited_at).not.toBeNull()
  expect((await alice.get(`/api/v1/statuses/${shown.id}/history`)).ok()).toHaveLength(2)

  ;(await alice.delete(`/api/v1/statuses/${ours.id}`)).ok()
  await ann.delete(theirs)
  await network.settleAll()
  const tombstone = await last(Delete, uri).getObject()
  expect(tombstone).toBeInstanceOf(Tombstone)
  expect(tombstone?.id?.href).toBe(ours.uri)
  expect(await ann.read(ours.uri)).not.toBeInstanceOf(Note)
  expect((await alice.get(`/api/v1/statuses/${shown.id}`)).status).toBe(404)
})

test('votes in polls', async () => {
  const { alice, ann, uri } = await friends()
  const poll = { options: ['tea', 'coffee'], expires_in: 300 }
  const ours = await alice.say('What to drink?', { poll })
  const theirs = await ann.post('What to eat?', { options: ['bread', 'rice'] })
  await network.settleAll()
  const question = await last(Create, uri).getObject()
  if (!(question instanceof Question)) throw new Error('no Question')
  const options = await partsOf(question.getExclusiveOptions(), Note)
  expect(options.map(({ name }) => String(name))).toEqual(['tea', 'coffee'])
  expect(question.endTime?.epochMilliseconds).toBeGreaterThan(Date.now())
  const shown = await inHome(alice, theirs)
  expect(shown.poll).toMatchObject({ options: [{ title: 'bread' }, { title: 'rice' }], votes_count: 0 })

  await ann.vote(ours.uri, 'coffee')
  ;(await alice.post(`/api/v1/polls/${shown.poll.id}/votes`, { choices: [1] })).ok()
  await network.settleAll()
  const votesIn = async (status: Json) =>
    (await statusOf(alice, status)).poll.options.map((option: Json) => option.votes_count)
  expect(await votesIn(ours)).toEqual([0, 1])
  const create = last(Create, uri)
  const vote = (await create.getObject()) as Note
  expect([String(vote.name), vote.replyTargetId?.href, vote.content]).toEqual(['rice', theirs, null])
  expect([hrefs(create.toIds), hrefs(create.ccIds)]).toEqual([[ann.uri], []])
  expect(peer.deliveries(Create).at(-1)?.inbox).toBe(ann.name)

  await ann.publishVotes(theirs)
  await network.advance(minutes(6))
  await closePolls(chat.ctx)
  await network.settleAll()
  await network.advance(-minutes(6))
  expect(await votesIn(shown)).toEqual([0, 1])
  const counted = (await last(Update, uri).getObject()) as Question
  const replies = await Promise.all(
    (await partsOf(counted.getExclusiveOptions(), Note)).map((option) => option.getReplies()),
  )
  expect(replies.map((collection) => collection?.totalItems)).toEqual([0, 1])
  expect([counted.voters, counted.closed === null]).toEqual([1, false])
})

test('tells about changed profiles', async () => {
  const { alice, ann, there, uri } = await friends()
  const changes = { display_name: 'Alice of Stonechat', note: 'Birds', bot: true }
  ;(await alice.patch('/api/v1/accounts/update_credentials', changes)).ok()
  await ann.update({ displayName: 'Ann of Fedify', summary: '<p>Parsing</p>' })
  await network.settleAll()
  const shown = (await alice.get(`/api/v1/accounts/${there.id}`)).ok()
  expect(shown).toMatchObject({ display_name: 'Ann of Fedify', note: '<p>Parsing</p>' })
  const actor = await last(Update, uri).getObject()
  expect(actor).toBeInstanceOf(Service)
  expect([actor?.id?.href, String(actor?.name)]).toEqual([uri, 'Alice of Stonechat'])
})

test('blocks and is blocked, which ends follows', async () => {
  const { alice, ann, there, uri } = await friends()
  const { alice: bob, ann: joe, there: joeHere } = await friends()
  ;(await alice.post(`/api/v1/accounts/${there.id}/block`)).ok()
  await joe.block(chat.uriOf(bob))
  await network.settleAll()
  expect(last(Block, uri).objectId?.href).toBe(ann.uri)
  expect(await relationship(bob, joeHere.id)).toMatchObject({ following: false, followed_by: false })
  const before = heard(Create, uri).length
  await alice.say(`Not for @${ann.handle}`)
  const ignored = await ann.post('Not for Alice', { mention: [uri] })
  await network.settleAll()
  expect(heard(Create, uri)).toHaveLength(before)
  expect((await home(alice)).map((status) => status.uri)).not.toContain(ignored)
  expect(await told(alice)).not.toContain(`mention ${ann.handle}`)

  ;(await alice.post(`/api/v1/accounts/${there.id}/unblock`)).ok()
  await joe.unblock(chat.uriOf(bob))
  await network.settleAll()
  expect(await last(Undo, uri).getObject()).toBeInstanceOf(Block)
  await follow(bob, joeHere.id)
  await network.settleAll()
  expect(await relationship(bob, joeHere.id)).toMatchObject({ following: true, requested: false })
  expect(joe.followers).toEqual([chat.uriOf(bob)])
})

test('takes followers along when somebody there moves', async () => {
  const { alice, ann, there, uri } = await friends()
  const [next, thief] = [await newActor(), await newActor()]
  await next.update({ aliases: [ann.uri] })
  await ann.move(next.uri)
  await network.settleAll()
  const moved = await chat.find(alice, next.handle)
  expect(await relationship(alice, moved.id)).toMatchObject({ following: true })
  expect([next.followers, ann.followers]).toEqual([[uri], []])
  expect((await alice.get(`/api/v1/accounts/${there.id}`)).ok().moved).toMatchObject({ id: moved.id })
  // The second move names a target that does not name it back.
  await next.move(thief.uri)
  await network.settleAll()
  expect(thief.followers).toEqual([])
})

test('moves there, and says so to followers there', async () => {
  const [alice, ann, next] = [await personWithPassword(chat, 'alice'), await newActor(), await newActor()]
  const uri = chat.uriOf(alice)
  await nameAlias(chat, alice, ann.handle)
  const actor = await ann.read(uri)
  expect(hrefs(actor instanceof ApPerson ? actor.aliasIds : [])).toEqual([ann.uri])
  await ann.follow(uri)
  await next.update({ aliases: [uri] })
  await network.settleAll()
  expect(ann.following).toEqual([uri])
  await moveTo(chat, alice, next.handle)
  await network.settleAll()
  const move = last(Move, uri)
  expect([move.objectId?.href, move.targetId?.href]).toEqual([uri, next.uri])
  const moved = await ann.read(uri)
  expect(moved instanceof ApPerson && moved.successorId?.href).toBe(next.uri)
})

test('reports there, and is told of reports made there', async () => {
  const staff = await chat.person('staff', { role: 'Moderator' })
  const { alice, ann, there, uri } = await friends()
  const ours = await alice.say('Buy now')
  const theirs = await ann.post('Buy here')
  await ann.flag(uri, [ours.uri], 'Spam')
  await network.settleAll()
  const [notification] = (await staff.get('/api/v1/notifications', { types: ['admin.report'] })).ok()
  expect(notification.report).toMatchObject({
    comment: 'Spam',
    status_ids: [ours.id],
    target_account: { id: alice.accountId },
  })
  const shown = await inHome(alice, theirs)
  const report = { account_id: there.id, status_ids: [shown.id], comment: 'Advertising', forward: true }
  ;(await alice.post('/api/v1/reports', report)).ok()
  await network.settleAll()
  const flag = last(Flag, `${chat.baseUrl}/actor`)
  expect(String(flag.content)).toBe('Advertising')
  expect(hrefs(flag.objectIds)).toEqual([ann.uri, theirs].toSorted())
})

test('understands both kinds of signatures, whichever is tried first', async () => {
  const older = await startFedifyPeer('127.0.3.3', { firstKnock: 'draft-cavage-http-signatures-12' })
  try {
    const [alice, joe] = [await chat.person('alice'), await older.actor('joe')]
    await joe.follow(chat.uriOf(alice))
    const id = await joe.post('Signed as of old', { mention: [chat.uriOf(alice)] })
    await network.settleAll()
    expect(await told(alice)).toEqual([`follow ${joe.handle}`, `mention ${joe.handle}`])
    expect((await chat.find(alice, id)).content).toContain('Signed as of old')
    expect([joe.following, older.problems]).toEqual([[chat.uriOf(alice)], []])
  } finally {
    await older.stop()
  }
})

test('speaks with a server that shows itself to nobody unsigned', async () => {
  const secure = await network.server('secure', { env: { AUTHORIZED_FETCH: 'true' } })
  const [alice, ann] = [await secure.person('alice'), await newActor()]
  const uri = secure.uriOf(alice)
  expect((await fetch(uri, { headers: { accept: 'application/activity+json' } })).status).toBe(401)
  expect((await ann.read(uri))?.id?.href).toBe(uri)
  await follow(alice, (await secure.find(alice, ann.handle)).id)
  await ann.follow(uri)
  await network.settleAll()
  expect([ann.followers, ann.following]).toEqual([[uri], [uri]])
  const status = await alice.say('For those who say who they are')
  const answer = await ann.post('So I do', { replyTo: status.uri, mention: [uri] })
  await network.settleAll()
  expect((await last(Create, uri).getObject())?.id?.href).toBe(status.uri)
  expect(await inHome(alice, answer)).toMatchObject({ in_reply_to_id: status.id })
})
