// What the numbers of the dashboard cost, to count and to read: node bench/dashboard.ts. There are 100,000 users, 15,000
// of them here each day; 300,000 posts of the last thirty days from 3,000 servers; and what was kept of two years for
// 2,000 servers. Prints CPU seconds of both processes, the statement's own time being most of it, then one line of JSON.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { createContext } from '#app/context.ts'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { loadConfig } from '#config/config.ts'
import { countHosts, countHostTotals } from '#domain/maintenance/dashboard/count-hosts.ts'
import { countActivity, countEvents, countInteractions } from '#domain/maintenance/dashboard/count-server.ts'
import { countTags } from '#domain/maintenance/dashboard/count-tags.ts'
import { dayOf, plusDays, type Span } from '#domain/maintenance/dashboard/days.ts'
import { dimensionKeys, readDimensions } from '#domain/maintenance/dashboard/dimensions.ts'
import { measureKeys, readMeasures } from '#domain/maintenance/dashboard/measures.ts'
import { readRetention } from '#domain/maintenance/dashboard/retention.ts'
import { countToday } from '#domain/maintenance/dashboard/refresh-counts.ts'
import { cpuOf } from './kit/processes.ts'
import { withDataDir } from './kit/server.ts'

const users = 100_000
const activePerDay = 15_000
const activeDays = 60
const posts = 300_000
const day = 86_400_000
const now = Math.floor(Date.now() / day) * day + day - 1
const today = dayOf(now)

async function seedPeople(client: pg.Client): Promise<void> {
  await client.query(`
    insert into accounts (id, username) select n, 'person' || n from generate_series(1, ${users}) n;
    insert into users (id, account_id, email, email_canonical, password_hash, confirmed_at, last_active_at, locale, created_at)
    select n, n, n || '@mail.example', n || '@mail.example', '!', now(),
      to_timestamp(${now / 1000} - power(random(), 3) * 86400 * 400), (array['en','de','fr','pl','ja'])[1 + n % 5],
      to_timestamp(${now / 1000} - (n::float8 / ${users}) * 86400 * 731)
    from generate_series(1, ${users}) n;
    insert into user_activity (user_id, day)
    select distinct 1 + (power(random(), 2) * (${users} - 1))::int, date '${today}' - d
    from generate_series(0, ${activeDays - 1}) d, generate_series(1, ${activePerDay});
    insert into activity_gaps (day, gap, users)
    select date '${today}' - d, g, 1 + 9000 / (1 + g) from generate_series(${activeDays}, 730) d, generate_series(0, 200) g;
    insert into retention_counts (cohort, day, users, first_in_month)
    select date '${today}' - c, date '${today}' - d, 20, 2
    from generate_series(0, 730) c, generate_series(${activeDays}, 730) d where d <= c;
    insert into daily_counts (day, name, count)
    select date '${today}' - d, name, 130
    from generate_series(0, 1460) d, unnest(array['new_users','interactions','opened_reports','resolved_reports']) name`)
}

