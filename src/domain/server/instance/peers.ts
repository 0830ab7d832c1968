import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { createTimed } from './document-cache.ts'

/** The domains of known accounts but for suspended ones, in order; at most ten minutes old. */
export const getPeers = createTimed(10 * 60_000, readPeers)

/** Steps from one domain to the next along the index, however many accounts each has. */
async function readPeers(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    with recursive peers as (
      (select domain from accounts where domain is not null order by domain limit 1)
      union all
      select (select a.domain from accounts a where a.domain > p.domain order by a.domain limit 1)
      from peers p where p.domain is not null)
    select domain from peers p
    where domain is not null and not exists (
      select 1 from domain_blocks b where b.severity = 'suspend'
        and (p.domain = b.domain or p.domain like '%.' || b.domain))`.execute(reader.db)
  return rows.map((row) => row.domain)
}

/** Up to ten peers that begin with a text, then those that hold it. */
export async function searchPeers(reader: Reader, text: string): Promise<string[]> {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const found = (await getPeers(reader)).filter((domain) => domain.includes(wanted))
  const first = found.filter((domain) => domain.startsWith(wanted))
  return [...first, ...found.filter((domain) => !domain.startsWith(wanted))].slice(0, 10)
}

export interface ShownDomainBlock {
  /** With `*` in place of letters when the moderators want that. */
  domain: string
  /** SHA-256 of the whole domain, hex. */
  digest: string
  severity: 'silence' | 'suspend'
  comment: string | null
}

/** The domains that are limited or suspended, the hardest first, as the public may see them. */
export async function listShownDomainBlocks(reader: Reader): Promise<ShownDomainBlock[]> {
  const { rows } = await sql<{
    domain: string
    severity: 'silence' | 'suspend'
    obfuscate: boolean
    comment: string | null
  }>`
    select domain, severity, obfuscate, public_comment as comment from domain_blocks
    where severity in ('silence', 'suspend') order by severity desc, domain`.execute(reader.db)
  return rows.map((row) => ({
    domain: row.obfuscate ? obfuscate(row.domain) : row.domain,
    digest: createHash('sha256').update(row.domain).digest('hex'),
    severity: row.severity,
    comment: row.comment,
  }))
}

/** Dots and the outer quarters stay readable. */
function obfuscate(domain: string): string {
  const shown = Math.floor(domain.length / 4)
  const hide = (character: string, index: number) =>
    character === '.' || index < shown || index >= domain.length - shown ? character : '*'
  return [...domain].map(hide).join('')
}
