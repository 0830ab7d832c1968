// Passes on what others must hear of and cannot hear from its author, who does not know of them. Whoever gets it takes it
// for a hint where to look, or checks the proof that came with it.
import { createHash } from 'node:crypto'
import { listForwarding, type ForwardedFact } from '#domain/federation/queue/forwarding.ts'
import type { Ctx } from '#ports/ctx.ts'
import { mayTry } from '../fetch/failures.ts'
import { hostOf, toId, toObject, typeOf, type JsonObject } from '../kit/json.ts'
import { enqueue } from '../outbox/enqueue.ts'
import type { Incoming } from './kit/handler.ts'

/** To the followers of local people who were answered, or who boosted or quoted what it is about. As it came. */
export async function forwardActivity(ctx: Ctx, incoming: Incoming): Promise<void> {
  const facts = toForwardedFacts(incoming)
  if (facts.length === 0 || !(await isBearable(ctx, incoming)) || !(await isFirst(ctx, incoming))) return
  for (const one of facts) {
    const senders = await listForwarding(ctx, one, hostOf(incoming.actor.uri) ?? '')
    for (const [senderId, inboxes] of senders)
      await enqueue(ctx, { senderId, activity: incoming.json, inboxes, copy: true })
  }
}

/** Characters, and times within so many seconds: what one sends goes to many from here. */
const maxSize = 64 * 1024
const often = { kind: 'forwards', max: 300, seconds: 3600 }

async function isBearable(ctx: Ctx, { actor, json }: Incoming): Promise<boolean> {
  return JSON.stringify(json).length <= maxSize && mayTry(ctx, { ...often, name: actor.uri })
}

/** In seconds: longer than anybody tries to deliver something. */
const remembered = 3 * 86_400

/** What arrives again, by another inbox or later, is not passed on again. */
async function isFirst(ctx: Ctx, { id, actor }: Incoming): Promise<boolean> {
  const name = createHash('sha256').update(`${actor.uri} ${id}`).digest('base64url')
  return id !== null && ctx.kv.setIfAbsent(`forwarded:${name}`, '1', remembered).catch(() => false)
}

function toForwardedFacts({ actor, json, type }: Incoming): ForwardedFact[] {
  const uri = toId(json['object'])
  if (uri === null || uri === actor.uri) return []
  const object = toObject(json['object'])
  // Most servers believe only what carries a proof; of new replies that is worth it, not of what ought to vanish.
  if (type === 'Create') return isProven(json) && object?.['inReplyTo'] ? [{ reply: uri }] : []
  if (type === 'Delete')
    return typeOf(object) === 'QuoteAuthorization' ? [{ stamp: uri }] : [{ status: uri }, { stamp: uri }]
  // Without a time it is no edit: votes and counters are nobody else's.
  return type === 'Update' && object?.['updated'] ? [{ status: uri }] : []
}

const isProven = (json: JsonObject) => json['signature'] !== undefined || json['proof'] !== undefined
