// What it costs to forget old posts of other servers: node bench/retention.ts [POSTS], of 1,000,000 unless told. A
// hundredth of them was touched by people here, a third are answers, boosts or quotes, and there are 100,000 young ones.
// People read their home timelines at a steady pace, while the server works as it does every night and while it does not,
// in turns, because the machine may have other things to do. Then it is killed in the middle, started again, and the rest
// is done at full speed by the command. Prints milliseconds, CPU, memory and posts per second, whether exactly what is to
// stay is there, then one line of JSON.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { timeToId } from '#lib/ids.ts'
import { withClient } from './kit/database.ts'
import { pace, quantile } from './kit/load.ts'
import { cpuOf, pssOf } from './kit/processes.ts'
import { insertPeople, token } from './kit/seed.ts'
import { port, withDataDir, withServer, type BenchServer } from './kit/server.ts'

const posts = Number(process.argv[2] ?? 1_000_000)
const young = 100_000
const people = 200
const authors = 5_000
const day = 86_400_000
const perSecond = 50
/** Turns of each kind, and how long each takes, in seconds. */
const turns = 6
const seconds = 20
const now = Date.now()

/** Remote authors have the ids from 1 on. */
async function seed(client: pg.Client): Promise<void> {
  const accounts = Array.from({ length: people }, (_, i) => timeToId(now - 400 * day + i))
  await insertPeople(client, accounts)
  // Nothing is to be checked of what is made here, and much of it at once.
  await client.query('set session_replication_role = replica; set synchronous_commit = off')
  await client.query(`
    insert into accounts (id, username, domain, uri)
    select n, 'away' || n, 'server' || n % 300 || '.example', 'https://away.example/' || n from generate_series(1, ${authors}) n;
    insert into account_stats (account_id) select n from generate_series(1, ${authors}) n`)
  await client.query(
    `insert into follows (id, account_id, target_account_id)
     select row_number() over (), p, a from unnest($1::bigint[]) p,
       lateral (select distinct (1 + random() * ${authors - 1})::int as a from generate_series(1, 100) where p is not null) t`,
    [accounts],
  )
  await insertPosts(client, { count: posts, from: now - 400 * day, to: now - 31 * day })
  await insertPosts(client, { count: young, from: now - 29 * day, to: now - 60_000 })
  await touch(client, accounts)
  await client.query(`
    insert into settings (key, value) values ('content_cache_retention_period', '30')
    on conflict (key) do update set value = excluded.value`)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze')
}

/** Of ten one is a boost, two are answers; a few are quotes. They refer to what came up to a thousand posts before. */
async function insertPosts(
  client: pg.Client,
  { count, from, to }: { count: number; from: number; to: number },
): Promise<void> {
  const step = (to - from) / count
  await client.query(
    `create temporary table made as
     select ($1::bigint + (n * $2::float8)::bigint) << 16 as id, (1 + power(random(), 2) * ${authors - 1})::int as author,
       case when n > 1000 then ($1::bigint + ((n - 1 - (random() * 999)::int) * $2::float8)::bigint) << 16 end as earlier,
       case when n % 10 = 0 then 'boost' when n % 10 in (3, 7) then 'answer' when n % 50 = 1 then 'quote' else 'post' end as kind
     from generate_series(0, $3::int - 1) n`,
    [from, step, count],
  )
  await client.query(`
    insert into conversations (id) select id from made where kind in ('post', 'quote');
    insert into statuses (id, account_id, content, visibility, local, language, uri, url, reply, in_reply_to_id, reblog_of_id,
      conversation_id, media_ids, fetched_at, created_at)
    select id, author, case when kind <> 'boost' then repeat('<p>a few words about nothing</p> ', 6) else '' end,
      case when random() < 0.85 then 'public' else 'unlisted' end, false, 'en', 'https://away.example/s/' || id,
      'https://away.example/@away/' || id, kind = 'answer', case when kind = 'answer' then earlier end,
      case when kind = 'boost' then earlier end, case when kind in ('post', 'quote') then id end,
      case when id % 7 = 0 and kind = 'post' then array[id] else '{}' end, to_timestamp((id >> 16) / 1000.0),
      to_timestamp((id >> 16) / 1000.0)
    from made on conflict do nothing;
    insert into quotes (status_id, account_id, quoted_status_id, state)
    select id, author, earlier, 'accepted' from made where kind = 'quote' and earlier is not null on conflict do nothing;
    insert into status_stats (status_id, replies_count) select id, 1 from made where kind <> 'boost';
    insert into media_attachments (id, account_id, status_id, type, state, remote_url)
    select id, author, id, 'image', 'complete', 'https://away.example/m/' || id from made where id % 7 = 0 and kind = 'post';
    insert into mentions (status_id, account_id) select id, 1 + id % ${authors} from made where kind = 'answer';
    insert into status_search (status_id, account_id, version, format, document)
    select id, author, 0, 1, to_tsvector('simple', 'a few words about nothing ' || id % 5000) from made where kind <> 'boost';
    drop table made`)
}

