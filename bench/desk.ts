// What the pages of the staff's desk cost: node bench/desk.ts. There are 100,000 accounts of this server and 60,000 of
// 30,000 others, 10,000 reports, 2,000 appeals and held posts, 1,000 hashtags that trend and 100,000 rows of the audit
// log. Prints CPU milliseconds of the server's process and of PostgreSQL for each page, and the slowest; exits with 1
// when one costs both together 50 ms or more. One line of JSON at the end.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { createContext } from '#app/context.ts'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { loadConfig } from '#config/config.ts'
import { asId, type UserId } from '#lib/id.ts'
import { startSession } from '#domain/identity/oauth/sessions.ts'
import { createWebApp } from '#http/server-app.ts'
import { sectionPath, sections } from '#http/web/admin/kit/sections.ts'
import { cpuOf } from './kit/processes.ts'
import { withDataDir } from './kit/server.ts'

const users = 100_000
const hosts = 30_000
const reports = 10_000
const day = 86_400_000
/** Milliseconds of CPU, of the server's process and PostgreSQL together. */
const max = 50
const rounds = 20

async function seedPeople(client: pg.Client): Promise<void> {
  await client.query(`
    insert into accounts (id, username, display_name) select n, 'person' || n, 'Person ' || n from generate_series(1, ${users}) n;
    insert into users (id, account_id, email, email_canonical, password_hash, confirmed_at, last_active_at, locale,
      created_at, approved, sign_up_ip)
    select n, n, n || '@mail.example', n || '@mail.example', '!', now(), now() - n * interval '1 minute',
      (array['en','de','fr','pl','ja'])[1 + n % 5], now() - n * interval '10 minutes', n % 500 <> 0,
      '192.0.2.' || n % 250
    from generate_series(1, ${users}) n;
    update users set role_id = 3 where id = 1;
    insert into accounts (id, username, domain, uri)
    select 200000 + n, 'remote' || n, 'server' || n % ${hosts} || '.example', 'https://r.example/' || n
    from generate_series(1, ${2 * hosts}) n;
    insert into hosts (host, created_at, failures) select 'server' || n || '.example', now(), case when n % 40 = 0 then 3 else 0 end
    from generate_series(0, ${hosts - 1}) n on conflict do nothing;
    insert into domain_blocks (id, domain, severity) select n, 'server' || n * 10 || '.example', 'suspend'
    from generate_series(1, 2000) n`)
}

async function seedWork(client: pg.Client, now: number): Promise<void> {
  await client.query(
    `insert into statuses (id, account_id, content, visibility, local, language)
     select ($1::bigint + n * 1000) << 16, 1 + n % ${users}, 'a few words', 'public', true, 'en' from generate_series(1, 40000) n`,
    [now - 30 * day],
  )
  await client.query(`
    insert into reports (id, account_id, target_account_id, category, comment, status_ids, action_taken_at, action_taken_by_account_id)
    select n, 2 + n % 5000, case when n % 3 = 0 then 10 + n % 900 else 200001 + n % 20000 end,
      (array['spam','violation','other','legal'])[1 + n % 4], 'because ' || n,
      case when n % 3 = 0 then array(select s.id from statuses s where s.account_id = 10 + n % 900 limit 2) else '{}' end,
      case when n % 2 = 0 then now() end, case when n % 2 = 0 then 1 end
    from generate_series(1, ${reports}) n;
    insert into account_warnings (id, account_id, target_account_id, action, text, created_at)
    select n, 1, 10 + n % 900, 'silence', 'words', now() from generate_series(1, 4000) n;
    insert into appeals (id, warning_id, account_id, text, created_at)
    select n, n, 10 + n % 900, 'no', now() from generate_series(1, 2000) n;
    insert into moderation_notes (id, account_id, target_account_id, text, created_at)
    select n, 1, 10 + n % 900, 'a note', now() from generate_series(1, 5000) n;
    insert into held_posts (id, account_id, params, content) select n, 100 + n, '{}', 'held words' from generate_series(1, 2000) n;
    insert into tags (id, name, display_name) select n, 'tag' || n, 'tag' || n from generate_series(1, 5000) n;
    insert into tag_trends (tag_id, score, peak, peak_at, updated_at) select n, n, n, now(), now() from generate_series(1, 1000) n;
    insert into preview_card_providers (id, domain, created_at, updated_at)
    select n, 'paper' || n || '.example', now(), now() from generate_series(1, 5000) n;
    insert into audit_log (id, account_id, actor, action, target_type, target_id, target_label, details, created_at)
    select n, 1, 'staff', (array['suspend','silence','resolve'])[1 + n % 3], (array['account','report'])[1 + n % 2], n, 'label ' || n,
      '{}', now()
    from generate_series(1, 100000) n;
    insert into daily_counts (day, name, count)
    select current_date - d, name, 130
    from generate_series(0, 730) d, unnest(array['new_users','interactions','opened_reports','resolved_reports']) name;
    insert into activity_gaps (day, gap, users) select current_date - d, g, 10 from generate_series(0, 200) d, generate_series(0, 100) g;
    insert into retention_counts (cohort, day, users, first_in_month)
    select current_date - c, current_date - d, 20, 2 from generate_series(0, 300) c, generate_series(0, 300) d where d <= c;
    insert into host_daily_counts (host, name, day, count)
    select 'server' || h || '.example', 'statuses', current_date - d, 1 + (h + d) % 50
    from generate_series(1, 2000) h, generate_series(0, 100) d;
    insert into host_totals (host, day, accounts) select 'server' || h || '.example', current_date, 2
    from generate_series(0, ${hosts - 1}) h`)
  await client.query('vacuum analyze')
}

