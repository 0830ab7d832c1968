// What was answered with 200 is kept, once, however often the processes die.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Json, Answer } from '#test/client/client.ts'
import { patience } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { isNight } from '#test/run/night.ts'

/** At night more of everything: a kill and the start after it take as long as all else. */
const authorCount = isNight ? 20 : 10
/** Few enough that a whole feed, rebuilt after a crash of the database, holds them all. */
const postsEach = isNight ? 30 : 12
const kills = isNight ? 10 : 3
/** Who dies at these; the server at all others. */
const others = new Map<number, 'database' | 'both'>([
  [1, 'database'],
  [2, 'both'],
])

let server: ServerProcess
let authors: Person[]
let followers: Person[]

beforeAll(async () => {
  server = await createServerProcess({ prepared: true })
  await server.start()
  authors = await server.people(...Array.from({ length: authorCount }, (_, i) => `author${i}`))
  followers = await server.people('fran', 'finn')
  for (const follower of followers) {
    for (const author of authors) await follower.follow(author)
    // From now on the feed is there and is written when somebody posts.
    await listAll(follower, '/api/v1/timelines/home')
  }
})
afterAll(() => server?.remove())

/** Each accepted status by its idempotency key. */
const accepted = new Map<string, string>()

interface Outcome {
  answers: number
  failures: number
}

/** Publishes once: asks again with the same key until there is an answer. */
async function publish(author: Person, key: string, outcome: Outcome): Promise<void> {
  for (;;) {
    const answer = await fetch(`${server.url}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'idempotency-key': key },
      body: new URLSearchParams({ status: key }),
      signal: AbortSignal.timeout(patience),
    }).catch(() => null)
    const status = answer?.ok ? ((await answer.json().catch(() => null)) as Json) : null
    if (status !== null) {
      outcome.answers++
      // A second answer to the same key names the same status.
      expect(accepted.get(key) ?? status.id).toBe(status.id)
      accepted.set(key, status.id)
      return
    }
    if (answer && !answer.ok) expect(answer.status).toBeGreaterThanOrEqual(500)
    outcome.failures++
    await sleep(50)
  }
}

async function publishAll(author: Person, outcome: Outcome): Promise<void> {
  for (let i = 0; i < postsEach; i++) {
    const key = `${author.username} ${i}`
    await publish(author, key, outcome)
    if (i % 5 === 0) await publish(author, key, outcome)
    // A pause, so that the posts of all last through all kills.
    await sleep(60)
  }
}

/** Kills the server, its database, or both, and waits until a follower can read again. */
async function kill(what: 'server' | 'database' | 'both'): Promise<void> {
  const database = await server.databasePid()
  if (what !== 'server' && database !== null) process.kill(database, 'SIGKILL')
  if (what !== 'database') {
    await server.end('SIGKILL')
    await server.start()
  }
  // A feed that the crash of the database took is rebuilt by this, so that what is posted from now on is fanned out.
  const readable = async () =>
    Promise.all(followers.map(async (one) => (await one.get('/api/v1/timelines/home')).status))
  await expect.poll(readable, { interval: 50 }).toEqual([200, 200])
}

async function listAll(client: Client, path: string): Promise<Json[]> {
  const found: Json[] = []
  for (let next: string | undefined = `${path}?limit=40`; next !== undefined;) {
    const answer: Answer = await client.get(next)
    found.push(...answer.ok())
    next = answer.links['next']
  }
  return found
}

test('no acknowledged post is lost or doubled through kills of the server, its database and both while many clients post [ROB-1]', async () => {
  const outcome = { answers: 0, failures: 0 }
  const publishing = Promise.all(authors.map((author) => publishAll(author, outcome)))
  const total = authorCount * postsEach
  for (let killed = 0; killed < kills; killed++) {
    while (accepted.size < ((killed + 0.5) * total) / (kills + 1)) await sleep(10)
    await kill(others.get(killed) ?? 'server')
  }
  await publishing
  expect(accepted.size).toBe(total)
  // Otherwise nothing was tried here.
  expect(outcome.failures).toBeGreaterThan(kills)

  const ids = new Map(authors.map((author) => [author, idsOf(author)]))
  for (const author of authors) {
    const own = ids.get(author)
    const timeline = await listAll(author, `/api/v1/accounts/${author.accountId}/statuses`)
    expect(timeline.map((status) => status.id)).toEqual(own)
    expect(timeline.map((status) => status.account.statuses_count)).toEqual(own?.map(() => postsEach))
    expect((await listAll(author, '/api/v1/timelines/home')).map((status) => status.id)).toEqual(own)
  }
  const all = newestFirst([...accepted.values()])
  for (const follower of followers) await expect.poll(() => homeIds(follower), { interval: 100 }).toEqual(all)
  expect((await server.command('jobs', 'list')).stdout).toBe('')
})

const homeIds = async (client: Client) =>
  (await listAll(client, '/api/v1/timelines/home')).map((status) => status.id)
const newestFirst = (ids: string[]) => ids.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
const idsOf = (author: Person) =>
  newestFirst([...accepted].filter(([key]) => key.startsWith(`${author.username} `)).map(([, id]) => id))
