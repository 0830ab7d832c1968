import { sql, type Kysely } from 'kysely'

/** What other servers are told when this one breaks off with them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statements).execute(db)
}

const statements = `
-- It ends something between two people, so it is delivered also to a host with which this server has broken off.
alter table outgoing_activities add column severing boolean not null default false;
`
