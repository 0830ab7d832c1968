// A status of another server becomes one here: as createStatus does for those of this server's people.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { compareIds, timeToId } from '#lib/ids.ts'
import { insertRemoteStatuses, type NewRemoteStatus } from './insert-remote-statuses.ts'
import type { RemoteStatus } from './remote-status.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface SaveOptions {
  /** It gets an id of now, as what has just arrived; otherwise one of when it was published. */
  arriving: boolean
  /** It is news to nobody but this server: see the event. */
  past: boolean
  /** Names under which it may be known to be deleted. */
  tombstones: readonly string[]
  /**
   * Which of these names are those of what was deleted. Asked first in the transaction, which holds until it ends what
   * this has locked. It is the same for all statuses.
   */
  findTombstones(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>>
  /** What follows from it besides `status.created`. */
  onSaved?(tx: Tx, id: StatusId): Promise<void>
}

export interface SavedStatus {
  id: StatusId
  /** It had been stored before, and was left as it is. */
  known: boolean
}

/**
 * Stores a status of another server once, however many bring it at the same time, and emits `status.created`. Null when
 * it was deleted before, or its author is suspended or gone. Those that come at the same time share a transaction.
 */
export async function saveRemoteStatus(
  ctx: Ctx,
  status: RemoteStatus,
  options: SaveOptions,
): Promise<SavedStatus | null> {
  return save(ctx, { status, options })
}

interface Arrival {
  status: RemoteStatus
  options: SaveOptions
}

const save = createBatchLoader<Ctx, Arrival, SavedStatus | null>({ max: 16, run: saveAll })

async function saveAll(ctx: Ctx, arrivals: readonly Arrival[]): Promise<(SavedStatus | null)[]> {
  // In one order, so that processes wait for each other in one direction. Those of one author stay as they came.
  const sorted = arrivals.toSorted((a, b) => compareIds(a.status.author.id, b.status.author.id))
  const saved = await ctx.transaction(async (tx) => {
    const results = decide(tx, sorted, await look(tx, sorted))
    const fresh = [...results].flatMap(([arrival, result]) =>
      result && !result.known ? [{ ...arrival, id: result.id }] : [],
    )
    await insertRemoteStatuses(tx, fresh)
    for (const one of fresh) await emitCreated(tx, one)
    return results
  })
  return arrivals.map((arrival) => saved.get(arrival) ?? null)
}

/** What becomes of each: one that comes twice is known the second time. */
function decide(
  tx: Tx,
  arrivals: readonly Arrival[],
  found: readonly Found[],
): Map<Arrival, SavedStatus | null> {
  const fresh = new Map<string, StatusId>()
  return new Map(
    arrivals.map((arrival, index) => {
      const twin = fresh.get(arrival.status.uri)
      const result = twin === undefined ? decideOne(tx, found[index] as Found) : { id: twin, known: true }
      if (result && !result.known) fresh.set(arrival.status.uri, result.id)
      return [arrival, result]
    }),
  )
}

function decideOne(tx: Tx, found: Found): SavedStatus | null {
  if (found.tombstoned) return null
  if (found.known !== null) return found.deleted ? null : { id: found.known, known: true }
  if (!found.author_there) return null
  return { id: found.wanted === null || found.taken ? tx.newId<StatusId>() : found.wanted, known: false }
}

async function emitCreated(tx: Tx, { id, options }: NewRemoteStatus & Arrival): Promise<void> {
  await tx.emit({ type: 'status.created', statusId: id, ...(options.past && { past: true }) })
  await options.onSaved?.(tx, id)
}

interface Found {
  tombstoned: boolean
  known: StatusId | null
  deleted: boolean
  /** The id of when it was published; null when it gets one of now. */
  wanted: StatusId | null
  taken: boolean
  author_there: boolean
}

/** Of ids of one time, which most servers tell in whole seconds, the later one is larger; processes begin anywhere. */
let place = Math.floor(Math.random() * 65_536)

/** What is there already, in the order of the arrivals. */
async function look(tx: Tx, arrivals: readonly Arrival[]): Promise<Found[]> {
  const found = await arrivals[0]?.options.findTombstones(
    tx,
    arrivals.flatMap(({ options }) => options.tombstones),
  )
  const wanted = arrivals.map(({ status, options }) =>
    options.arriving ? null : timeToId(status.createdAt.getTime(), (place += 1)),
  )
  const { rows } = await sql<Omit<Found, 'tombstoned'>>`
    select w.id as wanted, k.id as known, k.deleted_at is not null as deleted,
      exists (select 1 from statuses t where t.id = w.id offset 0) as taken,
      a.id is not null as author_there
    from unnest(${wanted}::bigint[], ${arrivals.map(({ status }) => status.uri)}::text[],
      ${arrivals.map(({ status }) => status.author.id)}::bigint[]) with ordinality w (id, uri, author_id, place)
    left join statuses k on k.uri = w.uri
    left join accounts a on a.id = w.author_id and a.suspended_at is null and a.deleted_at is null
    order by w.place`.execute(tx.db)
  return rows.map((row, index) => ({
    ...row,
    tombstoned: arrivals[index]?.options.tombstones.some((name) => found?.has(name)) ?? false,
  }))
}

/**
 * Lets somebody see a status of another server because it was sent to them: they are named silently. What was for those
 * named alone is then for a few. Idempotent.
 */
export async function addReader(ctx: Ctx, statusId: StatusId, accountId: AccountId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      insert into mentions (status_id, account_id, silent)
      select s.id, a.id, true from statuses s join accounts a on a.id = ${accountId} and a.domain is null
      where s.id = ${statusId} and not s.local and s.visibility not in ('public', 'unlisted')
        and s.deleted_at is null
      on conflict do nothing returning account_id`.execute(tx.db)
    if (rows.length === 0) return
    await sql`
      with opened as (
        update statuses set visibility = 'limited', version = version + 1
        where id = ${statusId} and visibility = 'direct' returning account_id)
      update account_stats set statuses_count = statuses_count + 1
      where account_id in (select account_id from opened)`.execute(tx.db)
  })
}
