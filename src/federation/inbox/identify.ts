// Who signed a request (docs/developers/federation.md): the reading of the signature first, then the key, then the actor's standing.
import type { Signer, SignedRequest } from '#ports/activity-pub.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { parseAcct } from '#lib/acct.ts'
import { hostOf } from '../kit/json.ts'
import { AppError, forbidden, unauthorized } from '#lib/errors.ts'
import { findRemoteKey } from '../keys/find-remote-key.ts'
import { readSignature } from '../signatures/read-signature.ts'
import type { ReadSignature } from '../signatures/received-request.ts'
import { markHostAlive } from './mark-host-alive.ts'

/**
 * Who signed a request; null when it is not signed. Throws `unauthorized` with the reason when the signature is not
 * good, and `forbidden` for a server or an actor with which this one has broken off.
 */
export async function identifySigner(ctx: Ctx, request: SignedRequest): Promise<Signer | null> {
  if (!request.headers.has('signature')) return null
  const signature = readRequest(ctx, request)
  await assertSpokenWith(ctx, signature)
  const actor = await findSigner(ctx, signature, request.sender)
  if (actor.suspended) throw forbidden('account_suspended_here')
  return { accountId: actor.id, uri: actor.uri, host: hostOf(actor.uri) as string }
}

/** Told to another server, in English as all of the protocol. */
const notSigned = (problem: string) => new AppError('unauthorized', { said: problem })

/** The signature as far as it can be judged without its key. Throws `unauthorized`. */
export function readRequest(ctx: Ctx, request: SignedRequest): ReadSignature {
  const { baseUrl } = ctx.config
  const read = readSignature({ ...request, host: new URL(baseUrl).host, baseUrl }, ctx.clock.now())
  if ('problem' in read) throw notSigned(read.problem)
  return read
}

/** Throws `forbidden` when this server has broken off with that of the key, and `unauthorized` when there is none. */
export async function assertSpokenWith(ctx: Ctx, signature: ReadSignature): Promise<void> {
  const host = hostOfKey(signature)
  if (host === null) throw unauthorized('signature_key_no_address')
  if (!(await mayFederate(ctx, host))) throw brokenOff()
}

const brokenOff = () => forbidden('server_defederated')

/** Some name the owner's handle in place of a key. */
function hostOfKey({ keyId }: ReadSignature): string | null {
  return /^acct:/i.test(keyId) ? (parseAcct(keyId.slice('acct:'.length))?.domain ?? null) : hostOf(keyId)
}

/**
 * The actor whose key made the signature, suspended ones too; `sender` is that of the request. Throws `unauthorized`
 * and `forbidden`.
 */
export async function findSigner(
  ctx: Ctx,
  signature: ReadSignature,
  sender: string | undefined,
): Promise<StoredActor> {
  const actor = await findOwner(ctx, signature, sender)
  const host = hostOf(actor.uri) as string
  if (host !== hostOfKey(signature) && !(await mayFederate(ctx, host))) throw brokenOff()
  await markHostAlive(ctx, host)
  return actor
}

async function findOwner(
  ctx: Ctx,
  signature: ReadSignature,
  sender: string | undefined,
): Promise<StoredActor> {
  const known = await findRemoteKey(ctx, signature.keyId, { sender })
  if ('key' in known && signature.verify(known.key)) return known.actor
  // The actor may have a new key since.
  const fresh = 'key' in known ? await findRemoteKey(ctx, signature.keyId, { sender, refetch: true }) : known
  if ('problem' in fresh) throw notSigned(fresh.problem)
  if (!signature.verify(fresh.key)) throw unauthorized('signature_key_wrong')
  return fresh.actor
}
