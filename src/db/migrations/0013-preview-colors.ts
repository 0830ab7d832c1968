import { sql, type Kysely } from 'kysely'

/** The colours of the picture that stands for a sound or a film. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table media_attachments add column preview_colors jsonb`.execute(db)
}
