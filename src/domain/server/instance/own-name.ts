// Handles and documents that other servers keep have the domain in them: data of one name is not served under another.
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

const key = 'local_domain'

/**
 * Writes down under which domain this database is served, and returns null; where people have handles of another one, returns
 * that. Names of this machine alone, such as `localhost:3000`, bind nobody.
 */
export async function claimOwnName(reader: Reader, localDomain: string): Promise<string | null> {
  const { rows } = await sql<{ known: string | null; used: boolean }>`
    select (select value from secrets where name = ${key}) as known,
      exists (select 1 from users) as used`.execute(reader.db)
  const { known = null, used = false } = rows[0] ?? {}
  if (known === localDomain) return null
  if (known !== null && used && !isOfThisMachine(known)) return known
  await sql`
    insert into secrets (name, value) values (${key}, ${localDomain})
    on conflict (name) do update set value = excluded.value`.execute(reader.db)
  return null
}

function isOfThisMachine(domain: string): boolean {
  const hostname = domain.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '')
  return hostname === 'localhost' || isIP(hostname) !== 0
}
