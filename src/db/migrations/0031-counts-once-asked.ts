import { sql, type Kysely } from 'kysely'

/**
 * How a post travelled is counted from when its author first asks (ADR 0026): most never do, and each favourite, boost and
 * reply paid for it. What has counters already keeps them. Whether there are any is told from `status_stats` alone, before
 * the counting of migration 23 looks at the post, its author and who reacted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table status_stats alter column counts_kept set default false`.execute(db)
  await sql`alter function count_reaction rename to count_kept_reaction`.execute(db)
  await sql`
    create function count_reaction(target bigint, kind text, actor bigint, at timestamptz, change integer)
    returns void language plpgsql as $$
    begin
      perform 1 from status_stats t where t.status_id = target and t.counts_kept;
      if found then perform count_kept_reaction(target, kind, actor, at, change); end if;
    end $$`.execute(db)
}
