import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { withParentDomains } from '#lib/acct.ts'

/**
 * Whether this server has broken off with a host, or with a domain above it: nothing is sent there or asked from there.
 * The host is normalised, without a port. Many at once are one query: a post goes to many.
 */
export const isHostBlocked = createBatchLoader<Pick<Reader, 'db'>, string, boolean>({
  max: 200,
  async run({ db }, hosts) {
    const { rows } = await sql<{ domain: string }>`
      select domain from domain_blocks
      where severity = 'suspend' and domain = any(${[...new Set(hosts.flatMap(withParentDomains))]}::text[])`.execute(
      db,
    )
    const blocked = new Set(rows.map((row) => row.domain))
    return hosts.map((host) => withParentDomains(host).some((domain) => blocked.has(domain)))
  },
})
