// Somebody with very many local followers, and people who follow very many.
import type pg from 'pg'
import { timeToId } from '#lib/ids.ts'
import { withClient } from './database.ts'
import { insertPeople, type Seeded } from './seed.ts'

export const followers = 10_000
const returning = 20
const follows = 1_000
/** Entries that the followers' feeds have. */
const entries = 200
const day = 86_400_000

export interface Crowd {
  /** The index of one with 10,000 followers, all of whom have feeds. */
  star: number
  /** The indexes of those who follow 1,000. */
  returning: number[]
  accountOf(index: number): string
}

/** Added to what `seed` has written. */
export const seedCrowd = (url: string, seeded: Seeded): Promise<Crowd> =>
  withClient(url, (client) => write(client, seeded))

async function write(client: pg.Client, seeded: Seeded): Promise<Crowd> {
  const first = seeded.noticed.first + seeded.noticed.count
  const added = Array.from({ length: 1 + returning + followers }, (_, i) =>
    timeToId(Date.now() - 100 * day + i),
  )
  await insertPeople(client, added, first)
  const [star, away, crowd] = [added[0], added.slice(1, 1 + returning), added.slice(1 + returning)]
  const { rows } = await client.query<{ id: string }>('select id from accounts order by id limit $1', [
    follows,
  ])
  const followed = rows.map((row) => row.id)
  await client.query(
    `insert into follows (id, account_id, target_account_id)
     select (1::bigint << 42) + row_number() over (), f.id, f.target from (
       select id, target from unnest($1::bigint[]) id, unnest($2::bigint[]) target
       union all select id, $4 from unnest($3::bigint[]) id) f`,
    [away, followed, crowd, star],
  )
  await insertFeeds(client, crowd)
  await client.query('vacuum analyze')
  const indexes = away.map((_, i) => first + 1 + i)
  return { star: first, returning: indexes, accountOf: (index) => added[index - first] as string }
}

/** As if they followed others too. */
async function insertFeeds(client: pg.Client, accounts: string[]): Promise<void> {
  await client.query(
    'insert into home_feeds (account_id, built_at) select id, now() from unnest($1::bigint[]) id',
    [accounts],
  )
  await client.query(
    `insert into home_entries (account_id, status_id, reblog_of_id)
     select a.id, s.id, s.reblog_of_id from unnest($1::bigint[]) with ordinality a (id, n)
     join (
       select id, reblog_of_id, row_number() over (order by id desc) as n from statuses where visibility <> 'direct'
       order by id desc limit $2) s on (s.n + a.n) % 5 = 0`,
    [accounts, 5 * entries],
  )
}
