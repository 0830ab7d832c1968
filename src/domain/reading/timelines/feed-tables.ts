// Home and list feeds are kept alike: entries written at fan-out, and a row that says whether the feed is built.
import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { keepStatement } from '#db/keep-statement.ts'
import { inPage, orderAndLimit, orderOf, pageArguments, pageFrom } from '#db/paging.ts'
import { muteEndedSql } from '#domain/social/relationships/mute-policy.ts'
import { maxId } from '#lib/ids.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { AccountId, ListId, StatusId } from '#lib/id.ts'

/** Entries a feed keeps. */
export const feedCap = 800
/** A boost is left out when what it boosts, or another boost of it, is among this many newest entries. */
const boostWindow = 80
/** Other boosts of the same that are looked for by their ids; of more than these the newest entries are read. */
const maxSame = 200
/** Feeds that are trimmed by one statement: none takes long, however many people there are. */
const trimmedAtOnce = 500
/** Statuses taken from one account when a whole feed is rebuilt. */
export const perRebuild = 400
/** Of all those, the newest that a rebuild looks at: the rules leave out some. */
export const rebuildReach = 3 * feedCap

/** The tables of one kind of feed, and the column that says whose feed it is. */
export interface FeedTables {
  readonly entries: 'home_entries' | 'list_entries'
  readonly feeds: 'home_feeds' | 'list_feeds'
  readonly owner: 'account_id' | 'list_id'
}

export const homeFeeds: FeedTables = { entries: 'home_entries', feeds: 'home_feeds', owner: 'account_id' }
export const listFeeds: FeedTables = { entries: 'list_entries', feeds: 'list_feeds', owner: 'list_id' }

/** A feed that is read, and what to do first when it is not as it should be. */
export interface ReadFeed {
  id: AccountId | ListId
  /** Whose mutes count for it. */
  accountId: AccountId
  /** Builds it. Nothing happens when it is built. */
  rebuild: () => Promise<void>
  /** Brings in what mutes that are over have kept out. */
  endMutes: () => Promise<void>
}

/**
 * The ids of a page, after `rebuild` when the feed is not built, so that what it holds may be wrong or missing. What
 * has just been built is shown even if somebody has found a reason to build it again meanwhile.
 */
export async function readFeed(
  reader: Reader,
  tables: FeedTables,
  feed: ReadFeed,
  page: PageRequest,
): Promise<Page<StatusId>> {
  const found = await readEntries(reader, tables, feed, page)
  if (found.built && !found.mutesEnded) return found.page
  if (found.mutesEnded) await feed.endMutes()
  await feed.rebuild()
  return (await readEntries(reader, tables, feed, page)).page
}

async function readEntries(
  reader: Reader,
  tables: FeedTables,
  { id: ownerId, accountId }: ReadFeed,
  page: PageRequest,
): Promise<{ built: boolean; mutesEnded: boolean; page: Page<StatusId> }> {
  const now = new Date(reader.clock.now())
  const { rows } = await askEntries[tables.entries](
    reader.db,
    ownerId,
    accountId,
    now,
    ...pageArguments(page),
  )
  const ids = rows.flatMap((row) => row.status_id ?? [])
  const [first] = rows
  return {
    built: first?.built === true,
    mutesEnded: first?.mutes_ended === true,
    page: toPage(ids, page, (id) => id),
  }
}

interface EntryRow {
  status_id: StatusId | null
  built: boolean
  mutes_ended: boolean
}

type EntryArguments = [
  ownerId: AccountId | ListId,
  accountId: AccountId,
  now: Date,
  ...cut: ReturnType<typeof pageArguments>,
]

/** One statement: a feed that is being built is seen either without entries and not built, or with them and built. */
const keepEntries = ({ entries, feeds, owner: ownerColumn }: FeedTables) => {
  const owner = sql.ref(ownerColumn)
  return keepStatement((db: QueryExecutorProvider, ...[ownerId, accountId, now, ...cut]: EntryArguments) => {
    const page = pageFrom(...cut)
    return sql<EntryRow>`
    select e.status_id, f.built, f.mutes_ended from (
      select exists (
        select 1 from ${sql.table(feeds)} where ${owner} = ${ownerId} and built_at is not null) as built,
        exists (select 1 from mutes m where m.account_id = ${accountId} and ${muteEndedSql('m', now)}) as mutes_ended) f
    left join (
      select status_id from ${sql.table(entries)}
      where ${owner} = ${ownerId} and ${inPage('status_id', page)} ${orderAndLimit('status_id', page)}) e on true
    ${orderOf('e.status_id', page)}`.execute(db)
  })
}

const askEntries = { home_entries: keepEntries(homeFeeds), list_entries: keepEntries(listFeeds) }

/**
 * The status with this id as `s` and what it boosts as `o`, looked up for one row after the other: what is ordered
 * before stays so, and nothing is looked up beyond a limit. `offset 0`: a planner that expects few rows would read and
 * join whole tables.
 */
