// What one look at the trends costs, and reading them: node bench/trends.ts. There are 100,000 statuses of today, as
// many of yesterday and twice as many that are older, by 5,000 accounts. Prints CPU seconds, then one line of JSON.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { createContext } from '#app/context.ts'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { loadConfig } from '#config/config.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { listDirectory } from '#domain/reading/suggestions/directory.ts'
import { refreshPopular } from '#domain/reading/suggestions/popular.ts'
import { listSuggestions } from '#domain/reading/suggestions/queries.ts'
import {
  findTrendingLink,
  listTrendingLinks,
  listTrendingStatuses,
  listTrendingTags,
  loadLinkHistories,
} from '#domain/reading/trends/queries.ts'
import { refreshTrends } from '#domain/reading/trends/refresh-trends.ts'
import { loadTagHistories } from '#domain/content/tags/queries.ts'
import { cpuOf } from './kit/processes.ts'
import { withDataDir } from './kit/server.ts'
import { asId, type AccountId, type UserId } from '#lib/id.ts'

const accounts = 5_000
const perDay = 100_000
const day = 86_400_000
/** Noon, so that the days of the seed are whole ones. */
const now = Math.floor(Date.now() / day) * day + day / 2

async function seed(client: pg.Client): Promise<void> {
  await client.query(`
    insert into accounts (id, username, domain, discoverable, uri)
    select n, 'person' || n, case when n > 1000 then 'away.example' end, n % 2 = 0, 'https://away.example/' || n
    from generate_series(1, ${accounts}) n;
    insert into account_stats (account_id, statuses_count, last_status_at)
    select n, 1, to_timestamp(${now / 1000} - n * 60) from generate_series(1, ${accounts}) n;
    insert into users (id, account_id, email, email_canonical, password_hash, confirmed_at, last_active_at)
    select n, n, n || '@mail.example', n || '@mail.example', '!', now(), to_timestamp(${now / 1000})
    from generate_series(1, 1000) n;
    insert into follows (id, account_id, target_account_id)
    select row_number() over (), a, b from (
      select distinct n as a, (1 + power(random(), 2) * ${accounts - 1})::int as b
      from generate_series(1, ${accounts}) n, generate_series(1, 60)) f where a <> b;
    insert into tags (id, name, display_name) select n, 'tag' || n, 'tag' || n from generate_series(1, 5000) n;
    insert into preview_cards (id, url, url_hash, title, language, provider_name, image_key)
    select n, 'https://news.example/' || n, sha256(n::text::bytea), 'Story', 'en', 'News', 'x'
    from generate_series(1, 5000) n;`)
  // Two days before yesterday, yesterday from noon to noon, and the last 24 hours.
  await client.query(
    `insert into statuses (id, account_id, content, visibility, language, card_id, sensitive, reply, created_at)
     select ($1::bigint + n * $2::bigint) << 16, (1 + power(random(), 2) * ${accounts - 1})::int,
       repeat('a few words about nothing ', 5), case when random() < 0.8 then 'public' else 'unlisted' end,
       (array['en','de','fr'])[1 + n % 3], case when random() < 0.15 then (1 + power(random(), 3) * 4999)::int end,
       random() < 0.1, random() < 0.4, to_timestamp(($1::bigint + n * $2::bigint) / 1000.0)
     from generate_series(0, ${4 * perDay - 1}) n`,
    [now - 4 * day, day / perDay],
  )
  await client.query(`
    insert into status_tags (tag_id, status_id)
    select distinct (1 + power(random(), 3) * 4999)::int, id from statuses, generate_series(1, 2) g where random() < 0.3;
    insert into status_stats (status_id, reblogs_count, favourites_count)
    select id, power(random(), 6) * 30, power(random(), 6) * 60 from statuses where random() < 0.5;`)
  await client.query(
    `insert into favourites (id, account_id, status_id)
     select ((s.id >> 16) + 1000 + a) << 16 | a, a, s.id from statuses s, lateral (
       select (1 + random() * 999 + s.id % 2)::int as a) r where s.id % 5 = 0`,
  )
  await client.query('vacuum analyze')
}

const viewer: Viewer = {
  accountId: asId<AccountId>('7'),
  userId: asId<UserId>('7'),
  username: 'person7',
  locked: false,
  silenced: false,
  rank: -1,
  permissions: 0n,
  locale: 'en',
  settings: {},
  chosenLanguages: null,
  filtersVersion: 0,
  refusal: null,
}

await withDataDir(async (dataDir) => {
  const log = { debug() {}, info() {}, warn: console.warn, error: console.error }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const config = loadConfig({ DATA_DIR: dataDir })
  const app = await createContext({ config, databaseUrl: postgres.url, clock: { now: () => now }, log })
  const { ctx } = app
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await seed(client)
  await client.end()
  await setSetting(ctx, 'trendable_by_default', true)
  const postmaster = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  const pids = [process.pid, Number(postmaster.split('\n')[0])]
  const results: Record<string, number> = {}
  const measure = async (name: string, times: number, work: () => Promise<unknown>) => {
    await work()
    const before = cpuOf(pids)
    for (let i = 0; i < times; i++) await work()
    const seconds = (cpuOf(pids) - before) / 1000 / times
    results[name] = seconds
    console.log(`${name.padEnd(28)} ${seconds.toFixed(4)} CPU s`)
  }
  const rank = { limit: 20, offset: 0 }
  await measure('refresh-trends', 5, () => refreshTrends(ctx))
  await measure('refresh-popular', 5, () => refreshPopular(ctx))
  const tags = await listTrendingTags(ctx, viewer, rank)
  const links = await listTrendingLinks(ctx, viewer, rank)
  await measure('list tags', 50, () => listTrendingTags(ctx, viewer, rank))
  await measure('histories of 20 tags', 20, () =>
    loadTagHistories(
      ctx,
      tags.map((tag) => tag.id),
    ),
  )
  await measure('list links', 50, () => listTrendingLinks(ctx, viewer, rank))
  await measure('histories of 20 links', 20, () => loadLinkHistories(ctx, links))
  await measure('find a link', 50, () => findTrendingLink(ctx, `https://news.example/${links[0]}`))
  await measure('list statuses', 50, () => listTrendingStatuses(ctx, viewer, rank))
  await measure('suggestions', 50, () => listSuggestions(ctx, viewer, { limit: 40, offset: 0 }))
  for (const order of ['active', 'new'] as const) {
    for (const local of [false, true]) {
      const query = { order, local, limit: 40, offset: 0 }
      await measure(`directory ${order}${local ? ' local' : ''}`, 50, () =>
        listDirectory(ctx, asId<AccountId>('7'), query),
      )
    }
  }
  console.log(JSON.stringify({ tags: tags.length, links: links.length, ...results }))
  await app.close()
  await postgres.stop()
})
