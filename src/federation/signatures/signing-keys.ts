// The keys with which local accounts and the instance actor sign. Made when first needed, kept in memory once read.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { findSigningKeys, insertSigningKeys } from '#domain/federation/queue/keys.ts'
import { actorUri } from '#domain/server/instance/urls.ts'
import type { SigningPems } from '#ports/activity-pub.ts'
import type { Ctx } from '#ports/ctx.ts'
import { createSingleFlight } from '#lib/concurrency/single-flight.ts'
import { generateEd25519Keys, generateRsaKeys } from './generate-keys.ts'
import { encodeMultikey } from './multikey.ts'
import { instanceActorUri } from '../kit/uris.ts'
import type { AccountId } from '#lib/id.ts'

export interface SigningKeys {
  /** The actor whose keys they are. */
  actorUri: string
  rsa: { id: string; privateKey: KeyObject; publicKeyPem: string }
  /** For integrity proofs (FEP-8b32). */
  ed25519: { id: string; privateKey: KeyObject; publicKeyMultibase: string }
}

/** A pair of keys takes some 5 KB. */
const maxKept = 2_000
/** How long keys are used without looking whether another process replaced them, in milliseconds. */
const keptFor = 60_000

interface Kept {
  keys: SigningKeys
  readAt: number
}

const kept = new WeakMap<Ctx, LRUCache<string, Kept>>()
const share = createSingleFlight<SigningKeys>()

function cacheOf(ctx: Ctx): LRUCache<string, Kept> {
  const cache = kept.get(ctx) ?? new LRUCache<string, Kept>({ max: maxKept })
  kept.set(ctx, cache)
  return cache
}

/**
 * The keys of a local account, or of the instance actor (null); made when there are none yet. `anew`: as they are now,
 * even if another process has just replaced them. Throws when the account is not one of this server.
 */
export async function ensureSigningKeys(
  ctx: Ctx,
  accountId: AccountId | null,
  { anew = false } = {},
): Promise<SigningKeys> {
  const name = accountId ?? 'instance'
  const known = anew ? undefined : cacheOf(ctx).get(name)
  if (known && ctx.clock.now() - known.readAt < keptFor) return known.keys
  return share(ctx, name, async () => {
    const keys = await readOrMake(ctx, accountId)
    cacheOf(ctx).set(name, { keys, readAt: ctx.clock.now() })
    return keys
  })
}

async function readOrMake(ctx: Ctx, accountId: AccountId | null): Promise<SigningKeys> {
  const stored = await findSigningKeys(ctx, accountId)
  if (!stored) throw new Error('only accounts of this server have keys')
  if (stored.pems) return build(ctx, stored.username, stored.pems)
  await insertSigningKeys(ctx, accountId, await ctx.activityPub.generateKeys())
  const made = await findSigningKeys(ctx, accountId)
  if (!made?.pems) throw new Error('the new keys were not stored')
  return build(ctx, made.username, made.pems)
}

/** New pairs of keys. */
export async function generateSigningPems(): Promise<SigningPems> {
  const [rsa, ed25519] = await Promise.all([generateRsaKeys(), generateEd25519Keys()])
  return {
    rsaPrivate: rsa.privateKey,
    rsaPublic: rsa.publicKey,
    ed25519Private: ed25519.privateKey,
    ed25519Public: ed25519.publicKey,
  }
}

function build(ctx: Ctx, username: string | null, pems: SigningPems): SigningKeys {
  const uri = username === null ? instanceActorUri(ctx.config) : actorUri(ctx.config, username)
  return {
    actorUri: uri,
    rsa: {
      id: `${uri}#main-key`,
      privateKey: createPrivateKey(pems.rsaPrivate),
      publicKeyPem: pems.rsaPublic,
    },
    ed25519: {
      id: `${uri}#ed25519-key`,
      privateKey: createPrivateKey(pems.ed25519Private),
      publicKeyMultibase: encodeMultikey(createPublicKey(pems.ed25519Public)),
    },
  }
}
