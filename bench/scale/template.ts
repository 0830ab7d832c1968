// Ten thousand posts as people write them, by the people of one group, put aside so that they can be copied.
import type pg from 'pg'
import { insertPosts } from '../kit/seed-posts.ts'
import { accountAt, accountSql, groupSize, minute, templatePosts, type Epoch } from './size.ts'

/** Sentences of words of which some are common and most are rare. A copy of a post ends in two of them. */
const sentences = 50_000
const wordsEach = 10
const vocabulary = 200_000
/** What stands before them. */
export const sentenceMark = '<p>… '

/** The sentences of a status of this id, as SQL. */
export const sentencesOf = (id: string): [string, string] => [
  `abs(hashint8(${id})::bigint) % ${sentences}`,
  `abs(hashint8((${id}) + 1)::bigint) % ${sentences}`,
]

/** Writes it into tables of the schema `bench`; the server has no posts afterwards. */
export async function createTemplate(client: pg.Client, epoch: Epoch): Promise<void> {
  // Those who write much are not all of this server.
  const accounts = Array.from({ length: groupSize }, (_, i) => accountAt(epoch, (i * 7 + 100) % groupSize))
  await insertPosts(client, accounts, { count: templatePosts, now: epoch.now })
  const first = epoch.now - templatePosts * minute
  await client.query(`
    create schema bench;
    create table bench.statuses as
      select s.*, ((s.id >> 16) - ${first}::bigint) / ${minute} as place from statuses s;
    create table bench.mentions as select status_id, account_id from mentions;
    create table bench.tags as select status_id, tag_id from status_tags;
    create table bench.media as select * from media_attachments where status_id is not null;
    create table bench.quotes as select status_id, quoted_status_id from quotes;
    create table bench.favourites as
      select id as status_id, ${accountSql(epoch, `place * 31 % ${groupSize}`)} as account_id
      from bench.statuses where reblog_of_id is null and place % 2 = 0;
    create table bench.stats as
      select s.id as status_id, coalesce(r.n, 0) as replies, coalesce(b.n, 0) as reblogs, (f.status_id is not null)::int as favourites
      from bench.statuses s
      left join (select in_reply_to_id as id, count(*) as n from bench.statuses group by 1) r on r.id = s.id
      left join (select reblog_of_id as id, count(*) as n from bench.statuses group by 1) b on b.id = s.id
      left join bench.favourites f on f.status_id = s.id
      where s.reblog_of_id is null and coalesce(r.n, b.n, f.status_id) is not null`)
  await createDocuments(client)
  await createSentences(client)
  await client.query('truncate statuses, conversations, media_attachments cascade')
}

/** What is found of a post but for what differs from copy to copy: as domain/reading/search has it. */
async function createDocuments(client: pg.Client): Promise<void> {
  await client.query(`
    create table bench.documents as
      select s.id as status_id,
        to_tsvector('simple', regexp_replace(s.content, '<[^>]+>', ' ', 'g')) || array_to_tsvector(array_remove(
          array[':in:en', case when s.reply then ':is:reply' end, case when s.sensitive then ':is:sensitive' end]
          || case when s.media_ids <> '{}' then array[':has:media', ':has:image'] end
          || case when s.card_id is not null then ':has:link' end
          || (select array_agg(':tag:tag' || t.tag_id) from bench.tags t where t.status_id = s.id), null)) as document
      from bench.statuses s where s.reblog_of_id is null`)
}

async function createSentences(client: pg.Client): Promise<void> {
  await client.query(`
    select setseed(0.25);
    create table bench.sentences as
      select n, words, to_tsvector('simple', words) as document from (
        select n, string_agg('w' || floor(exp(random() * ln(${vocabulary})))::int, ' ') as words
        from generate_series(0, ${sentences - 1}) n, generate_series(1, ${wordsEach}) group by n) s;
    create unique index on bench.sentences (n)`)
}
