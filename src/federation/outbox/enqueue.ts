import { createHash } from 'node:crypto'
import type { Ctx } from '#ports/ctx.ts'
import { insertOutgoing, type Destination } from '#domain/federation/queue/delivery-queue.ts'
import { checkOutgoingUrl } from '#lib/net/outgoing-url.ts'
import { hostOf, type JsonObject } from '../kit/json.ts'
import type { AccountId } from '#lib/id.ts'

export interface Sending {
  /** Who acts and signs; null: the instance actor. */
  senderId: AccountId | null
  /** Whole, with its context and whatever proof it has. */
  activity: JsonObject
  /** Each once or more. Those that are not addresses of other servers are passed over. */
  inboxes: readonly string[]
  /** The header of FEP-8fcf goes along. */
  synchronise?: boolean
  /** It ends something between two people: a host with which this server has broken off gets it all the same. */
  severing?: boolean
  /** It is somebody else's and passed on: each who does so has a copy. */
  copy?: boolean
}

/**
 * Stores an activity to be delivered to inboxes, each once. Again, while it waits, changes nothing. A copy with a
 * JSON-LD signature is another activity than the one without.
 */
export async function enqueue(
  ctx: Ctx,
  { senderId, activity, inboxes, synchronise = false, severing = false, copy = false }: Sending,
): Promise<void> {
  const destinations = toDestinations(ctx, inboxes)
  if (destinations.length === 0) return
  const kind = activity['signature'] === undefined ? '' : 'signed'
  const name = [activity['id'], kind, ...(copy ? [senderId] : [])].join(' ')
  const digest = createHash('sha256').update(name).digest()
  const body = JSON.stringify(activity)
  await insertOutgoing(ctx, { senderId, digest, body, synchronise, severing }, destinations)
}

function toDestinations({ config }: Ctx, inboxes: readonly string[]): Destination[] {
  return [...new Set(inboxes)].flatMap((inboxUrl) => {
    const host = checkOutgoingUrl(config, inboxUrl).url ? hostOf(inboxUrl) : null
    return host === null ? [] : [{ inboxUrl, host }]
  })
}