async function seedServers(client: pg.Client): Promise<void> {
  await client.query(`
    insert into accounts (id, username, domain, uri)
    select 200000 + n, 'remote' || n, 'server' || (power(random(), 3) * 2999)::int || '.example', 'https://r.example/' || n
    from generate_series(1, 60000) n;
    insert into follows (id, account_id, target_account_id)
    select ((${now}::bigint - (random() * ${30 * day})::bigint) << 16) + n, 1 + (random() * ${users - 1})::int, 200000 + n % 60000 + 1
    from generate_series(1, 200000) n on conflict do nothing;
    insert into tags (id, name, display_name) select n, 'tag' || n, 'tag' || n from generate_series(1, 5000) n;
    insert into host_daily_counts (host, name, day, count)
    select 'server' || h || '.example', name, date '${today}' - d, 1 + (h + d) % 50
    from generate_series(1, 2000) h, generate_series(30, 730) d, unnest(array['statuses', 'language:en']) name`)
  await client.query(
    `insert into statuses (id, account_id, content, visibility, local, language, reblog_of_id, in_reply_to_id)
     select ($1::bigint + n * $2::bigint) << 16, case when n % 5 = 0 then 1 + (random() * ${users - 1})::int
         else 200001 + (power(random(), 2) * 59998)::int end, 'a few words', 'public', n % 5 = 0, (array['en','de','fr'])[1 + n % 3],
       case when n % 4 = 1 and n > 1000 then ($1::bigint + (n - n % 5 - 5 * (n % 100)) * $2::bigint) << 16 end,
       case when n % 4 = 3 and n > 1000 then ($1::bigint + (n - n % 5 - 5 * (n % 100)) * $2::bigint) << 16 end
     from generate_series(0, ${posts - 1}) n on conflict do nothing`,
    [now - 30 * day, Math.floor((30 * day) / posts)],
  )
  await client.query(`
    insert into status_tags (tag_id, status_id)
    select distinct 1 + (power(random(), 4) * 4999)::int, id from statuses, generate_series(1, 2) g where random() < 0.4;
    insert into favourites (id, account_id, status_id)
    select s.id + 1 + a, a, s.id from statuses s, lateral (select 1 + (s.id % 997)::int as a) r where s.id % 2 = 0`)
  await client.query('vacuum analyze')
}

await withDataDir(async (dataDir) => {
  const log = { debug() {}, info() {}, warn: console.warn, error: console.error }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const config = loadConfig({ DATA_DIR: dataDir })
  const app = await createContext({ config, databaseUrl: postgres.url, clock: { now: () => now }, log })
  const { ctx } = app
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await seedPeople(client)
  await seedServers(client)
  const { rows } = await client.query<{ tag_id: string }>(
    'select tag_id from status_tags group by 1 order by count(*) desc limit 1',
  )
  await client.end()
  const postmaster = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const pids = [process.pid, Number(postmaster.split('\n')[0])]
  const results: Record<string, number> = {}
  const measure = async (name: string, times: number, work: () => Promise<unknown>) => {
    const before = cpuOf(pids)
    for (let i = 0; i < times; i++) await work()
    const seconds = (cpuOf(pids) - before) / 1000 / times
    results[name] = seconds
    console.log(`${name.padEnd(44)} ${seconds.toFixed(4)} CPU s`)
  }

  const counts = [countEvents, countActivity, countInteractions, countHosts, countTags]
  for (const count of counts) {
    await measure(`${count.name}, first`, 1, () => count(ctx, plusDays(today, -1)))
    await measure(`${count.name}, again`, 3, () => count(ctx, plusDays(today, -1)))
  }
  for (let ago = 2; ago < 30; ago++) for (const count of counts) await count(ctx, plusDays(today, -ago))
  await measure('countHostTotals', 2, () => countHostTotals(ctx, today))
  await measure('countToday', 3, () => countToday(ctx))

  const host = 'server7.example'
  const tag = rows[0]?.tag_id as string
  const subjectOf = (key: string) => (key.startsWith('tag_') ? tag : host)
  const spans: Record<string, Span> = {
    '30 days': { start: plusDays(today, -29), end: today },
    '731 days': { start: plusDays(today, -730), end: today },
  }
  for (const [length, span] of Object.entries(spans)) {
    for (const key of measureKeys)
      await measure(`${key}, ${length}`, 10, () => readMeasures(ctx, [key], span, { [key]: subjectOf(key) }))
    for (const key of dimensionKeys) {
      const subjects = { [key]: subjectOf(key) }
      await measure(`${key} by size, ${length}`, 5, () =>
        readDimensions(ctx, [key], { span, limit: 8, subjects }),
      )
    }
  }
  await measure('retention, 92 days', 5, () =>
    readRetention(ctx, { start: plusDays(today, -91), end: today }, 'day'),
  )
  await measure('retention, 24 months', 5, () => readRetention(ctx, spans['731 days'] as Span, 'month'))
  console.log(JSON.stringify(results))
  await app.close()
  await postgres.stop()
})
