// What reaches people: lists, filters, grouped notifications. The statuses are those of the other people or unlisted,
// so that what is read without any of it stays what it was.
import type pg from 'pg'
import { timeToId } from '#lib/ids.ts'
import { generator } from './random.ts'

/** People in a row: the index of the first, and how many. */
export interface Span {
  first: number
  count: number
}

export interface Reach {
  /** They follow whom `listOwners` follow and have filters of 200 keywords. */
  filterers: Span
  /** They have notifications in groups of many sizes. */
  noticed: Span
  /** The lists of those people, in their order. */
  lists: string[]
}

interface Tools {
  /** The accounts of the first people, and how many people there are. */
  accounts: string[]
  people: number
  now: number
  insertPeople(client: pg.Client, accounts: string[], first: number): Promise<void>
}

/** Those who read their home timeline in the other scenarios. */
export const listOwners: Span = { first: 600, count: 100 }
const members = 40
const filters = 20
const keywordsEach = 10
const posts = 60
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

export async function seedReach(client: pg.Client, tools: Tools): Promise<Reach> {
  const { accounts, people, now } = tools
  const owners = accounts.slice(listOwners.first, listOwners.first + listOwners.count)
  const added = Array.from({ length: 2 * owners.length }, (_, i) => timeToId(now - 200 * day + i))
  await tools.insertPeople(client, added, people)
  const [filterers, noticed] = [added.slice(0, owners.length), added.slice(owners.length)]
  const lists = await insertLists(client, owners, accounts[500] as string)
  await insertFilterers(client, filterers, owners, accounts[500] as string)
  await insertNotices(client, noticed, accounts, now)
  const from = (first: number) => ({ first, count: owners.length })
  return { filterers: from(people), noticed: from(people + owners.length), lists }
}

/** One each, of people whom its owner follows. */
async function insertLists(client: pg.Client, owners: string[], except: string): Promise<string[]> {
  await client.query(
    `insert into lists (id, account_id, title)
     select row_number() over (), id, 'Some of them' from unnest($1::bigint[]) id`,
    [owners],
  )
  await client.query(
    `insert into list_accounts (id, list_id, account_id, owner_id)
     select row_number() over (), l.id, f.target_account_id, l.account_id from lists l cross join lateral (
       select target_account_id from follows where account_id = l.account_id and target_account_id <> $1
       order by id limit $2) f`,
    [except, members],
  )
  const { rows } = await client.query<{ id: string }>('select id from lists order by id')
  return rows.map((row) => row.id)
}

/** Few statuses meet a filter, as for most people: about one in fifty is warned of and one in fifty hidden. */
async function insertFilterers(client: pg.Client, ids: string[], owners: string[], except: string) {
  await client.query(
    `insert into follows (id, account_id, target_account_id)
     select (1::bigint << 41) + row_number() over (), t.id, f.target_account_id
     from unnest($1::bigint[], $2::bigint[]) t (id, owner)
     join follows f on f.account_id = t.owner and f.target_account_id <> $3`,
    [ids, owners, except],
  )
  await client.query(
    `insert into filters (id, account_id, title, context, action)
     select row_number() over (), id, 'Filter ' || n, '{home,notifications,public,thread}',
       case when n = 2 then 'hide' else 'warn' end
     from unnest($1::bigint[]) id, generate_series(1, $2) n`,
    [ids, filters],
  )
  const random = generator(17)
  const word = () => Array.from({ length: 8 }, () => String.fromCharCode(97 + random() * 26)).join('')
  const words = Array.from({ length: filters * keywordsEach }, word)
  await client.query(
    `insert into filter_keywords (id, filter_id, keyword, whole_word)
     select row_number() over (), f.id,
       case when f.title = 'Filter 1' and n = 1 then '777' when f.title = 'Filter 2' and n = 1 then '888'
         else ($1::text[])[(f.id * $2 + n) % cardinality($1::text[]) + 1] end,
       n <> 1
     from filters f, generate_series(1, $2::int) n`,
    [words, keywordsEach],
  )
  await client.query('update users set filters_version = 1 where account_id = any($1::bigint[])', [ids])
}

/**
 * Sixty statuses each, a few hours apart, each favourited by one to forty people, boosted by up to five and answered
 * by one: 180 groups, which overlap in time, of 15 notifications for a status.
 */
async function insertNotices(client: pg.Client, ids: string[], accounts: string[], now: number) {
  const written = ids.flatMap((id, person) =>
    Array.from({ length: posts }, (_, n) => ({
      id: timeToId(now - 40 * day - n * 3 * hour - person * minute + 31_000),
      author: id,
      named: ids[(person + 1) % ids.length] as string,
    })),
  )
  await client.query('insert into conversations (id) select unnest($1::bigint[])', [written.map((s) => s.id)])
  await client.query(
    `with written as (
       insert into statuses (id, account_id, text, content, visibility, language, conversation_id)
       select id, author, 'Hello', '<p>Hello</p>', 'unlisted', 'en', id
       from unnest($1::bigint[], $2::bigint[]) s (id, author))
     insert into mentions (status_id, account_id)
     select id, named from unnest($1::bigint[], $3::bigint[]) s (id, named)`,
    [written.map((s) => s.id), written.map((s) => s.author), written.map((s) => s.named)],
  )
  await client.query(
    `insert into notifications (id, account_id, from_account_id, type, status_id, group_key, created_at)
     select id, author, from_id, type, status_id,
       case type when 'mention' then 'ungrouped-' || id else type || '-' || status_id || '-' || (status_id >> 16) / ${hour} end,
       to_timestamp(at / 1000.0)
     from (select nextval('notification_ids') as id, o.* from (
       select s.id as status_id, s.author, ($3::bigint[])[(s.n * 37 + g) % ${accounts.length} + 1] as from_id,
         k.type, (s.id >> 16) + g * ${10 * minute} + s.n as at
       from unnest($1::bigint[], $2::bigint[]) with ordinality s (id, author, n)
       cross join (values ('favourite', '{1,2,3,5,8,13,40}'::int[]), ('reblog', '{1,1,2,3,5}'::int[])) k (type, sizes)
       cross join lateral generate_series(1, k.sizes[1 + s.n % cardinality(k.sizes)]) g
       union all
       select id, named, author, 'mention', (id >> 16) + n
       from unnest($1::bigint[], $2::bigint[], $4::bigint[]) with ordinality s (id, author, named, n) order by at) o) t`,
    [written.map((s) => s.id), written.map((s) => s.author), accounts, written.map((s) => s.named)],
  )
}
