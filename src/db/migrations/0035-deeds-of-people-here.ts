import { sql, type Kysely } from 'kysely'

/** The triggers of migration `deeds-shown` that notify all who listen of whose deeds changed, and the column that says it. */
const triggers = [
  ...['blocks', 'mutes', 'account_domain_blocks'].map((table) => ({
    name: `${table}_deeds_notify`,
    does: 'insert or delete',
    table,
    column: 'account_id',
  })),
  {
    name: 'blocks_deeds_notify_target',
    does: 'insert or delete',
    table: 'blocks',
    column: 'target_account_id',
  },
  { name: 'follows_deeds_notify_end', does: 'delete', table: 'follows', column: 'account_id' },
]

/** Deeds are kept of people of this server alone: of others, who may follow and unfollow without end, nobody is notified. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function notify_deeds() returns trigger language plpgsql as $$
    declare whose bigint := (to_jsonb(coalesce(new, old)) ->> tg_argv[0])::bigint;
    begin
      if exists (select 1 from accounts a where a.id = whose and a.domain is null) then
        perform pg_notify('stonechat_changes', 'deeds ' || whose);
      end if;
      return null;
    end $$`.execute(db)
  for (const { name, does, table, column } of triggers) {
    await sql`drop trigger ${sql.ref(name)} on ${sql.table(table)}`.execute(db)
    await sql`
      create trigger ${sql.ref(name)} after ${sql.raw(does)} on ${sql.table(table)}
        for each row execute function notify_deeds(${sql.lit(column)})`.execute(db)
  }
}
