// The database into which a dump is restored: whether it is empty, and the mark that it carries until all is there.
import type pg from 'pg'
import { sql } from 'kysely'
import type { Db } from '../schema/schema.ts'
import { unfinishedTable } from './tables.ts'

/** Relations and functions of this schema that belong to no extension. */
const ours = (catalogue: 'pg_class' | 'pg_proc') =>
  `not exists (select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = o.oid and d.deptype = 'e')`

/** `unfinished`: a restore was begun and did not come to its end. */
export async function stateOfTarget(client: pg.Client): Promise<'empty' | 'unfinished' | 'used'> {
  const { rows } = await client.query<{ unfinished: boolean; used: boolean }>(
    `select to_regclass($1) is not null as unfinished,
       to_regnamespace('graphile_worker') is not null or exists (
         select from pg_class o where o.relnamespace = current_schema()::regnamespace and o.relkind in ('r', 'S', 'v', 'm', 'p')
           and ${ours('pg_class')}) as used`,
    [unfinishedTable],
  )
  if (rows[0]?.unfinished) return 'unfinished'
  return rows[0]?.used ? 'used' : 'empty'
}

/** How many other connections of servers and commands there are, of which a restore is one. */
export async function countServers(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name in ('stonechat', 'stonechat-command', 'stonechat-restore') and pid <> pg_backend_pid()`,
  )
  return rows[0]?.count ?? 0
}

/** Removes all there is, and leaves the mark that a restore is at work. Both or neither. */
export async function clearTarget(client: pg.Client, backupId: string): Promise<void> {
  await client.query('begin')
  await client.query(`
    do $$ declare found record; begin
      drop schema if exists graphile_worker cascade;
      for found in select o.relname as name from pg_class o
        where o.relnamespace = current_schema()::regnamespace and o.relkind in ('r', 'p') and ${ours('pg_class')}
      loop execute format('drop table if exists %I cascade', found.name); end loop;
      for found in select o.relname as name from pg_class o
        where o.relnamespace = current_schema()::regnamespace and o.relkind = 'S' and ${ours('pg_class')}
      loop execute format('drop sequence if exists %I cascade', found.name); end loop;
      for found in select o.oid::regprocedure as name from pg_proc o
        where o.pronamespace = current_schema()::regnamespace and ${ours('pg_proc')}
      loop execute format('drop function if exists %s cascade', found.name); end loop;
    end $$`)
  await client.query(
    `create table ${unfinishedTable} (backup_id text not null, begun_at timestamptz not null default now())`,
  )
  await client.query(`insert into ${unfinishedTable} (backup_id) values ($1)`, [backupId])
  await client.query('commit')
}

/** The pair of keys under which browsers are subscribed, as JSON, also where it had come from the environment. */
export async function keepVapid(client: pg.Client, pair: string): Promise<void> {
  await client.query(
    "insert into secrets (name, value) values ('vapid', $1) on conflict (name) do update set value = excluded.value",
    [pair],
  )
}

/** Takes the mark away: everything is there. */
export async function markFinished(client: pg.Client): Promise<void> {
  await client.query(`drop table ${unfinishedTable}`)
}

/** Throws an Error of one line when a restore was not brought to its end: half a server must not begin to work. */
export async function assertRestored(db: Db): Promise<void> {
  const { rows } = await sql<{ unfinished: boolean }>`
    select to_regclass(${unfinishedTable}) is not null as unfinished`.execute(db)
  if (!rows[0]?.unfinished) return
  throw new Error(
    'A restore into this database was not finished: run `stonechat restore` with the file again',
  )
}
