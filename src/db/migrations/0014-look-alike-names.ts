import { sql, type Kysely } from 'kysely'

/** Finds who here has a name that reads like another one: domain/identity/accounts/registration/look-alikes.ts has the same expression. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index accounts_look_alike on accounts (
      replace(replace(replace(translate(lower(username), '012345789l', 'oizeastbgi'), '_', ''), 'rn', 'm'), 'vv', 'w'))
    where domain is null`.execute(db)
}
