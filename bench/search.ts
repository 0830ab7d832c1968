// How long full-text search takes among 1,000,000 statuses: node bench/search.ts [COUNT]. Words are spread as in
// natural languages: a few are in most texts, most are in a few.
import pg from 'pg'
import { createContext } from '#app/context.ts'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { loadConfig } from '#config/config.ts'
import { searchAccounts } from '#domain/identity/accounts/search.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { indexStatuses } from '#domain/reading/search/index-statuses.ts'
import { searchStatuses } from '#domain/reading/search/search-statuses.ts'
import { timeToId } from '#lib/ids.ts'
import { systemClock } from '#ports/clock.ts'
import { generator } from './kit/random.ts'
import { withDataDir } from './kit/server.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const statuses = Number(process.argv[2] ?? 1_000_000)
const accounts = 20_000
/** Of the accounts, those of this server. */
const people = 1_000
const vocabulary = 50_000
const year = 365 * 86_400_000
const rounds = 200
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

const seedAccounts = `
insert into accounts (id, username, domain, display_name, indexable)
select i, 'person' || i, case when i > ${people} then 'server' || i % 500 || '.example' end,
  initcap(md5(i::text)) || ' of ' || initcap(md5((i * 7)::text)), i % 5 = 0
from generate_series(1, ${accounts}) i;
insert into account_stats (account_id, followers_count) select id, (random() * 1000)::int from accounts;
insert into users (id, account_id, email, email_canonical, password_hash, confirmed_at)
select id, id, 'person' || id || '@mail.example', 'person' || id || '@mail.example', '!', now()
from accounts where domain is null;
`

const wordOf = `'w' || floor(exp(random() * ln(${vocabulary})))::int`

const seedStatuses = `
insert into statuses (id, account_id, content, visibility, local, language)
select ((($1::bigint + i::bigint * $2::bigint / $4::bigint) << 16) | (i % 60000)), 1 + floor(power(random(), 2) * ${accounts})::int,
  (select '<p>' || string_agg(${wordOf}, ' ') || '</p>' from generate_series(1, 20 + i % 2)),
  case i % 5 when 0 then 'unlisted' else 'public' end, false, 'en'
from generate_series($3::int, $3::int + 49999) i where i < $4`

const blocks = [24, 26, 28, 30, 32, 34, 36].map(
  (size) => `':t${size}:' || ((s.id >> 16) / (1::bigint << ${size}))`,
)
const seedDocuments = `
insert into status_search (status_id, account_id, version, format, open, document)
select s.id, s.account_id, 0, 1, case when s.visibility = 'public' then a.indexable end,
  to_tsvector('simple', s.content) || array_to_tsvector(array[${blocks.join(', ')}, ':in:en', ':by:' || s.account_id])
  || case when s.visibility = 'public' and a.indexable then array_to_tsvector(array[':open']) else '' end
from statuses s join accounts a on a.id = s.account_id`

/** Person 1 has to do with many statuses, person 2 with some. */
const seedMarks = `
insert into favourites (id, account_id, status_id)
select row_number() over (), 1, id from (select id from statuses where random() < 0.03) s;
insert into bookmarks (id, account_id, status_id)
select row_number() over (), 2, id from (select id from statuses where random() < 0.0005) s;
insert into mentions (status_id, account_id)
select id, 2 from statuses where random() < 0.0005;`

async function seed(url: string, now: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'")
  await client.query(seedAccounts)
  await client.query('drop index status_search_document')
  for (let first = 0; first < statuses; first += 50_000) {
    await client.query(seedStatuses, [now - year, year, first, statuses])
  }
  await client.query(seedDocuments)
  await client.query(seedMarks)
  await client.query(
    'create index status_search_document on status_search using gin (document) with (gin_pending_list_limit = 256)',
  )
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ size: string; heap: string }>(
    `select pg_size_pretty(pg_relation_size('status_search_document')) as size,
       pg_size_pretty(pg_table_size('status_search')) as heap`,
  )
  console.log(`documents ${rows[0]?.heap}, their index ${rows[0]?.size}`)
  await client.end()
}

const viewerOf = (id: string): Viewer =>
  ({
    accountId: id,
    userId: id,
    username: `person${id}`,
    locked: false,
    silenced: false,
    permissions: 0n,
    locale: 'en',
    settings: {},
    chosenLanguages: null,
    refusal: null,
  }) as Viewer

const random = generator(11)
const word = (from: number, to: number) => `w${from + Math.floor(random() * (to - from))}`
const common = () => word(1, 20)
const middle = () => word(300, 3_000)
const rare = () => word(20_000, vocabulary)
const day = () => new Date(Date.now() - random() * year).toISOString().slice(0, 10)

const queries: Record<string, () => string> = {
  'a rare word': rare,
  'a middling word': middle,
  'a common word': common,
  'a word nobody wrote': () => 'unwritten',
  'two common words': () => `${common()} ${common()}`,
  'a common and a rare word': () => `${common()} ${rare()}`,
  'two middling words': () => `${middle()} ${middle()}`,
  'a phrase of common words': () => `"${common()} ${common()}"`,
  'a common word but not another': () => `${common()} -${common()}`,
  'a word of one author': () => `${word(1, 300)} from:person${1 + Math.floor(random() * people)}`,
  'a middling word before a day': () => `${middle()} before:${day()}`,
  'a rare word in the library': () => `${rare()} in:library`,
  'a middling word in the library': () => `${middle()} in:library`,
  'a common word in the library': () => `${common()} in:library`,
  'all but a common word, before a day': () => `-${common()} before:${day()}`,
}

async function measure(name: string, work: () => Promise<unknown[]>): Promise<void> {
  const times: number[] = []
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now()
    found += (await work()).length
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1).padStart(7)
  console.log(
    `${name.padEnd(52)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  (${(found / rounds).toFixed(1)} found)`,
  )
}

await withDataDir(async (dataDir) => {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet })
  const config = loadConfig({ DATA_DIR: dataDir })
  const app = await createContext({ config, databaseUrl: postgres.url, clock: systemClock, log: quiet })
  try {
    const now = Date.now()
    const begun = performance.now()
    await seed(postgres.url, now)
    console.log(`${statuses} statuses in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    for (const [whom, id] of Object.entries({
      'one with a large library': '1',
      'one with a small library': '2',
    })) {
      console.log(`\n${whom}:`)
      for (const [name, queryOf] of Object.entries(queries)) {
        await measure(name, () =>
          searchStatuses(app.ctx, viewerOf(id), { deeds: null, text: queryOf(), limit: 20, offset: 0 }),
        )
      }
    }
    console.log('\naccounts:')
    const begin = () => `person${Math.floor(random() * accounts)}`.slice(0, -1)
    const kinds: Record<string, () => string> = {
      'the beginning of a name': begin,
      'two letters': () => 'pe',
      'a misspelled name': () => `preson${Math.floor(random() * accounts)}`,
    }
    for (const [kind, textOf] of Object.entries(kinds)) {
      await measure(kind, () =>
        searchAccounts(app.ctx, asId<AccountId>('1'), { avoids: true, text: textOf(), limit: 20, offset: 0 }),
      )
    }
    console.log('\nwriting:')
    const since = timeToId(now - 86_400_000)
    const { rows } = await app.database.pool.query<{ id: string }>(
      `select id from statuses where id > ${since} limit 2000`,
    )
    const ids = rows.map((row) => row.id)
    await measure('one status', async () => {
      await indexStatuses(app.ctx, [asId<StatusId>(ids[Math.floor(random() * ids.length)] as string)])
      return []
    })
  } finally {
    await app.close()
    await postgres.stop()
  }
})
