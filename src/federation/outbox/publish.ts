import type { Ctx } from '#ports/ctx.ts'
import { listAcceptedRelays } from '#domain/federation/relays/relays.ts'
import type { JsonObject } from '../kit/json.ts'
import { ensureSigningKeys } from '../signatures/signing-keys.ts'
import { jsonLdContext, provenContext } from '../objects/context.ts'
import { addProof } from '../signatures/integrity-proof.ts'
import { signLinkedData } from '../signatures/ld-signature.ts'
import { enqueue } from './enqueue.ts'
import type { AccountId } from '#lib/id.ts'

export interface Publication {
  /** Whose activity it is; null: the instance actor's. */
  senderId: AccountId | null
  /** Without `@context`. */
  activity: JsonObject
  inboxes: readonly string[]
  /**
   * `open`: anybody may pass it on, so it proves where it comes from (FEP-8b32). `relayed`: relays are asked to, which
   * believe JSON-LD signatures only. Default: it is between those who get it.
   */
  reach?: 'open' | 'relayed'
  synchronise?: boolean
  /** As of `enqueue`. */
  severing?: boolean
}

/** Sends an activity, built once, to inboxes and, where it is for everybody, to relays. */
export async function publish(ctx: Ctx, publication: Publication): Promise<void> {
  const { senderId, activity, inboxes, reach, synchronise = false, severing = false } = publication
  const relays = reach === 'relayed' ? await listAcceptedRelays(ctx) : []
  if (inboxes.length > 0) {
    const document =
      reach === undefined ? { '@context': jsonLdContext, ...activity } : await prove(ctx, senderId, activity)
    await enqueue(ctx, { senderId, activity: document, inboxes, synchronise, severing })
  }
  if (relays.length > 0) {
    const { rsa } = await ensureSigningKeys(ctx, senderId)
    const signed = await signLinkedData({ '@context': jsonLdContext, ...activity }, rsa, ctx.clock.now())
    await enqueue(ctx, { senderId, activity: signed, inboxes: relays.map((relay) => relay.inbox_url) })
  }
}

async function prove(ctx: Ctx, senderId: AccountId | null, activity: JsonObject): Promise<JsonObject> {
  const { ed25519 } = await ensureSigningKeys(ctx, senderId)
  const key = { privateKey: ed25519.privateKey, verificationMethod: ed25519.id, created: ctx.clock.now() }
  return addProof({ '@context': provenContext, ...activity }, key)
}
