// What a piece of work costs on a server, and what it keeps others waiting.
import type pg from 'pg'
import { countOf, keepLooking, withClient } from '../kit/database.ts'
import type { Inboxes } from '../kit/delivery-load.ts'
import { readDuring, waitsOf, type Waits } from '../kit/meanwhile.ts'
import type { Shot } from '../kit/load.ts'
import { cpuOf } from '../kit/processes.ts'
import { token } from '../kit/seed.ts'
import type { BenchServer } from '../kit/server.ts'
import { beginCounting, readCounted, type Counted } from './facts.ts'
import type { Grown } from './size.ts'

const perSecond = 40
const readers = 100
/** Milliseconds between two looks at who waits for a lock. */
const looksEvery = 50
/** Work that takes longer is not waited for, in milliseconds. */
const patience = 1_800_000

/** Home timelines, posts and notifications, turn by turn. */
export const readOf =
  ({ publicIds }: Grown) =>
  (index: number): Shot => {
    const bearer = token(Math.floor(index / 3) % readers)
    const paths = [
      '/api/v1/timelines/home?limit=20',
      `/api/v1/statuses/${publicIds[index % publicIds.length]}`,
      '/api/v1/notifications?limit=20',
    ]
    return { path: paths[index % 3] as string, token: bearer }
  }

export interface Quiet {
  waits: Waits
  /** CPU milliseconds that the reads take of each second. */
  cpu: number
  databaseCpu: number
}

export interface Work extends Pick<Counted, 'pages' | 'slowest'> {
  name: string
  seconds: number
  /** CPU milliseconds, without those of the reads. */
  cpu: number
  databaseCpu: number
  waits: Waits
  /** Connections that waited for a lock, at most at once. */
  locked: number
  /** What the work itself has to say, such as how much it did. */
  told?: string | undefined
}

export interface Worker {
  server: BenchServer
  inboxes: Inboxes
  grown: Grown
  quiet: Quiet
}

/** What reads take when nothing else goes on. */
export async function measureQuiet(server: BenchServer, grown: Grown, forMs: number): Promise<Quiet> {
  const readers = { perSecond, shotOf: readOf(grown) }
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, forMs))
  await readDuring(server.base, readers, wait)
  const [before, databaseBefore] = [cpuOf(server.pids), cpuOf(server.pids.slice(1))]
  const { samples } = await readDuring(server.base, readers, wait)
  const perMs = 1000 / forMs
  return {
    waits: waitsOf(samples),
    cpu: (cpuOf(server.pids) - before) * perMs,
    databaseCpu: (cpuOf(server.pids.slice(1)) - databaseBefore) * perMs,
  }
}

/** Does `work` while people read. */
export async function measureWork(
  { server, grown, quiet }: Worker,
  name: string,
  work: () => Promise<string | void>,
): Promise<Work> {
  const { base, databaseUrl, pids } = server
  await beginCounting(databaseUrl)
  const [before, databaseBefore, begun] = [cpuOf(pids), cpuOf(pids.slice(1)), performance.now()]
  let locked = 0
  const locks = keepLooking(databaseUrl, looksEvery, async (client) => {
    locked = Math.max(locked, await countOf(client, "pg_stat_activity where wait_event_type = 'Lock'"))
  })
  let seconds = 0
  const { samples, result } = await readDuring(base, { perSecond, shotOf: readOf(grown) }, async () => {
    const told = await work()
    seconds = (performance.now() - begun) / 1000
    return told
  })
  const all = (performance.now() - begun) / 1000
  const { pages, slowest } = await readCounted(databaseUrl)
  await locks.stop()
  console.error(`${name}: ${seconds.toFixed(1)} s, ${result ?? 'done'}`)
  return {
    name,
    seconds,
    cpu: cpuOf(pids) - before - quiet.cpu * all,
    databaseCpu: cpuOf(pids.slice(1)) - databaseBefore - quiet.databaseCpu * all,
    pages,
    slowest,
    waits: waitsOf(samples),
    locked,
    told: result ?? undefined,
  }
}

/** Runs a job of the timetable, and tells why when it fails. */
export async function runJob(client: pg.Client, name: string): Promise<string | void> {
  await client.query("select graphile_worker.add_job($1, job_key := 'measured-' || $1)", [name])
  for (const end = performance.now() + patience; performance.now() < end;) {
    const { rows } = await client.query<{ error: string | null }>(
      'select last_error as error from graphile_worker.jobs where task_identifier = $1',
      [name],
    )
    if (rows.length === 0) return
    const failed = rows.find(({ error }) => error !== null)
    if (failed) {
      await client.query("select graphile_worker.remove_job('measured-' || $1)", [name])
      return `failed: ${failed.error}`
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return 'took too long'
}

/** Keeps the timetable from beginning anything, or lets it again. */
export const setTimetable = (url: string, on: boolean): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('drop trigger if exists bench_no_timetable on graphile_worker._private_jobs')
    if (on) return
    await client.query(`
      create or replace function bench_no_timetable() returns trigger language plpgsql as $$ begin return null; end $$;
      create trigger bench_no_timetable before insert on graphile_worker._private_jobs
        for each row when (new.payload::jsonb ? '_cron') execute function bench_no_timetable()`)
  })
