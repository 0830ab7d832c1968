// Three servers: what people do with posts of others is known where the post is from, and where their own are.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { act, befriend, citizen, meet, seen, toldOf, urisOf, type Citizen } from '#test/people/citizens.ts'
import type { Json } from '#test/client/client.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { isNight } from '#test/run/night.ts'

const network = useNetwork()
let [home, away, third]: NetworkServer[] = []
/** Of the first server; of the second, following her; of the third, following him. */
let alice: Citizen, bob: Citizen, dan: Citizen

beforeAll(async () => {
  ;[home, away, third] = [
    await network.server(),
    await network.server('second'),
    await network.server('third'),
  ]
})

beforeEach(async () => {
  alice = await citizen(home!, 'alice')
  bob = await citizen(away!, 'bob')
  dan = await citizen(third!, 'dan')
  await befriend(bob, alice)
  await befriend(dan, bob)
})

async function say(who: Citizen, text: string, more: Record<string, unknown> = {}): Promise<Json> {
  const status = await who.say(text, more)
  await network.settleAll()
  return status
}

const own = async (who: Citizen, { id }: Json) => (await who.get(`/api/v1/statuses/${id}`)).ok()

describe('a favourite', () => {
  test('is counted and told at its author’s, and taken back [6-8] [6-9]', async () => {
    const status = await say(alice, 'like me')
    await act(bob, 'favourite', status)
    await network.settleAll()
    expect((await own(alice, status)).favourites_count).toBe(1)
    expect(await toldOf(alice)).toContain(`favourite ${bob.handle}`)
    const [fan] = (await alice.get(`/api/v1/statuses/${status.id}/favourited_by`)).ok()
    expect(fan.acct).toBe(bob.handle)
    await act(bob, 'unfavourite', status)
    await network.settleAll()
    expect((await own(alice, status)).favourites_count).toBe(0)
    expect(await toldOf(alice)).not.toContain(`favourite ${bob.handle}`)
  })

  test.runIf(isNight)('can be given again and again, and counts once', async () => {
    const status = await say(alice, 'like me')
    for (const verb of ['favourite', 'unfavourite', 'favourite', 'favourite']) await act(bob, verb, status)
    await network.settleAll()
    expect((await own(alice, status)).favourites_count).toBe(1)
  })
})

describe('a boost', () => {
  test('is counted and told at its author’s, shown to one’s followers, and taken back [6-11]', async () => {
    const status = await say(alice, 'pass me on')
    await act(bob, 'reblog', status)
    await network.settleAll()
    expect((await own(alice, status)).reblogs_count).toBe(1)
    expect(await toldOf(alice)).toContain(`reblog ${bob.handle}`)
    const [shown] = (await dan.get('/api/v1/timelines/home')).ok()
    expect(shown).toMatchObject({
      account: { acct: bob.handle },
      reblog: { uri: status.uri, content: '<p>pass me on</p>', account: { acct: alice.handle } },
    })
    await act(bob, 'unreblog', status)
    await network.settleAll()
    expect((await own(alice, status)).reblogs_count).toBe(0)
    expect(await urisOf(dan, '/api/v1/timelines/home')).not.toContain(status.uri)
    expect(await toldOf(alice)).not.toContain(`reblog ${bob.handle}`)
  })

  test.runIf(isNight)('of one’s own private post reaches one’s followers alone', async () => {
    const status = await say(alice, 'for you', { visibility: 'private' })
    ;(await alice.post(`/api/v1/statuses/${status.id}/reblog`, { visibility: 'private' })).ok()
    await network.settleAll()
    expect(await urisOf(bob, '/api/v1/timelines/home')).toContain(status.uri)
    expect(await third!.find(dan, status.uri)).toBeNull()
  })

  test('goes with the post when that is deleted', async () => {
    const status = await say(alice, 'pass me on')
    await act(bob, 'reblog', status)
    await network.settleAll()
    await seen(dan, status)
    ;(await alice.delete(`/api/v1/statuses/${status.id}`)).ok()
    await network.settleAll()
    for (const who of [bob, dan])
      expect(await urisOf(who, '/api/v1/timelines/home')).not.toContain(status.uri)
  })
})

test.runIf(isNight)('a bookmark is nobody else’s business', async () => {
  const status = await say(alice, 'keep me')
  const before = await activities(home!)
  await act(bob, 'bookmark', status)
  await act(bob, 'mute', status)
  expect(await urisOf(bob, '/api/v1/bookmarks')).toEqual([status.uri])
  await network.settleAll()
  expect(await activities(home!)).toBe(before)
  expect(await toldOf(alice)).not.toContain(`bookmark ${bob.handle}`)
})

/** How many requests to its inboxes a server has answered. */
const activities = async ({ logLines }: NetworkServer) =>
  logLines.filter((line) => String((line as { path?: unknown }).path ?? '').endsWith('inbox')).length

