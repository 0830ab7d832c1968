import { sql, type Kysely } from 'kysely'

/** As whom a provider of identities (OpenID Connect, LDAP) knows the users of this server. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table identities (
      id bigint primary key,
      user_id bigint not null references users (id) on delete cascade,
      provider text not null,
      uid text not null,
      subject text,
      created_at timestamptz not null
    )`.execute(db)
  await sql`create unique index identities_provider_uid on identities (provider, uid)`.execute(db)
  await sql`create unique index identities_user_provider on identities (user_id, provider)`.execute(db)
}