export const lookedUpInOrder = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    cross join lateral (
      select id, account_id, reblog_of_id, reply, in_reply_to_account_id, language, visibility, deleted_at
      from statuses where id = ${id} offset 0) s
    left join lateral (
      select id, account_id, language, deleted_at from statuses where id = s.reblog_of_id offset 0) o on true`

export interface FeedContents {
  /** A query for `id` and `reblog_of_id`. */
  source: RawBuilder<unknown>
  /** Also when it has just been built. */
  anew: boolean
  /** A statement that keeps what `source` rests on as it is until the feed is written. */
  hold?: RawBuilder<unknown>
}

/**
 * Writes a feed anew with the newest of `source`; of several boosts of one status
 * and the status itself the oldest stays. The feed's row is there already, so that fan-out writes what is posted
 * meanwhile, and is locked from the start: whoever finds a reason to build again does so afterwards. Several who want
 * to build at once do it once, but for `anew`.
 */
export async function writeFeed(
  ctx: Ctx,
  tables: FeedTables,
  ownerId: AccountId | ListId,
  { source, anew, hold }: FeedContents,
): Promise<void> {
  const owner = sql.ref(tables.owner)
  await ctx.transaction(async (tx) => {
    if (hold) await hold.execute(tx.db)
    if (!(await takeFeed(tx, tables, ownerId, anew))) return
    await sql`delete from ${sql.table(tables.entries)} where ${owner} = ${ownerId}`.execute(tx.db)
    await sql`
      insert into ${sql.table(tables.entries)} (${owner}, status_id, reblog_of_id)
      select ${ownerId}, c.id, c.reblog_of_id from (
        select distinct on (coalesce(b.reblog_of_id, b.id)) b.id, b.reblog_of_id from (${source}) b
        order by coalesce(b.reblog_of_id, b.id), b.id) c
      order by c.id desc limit ${feedCap}
      on conflict do nothing`.execute(tx.db)
  })
}

/**
 * Waits for whoever is building the feed: they may have read before the change that is now to be made good, and what
 * they write is not seen before they are done.
 */
export async function awaitBuild(
  reader: Reader,
  tables: FeedTables,
  ownerId: AccountId | ListId,
): Promise<void> {
  await sql`
    select 1 from ${sql.table(tables.feeds)} where ${sql.ref(tables.owner)} = ${ownerId} for share`.execute(
    reader.db,
  )
}

async function takeFeed(
  tx: Tx,
  tables: FeedTables,
  ownerId: AccountId | ListId,
  anew: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(tables.feeds)} set built_at = ${new Date(tx.clock.now())}
    where ${sql.ref(tables.owner)} = ${ownerId} and (${anew}::boolean or built_at is null)
    returning built_at`.execute(tx.db)
  return rows.length > 0
}

/**
 * Neither what the status boosts nor another boost of it stands among the newest entries of this feed. `same`, from
 * `sameAs`, spares a look at these entries where nothing of that is in the feed at all.
 */
export function notRecentlyThere(
  tables: FeedTables,
  status: string,
  ownerId: RawBuilder<unknown>,
  same?: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const s = sql.id(status)
  const [entries, owner] = [sql.table(tables.entries), sql.ref(`h.${tables.owner}`)]
  const mayBeThere = same
    ? sql`(cardinality(${same}) > ${maxSame} or exists (
        select 1 from ${entries} h where ${owner} = ${ownerId} and h.status_id = any(${same}))) and`
    : sql``
  return sql`(${s}.reblog_of_id is null or not (${mayBeThere} exists (
    select 1 from (
      select h.status_id, h.reblog_of_id from ${entries} h
      where ${owner} = ${ownerId} and h.status_id <> ${s}.id order by h.status_id desc limit ${boostWindow}) w
    where w.status_id = ${s}.reblog_of_id or w.reblog_of_id = ${s}.reblog_of_id)))`
}

/** What a boost boosts and the latest other boosts of that: a list that a statement makes once. */
export const sameAs = (statusId: StatusId): RawBuilder<unknown> => sql`(select array(
  select b.reblog_of_id from statuses b where b.id = ${statusId}
  union all (
    select k.id from statuses b join statuses k on k.reblog_of_id = b.reblog_of_id
    where b.id = ${statusId} and k.id <> b.id order by k.id desc limit ${maxSame})))::bigint[]`

/** Deletes entries without a feed, and what is above the cap of each: of some feeds after the other. */
export async function trimEntries(ctx: Ctx, tables: FeedTables): Promise<void> {
  const [entries, feeds, owner] = [sql.table(tables.entries), sql.table(tables.feeds), sql.ref(tables.owner)]
  for (let after: string | null = '0'; after !== null;) {
    const { rows } = await sql<{ last: string | null }>`
      with recursive owners (id) as (
        select min(${owner}) from ${entries} where ${owner} > ${after}::bigint
        union all select (select min(${owner}) from ${entries} where ${owner} > o.id) from owners o where o.id is not null),
      few as materialized (select id from owners where id is not null limit ${trimmedAtOnce}),
      ends as materialized (
        select o.id, case when f.${owner} is null then ${maxId}::bigint else (
          select e.status_id from ${entries} e where e.${owner} = o.id
          order by e.status_id desc offset ${feedCap} limit 1) end as newest_extra
        from few o left join ${feeds} f on f.${owner} = o.id),
      trimmed as (
        delete from ${entries} h using ends t where h.${owner} = t.id and h.status_id <= t.newest_extra)
      select max(id) as last from few`.execute(ctx.db)
    after = rows[0]?.last ?? null
  }
}
