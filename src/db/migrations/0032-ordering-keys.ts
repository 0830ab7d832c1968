import { sql, type Kysely } from 'kysely'

/**
 * What other servers sent is dealt with in its order as far as it has one key: that of its signer, or its own (ADR 0003).
 * Which keys are at work is asked with each claim, whatever waits.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table incoming_activities add column ordering_key bigint`.execute(db)
  await sql`
    create index incoming_activities_taken on incoming_activities ((coalesce(ordering_key, signer_id)), due_at)
    where suspected > 0 and failed_at is null`.execute(db)
}
