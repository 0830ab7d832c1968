// What statuses carry: media, polls, quotes, cards, emoji; and a thread of 5,000. All by people of their own, so that
// what the other people read stays what it was.
import type pg from 'pg'
import { timeToId } from '#lib/ids.ts'
import { insertPictures, insertPolls } from './seed-posts.ts'

export interface Hydrated {
  /** How many people there are for it, after the first. */
  people: number
  /** Indexes of those in whose home timelines statuses carry all kinds of things. */
  mixedViewers: { first: number; count: number }
  /** Open polls that nobody of the first 900 has voted in. */
  pollIds: string[]
  /** The first status of a thread of 5,000, wide and deep. */
  largeRoot: string
}

interface Tools {
  accounts: string[]
  now: number
  insertPeople(client: pg.Client, accounts: string[], first: number): Promise<void>
  insertThread(
    client: pg.Client,
    accounts: string[],
    from: number,
    ...shape: [number, (index: number) => number]
  ): Promise<string[]>
}

const mixers = 10
const repliers = 90
const mixed = 400
const mixedViewers = { first: 800, count: 100 }
const pollCount = 200

export async function seedHydrated(client: pg.Client, tools: Tools): Promise<Hydrated> {
  const { accounts, now } = tools
  const more = Array.from({ length: mixers + repliers }, (_, i) => timeToId(now - 300 * 86_400_000 + i))
  await tools.insertPeople(client, more, accounts.length)
  const [authors, crowd] = [more.slice(0, mixers), more.slice(mixers)]
  const thread = await tools.insertThread(client, crowd, now - 45_000, 5001, largeParent)
  const viewers = accounts.slice(mixedViewers.first, mixedViewers.first + mixedViewers.count)
  await insertMixed(client, authors, viewers, now - 25_000)
  const pollIds = await insertPollsToVoteIn(client, crowd, now - 30 * 86_400_000 + 7)
  return { people: more.length, mixedViewers, pollIds, largeRoot: thread[0] as string }
}

/** A thousand answer the root, a thousand each answer the one before, and the rest grows in bushes. */
export function largeParent(index: number): number {
  if (index <= 1000) return 0
  return index <= 2000 ? index - 1 : Math.floor((index - 1) / 3)
}

/** Unlisted, so that the public timeline stays as it is. Every kind comes twice in a page of 20. */
async function insertMixed(client: pg.Client, authors: string[], viewers: string[], from: number) {
  await client.query(
    `insert into follows (id, account_id, target_account_id)
     select (1::bigint << 40) + row_number() over (), v, a from unnest($1::bigint[]) v, unnest($2::bigint[]) a`,
    [viewers, authors],
  )
  await client.query(`
    insert into custom_emojis (id, shortcode, domain, image_key, static_key)
    select n, 'bird' || n, null, 'custom_emojis/' || n || '.png', 'custom_emojis/' || n || '.png'
    from generate_series(1, 20) n`)
  await client.query(`
    insert into preview_cards (id, url, url_hash, title, description, provider_name, image_key, width, height,
      blurhash, author_name, author_url)
    select n, 'https://news.example/' || n, sha256(('https://news.example/' || n)::bytea), 'The news number ' || n,
      'What there is to say of it in a sentence or two, as pages do.', 'News', 'cards/' || n || '.jpg', 1200, 630,
      'UeKUpFxuo~R%0nW;WCnhF6RjaJt757oJodS$', 'Somebody', 'https://news.example/somebody'
    from generate_series(1, 50) n`)
  const ids = Array.from({ length: mixed }, (_, i) => timeToId(from + i * 20))
  const authorOf = ids.map((_, i) => authors[(i + Math.floor(i / 10)) % authors.length] as string)
  const kindOf = ids.map((_, i) => i % 10)
  await client.query('insert into conversations (id) select unnest($1::bigint[])', [ids])
  await client.query(
    `insert into statuses (id, account_id, text, content, visibility, language, conversation_id, quote_automatic, card_id)
     select id, author, t.words, '<p>' || t.words || '</p>', 'unlisted', 'en', id, '{public}',
       case when kind in (3, 4) then 1 + id % 50 end
     from unnest($1::bigint[], $2::bigint[], $3::int[]) s (id, author, kind)
     cross join lateral (select 'Some words, of which one is a bird :bird' || 1 + id % 20 || ':' as words) t`,
    [ids, authorOf, kindOf],
  )
  const of = (...kinds: number[]) => ids.filter((_, i) => kinds.includes(kindOf[i] as number))
  // One picture each, or four.
  const withPictures = of(0, 1, 2)
  await insertPictures(
    client,
    withPictures,
    withPictures.map((_, index) => (index % 2 === 0 ? 1 : 4)),
  )
  await insertPolls(client, of(5, 6))
  await client.query(
    `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
     select q.id, q.account_id, o.id, o.account_id, 'accepted'
     from statuses q join unnest($1::bigint[], $2::bigint[]) p (quoting, quoted) on p.quoting = q.id
     join statuses o on o.id = p.quoted`,
    [of(7, 8), of(7, 8).map((_, i) => of(0, 3, 5, 9)[i % of(0, 3, 5, 9).length])],
  )
  await client.query(
    `insert into status_stats (status_id, favourites_count, reblogs_count) select unnest($1::bigint[]), 5, 2`,
    [ids],
  )
}

async function insertPollsToVoteIn(client: pg.Client, authors: string[], from: number): Promise<string[]> {
  const ids = Array.from({ length: pollCount }, (_, i) => timeToId(from + i * 20))
  await client.query('insert into conversations (id) select unnest($1::bigint[])', [ids])
  await client.query(
    `insert into statuses (id, account_id, text, content, visibility, language, conversation_id)
     select id, author, 'Which?', '<p>Which?</p>', 'unlisted', 'en', id
     from unnest($1::bigint[], $2::bigint[]) s (id, author)`,
    [ids, ids.map((_, i) => authors[i % authors.length])],
  )
  await insertPolls(client, ids)
  const { rows } = await client.query<{ poll_id: string }>(
    'select poll_id from statuses where id = any($1::bigint[])',
    [ids],
  )
  return rows.map((row) => row.poll_id)
}