describe('a reply', () => {
  const policy = (reply_approval_policy: string) => ({ reply_approval_policy })
  const reply = (who: Citizen, { id }: Json) =>
    who.post('/api/v1/statuses', { status: `@${alice.handle} hello`, in_reply_to_id: id })

  test('is not made where the author does not want it, on any server', async () => {
    const closed = await say(alice, 'no replies', policy('nobody'))
    const there = await seen(bob, closed)
    expect(there.interaction_policy?.can_reply).toMatchObject({
      always: ['author', 'mentioned'],
      current_user: 'denied',
    })
    expect((await reply(bob, there)).status).toBe(403)
    const followers = await say(alice, 'my followers may', policy('followers'))
    const answer = (await reply(bob, await seen(bob, followers))).ok()
    await network.settleAll()
    expect((await own(alice, followers)).replies_count).toBe(1)
    expect((await seen(dan, answer)).in_reply_to_id).not.toBeNull()
    expect((await reply(dan, await seen(dan, followers))).status).toBe(403)
  })

  test('that breaks what the author said meanwhile is none: not shown, not told, not passed on', async () => {
    const post = await say(alice, 'open for now')
    const there = await seen(bob, post)
    ;(await alice.put(`/api/v1/statuses/${post.id}/interaction_policy`, policy('nobody'))).ok()
    const answer = (await reply(bob, there)).ok()
    await network.settleAll()
    expect((await own(alice, post)).replies_count).toBe(0)
    expect((await alice.get(`/api/v1/statuses/${post.id}/context`)).ok().descendants).toEqual([])
    expect(await toldOf(alice)).not.toContain(`mention ${bob.handle}`)
    // His server was told, and takes it out of her thread; her change has come there meanwhile too.
    expect(await own(bob, answer)).toMatchObject({ in_reply_to_id: null })
    expect((await own(bob, there)).interaction_policy?.can_reply.current_user).toBe('denied')
    ;(await alice.put(`/api/v1/statuses/${post.id}/interaction_policy`, policy('public'))).ok()
    await network.settleAll()
    expect((await reply(bob, there)).status).toBe(200)
  })
})

describe('a quote', () => {
  test('shows what it quotes once the author’s server agreed, on all servers', async () => {
    const quoted = await say(alice, 'quote me', { quote_approval_policy: 'public' })
    const quoting = await say(bob, 'look', { quoted_status_id: (await seen(bob, quoted)).id })
    expect((await own(bob, quoting)).quote).toMatchObject({
      state: 'accepted',
      quoted_status: { uri: quoted.uri },
    })
    expect(await toldOf(alice)).toContain(`quote ${bob.handle}`)
    expect((await own(alice, quoted)).quotes_count).toBe(1)
    const there = await seen(dan, quoting)
    expect(there.quote).toMatchObject({
      state: 'accepted',
      quoted_status: { uri: quoted.uri, content: '<p>quote me</p>' },
    })
  })

  test('is not made where the author does not want it [FED-40]', async () => {
    const quoted = await say(alice, 'do not quote me', { quote_approval_policy: 'nobody' })
    const there = await seen(bob, quoted)
    expect(there.quote_approval.current_user).toBe('denied')
    const answer = await bob.post('/api/v1/statuses', { status: 'look', quoted_status_id: there.id })
    expect(answer.status).toBe(404)
    await network.settleAll()
    expect((await own(alice, quoted)).quotes_count).toBe(0)
  })

  test.runIf(isNight)(
    'is not shown to be one where the author changed their mind meanwhile [FED-40]',
    async () => {
      const quoted = await say(alice, 'quote me', { quote_approval_policy: 'public' })
      const there = await seen(bob, quoted)
      const policy = { quote_approval_policy: 'nobody' }
      ;(await alice.put(`/api/v1/statuses/${quoted.id}/interaction_policy`, policy)).ok()
      const quoting = (
        await bob.post('/api/v1/statuses', { status: 'look', quoted_status_id: there.id })
      ).ok()
      expect(quoting.quote.state).toBe('pending')
      await network.settleAll()
      expect((await own(bob, quoting)).quote).toMatchObject({ state: 'rejected', quoted_status: null })
      expect((await seen(dan, quoting)).quote?.quoted_status ?? null).toBeNull()
    },
  )

  test('stops to show it when the author takes the consent back', async () => {
    const quoted = await say(alice, 'quote me', { quote_approval_policy: 'public' })
    const quoting = await say(bob, 'look', { quoted_status_id: (await seen(bob, quoted)).id })
    const there = await seen(alice, quoting)
    ;(await alice.post(`/api/v1/statuses/${quoted.id}/quotes/${there.id}/revoke`)).ok()
    await network.settleAll()
    for (const who of [bob, dan]) {
      const { quote } = await seen(who, quoting)
      expect([who.handle, quote.state, quote.quoted_status]).toEqual([who.handle, 'revoked', null])
    }
  })
})

test('emoji reactions, where both servers have them', async () => {
  for (const { ctx } of [home!, away!]) await setSetting(ctx, 'emoji_reactions', true)
  const status = await say(alice, 'react')
  const { id } = await seen(bob, status)
  ;(await bob.put(`/api/v1/pleroma/statuses/${id}/reactions/🎉`)).ok()
  await network.settleAll()
  const reactions = async () => (await alice.get(`/api/v1/pleroma/statuses/${status.id}/reactions`)).ok()
  expect(await reactions()).toMatchObject([{ name: '🎉', count: 1, accounts: [{ acct: bob.handle }] }])
  ;(await bob.delete(`/api/v1/pleroma/statuses/${id}/reactions/🎉`)).ok()
  await network.settleAll()
  expect(await reactions()).toEqual([])
})

test.runIf(isNight)('a featured hashtag is on the profile elsewhere', async () => {
  ;(await alice.post('/api/v1/featured_tags', { name: 'Gardens' })).ok()
  await network.settleAll()
  const tagsFor = async (who: Citizen) => {
    const { id } = await meet(who, alice)
    await network.settleAll()
    return ((await who.get(`/api/v1/accounts/${id}/featured_tags`)).ok() as Json[]).map((tag) =>
      tag.name.toLowerCase(),
    )
  }
  expect(await tagsFor(bob)).toEqual(['gardens'])
  expect(await tagsFor(dan)).toEqual(['gardens'])
})