/** A hundredth; and writes down what is to stay: that, what is young, and all that it refers to. */
async function touch(client: pg.Client, accounts: string[]): Promise<void> {
  const reader = `($1::bigint[])[1 + (s.id >> 16) % ${people}]`
  for (const [table, remainder] of [
    ['favourites', 0],
    ['bookmarks', 1],
  ] as const) {
    await client.query(
      `insert into ${table} (id, account_id, status_id)
       select row_number() over (), ${reader}, s.id from statuses s where abs(hashint8(s.id)) % 200 = ${remainder} and s.reblog_of_id is null`,
      [accounts],
    )
  }
  await client.query(`
    create table bench_kept as
    with recursive kept (id) as (
      select id from statuses where local or id > (${now - 30 * day}::bigint << 16)
      union select status_id from favourites union select status_id from bookmarks
      union select unnest(array[s.in_reply_to_id, s.reblog_of_id, q.quoted_status_id])
      from kept k join statuses s on s.id = k.id left join quotes q on q.status_id = s.id)
    select distinct s.id from kept k join statuses s on s.id = k.id`)
}

interface Reading {
  times: number[]
  failed: number
  cpuSeconds: number
}

async function readHomes(server: BenchServer, forSeconds = seconds): Promise<Reading> {
  const end = performance.now() + forSeconds * 1000
  const cpu = cpuOf(server.pids)
  const samples = await pace(server.base, { perSecond, stopped: () => performance.now() > end }, (index) => ({
    path: '/api/v1/timelines/home',
    token: token(index % people),
  }))
  return {
    times: samples.map((sample) => sample.took),
    failed: samples.filter((sample) => sample.failed).length,
    cpuSeconds: (cpuOf(server.pids) - cpu) / 1000,
  }
}

/** Of all turns of one kind. */
function sum(readings: readonly Reading[]) {
  const times = readings.flatMap((reading) => reading.times)
  const tails = readings.map((reading) => quantile(reading.times, 0.99))
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    // The median of the turns: one in which the machine did something else does not count.
    usualP99: quantile(tails, 0.5),
    tails,
    failed: readings.reduce((total, reading) => total + reading.failed, 0),
    cpuPerSecond: readings.reduce((total, reading) => total + reading.cpuSeconds, 0) / (turns * seconds),
  }
}

interface Run {
  examined: number
  removed: number
  finished: boolean
}

async function lookAtRun(client: pg.Client): Promise<Run> {
  const { rows } = await client.query<Run>(`
    select examined::float8, removed::float8, finished_at is not null as finished from upkeep_runs
    where name = 'remote-statuses'`)
  return rows[0] ?? { examined: 0, removed: 0, finished: false }
}

/** The most that a process takes, in megabytes, until `stop`. */
function watchMemory(pid: number): { stop(): number } {
  let max = 0
  const timer = setInterval(() => (max = Math.max(max, pssOf([pid]))), 500)
  return {
    stop() {
      clearInterval(timer)
      return max
    },
  }
}

interface Finish {
  seconds: number
  memory: number
}

