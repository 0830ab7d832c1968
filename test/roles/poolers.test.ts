// The whole server behind PgBouncer in transaction mode, by the example of the documents.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#test/app/databases.ts'
import type { Person } from '#test/people/people.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { often, patience } from '#test/run/patience.ts'
import { keepsPrepared, pgbouncerMissing, startPgbouncer } from '#test/servers/pgbouncer.ts'

const title = `a server behind PgBouncer${pgbouncerMissing === null ? '' : ` (${pgbouncerMissing})`}`

describe.skipIf(pgbouncerMissing !== null)(title, { timeout: 5 * patience }, () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>
  let server: ServerProcess
  let alice: Person
  let bob: Person

  beforeAll(async () => {
    database = await freshDatabase()
    pooler = await startPgbouncer(database.url)
    server = await createServerProcess({
      env: {
        DATABASE_URL: pooler.url,
        DATABASE_DIRECT_URL: database.url.replace('@/', '@localhost/'),
        PREPARED_STATEMENTS: String(keepsPrepared),
      },
    })
    await server.start()
    ;[alice, bob] = (await server.people('alice', 'bob')) as [Person, Person]
  })
  afterAll(async () => {
    await server?.remove()
    await pooler?.remove()
    await database?.drop()
  })

  test('serves many at once over two connections to the database, and each reads what it wrote', async () => {
    await bob.follow(alice)
    const written = await Promise.all(Array.from({ length: 30 }, (_, n) => alice.say(`number ${n}`)))
    const own = (await alice.get('/api/v1/timelines/home', { limit: 40 })).ok()
    expect(new Set(own.map(({ id }) => id))).toEqual(new Set(written.map(({ id }) => id)))
    // Fan-out is the worker's, by events.
    await expect
      .poll(async () => (await bob.get('/api/v1/timelines/home', { limit: 40 })).ok().length, often)
      .toBe(30)
  })

  test('jobs are done, what others change is heard, and its doctor finds the database', async () => {
    const { id } = (await bob.post('/api/v1/statuses', { status: `@alice look` })).ok()
    await expect
      .poll(
        async () => (await alice.get('/api/v1/notifications')).ok().map(({ status }) => status?.id),
        often,
      )
      .toContain(id)
    // By psql, so to speak: only who listens knows of it at once.
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('update users set disabled = true where id = $1', [bob.userId])
    await client.end()
    await expect.poll(async () => (await bob.get('/api/v1/timelines/home')).status, often).toBe(403)
    const doctor = await server.command('doctor')
    expect(doctor.stdout).toMatch(/database\s.*PostgreSQL/)
    expect(doctor.stdout).toMatch(/^ok +pooler +DATABASE_DIRECT_URL leads around it$/m)
    expect(server.output()).not.toContain('are noticed only after seconds')
  })

  test('without a way around it, doctor and other commands say that one is to be set', async () => {
    const wrong = await createServerProcess({ env: { DATABASE_URL: pooler.url }, prepared: false })
    onTestFinished(() => wrong.remove())
    const doctor = await wrong.command('doctor')
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/^FAIL +pooler +DATABASE_URL leads to a pooler.*: set DATABASE_DIRECT_URL/m)
    expect((await wrong.command('accounts', 'list')).stderr).toMatch(
      /^The pooler .*: set DATABASE_DIRECT_URL/,
    )
    const twice = await createServerProcess({
      env: { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pooler.url },
      prepared: false,
    })
    onTestFinished(() => twice.remove())
    expect((await twice.command('doctor')).stdout).toMatch(
      /^FAIL +pooler +DATABASE_DIRECT_URL leads to a pooler/m,
    )
  })
})
