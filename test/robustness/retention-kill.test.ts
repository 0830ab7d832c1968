// Old statuses of other servers are being forgotten when the process is killed.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { continueMaintenance } from '#domain/maintenance/retention/run-maintenance.ts'
import { loadRuns } from '#domain/maintenance/retention/runs.ts'
import { timeToId } from '#lib/ids.ts'
import { days, minutes } from '#test/app/clock.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp, type LiveApp } from '#test/app/live-app.ts'
import { startProcess } from '#test/processes/processes.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { isNight } from '#test/run/night.ts'

const program = path.resolve(import.meta.dirname, '../support/processes/retention-process.ts')
const statuses = 6000
let database: Awaited<ReturnType<typeof freshDatabase>>
let app: LiveApp
let child: ChildProcess | undefined

beforeAll(async () => {
  database = await freshDatabase()
  app = await startLiveApp({ databaseUrl: database.url, worker: false })
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await app?.close()
  await database?.drop()
})

/** Every tenth is bookmarked; every third answers the one before. */
async function seed(): Promise<void> {
  const alice = await app.person('alice')
  const { accountId } = await remoteAccount(app.ctx)
  const first = timeToId(app.clock.now() - days(100))
  await sql`
    insert into statuses (id, account_id, visibility, local, in_reply_to_id, created_at)
    select ${first}::bigint + n, ${accountId}, 'public', false, case when n % 3 = 2 then ${first}::bigint + n - 1 end,
      ${new Date(app.clock.now() - days(100))}
    from generate_series(1, ${statuses}) n`.execute(app.ctx.db)
  await sql`
    insert into bookmarks (id, account_id, status_id)
    select id, ${alice.accountId}, id from statuses where (id - ${first}::bigint) % 10 = 0`.execute(
    app.ctx.db,
  )
}

async function idsOf(query: ReturnType<typeof sql<{ id: string }>>): Promise<string[]> {
  return (await query.execute(app.ctx.db)).rows.map((row) => row.id)
}

const toStay = sql<{ id: string }>`
  select s.id from statuses s
  where exists (select 1 from bookmarks b where b.status_id = s.id)
    or exists (select 1 from statuses r join bookmarks b on b.status_id = r.id where r.in_reply_to_id = s.id)
  order by s.id`
const all = sql<{ id: string }>`select id from statuses order by id`

/** Starts the program, and kills it when it has removed so many. */
async function killAfter(count: number): Promise<void> {
  child = startProcess(process.execPath, [program, database.url, app.ctx.config.dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  child.stdout?.on('data', (data) => {
    printed += data
    const removed = Number(/.*removed (\d+)\n/s.exec(printed)?.[1] ?? 0)
    if (removed >= count) child?.kill('SIGKILL')
  })
  await ended
  expect(printed).not.toContain('finished')
  expect(child.signalCode).toBe('SIGKILL')
}

test.runIf(isNight)(
  'what was done is done, what is to stay is there, and the rest goes with the next one',
  async () => {
    await setSetting(app.ctx, 'content_cache_retention_period', 30)
    await seed()
    const expected = await idsOf(toStay)
    expect(expected).toHaveLength(800)
    await killAfter(1000)
    const then = await idsOf(all)
    const run = async () => (await loadRuns(app.ctx)).get('remote-statuses')
    // The count and the deletions were committed together.
    expect((await run())?.removed).toBe(statuses - then.length)
    expect(then.length).toBeLessThan(statuses - 900)
    expect(then.length).toBeGreaterThan(expected.length)
    expect(expected.filter((id) => !then.includes(id))).toEqual([])
    // The dead one still has it.
    await continueMaintenance(app.ctx, { begin: true })
    expect(await idsOf(all)).toEqual(then)
    app.clock.advance(minutes(1) + 1000)
    await continueMaintenance(app.ctx, { begin: false })
    expect(await idsOf(all)).toEqual(expected)
    expect(await run()).toMatchObject({
      state: 'idle',
      examined: statuses,
      removed: statuses - expected.length,
      error: null,
    })
  },
)