/** Every section, and what stands behind some of them. */
const paths = [
  ...sections.map(({ name }) => sectionPath(name)),
  '/admin/reports?resolved=1',
  '/admin/reports?category=legal&origin=remote',
  '/admin/reports?by_target_domain=server7.example',
  '/admin/reports?assigned=me',
  '/admin/reports/9999',
  '/admin/reports/9999/decide?type=silence',
  '/admin/accounts?status=pending',
  '/admin/accounts?status=suspended',
  '/admin/accounts?origin=remote&by_domain=server7.example',
  '/admin/accounts?username=person99',
  '/admin/accounts?display_name=Person%2099',
  '/admin/accounts?email=99',
  '/admin/accounts?ip=192.0.2.7',
  '/admin/accounts?permissions=staff',
  '/admin/accounts/12',
  '/admin/accounts/12/statuses',
  '/admin/accounts/200012',
  '/admin/appeals?state=rejected',
  '/admin/trends?kind=links',
  '/admin/trends?kind=statuses',
  '/admin/trends?kind=publishers',
  '/admin/audit_log?action=suspend&target_type=account',
  '/admin/instances/server7.example',
]

await withDataDir(async (dataDir) => {
  const log = { debug() {}, info() {}, warn: console.warn, error: console.error }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const config = loadConfig({ DATA_DIR: dataDir })
  const app = await createContext({
    config,
    databaseUrl: postgres.url,
    clock: { now: () => Date.now() },
    log,
  })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await seedPeople(client)
  await seedWork(client, Date.now())
  await client.end()
  const owner = { userId: asId<UserId>('1'), address: '127.0.0.1', userAgent: null, passwordHash: null }
  const { secret } = await app.ctx.transaction((tx) => startSession(tx, owner))
  const headers = { cookie: `stonechat_session=${secret}; __Host-stonechat_session=${secret}` }
  const web = createWebApp(app.ctx)
  const postmaster = Number(
    (await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0],
  )
  const open = async (address: string) => {
    const response = await web.fetch(new Request(new URL(address, config.baseUrl), { headers }))
    await response.text()
    return response.status
  }

  const results: Record<string, { server: number; database: number }> = {}
  for (const address of paths) {
    const statuses = new Set<number>()
    for (let round = 0; round < 3; round++) statuses.add(await open(address))
    const before = { server: process.cpuUsage(), database: cpuOf([postmaster]) }
    for (let round = 0; round < rounds; round++) await open(address)
    const { user, system } = process.cpuUsage(before.server)
    const server = (user + system) / 1000 / rounds
    const database = (cpuOf([postmaster]) - before.database) / rounds
    results[address] = { server, database }
    const [status] = [...statuses]
    console.log(
      `${address.padEnd(60)} ${status === 200 ? '' : status} ${server.toFixed(1).padStart(7)} ms server ${database.toFixed(1).padStart(7)} ms database`,
    )
  }
  const slow = Object.entries(results).filter(([, { server, database }]) => server + database >= max)
  for (const [address, { server, database }] of slow)
    console.error(`${address}: ${(server + database).toFixed(1)} ms, ${max} are allowed`)
  console.log(JSON.stringify(results))
  if (slow.length > 0) process.exitCode = 1
  await app.close()
  await postgres.stop()
})
