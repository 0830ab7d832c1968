// A server's worth of data: 1,000 people, 40,000 posts as people write them (posts.ts), a follow graph with a few much-followed accounts.
import type pg from 'pg'
import { withClient } from './database.ts'
import { writeProfile } from './posts.ts'
import { generator } from './random.ts'
import { insertPosts } from './seed-posts.ts'
import { seedReach, type Reach } from './seed-reach.ts'
import { seedHydrated, type Hydrated } from './seed-wholes.ts'
import { hashSecret } from '#lib/secrets.ts'
import { timeToId } from '#lib/ids.ts'

export const people = 1_000
/** More than the caches of a server hold, by far. */
export const statuses = 40_000

export interface Seeded extends Hydrated, Reach {
  /** Account ids by index. */
  accounts: string[]
  /** Bearer token of the person with that index. */
  token(index: number): string
  /** Somebody with exactly 150 followers. */
  author: number
  /** The first status of a thread of 200, and the last of a chain of 50. */
  threadRoot: string
  deepLeaf: string
  /** A thousand public statuses. */
  publicIds: string[]
  /** Public statuses with the indexes of their authors, to be edited by them. */
  own: { id: string; author: number }[]
}

export const token = (index: number) => `bench-token-${index}`

/** Fills an empty, migrated database. The same numbers come out each time. */
export const seed = (url: string): Promise<Seeded> => withClient(url, write)

async function write(client: pg.Client): Promise<Seeded> {
  const now = Date.now()
  const accounts = Array.from({ length: people }, (_, i) => timeToId(now - 400 * 86_400_000 + i))
  await insertPeople(client, accounts)
  await insertFollows(client, accounts)
  await insertPosts(client, accounts, { count: statuses, now })
  const threads = await insertThreads(client, accounts, now)
  await insertMarks(client)
  const hydrated = await seedHydrated(client, { accounts, now, insertPeople, insertThread })
  const reach = await seedReach(client, { accounts, people: people + hydrated.people, now, insertPeople })
  await countStatuses(client)
  await client.query('vacuum analyze')
  const { rows } = await client.query<{ id: string; account_id: string }>(
    `select id, account_id from statuses where visibility = 'public' and reblog_of_id is null
     order by id desc limit 1000`,
  )
  const indexes = new Map(accounts.map((id, index) => [id, index]))
  const own = rows.map((row) => ({ id: row.id, author: indexes.get(row.account_id) as number }))
  return {
    accounts,
    token,
    author: 500,
    publicIds: rows.map((row) => row.id),
    own,
    ...threads,
    ...hydrated,
    ...reach,
  }
}

/** `first`: the index of the first of them. */
export async function insertPeople(client: pg.Client, accounts: string[], first = 0): Promise<void> {
  const indexes = accounts.map((_, i) => first + i)
  await client.query(
    `insert into accounts (id, username, display_name, note, note_html, fields, avatar_key, header_key)
     select id, 'person' || i, p ->> 'displayName', p ->> 'note', p ->> 'noteHtml', (p ->> 'fields')::jsonb,
       nullif(p ->> 'key', '') || '/avatar.webp', nullif(p ->> 'key', '') || '/header.webp'
     from unnest($1::bigint[], $2::int[], $3::jsonb[]) t (id, i, p)`,
    [accounts, indexes, indexes.map((index) => JSON.stringify(writeProfile(index)))],
  )
  await client.query('insert into account_stats (account_id) select unnest($1::bigint[])', [accounts])
  await client.query(
    `insert into users (id, account_id, email, email_canonical, password_hash, confirmed_at, last_active_at)
     select id, id, 'person' || i || '@mail.example', 'person' || i || '@mail.example', '!', now(), now()
     from unnest($1::bigint[], $2::int[]) t (id, i)`,
    [accounts, indexes],
  )
  await client.query(
    `insert into oauth_tokens (id, token_hash, user_id, scopes)
     select id, hash, id, '{read,write,follow,push}' from unnest($1::bigint[], $2::bytea[]) t (id, hash)`,
    [accounts, indexes.map((i) => hashSecret(token(i)))],
  )
}

