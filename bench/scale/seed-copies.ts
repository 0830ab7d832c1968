// The posts of a server: copies of the template, week after week as they would have come, each by other people.
import type pg from 'pg'
import { tagCount, cardCount } from '../kit/posts.ts'
import { sentenceMark, sentencesOf } from './template.ts'
import {
  accountSql,
  groupSize,
  groupsOf,
  isLocalSql,
  latest,
  minute,
  singlesOf,
  templatePosts,
  weeks,
  type Epoch,
  type Size,
} from './size.ts'

/** Milliseconds between posts of two copies in one week. */
const between = 1_103
/** Of the template's posts, those that one person wrote, and those with one tag: somewhat more than a tenth each. */
const byProlific = '(t.place % 10 = 7 or t.place % 50 = 3)'
const withHugeTag = '(t.place % 10 = 4 or t.place % 50 = 9)'
export const hugeTag = 'everywhere'
const hugeTagId = tagCount + 1
/** Ids of the tags that few posts have, and of the cards that only copies have. */
const rareTags = 1_000
const rareCards = 10_000
/** Of the one who has very many notifications: statuses a week. */
const notifiedStatuses = 4

export interface Copies {
  client: pg.Client
  epoch: Epoch
  size: Size
}

export async function seedPosts(client: pg.Client, epoch: Epoch, size: Size): Promise<void> {
  const copies = size.posts / templatePosts
  if (Math.ceil(copies / weeks) * between >= minute - latest)
    throw new Error('so many posts have no room in a year')
  const all = { client, epoch, size }
  await insertRare(all)
  const used = Math.min(weeks, copies)
  for (let week = used - 1; week >= 0; week--) {
    await makeWeek(all, week)
    for (const write of [writeStatuses, writeParts, writeMarks, writeNotifications, writeDocuments])
      await write(all)
    await writeNotified(all, week, used)
    await client.query('drop table made')
    if (week % 13 === 0) await client.query('analyze')
  }
}

/** Tags that hardly anybody uses, and a card for every twentieth post. */
async function insertRare({ client, size }: Copies): Promise<void> {
  await client.query(`
    insert into tags (id, name, display_name, created_at)
    select ${hugeTagId}, '${hugeTag}', '${hugeTag}', now()
    union all select ${rareTags} + n, 'rare' || n, 'Rare' || n, now() from generate_series(0, ${size.posts / 50 - 1}) n;
    insert into preview_cards (id, url, url_hash, title, description, provider_name, image_key, width, height, blurhash, author_name, author_url)
    select ${rareCards} + n, url || '-' || n, sha256((url || '-' || n)::bytea), title, description, provider_name, image_key, width, height,
      blurhash, author_name, author_url
    from generate_series(0, ${size.posts / 20 - 1}) n join preview_cards c on c.id = 1000 + n % ${cardCount}`)
}

/** Which post of a week is a copy of which, with its id and its author. */
async function makeWeek({ client, epoch, size }: Copies, week: number): Promise<void> {
  const { prolific } = singlesOf(epoch, size)
  const span = templatePosts * minute
  const groups = groupsOf(size)
  await client.query(`
    create temporary table made as
    select t.id as template_id, t.place, c.n, c.back, t.id - c.back as id, g.move,
      case when ${byProlific} and t.reblog_of_id is null then ${prolific.id} else t.account_id + g.move end as account_id
    from bench.statuses t
    cross join (
      select n, (${week} * ${span}::bigint - n / ${weeks} * ${between} << 16) as back
      from generate_series(${week}, ${size.posts / templatePosts - 1}, ${weeks}) n) c
    cross join lateral (select ((c.n * 389 + t.place) % ${groups} * ${groupSize} << 16) as move) g;
    analyze made`)
}

