// What a block of a server means for its accounts that are known here. Their limits carry the time at which the block
// was made, so that lifting it ends just these.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { namesOf } from '#domain/server/hosts/may-federate.ts'
import { listHostsBelow, type HostPair } from '#domain/server/hosts/hosts-below.ts'
import type { AccountId } from '#lib/id.ts'

const batch = 500

interface Standing {
  silencedAt: Date | null
  suspendedAt: Date | null
  /** When the blocks that hold for it were made. */
  times: Date[]
}

/**
 * Limits and suspends the accounts of a domain, and those below it, as the blocks say that there are now. `lifted`: the
 * time of a block that there is no more. Safe to run again.
 */
export async function limitHosts(ctx: Ctx, domain: string, lifted: Date | null = null): Promise<void> {
  for (const pair of await listHostsBelow(ctx, domain)) {
    const standing = await readStanding(ctx, pair)
    const times = lifted ? [...standing.times, lifted] : standing.times
    while ((await limitSome(ctx, pair, { ...standing, times })) === batch);
  }
}

/** Has what a block of its server demands hold for a locked account whose own limit of that kind has ended. */
export async function limitByHost(tx: Tx, accountId: AccountId, kind: 'silence' | 'suspend'): Promise<void> {
  const { rows } = await sql<HostPair>`
    select domain, uri_host as "uriHost" from accounts where id = ${accountId} and domain is not null`.execute(
    tx.db,
  )
  if (!rows[0]) return
  const { silencedAt, suspendedAt } = await readStanding(tx, rows[0])
  const at = kind === 'silence' ? silencedAt : suspendedAt
  if (at === null) return
  const column = sql.ref(kind === 'silence' ? 'silenced_at' : 'suspended_at')
  await sql`
    update accounts set ${column} = ${at}, version = version + 1, updated_at = ${new Date(tx.clock.now())}
    where id = ${accountId} and ${column} is null`.execute(tx.db)
}

/** The oldest block counts. */
async function readStanding(reader: Reader, { domain, uriHost }: HostPair): Promise<Standing> {
  const names = [...namesOf(domain), ...(uriHost === null ? [] : namesOf(uriHost))]
  const { rows } = await sql<{ severity: string; created_at: Date }>`
    select severity, created_at from domain_blocks where domain = any(${names}::text[]) order by created_at`.execute(
    reader.db,
  )
  const first = (severity: string) => rows.find((row) => row.severity === severity)?.created_at ?? null
  return {
    silencedAt: first('silence'),
    suspendedAt: first('suspend'),
    times: rows.map((row) => row.created_at),
  }
}

/** What staff decided about an account alone stays, and so does what its own server says of it. */
async function limitSome(
  ctx: Ctx,
  { domain, uriHost }: HostPair,
  { silencedAt, suspendedAt, times }: Standing,
): Promise<number> {
  const now = new Date(ctx.clock.now())
  const silenced = sql`case when silenced_at is null or silenced_at = any(${times}::timestamptz[])
    then ${silencedAt}::timestamptz else silenced_at end`
  const suspended = sql`case when suspended_at is null or suspended_at = any(${times}::timestamptz[])
    then coalesce(${suspendedAt}::timestamptz, case when suspended_by_origin then coalesce(fetched_at, ${now}) end)
    else suspended_at end`
  const { rows } = await sql`
    update accounts set silenced_at = ${silenced}, suspended_at = ${suspended}, version = version + 1, updated_at = ${now}
    where id = any(array(
      select id from accounts
      where domain = ${domain} and uri_host is not distinct from ${uriHost} and deleted_at is null
        and (silenced_at is distinct from (${silenced}) or suspended_at is distinct from (${suspended}))
      order by id limit ${batch} for no key update))
    returning id`.execute(ctx.db)
  return rows.length
}
