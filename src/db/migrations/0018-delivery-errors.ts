import { sql, type Kysely } from 'kysely'

/** What staff see of deliveries that fail, to other servers and to webhooks, and servers that they have nothing sent to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table hosts add last_error text, add last_error_at timestamptz, add stopped_at timestamptz`.execute(
    db,
  )
  await sql`alter table deliveries add error text`.execute(db)
  await sql`
    create table webhook_deliveries (
      id bigint primary key,
      webhook_id bigint not null references webhooks (id) on delete cascade,
      event text not null,
      status integer,
      error text,
      created_at timestamptz not null default now())`.execute(db)
  await sql`create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, id desc)`.execute(db)
}