async function writeStatuses({ client, epoch, size }: Copies): Promise<void> {
  const local = isLocalSql(epoch, 'm.account_id')
  const [one, other] = sentencesOf('m.id')
  const cards = size.posts / 20
  await client.query(`
    insert into conversations (id)
    select m.id from made m join bench.statuses t on t.id = m.template_id
    where t.in_reply_to_id is null and t.reblog_of_id is null order by 1`)
  await client.query(`
    insert into statuses (id, account_id, text, content, spoiler_text, visibility, sensitive, language, local, reply,
      in_reply_to_id, in_reply_to_account_id, reblog_of_id, conversation_id, uri, url, media_ids, quote_automatic, card_id,
      fetched_at, created_at)
    select m.id, m.account_id, case when ${local} and t.reblog_of_id is null then t.text || ' ' || w.words else '' end,
      case when t.reblog_of_id is null then t.content || '${sentenceMark}' || w.words || '</p>' else '' end, t.spoiler_text,
      t.visibility, t.sensitive, t.language, ${local}, t.reply, t.in_reply_to_id - m.back, p.account_id, t.reblog_of_id - m.back,
      t.conversation_id - m.back, case when not ${local} then a.uri || '/statuses/' || m.id end,
      case when not ${local} then a.url || '/' || m.id end,
      array(select x - m.back from unnest(t.media_ids) x), t.quote_automatic,
      case when t.card_id is not null and m.place % 4 = 0 then t.card_id
        when t.card_id is not null then ${rareCards} + (m.id >> 16) % ${cards} end,
      case when not ${local} then to_timestamp((m.id >> 16) / 1000.0) end, to_timestamp((m.id >> 16) / 1000.0)
    from made m
    join bench.statuses t on t.id = m.template_id
    join accounts a on a.id = m.account_id
    join bench.sentences o on o.n = ${one} join bench.sentences q on q.n = ${other}
    cross join lateral (select o.words || ' ' || q.words as words) w
    left join made p on p.template_id = t.in_reply_to_id and p.n = m.n
    order by m.id on conflict do nothing`)
}

/** What statuses carry. Who is named is of the author's group, but for the one who is answered. */
async function writeParts({ client, epoch, size }: Copies): Promise<void> {
  const local = isLocalSql(epoch, 'm.account_id')
  const file = (kind: string) =>
    `case when ${local} then replace(f.${kind}, f.status_id::text, m.id::text) end`
  await client.query(`
    insert into mentions (status_id, account_id)
    select m.id, case when x.account_id = t.in_reply_to_account_id then p.account_id else x.account_id + m.move end
    from bench.mentions x join made m on m.template_id = x.status_id join bench.statuses t on t.id = x.status_id
    left join made p on p.template_id = t.in_reply_to_id and p.n = m.n
    order by 1 on conflict do nothing;
    insert into status_tags (status_id, tag_id)
    select id, tag_id from (
      select m.id, x.tag_id from bench.tags x join made m on m.template_id = x.status_id
      union all select t.id, ${hugeTagId} from made t join bench.statuses s on s.id = t.template_id
        where ${withHugeTag} and s.reblog_of_id is null
      union all select t.id, ${rareTags} + (t.id >> 16) % ${size.posts / 50} from made t join bench.statuses s on s.id = t.template_id
        where t.place % 5 = 1 and s.reblog_of_id is null) l
    order by 1;
    insert into media_attachments (id, account_id, status_id, type, state, description, focus_x, focus_y, blurhash, facts,
      preview_width, preview_height, original_key, preview_key, original_bytes, preview_bytes, remote_url, free_since, created_at)
    select f.id - m.back, m.account_id, m.id, f.type, f.state, f.description, f.focus_x, f.focus_y, f.blurhash, f.facts,
      f.preview_width, f.preview_height, ${file('original_key')}, ${file('preview_key')},
      case when ${local} then f.original_bytes else 0 end, case when ${local} then f.preview_bytes else 0 end,
      case when not ${local} then a.uri || '/media/' || m.id || '.jpg' end, to_timestamp((m.id >> 16) / 1000.0),
      to_timestamp((m.id >> 16) / 1000.0)
    from bench.media f join made m on m.template_id = f.status_id join accounts a on a.id = m.account_id order by 1;
    insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
    select m.id, m.account_id, p.id, p.account_id, 'accepted'
    from bench.quotes x join made m on m.template_id = x.status_id
    join made p on p.template_id = x.quoted_status_id and p.n = m.n order by 1`)
}

/** Favourites, ten minutes after the post, and what is counted of it. */
async function writeMarks({ client }: Copies): Promise<void> {
  await client.query(`
    insert into favourites (id, account_id, status_id, created_at)
    select m.id + (10 * ${minute}::bigint << 16) + 1, x.account_id + m.move, m.id, to_timestamp((m.id >> 16) / 1000.0 + 600)
    from bench.favourites x join made m on m.template_id = x.status_id order by 1;
    insert into status_stats (status_id, replies_count, reblogs_count, favourites_count)
    select m.id, x.replies, x.reblogs, x.favourites from bench.stats x join made m on m.template_id = x.status_id order by 1`)
}

