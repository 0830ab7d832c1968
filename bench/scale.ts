// What a server costs as it grows: bin/node bench/scale.ts [--posts N,N,…] [--people N,N,…] [--parts …] [--kept FOLDER].
// A server of each size is made anew (bench/scale/): posts as people write them, by people of this server and of others who
// follow each other and have full feeds, a tag and an author with a tenth of all posts, one whom everybody follows, one with
// very many notifications, a thread of thousands. Then its parts are measured, all unless told which:
//   requests   what each kind of request costs: processor time, of it PostgreSQL's, pages of the database, milliseconds
//   works      what is large on a large server, and what people's reads take meanwhile: fan-out, jobs of the timetable
//   inbox      a thousand activities a second from other servers: what is taken, how fast, and what becomes of it
//   ends       the same of what can be done once: clearing notifications, suspending and deleting
//   tables     sizes of tables and indexes, what was read from end to end, what a vacuum takes
// Prints tables, then one line of JSON for each size. What is flat by design has to stay flat. The usual sizes take half an
// hour; ten million posts by 100,000 people, with feeds of 200, want 35 GB and an hour or two. With --kept the data stay there for the next time.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { withClient } from './kit/database.ts'
import { startInboxes, type Inboxes } from './kit/delivery-load.ts'
import { measure } from './kit/measure.ts'
import { memoryOf } from './kit/processes.ts'
import type { Request } from './kit/scenarios.ts'
import { withServer, type BenchServer } from './kit/server.ts'
import { withSize } from './scale/data.ts'
import { floods, measureFlood, type Flooded } from './scale/inbox.ts'
import { beginCounting, counting, readCounted, readFacts, type Facts } from './scale/facts.ts'
import {
  printFacts,
  printRequests,
  printVacuums,
  printWorks,
  type Asked,
  type Vacuum,
} from './scale/report.ts'
import { long, usual, writes } from './scale/requests.ts'
import { inboxPort } from './scale/seed-people.ts'
import { parseSizes, type Grown } from './scale/size.ts'
import { measureQuiet, setTimetable, type Work, type Worker } from './scale/work.ts'
import { workOnEnds, workOnJobs, workOnRebuild, workOnStars } from './scale/works.ts'

/** A connection tells what it has read when it has had nothing to do for so long, in milliseconds. */
const statisticsDelay = 11_000
const quietMs = 15_000
const parts = ['requests', 'works', 'inbox', 'ends', 'tables']

interface Measured {
  posts: number
  people: number
  memory: number
  requests: Record<string, Asked>
  works: Work[]
  inbox: Flooded[]
  facts: Facts | null
  vacuums: Vacuum[]
}

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10000,100000,1000000' },
    people: { type: 'string', default: '100,1000,10000' },
    feed: { type: 'string', default: '800' },
    requests: { type: 'string', default: '600' },
    seconds: { type: 'string', default: '8' },
    parts: { type: 'string', default: parts.join() },
    only: { type: 'string', default: '' },
    kept: { type: 'string' },
  },
})
const wanted = values.parts.split(',')
const unknown = wanted.filter((part) => !parts.includes(part))
if (unknown.length > 0) throw new Error(`there is no part ${unknown.join()}: ${parts.join(', ')}`)
const only = new RegExp(values.only)

async function askAll(server: BenchServer, grown: Grown): Promise<Record<string, Asked>> {
  const found: Record<string, Asked> = {}
  const url = server.databaseUrl
  for (const [name, bench] of Object.entries<Request<Grown>>({ ...usual, ...long, ...writes })) {
    if (!only.test(name)) continue
    const how = { bench, count: Number(values.requests), forMs: Number(values.seconds) * 1000 }
    const cost = await measure(server, grown, { ...how, begin: () => beginCounting(url) })
    const { pages, read, slowest } = await readCounted(url)
    console.error(`${name}: ${cost.requests} requests, ${cost.p50.toFixed(0)} ms at the median`)
    const { cpu, databaseCpu, p50, p99, requests, errors, bytes } = cost
    if (errors > 0) console.error(`${name}: ${errors} of ${requests} requests failed`)
    const each = { pages: pages / requests, read: read / requests }
    found[name] = {
      cpu,
      databaseCpu,
      p50,
      p99,
      requests,
      errors,
      bytes,
      ...each,
      slowest: slowest[0] ?? null,
    }
  }
  return found
}

