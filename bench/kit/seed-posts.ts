// The posts of bench/kit/posts.ts as rows.
import type pg from 'pg'
import { timeToId } from '#lib/ids.ts'
import { cardCount, emojiCount, tagCount, writePosts, type Post } from './posts.ts'

const minute = 60_000
const batch = 10_000

interface Placed extends Post {
  id: string
}

/** Writes `count` posts, one a minute until `now`, by `accounts`, with all that they carry. */
export async function insertPosts(
  client: pg.Client,
  accounts: string[],
  { count, now }: { count: number; now: number },
): Promise<void> {
  await insertCarried(client)
  const posts = writePosts(count, accounts.length).map((post, place) => ({
    ...post,
    id: timeToId(now - (count - place) * minute),
  }))
  const conversationOf = conversations(posts)
  for (let start = 0; start < count; start += batch) {
    await insertBatch(client, accounts, { posts, conversationOf, start })
  }
}

/** What several posts carry: emoji, cards, tags. */
async function insertCarried(client: pg.Client): Promise<void> {
  await client.query(
    `insert into custom_emojis (id, shortcode, domain, image_key, static_key)
     select 100 + n, 'stone' || n, null, 'custom_emojis/' || n || '.png', 'custom_emojis/' || n || '.png'
     from generate_series(0, $1::int - 1) n`,
    [emojiCount],
  )
  await client.query(
    `insert into preview_cards (id, url, url_hash, title, description, provider_name, image_key, width, height, blurhash,
       author_name, author_url)
     select 1000 + n, u, sha256(u::bytea), 'The article number ' || n || ' of the paper of this morning',
       repeat('What there is to say of it in a sentence or two, as pages do. ', 1 + n % 3), 'News', 'cards/' || n || '.jpg',
       1200, 630, 'UeKUpFxuo~R%0nW;WCnhF6RjaJt757oJodS$', 'Somebody', 'https://news.example/somebody'
     from generate_series(0, $1::int - 1) n cross join lateral (select 'https://news.example/articles/' || n as u) a`,
    [cardCount],
  )
  await client.query(
    `insert into tags (id, name, display_name) select n, 'tag' || n, 'Tag' || n from generate_series(1, $1::int) n`,
    [tagCount],
  )
}

/** The conversation of each post: that of what it answers, or its own. */
function conversations(posts: readonly Placed[]): string[] {
  const found: string[] = []
  for (const post of posts) found.push(post.parent === null ? post.id : (found[post.parent] as string))
  return found
}

async function insertBatch(
  client: pg.Client,
  accounts: string[],
  all: { posts: readonly Placed[]; conversationOf: string[]; start: number },
): Promise<void> {
  const slice = all.posts.slice(all.start, all.start + batch)
  const idOf = (place: number | null) => (place === null ? null : (all.posts[place] as Placed).id)
  const authorOf = (place: number | null) =>
    place === null ? null : accounts[(all.posts[place] as Placed).author]
  await client.query('insert into conversations (id) select unnest($1::bigint[])', [
    slice.filter((post) => post.parent === null).map((post) => post.id),
  ])
  const rows = slice.map((post, index) => ({
    id: post.id,
    account_id: accounts[post.author],
    text: post.text,
    content: post.content,
    spoiler_text: post.spoiler,
    sensitive: post.spoiler !== '',
    visibility: post.visibility,
    language: 'en',
    conversation_id: all.conversationOf[all.start + index],
    reply: post.parent !== null,
    in_reply_to_id: idOf(post.parent),
    in_reply_to_account_id: authorOf(post.parent),
    reblog_of_id: idOf(post.boost),
    card_id: post.card === null ? null : 1000 + post.card,
    quote_automatic: ['public'],
  }))
  // Boosting the same post twice is possible for nobody.
  await client.query(
    `insert into statuses (id, account_id, text, content, spoiler_text, sensitive, visibility, language, conversation_id,
       reply, in_reply_to_id, in_reply_to_account_id, reblog_of_id, card_id, quote_automatic, created_at)
     select id, account_id, text, content, spoiler_text, sensitive, visibility, language, conversation_id, reply,
       in_reply_to_id, in_reply_to_account_id, reblog_of_id, card_id, quote_automatic, to_timestamp((id >> 16) / 1000.0)
     from json_populate_recordset(null::statuses, $1) on conflict do nothing`,
    [JSON.stringify(rows)],
  )
  await insertNamed(client, accounts, slice)
  await insertMedia(client, slice)
  await insertPolls(
    client,
    slice.filter((post) => post.poll).map((post) => post.id),
  )
  const quoting = slice.filter((post) => post.quote !== null)
  await client.query(
    `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
     select q.id, q.account_id, o.id, o.account_id, 'accepted'
     from unnest($1::bigint[], $2::bigint[]) p (quoting, quoted)
     join statuses q on q.id = p.quoting join statuses o on o.id = p.quoted`,
    [quoting.map((post) => post.id), quoting.map((post) => idOf(post.quote))],
  )
}

