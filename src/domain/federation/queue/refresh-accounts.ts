// Reads accounts of other servers again because whoever runs this one wants it.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { unavailableAfter } from '#domain/server/hosts/breaker.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

const batch = 200
/** Accounts of one server in a row that could not be read before the others are left alone. */
const maxFailures = 3

/** Some accounts, those of a domain as handles have it, or all. */
export type RefreshChoice = { ids: readonly AccountId[] } | { domain: string } | 'all'

export interface RefreshOptions {
  /** Requests at a time. */
  concurrency?: number
  dryRun?: boolean
  /** Called after each account. */
  onDone?: () => void
}

export interface Refreshed {
  refreshed: number
  /** Could not be read. They stay as they were. */
  failed: number
  /** Servers that do not answer, whose other accounts were passed over. */
  unreachable: string[]
}

const isChosen = (choice: RefreshChoice) => {
  const known = sql<boolean>`a.domain is not null and a.deleted_at is null and a.uri is not null`
  if (choice === 'all') return known
  return 'ids' in choice
    ? sql<boolean>`${known} and a.id = any(${choice.ids}::bigint[])`
    : sql<boolean>`${known} and a.domain = ${choice.domain}`
}

/** How many accounts of other servers are chosen. */
export async function countChosen(reader: Reader, choice: RefreshChoice): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from accounts a where ${isChosen(choice)}`.execute(reader.db)
  return rows[0]?.count ?? 0
}

/**
 * Reads the documents of accounts of other servers again, whatever their age; pictures that are missing follow by the
 * worker. A server that does not answer for some of them is not asked for the others.
 */
export async function refreshAccounts(
  ctx: Ctx,
  choice: RefreshChoice,
  { concurrency = 5, dryRun = false, onDone = () => {} }: RefreshOptions = {},
): Promise<Refreshed> {
  const result = { refreshed: 0, failed: 0 }
  const failures = new Map<string, number>()
  await inParallel(listChosen(ctx, choice), concurrency, async (account) => {
    const { host } = account
    if (account.away) failures.set(host, maxFailures)
    if ((failures.get(host) ?? 0) < maxFailures) {
      const isRead = dryRun || (await refresh(ctx, account))
      failures.set(host, isRead ? 0 : (failures.get(host) ?? 0) + 1)
      result[isRead ? 'refreshed' : 'failed'] += 1
    }
    onDone()
  })
  const unreachable = [...failures].filter(([, count]) => count >= maxFailures).map(([host]) => host)
  return { ...result, unreachable: unreachable.toSorted() }
}

interface Chosen {
  id: AccountId
  host: string
  fetched_at: Date | null
  /** Its server was given up, or is left alone for now. */
  away: boolean
}

/** Whether there was an answer; one that says that it is gone for good is one. */
async function refresh(ctx: Ctx, { id, fetched_at: before }: Chosen): Promise<boolean> {
  await ctx.remote.refreshAccount(id, { anew: true })
  const { rows } = await sql<{ fetched_at: Date | null; deleted: boolean }>`
    select fetched_at, deleted_at is not null as deleted from accounts where id = ${id}`.execute(ctx.db)
  const now = rows[0]
  return now === undefined || now.deleted || (now.fetched_at?.getTime() ?? 0) > (before?.getTime() ?? 0)
}

async function* listChosen(ctx: Ctx, choice: RefreshChoice): AsyncGenerator<Chosen> {
  for (let after: IdCursor = '0'; ;) {
    const { rows } = await sql<Chosen>`
      select a.id, coalesce(a.uri_host, a.domain) as host, a.fetched_at,
        coalesce(h.failed_days >= ${unavailableAfter} or h.closed_until > ${new Date(ctx.clock.now())}, false) as away
      from accounts a left join hosts h on h.host = coalesce(a.uri_host, a.domain)
      where a.id > ${after} and ${isChosen(choice)} order by a.id limit ${batch}`.execute(ctx.db)
    yield* rows
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? after
  }
}