/** Staff's token may do what staff does. */
const prepare = (server: BenchServer, grown: Grown): Promise<void> =>
  withClient(server.databaseUrl, async (client) => {
    await client.query(
      `update oauth_tokens set scopes = scopes || '{admin:read,admin:write}'
       where user_id = $1 and not 'admin:write' = any(scopes)`,
      [grown.singles.admin.id],
    )
    await client.query('select pg_stat_reset()')
  })

async function measureWorks(to: Omit<Worker, 'quiet'>): Promise<Work[]> {
  const { server, grown } = to
  const worker: Worker = { ...to, quiet: await measureQuiet(server, grown, quietMs) }
  console.log('reads when nothing else goes on:', worker.quiet)
  return withClient(server.databaseUrl, async (client) => {
    const found: Work[] = []
    if (wanted.includes('works')) {
      found.push(await workOnRebuild(worker, client))
      found.push(...(await workOnStars(worker, client)), ...(await workOnJobs(worker, client)))
    }
    if (wanted.includes('ends')) found.push(...(await workOnEnds(worker, client)))
    return found
  })
}

/** The largest tables, one after the other. */
async function vacuumAll(server: BenchServer, { tables }: Facts): Promise<Vacuum[]> {
  return withClient(server.databaseUrl, async (client) => {
    const found: Vacuum[] = []
    for (const { table, dead } of tables) {
      const begun = performance.now()
      await client.query(`vacuum ${table}`)
      found.push({ table, dead, seconds: (performance.now() - begun) / 1000 })
    }
    return found
  })
}

async function measureSize(server: BenchServer, grown: Grown, inboxes: Inboxes): Promise<Measured> {
  await setTimetable(server.databaseUrl, false)
  await prepare(server, grown)
  const requests = wanted.includes('requests') ? await askAll(server, grown) : {}
  const memory = memoryOf(server.pids)
  const works = wanted.some((part) => part === 'works' || part === 'ends')
    ? await measureWorks({ server, grown, inboxes })
    : []
  const inbox: Flooded[] = []
  for (const flood of wanted.includes('inbox') ? floods : []) {
    inbox.push(await measureFlood(server, grown, flood))
    console.error(inbox.at(-1))
  }
  await sleep(statisticsDelay)
  const facts = wanted.includes('tables') ? await readFacts(server.databaseUrl) : null
  const vacuums = facts ? await vacuumAll(server, facts) : []
  await setTimetable(server.databaseUrl, true)
  const { posts, people } = grown.size
  return { posts, people, memory, requests, works, inbox, facts, vacuums }
}

const all: Measured[] = []
for (const size of parseSizes(values.posts, values.people, values.feed)) {
  await withSize(size, values.kept, async (dataDir, grown) => {
    const env = { ...counting, ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
    // Who has followers elsewhere tells them, and waits for those who do not answer.
    const inboxes = await startInboxes(size.hosts, 0, inboxPort)
    const found = await withServer(dataDir, (server) => measureSize(server, grown, inboxes), env).finally(
      inboxes.close,
    )
    all.push(found)
    console.log(`${found.posts} posts, ${found.people} people: processes ${found.memory.toFixed(0)} MB`)
    printWorks(found.works)
    if (found.inbox.length > 0) console.table(found.inbox)
    if (found.facts) printFacts(found.facts)
    printVacuums(found.vacuums)
    console.log(JSON.stringify(found))
  })
}
printRequests(all)
