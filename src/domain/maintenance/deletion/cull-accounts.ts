// Accounts of other servers that are not there any more, found by asking.
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { unavailableAfter } from '#domain/server/hosts/breaker.ts'
import { removeRemoteAccount } from './remove-account.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

const batch = 200
/** Whoever was read, or wrote, within this time is there: milliseconds. */
const recent = 7 * 86_400_000

export interface CullOptions {
  /** Only accounts of these domains, as handles have them. Without any: of all. */
  domains?: readonly string[]
  /** Requests at a time. */
  concurrency?: number
  dryRun?: boolean
  /** Called after each account that was looked at. */
  onDone?: () => void
}

export interface Culled {
  checked: number
  /** Handles of those that are gone. */
  culled: string[]
  /** Servers that do not answer. Their accounts stay. */
  unreachable: string[]
}

interface Candidate {
  id: AccountId
  handle: string
  host: string
  /** Its server was given up, or is left alone for now. */
  away: boolean
}

const isCandidate = (reader: Reader, domains: readonly string[]) => {
  const since = new Date(reader.clock.now() - recent)
  return sql<boolean>`a.domain is not null and a.deleted_at is null and a.uri is not null and a.inbox_url is not null
    and (a.fetched_at is null or a.fetched_at < ${since})
    and (${domains.length === 0} or a.domain = any(${domains}::text[]))
    and not exists (
      select 1 from account_stats t where t.account_id = a.id and t.last_status_at >= ${since} offset 0)
    and not exists (
      select 1 from reports r where r.target_account_id = a.id and r.action_taken_at is null offset 0)`
}

/** How many accounts `cullAccounts` would ask for. */
export async function countCullable(reader: Reader, domains: readonly string[] = []): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from accounts a where ${isCandidate(reader, domains)}`.execute(reader.db)
  return rows[0]?.count ?? 0
}

/**
 * Asks for each account of another server of which nothing was heard for a week, and removes those that are gone. They
 * leave no trace, so that one that comes back can be met again. A server that does not answer is not asked again, and
 * those about which a report is open stay. A run that is ended can be begun again.
 */
export async function cullAccounts(ctx: Ctx, staff: Staff, options: CullOptions = {}): Promise<Culled> {
  const { domains = [], concurrency = 5, dryRun = false, onDone = () => {} } = options
  const result: Culled = { checked: 0, culled: [], unreachable: [] }
  const unreachable = new Set<string>()
  const pace = createEventPace(ctx)
  try {
    await inParallel(listCandidates(ctx, domains), concurrency, async ({ id, handle, host, away }) => {
      if (away) unreachable.add(host)
      const presence = unreachable.has(host) ? 'away' : await ctx.remote.probeAccount(id)
      if (presence === 'away') unreachable.add(host)
      else result.checked += 1
      if (presence === 'gone') {
        if (!dryRun) await removeRemoteAccount(ctx, id, pace)
        result.culled.push(handle)
      }
      onDone()
    })
  } finally {
    if (!dryRun && result.culled.length > 0) await record(ctx, staff, result.culled.length)
  }
  return { ...result, unreachable: [...unreachable].toSorted() }
}

async function record(ctx: Ctx, staff: Staff, removed: number): Promise<void> {
  await ctx.transaction((tx) =>
    recordAction(tx, staff, { action: 'cull', targetType: 'account', details: { removed } }),
  )
}

async function* listCandidates(ctx: Ctx, domains: readonly string[]): AsyncGenerator<Candidate> {
  for (let after: IdCursor = '0'; ;) {
    const { rows } = await sql<Candidate>`
      select a.id, a.username || '@' || a.domain as handle, coalesce(a.uri_host, a.domain) as host,
        coalesce(h.failed_days >= ${unavailableAfter} or h.closed_until > ${new Date(ctx.clock.now())}, false) as away
      from accounts a left join hosts h on h.host = coalesce(a.uri_host, a.domain)
      where a.id > ${after} and ${isCandidate(ctx, domains)} order by a.id limit ${batch}`.execute(ctx.db)
    yield* rows
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? after
  }
}