/** Each follows 60 others: a few much-followed ones often, the rest at random. Person 500 has 150 followers. */
async function insertFollows(client: pg.Client, accounts: string[]): Promise<void> {
  const random = generator(7)
  const pairs = new Set<string>()
  for (let i = 0; i < people; i++) {
    for (let n = 0; n < 60; n++) {
      const target = Math.floor((n < 20 ? random() ** 4 : random()) * people)
      if (target !== i && target !== 500) pairs.add(`${i}:${target}`)
    }
  }
  for (let i = 0; i < 150; i++) pairs.add(`${i}:500`)
  const list = [...pairs].map((pair) => pair.split(':').map(Number) as [number, number])
  await client.query(
    `insert into follows (id, account_id, target_account_id)
     select row_number() over (), a, b from unnest($1::bigint[], $2::bigint[]) t (a, b)`,
    [list.map(([a]) => accounts[a]), list.map(([, b]) => accounts[b])],
  )
  await client.query(`
    update account_stats s set
      followers_count = (select count(*) from follows f where f.target_account_id = s.account_id),
      following_count = (select count(*) from follows f where f.account_id = s.account_id)`)
}

async function insertThreads(
  client: pg.Client,
  accounts: string[],
  now: number,
): Promise<{ threadRoot: string; deepLeaf: string }> {
  const wide = await insertThread(client, accounts, now - 50_000, 200, (i) => Math.floor((i - 1) / 3))
  const deep = await insertThread(client, accounts, now - 30_000, 51, (i) => i - 1)
  return { threadRoot: wide[0] as string, deepLeaf: deep.at(-1) as string }
}

/** `parentOf`: the index of what the status with an index answers. All are by the first 90 of `accounts`. */
export async function insertThread(
  client: pg.Client,
  accounts: string[],
  from: number,
  ...[count, parentOf]: [number, (index: number) => number]
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => timeToId(from + i))
  await client.query('insert into conversations (id) values ($1)', [ids[0]])
  await client.query(
    `insert into statuses (id, account_id, text, content, visibility, language, conversation_id, reply, in_reply_to_id, in_reply_to_account_id)
     select id, author, 'reply', '<p>reply</p>', 'unlisted', 'en', $5, parent is not null, parent, parent_author
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) t (id, author, parent, parent_author)`,
    [
      ids,
      ids.map((_, i) => accounts[i % 90]),
      ids.map((_, i) => (i === 0 ? null : ids[parentOf(i)])),
      ids.map((_, i) => (i === 0 ? null : accounts[parentOf(i) % 90])),
      ids[0],
    ],
  )
  return ids
}

/** Favourites, notifications about them and about follows, and the counters of it all. */
async function insertMarks(client: pg.Client): Promise<void> {
  await client.query(`
    insert into favourites (id, account_id, status_id)
    select row_number() over (), a.id, s.id
    from (select id, row_number() over (order by id) as n from statuses where reblog_of_id is null) s
    cross join generate_series(1, 3) g
    join (select id, row_number() over (order by id) as n from accounts) a on a.n = (s.n * 13 + g * 101) % ${people} + 1
    on conflict do nothing`)
  await client.query(`
    insert into status_stats (status_id, favourites_count) select status_id, count(*) from favourites group by status_id`)
  await client.query(`
    insert into notifications (account_id, from_account_id, type, status_id, group_key)
    select s.account_id, f.account_id, 'favourite', s.id, 'ungrouped-' || f.id
    from favourites f join statuses s on s.id = f.status_id where s.account_id <> f.account_id
    order by f.id on conflict do nothing`)
}

async function countStatuses(client: pg.Client): Promise<void> {
  await client.query(`
    update account_stats t set statuses_count = c.n, last_status_at = now()
    from (select account_id, count(*) as n from statuses group by account_id) c where c.account_id = t.account_id`)
}
