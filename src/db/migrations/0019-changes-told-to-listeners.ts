import { sql, type Kysely } from 'kysely'

/** Columns that change all the time and say nothing of who somebody is, or what they may. */
const ofNoConcern: Record<string, readonly string[]> = {
  oauth_tokens: ['last_used_at'],
  users: ['last_active_at', 'digest_sent_at', 'otp_last_step', 'sign_up_ip'],
  accounts: ['version', 'updated_at', 'fetched_at', 'tried_at', 'search_names'],
  spam_rules: ['hits', 'last_hit_at'],
  webhooks: ['last_status', 'last_error', 'last_tried_at'],
}

/**
 * What migration `changes` tells on the connection of whoever makes a change is told to all who listen as well, when it is
 * committed: see adapters/postgres/listen-for-changes.ts. Triggers of their own: `notify` costs more, and not every
 * change of these tables concerns other programs. PostgreSQL sends each name once for each transaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_change() returns trigger language plpgsql as $$
    declare name text := tg_argv[0];
    begin
      if tg_nargs > 1 then name := name || ' ' || (to_jsonb(coalesce(new, old)) ->> tg_argv[1]); end if;
      perform pg_notify('stonechat_changes', name);
      return null;
    end $$`.execute(db)
  await notifyOfRows(db)
  await notifyOfTables(db)
  await tellOfMore(db)
}

async function notifyOfRows(db: Kysely<unknown>): Promise<void> {
  await sql`
    create trigger oauth_tokens_notify after delete or update of ${await concerning(db, 'oauth_tokens')} on oauth_tokens
      for each row execute function notify_change('token', 'id')`.execute(db)
  await sql`
    create trigger users_notify after insert or delete or update of ${await concerning(db, 'users')} on users
      for each row execute function notify_change('user', 'id')`.execute(db)
  await sql`
    create trigger passkeys_notify after insert or delete or update on passkeys
      for each row execute function notify_change('user', 'user_id')`.execute(db)
  await sql`
    create trigger accounts_notify after delete or update of ${await concerning(db, 'accounts')} on accounts
      for each row when (old.domain is null) execute function notify_change('account', 'id')`.execute(db)
  // Those of other servers come with every post.
  await sql`
    create trigger custom_emojis_notify after delete or update on custom_emojis
      for each row when (old.domain is null) execute function notify_change('custom_emojis')`.execute(db)
  await sql`
    create trigger custom_emojis_notify_new after insert on custom_emojis
      for each row when (new.domain is null) execute function notify_change('custom_emojis')`.execute(db)
}

async function notifyOfTables(db: Kysely<unknown>): Promise<void> {
  for (const table of ['roles', 'settings', 'rules', 'terms_of_service', 'site_uploads'])
    await onStatements(db, { table, trigger: 'notify', does: 'notify_change' })
}

/** What is also kept in memory, and was found out to have changed by looking every few seconds. */
async function tellOfMore(db: Kysely<unknown>): Promise<void> {
  for (const [trigger, does] of [
    ['changed', 'tell_change'],
    ['notify', 'notify_change'],
  ] as const) {
    await onStatements(db, { table: 'ip_blocks', trigger, does })
    for (const table of ['spam_rules', 'webhooks'])
      await onStatements(db, { table, trigger, does, of: await concerning(db, table) })
    await sql`
      create trigger ${sql.ref(`suspensions_${trigger}`)} after update of suspended_at on accounts
        for each statement execute function ${sql.ref(does)}('suspensions')`.execute(db)
  }
}

interface StatementTrigger {
  table: string
  trigger: string
  does: 'tell_change' | 'notify_change'
  /** Updates of these columns alone. */
  of?: ReturnType<typeof sql>
}

async function onStatements(
  db: Kysely<unknown>,
  { table, trigger, does, of }: StatementTrigger,
): Promise<void> {
  await sql`
    create trigger ${sql.ref(`${table}_${trigger}`)}
      after insert or delete or update ${of ? sql`of ${of}` : sql``} on ${sql.table(table)}
      for each statement execute function ${sql.ref(does)}(${sql.lit(table)})`.execute(db)
}

/** All columns but those that are of no concern. */
async function concerning(db: Kysely<unknown>, table: string): Promise<ReturnType<typeof sql>> {
  const { rows } = await sql<{ name: string }>`
    select column_name::text as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table}
      and not column_name = any(${ofNoConcern[table] ?? []}::text[])
    order by ordinal_position`.execute(db)
  return sql.join(rows.map(({ name }) => sql.ref(name)))
}