/** What people here were told of: favourites and boosts of their posts, and that they were named. */
async function writeNotifications({ client, epoch }: Copies): Promise<void> {
  await client.query(`
    insert into notifications (id, account_id, from_account_id, type, status_id, group_key, created_at)
    select id, account_id, from_id, type, status_id,
      case type when 'mention' then 'ungrouped-' || id else type || '-' || status_id || '-' || (status_id >> 16) / 3600000 end,
      to_timestamp(at / 1000.0)
    from (select nextval('notification_ids') as id, l.* from (
      select m.account_id, x.account_id + m.move as from_id, 'favourite' as type, m.id as status_id, (m.id >> 16) + 600000 as at
      from bench.favourites x join made m on m.template_id = x.status_id
      union all
      select o.account_id, m.account_id, 'reblog', o.id, m.id >> 16
      from made m join bench.statuses t on t.id = m.template_id join made o on o.template_id = t.reblog_of_id and o.n = m.n
      union all
      select n.account_id, m.account_id, 'mention', m.id, m.id >> 16
      from made m join mentions n on n.status_id = m.id order by at) l
      where ${isLocalSql(epoch, 'l.account_id')} and l.account_id <> l.from_id) n
    on conflict do nothing`)
}

const blockMarks = [24, 26, 28, 30, 32, 34, 36].map(
  (size) => `':t${size}:' || ((m.id >> 16) / (1::bigint << ${size}))`,
)

/** As domain/reading/search writes them. */
async function writeDocuments({ client }: Copies): Promise<void> {
  const [one, other] = sentencesOf('m.id')
  await client.query(`
    insert into status_search (status_id, account_id, version, format, open, document)
    select m.id, m.account_id, 0, 1, o.open, d.document || x.document || y.document
      || array_to_tsvector(array[${blockMarks.join(', ')}, ':by:' || m.account_id]
        || case when ${withHugeTag} then array[':tag:${hugeTag}'] end || case when o.open then array[':open'] end)
    from made m
    join bench.documents d on d.status_id = m.template_id
    join bench.statuses t on t.id = m.template_id
    join accounts a on a.id = m.account_id
    join bench.sentences x on x.n = ${one} join bench.sentences y on y.n = ${other}
    cross join lateral (select case when t.visibility = 'public' then a.indexable end as open) o
    order by m.id`)
}

/** Very many notifications of one person: four statuses a week, which very many favourite. */
async function writeNotified({ client, epoch, size }: Copies, week: number, used: number): Promise<void> {
  const { notified } = singlesOf(epoch, size)
  const accounts = groupsOf(size) * groupSize
  const begin = epoch.now - (week + 1) * templatePosts * minute
  const each = Math.ceil(size.notifications / used / notifiedStatuses)
  const step = Math.floor((templatePosts * minute) / each)
  const statusSql = `((${begin}::bigint + 7 + s * 1000) << 16)`
  await client.query(`
    insert into conversations (id) select ${statusSql} from generate_series(0, ${notifiedStatuses - 1}) s;
    insert into statuses (id, account_id, text, content, visibility, language, conversation_id, quote_automatic, created_at)
    select ${statusSql}, ${notified.id}, 'Of this very many hear', '<p>Of this very many hear</p>', 'unlisted', 'en', ${statusSql},
      '{public}', to_timestamp((${statusSql} >> 16) / 1000.0)
    from generate_series(0, ${notifiedStatuses - 1}) s;
    insert into notifications (id, account_id, from_account_id, type, status_id, group_key, created_at)
    select nextval('notification_ids'), ${notified.id}, ${accountSql(epoch, `(n * 13 + s) % ${accounts}`)},
      case when s = 3 then 'reblog' else 'favourite' end, ${statusSql},
      case when s = 3 then 'reblog-' else 'favourite-' end || ${statusSql} || '-' || at / 43200000 * 12, to_timestamp(at / 1000.0)
    from (select n, s, ${begin}::bigint + n * ${step} as at
      from generate_series(0, ${each - 1}) n, generate_series(0, ${notifiedStatuses - 1}) s) l
    order by at on conflict do nothing`)
}

/** A few statuses of the one whom all people here follow, so that the page of the account is not empty. */
export async function seedStar({ client, epoch, size }: Copies): Promise<void> {
  const { star } = singlesOf(epoch, size)
  const id = `((${epoch.now}::bigint - n * 3600000 - 11) << 16)`
  await client.query(`
    insert into conversations (id) select ${id} from generate_series(1, 40) n;
    insert into statuses (id, account_id, text, content, visibility, language, conversation_id, created_at)
    select ${id}, ${star.id}, 'To all of you', '<p>To all of you</p>', 'public', 'en', ${id}, to_timestamp((${id} >> 16) / 1000.0)
    from generate_series(1, 40) n`)
}
