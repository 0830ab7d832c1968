import { sql, type Kysely } from 'kysely'

/**
 * What somebody did to posts, which ones name them, whom they follow, and whom they avoid and who them: each change is told
 * by whose it is (`deeds 5`), as migration `shown-rows` has it for rows that pages show.
 */
const tables = [
  { table: 'favourites', whose: ['account_id'] },
  { table: 'bookmarks', whose: ['account_id'] },
  { table: 'status_pins', whose: ['account_id'] },
  { table: 'conversation_mutes', whose: ['account_id'] },
  { table: 'mentions', whose: ['account_id'] },
  { table: 'follows', whose: ['account_id'] },
  { table: 'blocks', whose: ['account_id', 'target_account_id'] },
  { table: 'mutes', whose: ['account_id'] },
  { table: 'account_domain_blocks', whose: ['account_id'] },
]
/** What shuts somebody out, and is rare: all who listen are notified, whoever does it. */
const shutOut = [
  { table: 'follows', does: 'delete', whose: ['account_id'] },
  { table: 'blocks', does: 'insert or delete', whose: ['account_id', 'target_account_id'] },
  { table: 'mutes', does: 'insert or delete', whose: ['account_id'] },
  { table: 'account_domain_blocks', does: 'insert or delete', whose: ['account_id'] },
]
/** Of the statuses these are boosts. */
const boosts = [
  { on: 'insert', does: 'insert', of: 'new.reblog_of_id is not null' },
  { on: 'update', does: 'update of deleted_at', of: 'new.reblog_of_id is not null' },
  { on: 'delete', does: 'delete', of: 'old.reblog_of_id is not null' },
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const { table, whose } of [...tables, { table: 'statuses', whose: ['account_id'] }]) {
    const told = whose.map(
      (column) => sql`raise info using errcode = 'SC001',
        message = 'deeds ' || coalesce(new.${sql.ref(column)}, old.${sql.ref(column)});`,
    )
    await sql`
      create function ${sql.ref(`tell_deeds_${table}`)}() returns trigger language plpgsql as $$
      begin
        ${sql.join(told, sql` `)}
        return null;
      end $$`.execute(db)
  }
  for (const { table } of tables) {
    await sql`
      create trigger ${sql.ref(`${table}_deeds`)} after insert or delete on ${sql.table(table)}
        for each row execute function ${sql.ref(`tell_deeds_${table}`)}()`.execute(db)
    await sql`
      create trigger ${sql.ref(`${table}_deeds_notify`)} after insert or delete on ${sql.table(table)}
        for each statement when (current_setting('application_name') <> 'stonechat')
        execute function notify_change('deeds')`.execute(db)
  }
  for (const { table, does, whose } of shutOut)
    for (const column of whose)
      await sql`
        create trigger ${sql.ref(`${table}_deeds_notify_${column}`)} after ${sql.raw(does)} on ${sql.table(table)}
          for each row execute function notify_change('deeds', ${sql.lit(column)})`.execute(db)
  for (const { on, does, of } of boosts)
    await sql`
      create trigger ${sql.ref(`statuses_deeds_${on}`)} after ${sql.raw(does)} on statuses
        for each row when (${sql.raw(of)}) execute function tell_deeds_statuses()`.execute(db)
  await sql`
    create trigger statuses_deeds_notify after insert or update of deleted_at or delete on statuses
      for each statement when (current_setting('application_name') <> 'stonechat')
      execute function notify_change('deeds')`.execute(db)
}