async function insertNamed(client: pg.Client, accounts: string[], posts: readonly Placed[]): Promise<void> {
  const mentions = posts.flatMap(({ id, mentions: named }) => named.map((index) => [id, accounts[index]]))
  await client.query(
    'insert into mentions (status_id, account_id) select * from unnest($1::bigint[], $2::bigint[])',
    [mentions.map(([id]) => id), mentions.map(([, account]) => account)],
  )
  const tagged = posts.flatMap(({ id, tags }) => tags.map((index) => [id, index + 1]))
  await client.query(
    'insert into status_tags (status_id, tag_id) select * from unnest($1::bigint[], $2::bigint[])',
    [tagged.map(([id]) => id), tagged.map(([, tag]) => tag)],
  )
}

/** Ids after that of the post: between two posts are 2^16 times a minute of them. */
async function insertMedia(client: pg.Client, posts: readonly Placed[]): Promise<void> {
  const carrying = posts.filter((post) => post.media > 0)
  await insertPictures(
    client,
    carrying.map((post) => post.id),
    carrying.map((post) => post.media),
  )
}

/** `counts` pictures for each of the statuses. */
export async function insertPictures(
  client: pg.Client,
  statusIds: readonly string[],
  counts: readonly number[],
): Promise<void> {
  await client.query(
    `insert into media_attachments (id, account_id, status_id, type, state, description, focus_x, focus_y, blurhash,
       facts, preview_width, preview_height, original_key, preview_key, original_bytes, preview_bytes)
     select s.id + n, s.account_id, s.id, 'image', 'complete', 'A bird on a stone, seen from afar', 0.1, -0.2,
       'UeKUpFxuo~R%0nW;WCnhF6RjaJt757oJodS$', '{"width": 4000, "height": 3000}', 640, 480,
       'media_attachments/' || s.id + n || '/original.jpg', 'media_attachments/' || s.id + n || '/small.webp',
       3000000, 40000
     from unnest($1::bigint[], $2::int[]) c (id, most) join statuses s on s.id = c.id, generate_series(1, c.most) n`,
    [statusIds, counts],
  )
  await client.query(
    `update statuses s set media_ids = (
       select array_agg(m.id order by m.id) from media_attachments m where m.status_id = s.id)
     where s.id = any($1::bigint[])`,
    [statusIds],
  )
}

/** An open poll for each of the statuses, in which five people voted. */
export async function insertPolls(client: pg.Client, statusIds: readonly string[]): Promise<void> {
  await client.query(
    `insert into polls (id, status_id, account_id, options, tallies, votes_count, voters_count, expires_at)
     select s.id + 1, s.id, s.account_id, '{Grey,Brown,"Neither of them"}', '{3,2,0}', 5, 5, now() + interval '5 days'
     from statuses s where s.id = any($1::bigint[])`,
    [statusIds],
  )
  await client.query('update statuses set poll_id = id + 1 where id = any($1::bigint[])', [statusIds])
  await client.query(
    `insert into poll_votes (poll_id, account_id, choice)
     select p.id, a.id, a.n % 2 from polls p, (
       select id, row_number() over (order by id desc) as n from accounts order by id desc limit 5) a
     where p.status_id = any($1::bigint[])`,
    [statusIds],
  )
}
