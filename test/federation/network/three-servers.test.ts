// Three servers: what is written on one of them reaches those whom it is for on the others, and nobody else.
import sharp from 'sharp'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import {
  act,
  arrived,
  befriend,
  citizen,
  meet,
  seen,
  toldOf,
  urisOf,
  type Citizen,
} from '#test/people/citizens.ts'
import type { Json } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { uploadForm } from '#test/client/upload.ts'
import { variants } from '#test/run/night.ts'

const network = useNetwork()
let [home, away, third]: NetworkServer[] = []
/** Of the first server; of the second, following her; of the second; of the third. */
let alice: Citizen, bob: Citizen, carol: Citizen, dan: Citizen

beforeAll(async () => {
  ;[home, away, third] = [
    await network.server(),
    await network.server('second'),
    await network.server('third'),
  ]
})

beforeEach(async () => {
  alice = await citizen(home!, 'alice')
  ;[bob, carol] = [await citizen(away!, 'bob'), await citizen(away!, 'carol')]
  dan = await citizen(third!, 'dan')
  await befriend(bob, alice)
})

const timeline = '/api/v1/timelines/home'

async function say(who: Citizen, text: string, more: Record<string, unknown> = {}): Promise<Json> {
  const status = await who.say(text, more)
  await network.settleAll()
  return status
}

describe('a post reaches exactly those whom it is for [1-15] [6-10]', () => {
  test.each(variants(['public', 'private', 'unlisted'] as const, 2))('%s: followers', async (visibility) => {
    const status = await say(alice, 'hello there', { visibility })
    expect(await seen(bob, status)).toMatchObject({
      content: '<p>hello there</p>',
      visibility,
      account: { acct: alice.handle },
    })
    expect(await urisOf(bob, timeline)).toContain(status.uri)
    expect(await urisOf(carol, timeline)).not.toContain(status.uri)
    const isOpen = visibility !== 'private'
    expect((await arrived(carol, status)) !== null).toBe(isOpen)
    expect((await away!.find(carol, status.uri)) !== null).toBe(isOpen)
    const onWall = await urisOf(carol, '/api/v1/timelines/public')
    expect(onWall.includes(status.uri)).toBe(visibility === 'public')
    expect(await arrived(dan, status)).toBeNull()
    expect((await third!.find(dan, status.uri)) !== null).toBe(isOpen)
  })

  test('direct: who is named, without the followers [6-12]', async () => {
    const status = await say(alice, `@${carol.handle} psst`, { visibility: 'direct' })
    expect(await seen(carol, status)).toMatchObject({
      visibility: 'direct',
      mentions: [{ acct: carol.username }],
    })
    // She does not know the one who writes to her: that is set aside by her policy.
    const [request] = (await carol.get('/api/v1/notifications/requests')).ok()
    expect([request.account.acct, request.last_status.uri]).toEqual([alice.handle, status.uri])
    for (const other of [bob, dan]) {
      expect(await arrived(other, status)).toBeNull()
      expect(await other.server.find(other, status.uri)).toBeNull()
      expect(await urisOf(other, timeline)).not.toContain(status.uri)
    }
  })

  test('direct: between those who know each other it is a conversation', async () => {
    const status = await say(alice, `@${bob.handle} psst`, { visibility: 'direct' })
    expect(await toldOf(bob)).toEqual([`mention ${alice.handle}`])
    const talkOf = async (who: Citizen) => (await who.get('/api/v1/conversations')).ok()[0]
    expect(await talkOf(bob)).toMatchObject({
      unread: true,
      last_status: { uri: status.uri },
      accounts: [{ acct: alice.handle }],
    })
    const more = { visibility: 'direct', in_reply_to_id: (await seen(bob, status)).id }
    const answer = await say(bob, `@${alice.handle} yes`, more)
    expect(await talkOf(alice)).toMatchObject({
      last_status: { uri: answer.uri },
      accounts: [{ acct: bob.handle }],
    })
    expect(await arrived(carol, answer)).toBeNull()
  })

  test.each(variants(['private', 'unlisted', 'public'] as const, 2))(
    '%s: also who is named, wherever they are [6-12]',
    async (visibility) => {
      const status = await say(alice, `@${dan.handle} look`, { visibility })
      expect(await seen(dan, status)).toMatchObject({ visibility, mentions: [{ acct: dan.username }] })
      expect(await toldOf(dan)).toEqual([`mention ${alice.handle}`])
      expect(await seen(bob, status)).toMatchObject({ mentions: [{ acct: dan.handle }] })
      expect((await arrived(carol, status)) !== null).toBe(visibility !== 'private')
    },
  )

  test('local only: nobody elsewhere', async () => {
    await setSetting(home!.ctx, 'local_only_statuses', true)
    const status = await say(alice, `@${dan.handle} here`, { local_only: true })
    for (const other of [bob, dan]) {
      expect(await arrived(other, status)).toBeNull()
      expect(await other.server.find(other, status.uri)).toBeNull()
    }
  })
})

