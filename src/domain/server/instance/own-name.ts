// Handles and documents that other servers keep have the domain in them: data of one name is not served under another.
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

const key = 'local_domain'

/**
 * The domain in the handles of people here, if it is another one. Names of this machine alone, such as `localhost:3000`,
 * bind nobody.
 */
export async function findOtherName(reader: Reader, localDomain: string): Promise<string | null> {
  return (await compareName(reader, localDomain)).other
}

async function compareName(reader: Reader, localDomain: string) {
  const { rows } = await sql<{ known: string | null; used: boolean }>`
    select (select value from secrets where name = ${key}) as known,
      exists (select 1 from users) as used`.execute(reader.db)
  const { known = null, used = false } = rows[0] ?? {}
  const isKnown = known === localDomain
  return { isKnown, other: known !== null && !isKnown && used && !isOfThisMachine(known) ? known : null }
}

/** Writes down under which domain this database is served, and returns null, or what `findOtherName` finds. */
export async function claimOwnName(reader: Reader, localDomain: string): Promise<string | null> {
  const { isKnown, other } = await compareName(reader, localDomain)
  if (isKnown || other !== null) return other
  await sql`
    insert into secrets (name, value) values (${key}, ${localDomain})
    on conflict (name) do update set value = excluded.value`.execute(reader.db)
  return null
}

function isOfThisMachine(domain: string): boolean {
  const hostname = domain.replace(/:\d+$/, '').replaceAll(/[[\]]/g, '')
  return hostname === 'localhost' || isIP(hostname) !== 0
}
