// Fetches other servers' files before somebody looks, or again.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import { timeToId } from '#lib/ids.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { removeCopies } from './cache.ts'
import { fetchRemoteMedia } from './fetch-remote.ts'
import { loadMedia } from './load.ts'
import type { AccountId, IdCursor, MediaId, StatusId } from '#lib/id.ts'

const day = 86_400_000
const batch = 100
/** Files of one server in a row that it did not give before the others are left alone. */
const maxFailures = 3

/** What carries the files: one status, all of an account or a domain, or all of the last days. */
export type MediaChoice =
  | { statusId: StatusId }
  | { accountId: AccountId }
  | { domain: string }
  | { days: number }

export interface RefetchOptions {
  /** Also files of which there is a copy, which is thrown away first. */
  force?: boolean
  /** Files at a time. */
  concurrency?: number
  dryRun?: boolean
  /** Called after each file. */
  onDone?: () => void
}

export interface Refetched {
  fetched: number
  /** Those that could not be had. */
  failed: number
  bytes: number
  /** Domains that do not answer, whose other files were passed over. */
  unreachable: string[]
}

/** Fetches what is missing of the chosen files. Rejects with `unavailable` when they cannot be stored. */
export async function refetchMedia(
  ctx: Ctx,
  choice: MediaChoice,
  { force = false, concurrency = 5, dryRun = false, onDone = () => {} }: RefetchOptions = {},
): Promise<Refetched> {
  const total = { fetched: 0, failed: 0, bytes: 0 }
  const failures = new Map<string, number>()
  await inParallel(listChosen(ctx, choice, force), concurrency, async ({ id, domain }) => {
    const before = failures.get(domain) ?? 0
    if (before < maxFailures) {
      const outcome = dryRun ? 0 : await refetch(ctx, id, force)
      failures.set(domain, outcome === 'away' ? before + 1 : 0)
      if (typeof outcome === 'number') total.fetched += 1
      else total.failed += 1
      total.bytes += typeof outcome === 'number' ? outcome : 0
    }
    onDone()
  })
  const unreachable = [...failures].filter(([, count]) => count >= maxFailures).map(([domain]) => domain)
  return { ...total, unreachable: unreachable.toSorted() }
}

/** Bytes of the copy, or why there is none. */
async function refetch(ctx: Ctx, id: MediaId, force: boolean): Promise<number | 'gone' | 'away'> {
  if (force) await removeCopies(ctx, [id])
  const media = (await loadMedia(ctx, [id])).get(id)
  if (!media) return 'gone'
  try {
    await fetchRemoteMedia(ctx, media, 'original')
  } catch (error) {
    if (isAppError(error, 'not_found')) return 'gone'
    if (isAppError(error, 'unavailable')) return 'away'
    throw error
  }
  const { rows } = await sql<{ bytes: number }>`
    select (original_bytes + preview_bytes)::float8 as bytes from media_attachments where id = ${id}`.execute(
    ctx.db,
  )
  return rows[0]?.bytes ?? 0
}

const isChosen = (reader: Reader, choice: MediaChoice) => {
  if ('statusId' in choice) {
    return sql<boolean>`m.status_id = (
      select coalesce(reblog_of_id, id) from statuses where id = ${choice.statusId})`
  }
  if ('accountId' in choice) return sql<boolean>`m.account_id = ${choice.accountId}`
  if ('domain' in choice) return sql<boolean>`a.domain = ${choice.domain}`
  return sql<boolean>`m.id > ${timeToId(reader.clock.now() - choice.days * day)}`
}

const isWanted = (force: boolean) => sql<boolean>`a.domain is not null and a.suspended_at is null
  and m.remote_url is not null and m.status_id is not null and (${force} or m.original_key is null)`

/** How many files are chosen. */
export async function countMedia(reader: Reader, choice: MediaChoice, force = false): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from media_attachments m join accounts a on a.id = m.account_id
    where ${isWanted(force)} and ${isChosen(reader, choice)}`.execute(reader.db)
  return rows[0]?.count ?? 0
}

async function* listChosen(
  ctx: Ctx,
  choice: MediaChoice,
  force: boolean,
): AsyncGenerator<{ id: MediaId; domain: string }> {
  for (let after: IdCursor = '0'; ;) {
    const { rows } = await sql<{ id: MediaId; domain: string }>`
      select m.id, a.domain from media_attachments m join accounts a on a.id = m.account_id
      where m.id > ${after} and ${isWanted(force)} and ${isChosen(ctx, choice)}
      order by m.id limit ${batch}`.execute(ctx.db)
    yield* rows
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? after
  }
}