/** Runs the command until nothing is left: as long as the killed one holds its lease, it is told to wait. */
async function finish(dataDir: string): Promise<Finish> {
  const program = path.resolve(import.meta.dirname, '../bin/stonechat')
  for (;;) {
    const begun = performance.now()
    const child = spawn(program, ['retention', 'run', 'remote-statuses', '--full-speed'], {
      env: { ...process.env, DATABASE_URL: '', DATA_DIR: dataDir, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (data) => (said += data))
    const memory = watchMemory(child.pid ?? 0)
    const code = await new Promise((resolve) => child.once('exit', resolve))
    const max = memory.stop()
    if (code === 0) return { seconds: (performance.now() - begun) / 1000, memory: max }
    if (!said.includes('under way')) throw new Error(said)
    await sleep(2000)
  }
}

/** Posts that are to stay and are gone, and those that are there and are not to stay. */
async function findWrong(client: pg.Client): Promise<{ lost: number; left: number }> {
  const { rows } = await client.query<{ lost: number; left: number }>(`
    select (select count(*)::int from bench_kept k where not exists (select 1 from statuses s where s.id = k.id)) as lost,
      (select count(*)::int from statuses s where not exists (select 1 from bench_kept k where k.id = s.id)) as left`)
  return rows[0] as { lost: number; left: number }
}

/** What pausing and resuming do, without a person of the staff. */
const pause = `update upkeep_runs set state = 'paused', leased_until = null where name = 'remote-statuses'`
const resume = `
  update upkeep_runs set state = 'running' where name = 'remote-statuses';
  select graphile_worker.add_job('continue-upkeep')`

async function measure(server: BenchServer, client: pg.Client) {
  for (let i = 0; i < 2; i++) await readHomes(server, 5)
  const node = server.pids[0] as number
  const memoryBefore = pssOf([node])
  const memory = watchMemory(node)
  const quiet: Reading[] = []
  const busy: Reading[] = []
  await client.query("select graphile_worker.add_job('begin-upkeep')")
  for (let turn = 0; turn < turns; turn++) {
    if (turn > 0) await client.query(resume)
    busy.push(await readHomes(server))
    await client.query(pause)
    await sleep(1000)
    quiet.push(await readHomes(server))
  }
  const done = await lookAtRun(client)
  await client.query(resume)
  await sleep(3000)
  process.kill(node, 'SIGKILL')
  const max = memory.stop()
  return { before: sum(quiet), during: sum(busy), done, memory: { before: memoryBefore, max } }
}

const show = (name: string, value: string) => console.log(`${name.padEnd(50)} ${value}`)

await withDataDir(async (dataDir) => {
  const result = await withServer(dataDir, (server) =>
    withClient(server.databaseUrl, async (client) => {
      const begun = performance.now()
      await seed(client)
      show('seeded in', `${((performance.now() - begun) / 1000).toFixed(0)} s`)
      return measure(server, client)
    }),
  )
  const { before, during, done, memory } = result
  const [ratio, usualRatio] = [during.p99 / before.p99, during.usualP99 / before.usualP99]
  const worked = turns * seconds
  const of = (times: typeof before) =>
    `${times.p50.toFixed(1)} ms, ${times.p99.toFixed(1)} ms, ${times.usualP99.toFixed(1)} ms`
  show('home timeline, p50, p99, median of p99 of turns', of(before))
  show('while posts go', of(during))
  show('ratio of p99, and of the medians', `${ratio.toFixed(2)}, ${usualRatio.toFixed(2)}`)
  show('failed requests', String(before.failed + during.failed))
  show('CPU seconds a second for it', (during.cpuPerSecond - before.cpuPerSecond).toFixed(2))
  show('memory of Node before, and at most', `${memory.before.toFixed(0)} MB, ${memory.max.toFixed(0)} MB`)
  show(
    'examined and removed a second',
    `${(done.examined / worked).toFixed(0)}, ${(done.removed / worked).toFixed(0)}`,
  )
  await withServer(dataDir, (server) =>
    withClient(server.databaseUrl, async (client) => {
      const killed = await lookAtRun(client)
      const wrongThen = await findWrong(client)
      const rest = await finish(dataDir)
      const end = await lookAtRun(client)
      const wrong = await findWrong(client)
      show('removed before the kill, and in all', `${killed.removed}, ${end.removed}`)
      show('at full speed, a second', ((end.removed - killed.removed) / rest.seconds).toFixed(0))
      show('memory of the command at most', `${rest.memory.toFixed(0)} MB`)
      show('lost, and left over, after the kill', `${wrongThen.lost}, ${wrongThen.left}`)
      show('lost, and left over, at the end', `${wrong.lost}, ${wrong.left}`)
      console.log(JSON.stringify({ posts, ...result, killed, rest, end, wrong, ratio, usualRatio }))
      if (wrong.lost + wrong.left > 0 || !end.finished) process.exitCode = 1
    }),
  )
})
