// The database goes away under a running server and comes back.
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { currentSlowness, patience } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import { startRelay, type Relay } from '#test/servers/relay.ts'

const temporary = { error: 'There was a temporary problem serving your request, please try again' }
const patient = { interval: 50 }

let relay: Relay
let app: LiveApp
let direct: LiveApp
let mails: string[]
let holdMail: Promise<void> | null
const cleanUp: (() => Promise<unknown>)[] = []

/** Milliseconds after which nobody waits any more for a database that does not answer. */
const soon = 1_000 * currentSlowness()
/** Of the server to its database. */
const connections = 8

/** `limits`: for how long an answer, and a connection, are waited for; unless told, for longer than the test takes. */
async function start(limits = { maxDuration: 10 * patience, connectTimeout: patience }): Promise<void> {
  const database = await freshDatabase()
  cleanUp.push(database.drop)
  relay = await startRelay(database.url)
  cleanUp.push(relay.close)
  mails = []
  holdMail = null
  const onMail = async ({ to }: { to: string }) => {
    mails.push(to)
    await holdMail
  }
  app = await startLiveApp({ databaseUrl: relay.url, connections, onMail, ...limits })
  cleanUp.push(app.close)
  direct = await startLiveApp({ databaseUrl: database.url, worker: false })
  cleanUp.push(direct.close)
}
afterEach(async () => {
  await relay.mend()
  for (const step of cleanUp.splice(0).toReversed()) await step()
})

const ask = async (path: string, person?: Person) => {
  const headers = person ? { authorization: `Bearer ${person.token}` } : {}
  const response = await app.fetch(path, { headers })
  return { status: response.status, body: await response.text() }
}
const homeOf = async (person: Person) => {
  const { status, body } = await ask('/api/v1/timelines/home', person)
  return status === 200 ? JSON.parse(body).map((entry: { id: string }) => entry.id) : status
}
const askForReset = (person: Person) =>
  app.ctx.transaction((tx) => tx.emit({ type: 'password-reset.asked', email: person.email }))
/** What still waits or is at work, read past the relay. */
const pending = async () => {
  const { rows } = await sql<{ id: string }>`
    select 'event ' || id as id from outbox union all select 'job ' || id from graphile_worker._private_jobs
    where run_at <= now()`.execute(direct.ctx.db)
  return rows.map((row) => row.id)
}

/** So many requests at once. */
const crowd = (person: Person, size: number) =>
  Promise.all(Array.from({ length: size }, () => ask('/api/v1/accounts/verify_credentials', person)))

/** Asks until it is done. */
const untilAsked = (person: Person) =>
  expect
    .poll(
      () =>
        askForReset(person).then(
          () => true,
          () => false,
        ),
      patient,
    )
    .toBe(true)

describe('a database that refuses connections for a while [ROB-2]', () => {
  test('all are told so at once; what was accepted is done afterwards, without a restart', async () => {
    await start()
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    expect(await homeOf(bob)).toEqual([])

    // Cut while posts are on their way: each is kept or refused as a whole.
    const posts = Array.from({ length: 30 }, (_, i) =>
      alice.post('/api/v1/statuses', { status: `cut ${i}` }, { 'idempotency-key': `cut ${i}` }),
    )
    await Promise.race(posts)
    await relay.refuse()
    const late = alice.post('/api/v1/statuses', { status: 'too late' }, { 'idempotency-key': 'too late' })
    const answers = await Promise.all([...posts, late])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    const failures = answers.filter(({ status }) => status === 503)
    expect(failures.map(({ body }) => body)).toEqual(failures.map(() => temporary))

    const refused = await crowd(alice, 200)
    expect(new Set(refused.map(({ status, body }) => `${status} ${body}`))).toEqual(
      new Set([`503 ${JSON.stringify(temporary)}`]),
    )
    expect((await ask('/health')).status).toBe(503)

    await relay.mend()
    await expect.poll(async () => (await ask('/health')).status, patient).toBe(200)
    await alice.say('afterwards')
    const listed = (await alice.get(`/api/v1/accounts/${alice.accountId}/statuses?limit=40`)).ok()
    const ids = listed.map((status: { id: string }) => status.id)
    // The rest may have been committed though the answer was lost.
    expect(ids).toEqual(expect.arrayContaining(answers.filter((a) => a.status === 200).map((a) => a.body.id)))
    await expect
      .poll(async () => (await homeOf(bob)).toSorted(), patient)
      .toEqual(ids.slice(0, 20).toSorted())
    await expect.poll(pending, patient).toEqual([])
    expect(app.logLines.filter((line) => line.message === 'unhandled error')).toEqual([])
  })

  test('a job that ends while it is away is not left locked, and the queue goes on', async () => {
    await start()
    const alice = await app.person('alice')
    const held = Promise.withResolvers<void>()
    holdMail = held.promise
    await askForReset(alice)
    await expect.poll(() => mails, patient).toEqual([alice.email])
    await relay.refuse()
    // The mail is out, but the queue cannot be told.
    held.resolve()
    await expect
      .poll(() => app.logLines.map((line) => line.message), patient)
      .toContain('the job queue lost its database; starting again')
    await relay.mend()
    await expect.poll(pending, patient).toEqual([])
    const before = mails.length
    const bob = await direct.person('bob')
    await untilAsked(bob)
    await expect.poll(() => mails.slice(before), patient).toContain(bob.email)
    await expect.poll(pending, patient).toEqual([])
  })
})

describe('a database that does not answer [ROB-2]', () => {
  test('nobody waits for long, and it works again without a restart', async () => {
    await start({ maxDuration: soon, connectTimeout: soon })
    const [alice, bob] = [await direct.person('alice'), await direct.person('bob')]
    await bob.follow(alice)
    await expect.poll(pending, patient).toEqual([])
    const before = relay.taken()
    relay.mute()
    const [answers, health] = await Promise.all([crowd(alice, 100), ask('/health')])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    // One by one, there would be a connection for each of them.
    expect(relay.taken() - before).toBeLessThanOrEqual(4 * connections)
    expect(health.status).toBe(503)
    await relay.mend()
    await expect.poll(async () => (await ask('/health')).status, patient).toBe(200)
    // Where it gets no processor for long it is still taken to be away now and then.
    const said = async () => {
      const headers = { authorization: `Bearer ${alice.token}`, 'idempotency-key': 'afterwards' }
      const body = new URLSearchParams({ status: 'afterwards' })
      const answer = await app.fetch('/api/v1/statuses', { method: 'POST', headers, body })
      return answer.status
    }
    await expect.poll(said, patient).toBe(200)
    const own = (await alice.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok()
    const ids = own.map((status: { id: string }) => status.id)
    await expect.poll(() => homeOf(bob), patient).toEqual(ids)
    await untilAsked(bob)
    await expect.poll(() => mails, patient).toContain(bob.email)
    await expect.poll(pending, patient).toEqual([])
  })
})
