// The header by which another server can tell whether it knows the same followers as this one (FEP-8fcf,
// https://w3id.org/fep/8fcf).
import { LRUCache } from 'lru-cache'
import type { Ctx } from '#ports/ctx.ts'
import { loadParties } from '#domain/federation/queue/federated-facts.ts'
import { loadFollowerDigests } from '#domain/federation/queue/follower-digests.ts'
import type { AccountId, OutgoingActivityId } from '#lib/id.ts'

/** Nobody compares lists longer than this. */
const maxSynchronised = 25_000
const maxKept = 100
/** While an activity goes out; one that is tried again later tells what is true then, in milliseconds. */
const keptFor = 60_000

interface Digests {
  actor: string
  /** By host. */
  digests: ReadonlyMap<string, string>
}

const kept = new WeakMap<Ctx, LRUCache<string, Promise<Digests | null>>>()

/**
 * The headers that go with an activity to a host; none where no follower lives there, so that a server whose inbox is at
 * another host than its actors is not told that it has none.
 */
export async function synchronisationHeaders(
  ctx: Ctx,
  { senderId, activityId, host }: { senderId: AccountId; activityId: OutgoingActivityId; host: string },
): Promise<Record<string, string>> {
  const found = await recall(ctx, senderId, activityId)
  const digest = found?.digests.get(host)
  if (!found || digest === undefined) return {}
  const parts = {
    collectionId: `${found.actor}/followers`,
    url: `${found.actor}/followers_synchronization`,
    digest,
  }
  const text = Object.entries(parts).map(([name, value]) => `${name}="${value}"`)
  return { 'collection-synchronization': text.join(', ') }
}

/** Computed once for all hosts to which an activity goes. */
function recall(ctx: Ctx, senderId: AccountId, activityId: OutgoingActivityId): Promise<Digests | null> {
  const cache = kept.get(ctx) ?? new LRUCache({ max: maxKept, ttl: keptFor })
  kept.set(ctx, cache)
  const known = cache.get(activityId)
  if (known) return known
  const loading = load(ctx, senderId)
  cache.set(activityId, loading)
  loading.catch(() => cache.delete(activityId))
  return loading
}

async function load(ctx: Ctx, senderId: AccountId): Promise<Digests | null> {
  const sender = (await loadParties(ctx, [senderId])).get(senderId)
  const digests = await loadFollowerDigests(ctx, senderId, maxSynchronised)
  return sender && digests ? { actor: sender.uri, digests } : null
}
