// What a request costs as a server grows: node bench/scale.ts [--posts N,N,…] [--requests N] [NAME …]. The seeded 40,000
// posts by 1,000 people are copied until there are so many of them, with what belongs to them. Prints for each size the
// processor time of each kind of request and how much of it is PostgreSQL's, the sizes of tables and indexes, which
// tables were read from end to end, and memory; then one line of JSON. What is flat by design has to stay flat.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { withClient } from './kit/database.ts'
import { grow } from './kit/grow.ts'
import { measure, warmUp } from './kit/measure.ts'
import { memoryOf } from './kit/processes.ts'
import { benches, type Bench } from './kit/scenarios.ts'
import { seed, statuses, type Seeded } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const usual = [
  'home',
  'tag',
  'account',
  'status',
  'context50',
  'notifications20',
  'relationships',
  'favourite',
  'post-unlisted',
  'post-mention',
]
/** A connection tells what it has read when it has had nothing to do for so long, in milliseconds. */
const statisticsDelay = 11_000
/** Rows above which nobody reads a table from end to end. */
const large = 5_000

interface Measured {
  posts: number
  /** Milliseconds of processor time a request, and what of them is PostgreSQL's. */
  costs: Record<string, { cpu: number; database: number }>
  /** Megabytes, with indexes and without. */
  tables: { table: string; rows: number; all: number; indexes: number }[]
  /** Large tables, and how often they were read from end to end. */
  scanned: { table: string; times: number }[]
  /** Indexes that nothing read, and megabytes. */
  unused: { index: string; size: number }[]
  databaseSize: number
  memory: number
}

async function tablesOf(client: pg.Client): Promise<Measured['tables']> {
  const { rows } = await client.query<{ table: string; rows: string; all: string; indexes: string }>(`
    select c.relname as table, c.reltuples::bigint as rows, pg_total_relation_size(c.oid) as all,
      pg_indexes_size(c.oid) as indexes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' order by 3 desc limit 8`)
  return rows.map((row) => ({
    table: row.table,
    rows: Number(row.rows),
    all: megabytes(row.all),
    indexes: megabytes(row.indexes),
  }))
}

const megabytes = (bytes: string) => Math.round(Number(bytes) / 1e5) / 10

async function scannedIn(client: pg.Client): Promise<Measured['scanned']> {
  const { rows } = await client.query<{ table: string; times: string }>(
    'select relname as table, seq_scan as times from pg_stat_user_tables where n_live_tup > $1 and seq_scan > 0 order by 2 desc',
    [large],
  )
  return rows.map(({ table, times }) => ({ table, times: Number(times) }))
}

async function unusedIn(client: pg.Client): Promise<Measured['unused']> {
  const { rows } = await client.query<{ index: string; size: string }>(`
    select s.indexrelname as index, pg_relation_size(s.indexrelid) as size
    from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
    where s.schemaname = 'public' and s.idx_scan = 0 and not i.indisunique order by 2 desc limit 8`)
  return rows.map(({ index, size }) => ({ index, size: megabytes(size) }))
}

async function measureSize(
  server: BenchServer,
  seeded: Seeded,
  { names, requests, from }: { names: readonly string[]; requests: number; from: number },
): Promise<Measured> {
  await warmUp(server, seeded)
  await withClient(server.databaseUrl, (client) => client.query('select pg_stat_reset()'))
  const costs: Measured['costs'] = {}
  for (const [place, name] of names.entries()) {
    const bench = benches[name] as Bench
    const found = await measure(server, seeded, { bench, count: requests, from: from + place * requests })
    if (found.errors > 0) throw new Error(`${name}: ${found.errors} of ${found.requests} requests failed`)
    costs[name] = { cpu: found.cpu, database: found.databaseCpu }
  }
  await sleep(statisticsDelay)
  return withClient(server.databaseUrl, async (client) => {
    const { rows } = await client.query<{ posts: string; size: string }>(
      'select (select count(*) from statuses) as posts, pg_database_size(current_database()) as size',
    )
    return {
      posts: Number(rows[0]?.posts),
      costs,
      tables: await tablesOf(client),
      scanned: await scannedIn(client),
      unused: await unusedIn(client),
      databaseSize: megabytes(rows[0]?.size ?? '0'),
      memory: memoryOf(server.pids),
    }
  })
}

function print(all: readonly Measured[]): void {
  console.log('CPU ms a request (of it PostgreSQL):')
  const names = Object.keys(all[0]?.costs ?? {})
  console.table(
    names.map((name) => ({
      name,
      ...Object.fromEntries(
        all.map(({ posts, costs }) => {
          const { cpu, database } = costs[name] as Measured['costs'][string]
          return [posts, `${cpu.toFixed(2)} (${database.toFixed(2)})`]
        }),
      ),
    })),
  )
  for (const { posts, databaseSize, memory, tables, scanned, unused } of all) {
    console.log(`${posts} posts: database ${databaseSize} MB, processes ${memory.toFixed(0)} MB`)
    console.table(tables)
    console.log('read from end to end:', scanned)
    console.log('indexes that nothing here reads:', unused)
  }
  console.log(JSON.stringify(all))
}

const { values, positionals } = parseArgs({
  options: {
    posts: { type: 'string', default: '40000,100000,1000000' },
    requests: { type: 'string', default: '600' },
  },
  allowPositionals: true,
})
const names = positionals.length > 0 ? positionals : usual
const unknown = names.filter((name) => !benches[name])
if (unknown.length > 0)
  throw new Error(`there is no benchmark ${unknown.join()}: ${Object.keys(benches).join(', ')}`)
await withDataDir(async (dataDir) => {
  const seeded = await withServer(dataDir, (server) => seed(server.databaseUrl))
  const all: Measured[] = []
  let copies = 0
  for (const posts of values.posts.split(',').map(Number)) {
    const wanted = Math.max(copies, Math.round(posts / statuses) - 1)
    await withServer(dataDir, (server) =>
      withClient(server.databaseUrl, (client) => grow(client, { from: copies + 1, copies: wanted - copies })),
    )
    copies = wanted
    // Nobody favourites twice.
    const requests = Number(values.requests)
    const options = { names, requests, from: all.length * names.length * requests }
    all.push(await withServer(dataDir, (server) => measureSize(server, seeded, options)))
  }
  print(all)
})
