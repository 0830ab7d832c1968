import { sql, type Kysely } from 'kysely'

/**
 * Rows that every page shows, and the name that a change of each is told by, on the connection that does it: as migration
 * `changes` has it for callers, which tells of the accounts of this server already. All who listen are notified of what
 * other programs than servers change, of all rows at once; servers tell each other, as `notify` takes a lock of the whole
 * database and these change with everything that people do.
 */
const tables = [
  { table: 'statuses', kind: 'status', id: 'id', does: 'update or delete' },
  { table: 'status_stats', kind: 'status', id: 'status_id', does: 'insert or update or delete' },
  {
    table: 'accounts',
    kind: 'remote_account',
    id: 'id',
    does: 'update or delete',
    of: 'old.domain is not null',
  },
  { table: 'account_stats', kind: 'account_stats', id: 'account_id', does: 'insert or update or delete' },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { table, kind, id, does, of } of tables) {
    const tells = sql.ref(`tell_shown_${table}`)
    const column = sql.ref(id)
    await sql`
      create function ${tells}() returns trigger language plpgsql as $$
      begin
        raise info using errcode = 'SC001', message = ${sql.lit(`${kind} `)} || coalesce(new.${column}, old.${column});
        return null;
      end $$`.execute(db)
    await sql`
      create trigger ${sql.ref(`${table}_shown`)} after ${sql.raw(does)} on ${sql.table(table)}
        for each row ${of ? sql`when (${sql.raw(of)})` : sql``} execute function ${tells}()`.execute(db)
    await sql`
      create trigger ${sql.ref(`${table}_shown_notify`)} after ${sql.raw(does)} on ${sql.table(table)}
        for each statement when (current_setting('application_name') <> 'stonechat')
        execute function notify_change(${sql.lit(kind)})`.execute(db)
  }
}
