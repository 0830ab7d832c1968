// Everybody, and who follows whom.
import type pg from 'pg'
import { insertPeople } from '../kit/seed.ts'
import {
  accountSql,
  groupSize,
  groupsOf,
  localAt,
  localSql,
  remoteSql,
  remotesOf,
  singles,
  singlesOf,
  type Epoch,
  type Size,
} from './size.ts'

const batch = 2_000
/** Whom one follows: a third of them much followed ones. */
const follows = 60
const followsOfRemote = 10
/** Followers of the one who has few. */
const fewFollowers = 90
const year = 365 * 86_400_000
/** Where the inboxes of other servers are, if anything is there: a port of addresses of their own. */
export const inboxPort = 4290

export async function seedPeople(client: pg.Client, epoch: Epoch, size: Size): Promise<void> {
  for (let first = 0; first < size.people; first += batch) {
    const count = Math.min(batch, size.people - first)
    const accounts = Array.from({ length: count }, (_, i) => localAt(epoch, first + i))
    await insertPeople(client, accounts, first)
  }
  const special = singlesOf(epoch, size)
  await insertPeople(
    client,
    singles.map((name) => special[name].id),
    size.people,
  )
  await insertRemotes(client, epoch, size)
  await client.query(`
    update accounts set indexable = (id >> 16) % 2 = 0, discoverable = (id >> 16) % 3 <> 0;
    update users set role_id = 3 where account_id = ${special.admin.id};
    insert into user_activity (user_id, day)
    select u.id, current_date - d from users u, generate_series(0, 29) d where (u.id >> 16) % 7 <> d % 7 or d = 0`)
  await insertFollows(client, epoch, size)
}

/** The host of a number, as SQL: an address of its own. */
const hostSql = (host: string): string =>
  `'127.0.' || 5 + (${host}) / 250 || '.' || 1 + (${host}) % 250 || ':${inboxPort}'`

/** They have the profiles of people here. Some servers have many of them. */
async function insertRemotes(client: pg.Client, epoch: Epoch, size: Size): Promise<void> {
  await client.query(`
    insert into accounts (id, username, domain, uri, url, uri_host, inbox_url, shared_inbox_url, outbox_url, followers_url,
      display_name, note, note_html, fields, fetched_at, tried_at)
    select r.id, 'away' || r.n, r.host, base || '/users/away' || r.n, base || '/@away' || r.n, r.host,
      base || '/users/away' || r.n || '/inbox', base || '/inbox', base || '/users/away' || r.n || '/outbox',
      base || '/users/away' || r.n || '/followers', p.display_name, p.note, p.note_html, p.fields, now(), now()
    from (
      select n, ${remoteSql(epoch, 'n')} as id, ${hostSql('h')} as host
      from (select n, floor(power(n * 7919 % 10007 / 10007.0, 3) * ${size.hosts})::int as h
        from generate_series(0, ${remotesOf(size) - 1}) n) t) r
    cross join lateral (select 'http://' || r.host as base) b
    join accounts p on p.id = ${localSql(epoch, `r.n % ${Math.min(size.people, 1_000)}`)}`)
  await client.query(`
    insert into hosts (host, software, software_version, info_fetched_at, signature_scheme)
    select ${hostSql('h')}, 'mastodon', '4.5.0', now(), 'cavage' from generate_series(0, ${size.hosts - 1}) h`)
}

async function insertFollows(client: pg.Client, epoch: Epoch, size: Size): Promise<void> {
  const all = groupsOf(size) * groupSize
  const { star, remoteStar, speaker } = singlesOf(epoch, size)
  const anybody = (exponent: number) => `floor(power(random(), ${exponent}) * ${all})::int`
  await client.query('select setseed(0.5)')
  // In the order of their ids, which is that of time.
  await client.query(`
    insert into follows (id, account_id, target_account_id, created_at)
    select id, a, b, to_timestamp((id >> 16) / 1000.0) from (
      select (${epoch.now - year}::bigint + (row_number() over (order by r) * ${year / 2} / count(*) over ())::bigint << 16)
        + row_number() over (order by r) % 65536 as id, a, b
      from (
        select distinct on (a, b) a, b, random() as r from (
          select ${localSql(epoch, 'n')} as a, ${accountSql(epoch, `case when k < ${follows / 3} then ${anybody(4)} else ${anybody(1)} end`)} as b
          from generate_series(0, ${size.people - 1}) n, generate_series(1, ${follows}) k
          union all
          select ${remoteSql(epoch, 'n')}, ${localSql(epoch, `floor(power(random(), 3) * ${size.people})::int`)}
          from generate_series(0, ${remotesOf(size) - 1}) n, generate_series(1, ${followsOfRemote}) k) pairs
        where a <> b) f) numbered
    order by id on conflict do nothing`)
  for (const [index, { id, of, most }] of [
    { id: star.id, of: localSql(epoch, 'n'), most: size.people },
    { id: remoteStar.id, of: remoteSql(epoch, 'n'), most: remotesOf(size) },
    { id: speaker.id, of: localSql(epoch, 'n'), most: fewFollowers },
  ].entries()) {
    const from = epoch.now - year / 4 + (index * year) / 20
    await client.query(`
      insert into follows (id, account_id, target_account_id, created_at)
      select (${from}::bigint + n << 16), ${of}, ${id}, to_timestamp((${from} + n) / 1000.0)
      from generate_series(0, ${most - 1}) n`)
  }
}

/** What is counted of everybody, from all that there is. */
export async function countPeople(client: pg.Client, epoch: Epoch): Promise<void> {
  await client.query(`
    truncate account_stats;
    insert into account_stats (account_id, followers_count, following_count, statuses_count, last_status_at)
    select a.id, coalesce(b.n, 0), coalesce(f.n, 0), coalesce(s.n, 0), s.last
    from accounts a
    left join (select target_account_id as id, count(*) as n from follows group by 1) b on b.id = a.id
    left join (select account_id as id, count(*) as n from follows group by 1) f on f.id = a.id
    left join (select account_id as id, count(*) as n, max(created_at) as last from statuses group by 1) s on s.id = a.id
    order by a.id`)
  await client.query(`update users set last_active_at = to_timestamp(${epoch.now / 1000.0})`)
}

/**
 * A full feed for everybody here, of the newest statuses: each is in the feeds of every so many people. In the order of
 * the statuses, as fan-out writes them.
 */
export async function seedFeeds(client: pg.Client, epoch: Epoch, size: Size): Promise<void> {
  const { rows } = await client.query<{ n: number }>(
    'select least(count(*), 1000000)::int as n from statuses',
  )
  const every = Math.max(1, Math.min(20, Math.floor((rows[0]?.n ?? 0) / size.feed)))
  await client.query(`
    insert into home_feeds (account_id, built_at)
    select ${localSql(epoch, 'n')}, now() from generate_series(0, ${size.people - 1}) n`)
  await client.query(`
    insert into home_entries (account_id, status_id, reblog_of_id)
    select ${localSql(epoch, 'p.n')}, s.id, s.reblog_of_id
    from (select id, reblog_of_id, row_number() over (order by id) as place from (
      select id, reblog_of_id from statuses where visibility <> 'direct' order by id desc limit ${size.feed * every}) l) s
    join generate_series(0, ${size.people - 1}) p (n) on p.n * 7 % ${every} = s.place % ${every}
    order by s.place, p.n`)
}
