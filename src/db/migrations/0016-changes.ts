import { sql, type Kysely } from 'kysely'

/**
 * Whoever changes what processes keep in memory is told so by the database, on the connection that does it: see
 * adapters/postgres/changes.ts. `info` goes to every client, whatever it asks to be told, and into no log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function tell_change() returns trigger language plpgsql as $$
    begin
      raise info using errcode = 'SC001', message = tg_argv[0];
      return null;
    end $$`.execute(db)
  await sql`
    create function tell_change_of_row() returns trigger language plpgsql as $$
    begin
      raise info using errcode = 'SC001',
        message = tg_argv[0] || ' ' || (to_jsonb(coalesce(new, old)) ->> tg_argv[1]);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger oauth_tokens_changed after update or delete on oauth_tokens
      for each row execute function tell_change_of_row('token', 'id')`.execute(db)
  await sql`
    create trigger users_changed after insert or update or delete on users
      for each row execute function tell_change_of_row('user', 'id')`.execute(db)
  await sql`
    create trigger passkeys_changed after insert or update or delete on passkeys
      for each row execute function tell_change_of_row('user', 'user_id')`.execute(db)
  await sql`
    create trigger accounts_changed after update or delete on accounts
      for each row when (old.domain is null) execute function tell_change_of_row('account', 'id')`.execute(db)
  for (const table of ['roles', 'settings', 'rules', 'terms_of_service', 'site_uploads', 'custom_emojis'])
    await sql`
      create trigger ${sql.ref(`${table}_changed`)} after insert or update or delete on ${sql.table(table)}
        for each statement execute function tell_change(${sql.lit(table)})`.execute(db)
}
