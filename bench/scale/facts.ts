// What the database says of itself.
import type pg from 'pg'
import { withClient } from '../kit/database.ts'

/** Rows above which nobody reads a table from end to end. */
const large = 5_000

export interface TableFacts {
  table: string
  rows: number
  /** Megabytes, with indexes and without. */
  all: number
  indexes: number
  dead: number
}

export interface Facts {
  posts: number
  /** Megabytes. */
  size: number
  tables: TableFacts[]
  /** Large tables, and how often they were read from end to end. */
  scanned: { table: string; times: number }[]
  /** Indexes that nothing read, and megabytes. */
  unused: { index: string; size: number }[]
}

const megabytes = (bytes: string | number) => Math.round(Number(bytes) / 1e5) / 10

export const readFacts = (url: string): Promise<Facts> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ posts: string; size: string }>(
      'select (select count(*) from statuses) as posts, pg_database_size(current_database()) as size',
    )
    return {
      posts: Number(rows[0]?.posts),
      size: megabytes(rows[0]?.size ?? '0'),
      tables: await readTables(client),
      scanned: await readScanned(client),
      unused: await readUnused(client),
    }
  })

async function readTables(client: pg.Client): Promise<TableFacts[]> {
  const { rows } = await client.query<{
    table: string
    rows: string
    all: string
    indexes: string
    dead: string
  }>(`
    select c.relname as table, c.reltuples::bigint as rows, pg_total_relation_size(c.oid) as all,
      pg_indexes_size(c.oid) as indexes, coalesce(s.n_dead_tup, 0) as dead
    from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_stat_user_tables s on s.relid = c.oid
    where n.nspname = 'public' and c.relkind = 'r' order by 3 desc limit 14`)
  return rows.map((row) => ({
    table: row.table,
    rows: Number(row.rows),
    all: megabytes(row.all),
    indexes: megabytes(row.indexes),
    dead: Number(row.dead),
  }))
}

async function readScanned(client: pg.Client): Promise<Facts['scanned']> {
  const { rows } = await client.query<{ table: string; times: string }>(
    'select relname as table, seq_scan as times from pg_stat_user_tables where n_live_tup > $1 and seq_scan > 0 order by 2 desc',
    [large],
  )
  return rows.map(({ table, times }) => ({ table, times: Number(times) }))
}

async function readUnused(client: pg.Client): Promise<Facts['unused']> {
  const { rows } = await client.query<{ index: string; size: string }>(`
    select s.indexrelname as index, pg_relation_size(s.indexrelid) as size
    from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
    where s.schemaname = 'public' and s.idx_scan = 0 and not i.indisunique order by 2 desc limit 12`)
  return rows.map(({ index, size }) => ({ index, size: megabytes(size) }))
}

/** Settings under which statements are counted: what they cost the database is told in pages, whatever else a machine does. */
export const counting = {
  POSTGRES_SETTINGS: 'shared_preload_libraries=pg_stat_statements pg_stat_statements.max=2000',
}

export const beginCounting = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()')
  })

export interface Counted {
  /** Pages that statements looked at, in memory or not, and those that were not in PostgreSQL's. */
  pages: number
  read: number
  /** Of the statements that took longest for one call, milliseconds. */
  slowest: { ms: number; calls: number; pages: number; text: string }[]
}

/** What was counted since `beginCounting`. */
export const readCounted = (url: string): Promise<Counted> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{
      ms: number
      calls: number
      pages: number
      read: number
      text: string
    }>(`
      select max_exec_time as ms, calls::float8, (shared_blks_hit + shared_blks_read + local_blks_hit)::float8 as pages,
        shared_blks_read::float8 as read, query as text
      from pg_stat_statements where query not like '%pg_stat_statements%' order by max_exec_time desc`)
    const sum = (of: 'pages' | 'read') => rows.reduce((total, row) => total + row[of], 0)
    const slowest = rows.slice(0, 3).map(({ ms, calls, pages, text }) => ({
      ms,
      calls,
      pages: pages / calls,
      text: text.replace(/\s+/g, ' '),
    }))
    return { pages: sum('pages'), read: sum('read'), slowest }
  })