describe('a thread', () => {
  test('grows on both sides, and reads the same on both', async () => {
    const first = await say(alice, 'what grows?')
    const reply = await say(bob, `@${alice.handle} trees`, { in_reply_to_id: (await seen(bob, first)).id })
    expect(await toldOf(alice)).toContain(`mention ${bob.handle}`)
    const there = await seen(alice, reply)
    expect(there).toMatchObject({ in_reply_to_id: first.id, in_reply_to_account_id: alice.accountId })
    const answer = await say(alice, `@${bob.handle} which?`, { in_reply_to_id: there.id })
    expect(await toldOf(bob)).toContain(`mention ${alice.handle}`)
    const uris = [first.uri, reply.uri, answer.uri]
    for (const who of [alice, bob]) {
      const { id } = await seen(who, reply)
      const { ancestors, descendants } = (await who.get(`/api/v1/statuses/${id}/context`)).ok()
      expect([...ancestors, reply, ...descendants].map((one: Json) => one.uri)).toEqual(uris)
    }
    expect((await alice.get(`/api/v1/statuses/${first.id}`)).ok().replies_count).toBe(1)
    expect((await seen(bob, reply)).replies_count).toBe(1)
  })

  test('is fetched with what came before by a server to which one reply comes', async () => {
    const first = await say(alice, 'what grows?')
    const reply = await say(bob, `@${dan.handle} see`, { in_reply_to_id: (await seen(bob, first)).id })
    await network.settleAll()
    const { id } = await seen(dan, reply)
    const { ancestors } = (await dan.get(`/api/v1/statuses/${id}/context`)).ok()
    expect(ancestors.map((one: Json) => one.uri)).toEqual([first.uri])
  })
})

describe('what is in a post comes with it', () => {
  test('a picture with its description', async () => {
    const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#88ccff' } })
      .png()
      .toBuffer()
    const form = uploadForm(bytes, { description: 'a blue sky', focus: '0.5,-0.25' })
    const media = (await alice.post('/api/v2/media', form)).ok()
    await network.settleAll()
    const status = await say(alice, 'look up', { media_ids: [media.id] })
    const [attachment] = (await seen(bob, status)).media_attachments
    expect(attachment).toMatchObject({
      type: 'image',
      description: 'a blue sky',
      meta: { focus: { x: 0.5, y: -0.25 } },
    })
    expect(attachment.remote_url).toMatch(new RegExp(`^${home!.baseUrl}/media/`))
    expect(attachment.blurhash).toMatch(/^.{6,}$/)
    const shown = await away!.fetch(new URL(attachment.url).pathname)
    expect(shown.status).toBeLessThan(400)
  })

  test('a warning, a language, hashtags and custom emoji', async () => {
    const { ctx } = home!
    const keys = { image_key: 'custom_emojis/blobcat.png', static_key: 'custom_emojis/blobcat.png' }
    await ctx.db
      .insertInto('custom_emojis')
      .values({ id: ctx.newId(), shortcode: 'blobcat', ...keys })
      .execute()
    const picture = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#fc0' } })
      .png()
      .toBuffer()
    await ctx.storage.put(keys.image_key, { body: picture }, { contentType: 'image/png' })
    const status = await say(alice, 'see #Gardens :blobcat:', { spoiler_text: 'plants', language: 'de' })
    const there = await seen(bob, status)
    expect(there).toMatchObject({ spoiler_text: 'plants', sensitive: true, language: 'de' })
    expect(there.tags).toMatchObject([{ name: 'gardens', url: `${away!.baseUrl}/tags/gardens` }])
    expect(there.emojis).toMatchObject([{ shortcode: 'blobcat' }])
    expect(await urisOf(bob, '/api/v1/timelines/tag/gardens')).toContain(status.uri)
    // It is the other server's, not to be offered here.
    expect((await bob.get('/api/v1/custom_emojis')).ok()).toEqual([])
  })

  test('a poll, in which people of both servers vote and see each other’s votes', async () => {
    const poll = { options: ['tea', 'coffee'], expires_in: 3600 }
    const status = await say(alice, 'which?', { poll })
    const there = (await seen(bob, status)).poll
    expect(there).toMatchObject({
      expired: false,
      voted: false,
      votes_count: 0,
      options: [{ title: 'tea' }, { title: 'coffee' }],
    })
    ;(await bob.post(`/api/v1/polls/${there.id}/votes`, { choices: [1] })).ok()
    await network.settleAll()
    const erin = await home!.person('erin')
    ;(await erin.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] })).ok()
    await network.advance(minutes(10))
    await network.settleAll()
    const votes = { votes_count: 2, options: [{ votes_count: 1 }, { votes_count: 1 }] }
    expect((await alice.get(`/api/v1/polls/${status.poll.id}`)).ok()).toMatchObject(votes)
    expect((await bob.get(`/api/v1/polls/${there.id}`)).ok()).toMatchObject({
      ...votes,
      voted: true,
      own_votes: [1],
    })
    await network.advance(minutes(60))
    for (const { ctx } of [home!, away!]) await closePolls(ctx)
    await network.settleAll()
    expect((await bob.get(`/api/v1/polls/${there.id}`)).ok().expired).toBe(true)
    expect(await toldOf(bob)).toContain(`poll ${alice.handle}`)
  })
})

