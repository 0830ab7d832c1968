import { sql, type Kysely } from 'kysely'

/**
 * Links of people elsewhere were verified whatever their text said, so none of them stays verified: they are looked at
 * again when their profiles are. Links of people here always read as they lead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update accounts set version = version + 1, fields = (
      select jsonb_agg(field || '{"verified_at": null}' order by place)
      from jsonb_array_elements(fields) with ordinality as listed (field, place))
    where domain is not null and fields @? '$[*].verified_at ? (@ != null)'`.execute(db)
}
