// What a dump of the database consists of, and the snapshot that it is read in.
import pg from 'pg'
import { to } from 'pg-copy-streams'
import type { Readable } from 'node:stream'
import { jobColumns, jobsQuery } from './jobs.ts'

/** A table, or the queue's jobs as one. Its rows travel as PostgreSQL's text format of COPY. */
export interface DumpedTable {
  name: string
  columns: readonly string[]
}

/** Present while a restore is at work, and after one that was interrupted. */
export const unfinishedTable = 'restore_unfinished'
/** Under this name the queue's waiting jobs are dumped: no table of ours can have it. */
export const jobsName = 'graphile-worker-jobs'

const notDumped = ['schema_migrations', unfinishedTable]

/** Text that means the same to every server, whatever its settings are. */
export const plainSession = `
set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0;
set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
set bytea_output = 'hex'; set client_encoding = 'UTF8'; set synchronize_seqscans = off`

/** Everything that is read until `commit` is of this moment, while others go on writing. */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  await client.query(plainSession)
  await client.query('begin isolation level repeatable read read only')
}

/**
 * All tables of this schema but those of extensions, and unlogged ones: feeds are rebuilt. Generated columns are left
 * out, since they follow from the others.
 */
export async function listTables(client: pg.Client): Promise<DumpedTable[]> {
  const { rows } = await client.query<DumpedTable>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname <> all($1::text[])
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by c.relname`,
    [notDumped],
  )
  return rows
}

/** What `copyTableOut` reads: the tables, and the queue's jobs. */
export async function listDumped(client: pg.Client): Promise<DumpedTable[]> {
  return [...(await listTables(client)), { name: jobsName, columns: jobColumns }]
}

/** The rows of a table, in the order in which they lie there. */
export function copyTableOut(client: pg.Client, table: DumpedTable): Readable {
  const source = table.name === jobsName ? `(${jobsQuery})` : `${quoted(table.name)} (${columnList(table)})`
  return client.query(to(`copy ${source} to stdout`))
}

export const quoted = (name: string) => pg.escapeIdentifier(name)
export const columnList = ({ columns }: DumpedTable) => columns.map(quoted).join(', ')

/** The number of the newest migration that was applied. */
export async function schemaNumber(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    'select coalesce(max(number), 0)::int as number from schema_migrations',
  )
  return rows[0]?.number ?? 0
}

/**
 * The value that each sequence gave out last; one that gave out none is missing. Sequences know no snapshot: read them
 * after the rows, so that none is behind them.
 */
export async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}
