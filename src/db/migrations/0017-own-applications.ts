import { sql, type Kysely } from 'kysely'

/** Applications that people made for themselves on the pages of settings, and look after there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table applications add user_id bigint references users (id) on delete cascade`.execute(db)
  await sql`
    create index applications_user on applications (user_id, id desc) where user_id is not null`.execute(db)
}
