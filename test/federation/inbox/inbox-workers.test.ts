// Several workers deal with what other servers sent, and one of them may die with a part of it.
import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { claimIncoming, releaseIncoming } from '#domain/federation/queue/incoming.ts'
import { meet, statusOf, type Meeting } from '#test/people/meeting.ts'
import { useNetwork } from '#test/servers/network.ts'
import { createInboxProcessor } from '#worker/inbox-processor.ts'

const network = useNetwork()
const lease = 300_000

afterEach(async () => {
  const app = await network.server()
  await sql`delete from incoming_activities`.execute(app.ctx.db)
})

/** A worker takes up to `limit` of what waits. Returns what it has, by the addresses of what was liked. */
async function take({ app }: Meeting, limit: number): Promise<string[]> {
  const now = app.clock.now()
  const claim = { now, until: now + lease, limit, busy: [], fullHosts: [] }
  const rows = await app.ctx.transaction((tx) => claimIncoming(tx, claim))
  return rows.map((row) => JSON.parse(row.body).object)
}

/** Alice's posts, each of which bob likes, in this order; nobody has looked at that yet. */
async function likeAll(meeting: Meeting, count: number) {
  const posts = []
  for (let i = 0; i < count; i += 1) posts.push(await meeting.alice.say(`likeable ${i}`))
  await meeting.app.settle()
  for (const post of posts) await meeting.bob.like(post.uri)
  return posts
}

const likesOf = ({ alice }: Meeting, posts: readonly { id: string }[]) =>
  Promise.all(posts.map(async ({ id }) => (await statusOf(alice, id)).favourites_count))

test('of one sender, only one worker has anything [ROB-8]', async () => {
  const meeting = await meet(network)
  const posts = await likeAll(meeting, 6)
  const taken = await Promise.all(Array.from({ length: 6 }, () => take(meeting, 2)))
  expect(taken.filter((some) => some.length > 0)).toEqual([posts.slice(0, 2).map((post) => post.uri)])
})

test('what a sender sent later waits for what a worker died with, and comes after it [ROB-1]', async () => {
  const meeting = await meet(network)
  const { app } = meeting
  const posts = await likeAll(meeting, 4)
  const uris = posts.map((post) => post.uri)
  expect(await take(meeting, 2)).toEqual(uris.slice(0, 2))
  await app.settle()
  expect(await likesOf(meeting, posts)).toEqual([0, 0, 0, 0])
  app.clock.advance(lease + 1)
  expect(await take(meeting, 1)).toEqual(uris.slice(0, 1))
  expect(await take(meeting, 4)).toEqual([])
  app.clock.advance(lease + 1)
  // Nothing further comes in that would tell it to look again.
  expect(await createInboxProcessor(app.ctx).run()).toBe(4)
  expect(await likesOf(meeting, posts)).toEqual([1, 1, 1, 1])
})

test('what a server that was killed had taken comes first when it begins anew [ROB-1]', async () => {
  const meeting = await meet(network)
  const posts = await likeAll(meeting, 4)
  const uris = posts.map((post) => post.uri)
  await take(meeting, 2)
  await releaseIncoming(meeting.app.ctx)
  expect(await take(meeting, 3)).toEqual(uris.slice(0, 2))
  await releaseIncoming(meeting.app.ctx)
  await meeting.app.settle()
  expect(await likesOf(meeting, posts)).toEqual([1, 1, 1, 1])
})

test('what is to be run alone is given back by a worker that stops', async () => {
  const meeting = await meet(network)
  const { app } = meeting
  const posts = await likeAll(meeting, 2)
  await take(meeting, 2)
  await releaseIncoming(app.ctx)
  const processor = createInboxProcessor(app.ctx)
  const running = processor.run()
  processor.stop()
  await running
  expect(await take(meeting, 2)).toEqual(posts.map((post) => post.uri))
})

test('a run that found nothing has ended: no timer of it holds the server', async () => {
  const meeting = await meet(network)
  const processor = createInboxProcessor(meeting.app.ctx)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // A look by itself leaves the one by which an idle connection is closed.
  expect(await take(meeting, 1)).toEqual([])
  const ofConnections = vi.getTimerCount()
  expect(await processor.run()).toBe(0)
  expect(vi.getTimerCount()).toBe(ofConnections)
})
