import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { withParentDomains } from '#lib/acct.ts'

/**
 * Whether this server has broken off with a host, or with a domain above it: nothing is sent there or asked from there.
 * `hostname` is normalised, without a port.
 */
export async function isHostBlocked({ db }: Pick<Reader, 'db'>, hostname: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domain_blocks
    where severity = 'suspend' and domain = any(${withParentDomains(hostname)}::text[]) limit 1`.execute(db)
  return rows.length > 0
}