describe('a change reaches those who have the post', () => {
  test('an edit, with what was there before', async () => {
    const status = await say(alice, 'helo')
    await act(bob, 'reblog', status)
    await network.settleAll()
    await network.advance(minutes(1))
    ;(await alice.put(`/api/v1/statuses/${status.id}`, { status: 'hello', spoiler_text: 'greeting' })).ok()
    await network.settleAll()
    const there = await seen(bob, status)
    expect(there).toMatchObject({ content: '<p>hello</p>', spoiler_text: 'greeting' })
    expect(there.edited_at).not.toBeNull()
    const versions: Json[] = (await bob.get(`/api/v1/statuses/${there.id}/history`)).ok()
    expect(versions.map((one) => one.content)).toEqual(['<p>helo</p>', '<p>hello</p>'])
    expect(await toldOf(bob)).toContain(`update ${alice.handle}`)
  })

  test('a deletion, and it cannot be had again [6-19]', async () => {
    const [status, direct] = [
      await say(alice, 'regret'),
      await say(alice, `@${dan.handle} regret`, { visibility: 'direct' }),
    ]
    const there = await seen(bob, status)
    await seen(dan, direct)
    for (const { id } of [status, direct]) (await alice.delete(`/api/v1/statuses/${id}`)).ok()
    await network.settleAll()
    expect((await bob.get(`/api/v1/statuses/${there.id}`)).status).toBe(404)
    expect(await arrived(bob, status)).toBeNull()
    expect(await arrived(dan, direct)).toBeNull()
    expect(await toldOf(dan)).toEqual([])
    expect(await away!.find(bob, status.uri)).toBeNull()
  })

  test('pins: the profile shows them on the other side', async () => {
    const [first, second] = [await say(alice, 'first'), await say(alice, 'second')]
    for (const { id } of [second, first]) {
      ;(await alice.post(`/api/v1/statuses/${id}/pin`)).ok()
      await network.settleAll()
    }
    const { id } = await meet(bob, alice)
    const pinned = `/api/v1/accounts/${id}/statuses?pinned=true`
    expect(await urisOf(bob, pinned)).toEqual([first.uri, second.uri])
    ;(await alice.post(`/api/v1/statuses/${first.id}/unpin`)).ok()
    await network.settleAll()
    expect(await urisOf(bob, pinned)).toEqual([second.uri])
    // Who meets her later sees it at once.
    const late = await meet(dan, alice)
    await network.settleAll()
    expect(await urisOf(dan, `/api/v1/accounts/${late.id}/statuses?pinned=true`)).toEqual([second.uri])
  })
})
