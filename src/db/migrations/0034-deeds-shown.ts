import { sql, type Kysely } from 'kysely'

/** What people did to posts, which ones name them, and whom they follow. */
const deeds = ['favourites', 'bookmarks', 'status_pins', 'conversation_mutes', 'mentions', 'follows']
/** Whom people avoid. */
const avoidances = ['blocks', 'mutes', 'account_domain_blocks']
/** Of the statuses these are boosts. */
const boosts = [
  { on: 'insert', does: 'insert', of: 'new.reblog_of_id is not null' },
  { on: 'update', does: 'update of deleted_at', of: 'new.reblog_of_id is not null' },
  { on: 'delete', does: 'delete', of: 'old.reblog_of_id is not null' },
]

/**
 * Each change of these is told by whose it is (`deeds 5`), as migration `shown-rows` has it for rows that pages show.
 * Of what shuts somebody out, and is rare, all who listen are notified, whoever does it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_deeds() returns trigger language plpgsql as $$
    begin
      raise info using errcode = 'SC001', message = 'deeds ' || coalesce(new.account_id, old.account_id);
      return null;
    end $$`.execute(db)
  for (const table of [...deeds, ...avoidances])
    await sql`
      create trigger ${sql.ref(`${table}_deeds`)} after insert or delete on ${sql.table(table)}
        for each row execute function tell_deeds()`.execute(db)
  for (const { on, does, of } of boosts)
    await sql`
      create trigger ${sql.ref(`statuses_deeds_${on}`)} after ${sql.raw(does)} on statuses
        for each row when (${sql.raw(of)}) execute function tell_deeds()`.execute(db)
  await sql`
    create trigger blocks_deeds_of_target after insert or delete on blocks
      for each row execute function tell_change_of_row('deeds', 'target_account_id')`.execute(db)
  await notify(db)
}

async function notify(db: Kysely<unknown>): Promise<void> {
  const changes = [
    ...deeds.map((table) => ({ table, does: 'insert or delete' })),
    { table: 'statuses', does: 'insert or update of deleted_at or delete' },
  ]
  for (const { table, does } of changes)
    await sql`
      create trigger ${sql.ref(`${table}_deeds_notify`)} after ${sql.raw(does)} on ${sql.table(table)}
        for each statement when (current_setting('application_name') <> 'stonechat')
        execute function notify_change('deeds')`.execute(db)
  for (const table of avoidances)
    await sql`
      create trigger ${sql.ref(`${table}_deeds_notify`)} after insert or delete on ${sql.table(table)}
        for each row execute function notify_change('deeds', 'account_id')`.execute(db)
  await sql`
    create trigger blocks_deeds_notify_target after insert or delete on blocks
      for each row execute function notify_change('deeds', 'target_account_id')`.execute(db)
  await sql`
    create trigger follows_deeds_notify_end after delete on follows
      for each row execute function notify_change('deeds', 'account_id')`.execute(db)
}
