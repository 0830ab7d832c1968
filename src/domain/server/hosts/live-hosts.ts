import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

/** Some servers that answered when they were last asked, those heard of lately first. */
export async function listLiveHosts(reader: Reader, limit: number): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select host from hosts where failures = 0 order by info_fetched_at desc nulls last, host limit ${limit}`.execute(
    reader.db,
  )
  return rows.map((row) => row.host)
}
