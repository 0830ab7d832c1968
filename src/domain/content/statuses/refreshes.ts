// What is fetched from other servers while somebody looks, as clients can follow it
// (https://docs.joinmastodon.org/api/async-refreshes/). It is short and may be forgotten, so it is kept with what may be
// lost.
import type { Ctx } from '#ports/ctx.ts'
import { mayLookUp } from '#domain/server/hosts/look-ups.ts'
import { isThreadStale } from './reply-trees.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** What is fetched: the replies to a status, or the posts of an account. */
export type Refreshed =
  | { readonly kind: 'thread'; readonly id: StatusId }
  | { readonly kind: 'account'; readonly id: AccountId }

export interface Refresh {
  status: 'running' | 'finished'
  /** Posts that have come so far. */
  resultCount: number
}

/** How long one is known, in seconds. */
const keptFor = 3600
/** How often the posts of an account are asked for, in seconds. */
const accountsEvery = 900

const keyOf = ({ kind, id }: Refreshed) => `${kind}-refresh:${id}`
/** Of the job that fetches. */
const jobKeyOf = ({ kind, id }: Refreshed) => `${kind === 'thread' ? 'replies' : 'posts'}:${id}`

/** Null when none is known. One whose job is gone, as when its process was killed, has ended: nobody says so any more. */
export async function findRefresh(ctx: Ctx, what: Refreshed): Promise<Refresh | null> {
  const known = await readRefresh(ctx, what)
  if (known?.status !== 'running' || (await ctx.jobs.isPending(jobKeyOf(what)))) return known
  // It may have ended in between.
  const latest = await readRefresh(ctx, what)
  return latest && { ...latest, status: 'finished' }
}

async function readRefresh(ctx: Ctx, what: Refreshed): Promise<Refresh | null> {
  const text = await ctx.kv.get(keyOf(what)).catch(() => null)
  return text === null ? null : (JSON.parse(text) as Refresh)
}

/** Says how far one has come. */
export async function recordRefresh(ctx: Ctx, what: Refreshed, refresh: Refresh): Promise<void> {
  await ctx.kv.set(keyOf(what), JSON.stringify(refresh), keptFor).catch(() => {})
}

/**
 * Has the replies to a status of another server fetched in the background for who looks at it, when it is time to. Returns
 * what is under way; null when nothing is.
 */
export const refreshThread = (ctx: Ctx, viewerId: AccountId, statusId: StatusId): Promise<Refresh | null> =>
  refresh(ctx, viewerId, {
    what: { kind: 'thread', id: statusId },
    isDue: () => isThreadStale(ctx, statusId),
    start: (key) => ctx.jobs.add('fetch-replies', { statusId }, { key, maxAttempts: 1, background: true }),
  })

/**
 * Has the latest posts of an account of another server fetched in the background for who looks at it, and what it pins
 * and counts, every quarter of an hour at most. Returns what is under way; null when nothing is.
 */
export function refreshPosts(ctx: Ctx, viewerId: AccountId, accountId: AccountId): Promise<Refresh | null> {
  const asked = `posts-asked:${accountId}`
  return refresh(ctx, viewerId, {
    what: { kind: 'account', id: accountId },
    // Without a store nobody knows when it was last asked for.
    isDue: async () => (await ctx.kv.get(asked).catch(() => 'perhaps')) === null,
    async start(key) {
      await ctx.kv.set(asked, '1', accountsEvery).catch(() => {})
      await ctx.jobs.add('fetch-posts', { accountId }, { key, maxAttempts: 1, background: true })
    },
  })
}

interface Work {
  what: Refreshed
  isDue: () => Promise<boolean>
  /** Adds the job, with its key. */
  start: (key: string) => Promise<unknown>
}

async function refresh(ctx: Ctx, viewerId: AccountId, work: Work): Promise<Refresh | null> {
  const earlier = await findRefresh(ctx, work.what)
  if (earlier?.status === 'running') return earlier
  if (!(await work.isDue()) || !(await mayLookUp(ctx, viewerId))) return null
  const begun: Refresh = { status: 'running', resultCount: 0 }
  await recordRefresh(ctx, work.what, begun)
  await work.start(jobKeyOf(work.what))
  return begun
}
