// The public key under which a request from another server was signed, and whose it is.
import type { KeyObject } from 'node:crypto'
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import { loadRemoteActors, type StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { addRemoteKey, findStoredKey, type RemoteKey } from '#domain/federation/queue/keys.ts'
import { parseAcct } from '#lib/acct.ts'
import type { Ctx } from '#ports/ctx.ts'
import { countUp, mayTry, recallFailure, rememberFailure } from '../fetch/failures.ts'
import { fetchDocument, isSameUri, withoutFragment } from '../fetch/fetch-document.ts'
import { createSingleFlight } from '#lib/concurrency/single-flight.ts'
import { finger } from '../fetch/webfinger.ts'
import { ensureActor } from '../ingest/actors/actor.ts'
import { isActorDocument, readActor, readKeyPem } from '../ingest/actors/read-actor.ts'
import { hostOf, isSameHost, toId, toObject, toText, type JsonObject } from '../kit/json.ts'
import { isOwnUri } from '../kit/uris.ts'
import { toKeyObject } from './key-objects.ts'

export type RemoteKeyFound = { key: KeyObject; actor: StoredActor } | { problem: string }

export interface KeyOptions {
  refetch?: boolean
  /** The network from which the request came. */
  sender?: string | undefined
}

type Fetched = RemoteKey | { problem: string }

/** How long a key that could not be had is not asked for again, and a stored one not read again, in seconds. */
const quietTime = 300
/** The same for a key that its actor did not list just now. */
const shortTime = 60
/**
 * Look-ups in that time that may fail or be under way: of keys of one server, of these for one sender, and for one
 * sender of all servers. Anybody can name keys of anybody, so what one sender uses up is not lost to others.
 */
const max = { ofServer: 600, ofServerForSender: 60, forSender: 600 }

const share = createSingleFlight<Fetched>()

/**
 * The key of an id and the actor whose it is. A stored one costs one query. An unknown one is fetched: the document at
 * its id must name an actor of the same server as owner, and that actor's own document must list the key. `refetch`
 * reads the actor anew, as when a signature does not fit the stored key; at most once per actor in some minutes.
 * `problem` is fit for the body of a 401. The actor may be suspended; its server may be blocked by now.
 */
export async function findRemoteKey(
  ctx: Ctx,
  keyId: string,
  options: KeyOptions = {},
): Promise<RemoteKeyFound> {
  const id = await toKeyAddress(ctx, keyId, options)
  if (typeof id !== 'string') return id
  const host = hostOf(id)
  if (host === null || isOwnUri(ctx.config, id)) return notTheirs
  const stored = await findStoredKey(ctx, id)
  if (stored && !options.refetch) return toFound(stored)
  const fetched = await share(ctx, id, () => lookUp(ctx, { id, stored, budget: { host, ...options } }))
  return 'problem' in fetched ? fetched : toFound(fetched)
}

const notTheirs = { problem: 'The key of the signature is not one of another server' }

const toFound = ({ pem, actor }: RemoteKey): RemoteKeyFound => ({ key: toKeyObject(pem), actor })

/** Some name the owner's handle in place of a key. */
async function toKeyAddress(
  ctx: Ctx,
  keyId: string,
  { sender, refetch }: KeyOptions,
): Promise<string | { problem: string }> {
  if (!/^acct:/i.test(keyId)) return keyId
  const acct = parseAcct(keyId.slice('acct:'.length))
  if (!acct?.domain) return notTheirs
  const { username, domain } = acct
  const known = await findAccountByHandle(ctx, username, domain)
  const actor = known && (await loadRemoteActors(ctx, [known.id])).get(known.id)
  // Whose key does not fit may have the handle no more.
  const again = { kind: 'key-handle-again', name: `${username}@${domain}`, max: 1, seconds: quietTime }
  if (actor && !(refetch && (await mayTry(ctx, again)))) return actor.uri
  const found = await spend(ctx, { host: domain, sender }, async () => {
    const fingered = await finger(ctx, username, domain)
    return fingered.kind === 'found' ? fingered : unreachable
  })
  return 'problem' in found ? (actor?.uri ?? found) : found.uri
}

interface Budget {
  host: string
  sender?: string | undefined
}

/** Asks a server about a key, unless that was in vain too often. */
async function spend<T extends object>(
  ctx: Ctx,
  { host, sender = '' }: Budget,
  work: () => Promise<T | { problem: string }>,
): Promise<T | { problem: string }> {
  const limits: [kind: string, name: string, limit: number][] = [
    ['keys-of', host, max.ofServer],
    ['keys-of-for', `${host} ${sender}`, max.ofServerForSender],
    ['keys-for', sender, max.forSender],
  ]
  const count = async (by: number) => {
    const within = limits.map(
      async ([kind, name, limit]) => (await countUp(ctx, { kind, name, seconds: quietTime }, by)) <= limit,
    )
    return (await Promise.all(within)).every(Boolean)
  }
  const isWithin = await count(1)
  const result = isWithin ? await work() : { problem: 'Too many keys of your server are missing' }
  if (!isWithin || !('problem' in result)) await count(-1)
  return result
}

interface Wanted {
  id: string
  stored: RemoteKey | null
  budget: Budget
}

async function lookUp(ctx: Ctx, { id, stored, budget }: Wanted): Promise<Fetched> {
  if (stored) {
    const once = { kind: 'key-again', name: stored.actor.uri, max: 1, seconds: quietTime }
    return (await mayTry(ctx, once)) ? readAnew(ctx, stored, id) : stored
  }
  // Fragments of one document are one thing to fetch.
  const name = withoutFragment(id)
  const earlier = await recallFailure<{ problem: string }>(ctx, 'key-failed', name)
  return earlier ?? spend(ctx, budget, () => tryFetch(ctx, id, name))
}

async function tryFetch(ctx: Ctx, id: string, name: string): Promise<Fetched> {
  const isFirst = await mayTry(ctx, { kind: 'key', name, max: 1, seconds: quietTime })
  const fetched = isFirst ? await fetchKey(ctx, id) : unlisted
  const seconds = isFirst ? quietTime : shortTime
  if ('problem' in fetched) await rememberFailure(ctx, { kind: 'key-failed', name, seconds }, fetched)
  return fetched
}

const unlisted = { problem: 'The key of the signature is not one of its actor' }
const unreachable = { problem: 'The key of the signature could not be fetched' }

async function readAnew(ctx: Ctx, { actor }: RemoteKey, id: string): Promise<Fetched> {
  const fresh = await ensureActor(ctx, actor.uri, { fresh: true })
  if (!fresh) return unreachable
  return (await findStoredKey(ctx, id)) ?? unlisted
}

/** The key of an actor that is not known here, or not with this key. */
async function fetchKey(ctx: Ctx, id: string): Promise<Fetched> {
  const fetched = await fetchDocument(ctx, id)
  if (fetched.kind === 'gone') return { problem: 'The key of the signature is gone' }
  if (fetched.kind !== 'document') return unreachable
  const { document, uri } = fetched
  if (!isSameHost(uri, id)) return unlisted
  if (isActorDocument(document)) {
    const actor = await ensureActor(ctx, uri, { document })
    return actor ? ((await findStoredKey(ctx, id)) ?? unlisted) : unusable
  }
  return isSameUri(uri, id) ? fetchOwner(ctx, id, document) : unlisted
}

const unusable = { problem: 'The owner of the key could not be stored' }

/** A document of the key alone: its owner must say that it is its own. */
async function fetchOwner(ctx: Ctx, id: string, document: JsonObject): Promise<Fetched> {
  const key = toObject(document['publicKey']) ?? document
  const owner = toId(key['owner'] ?? key['controller'])
  const pem = toText(key['id']) === id ? readKeyPem(key) : null
  if (owner === null || pem === null || !isSameHost(owner, id)) return unlisted
  const shown = await fetchDocument(ctx, owner)
  if (shown.kind !== 'document' || !isSameUri(shown.uri, owner)) return unreachable
  const actor = await ensureActor(ctx, shown.uri, { document: shown.document })
  if (!actor) return unusable
  const names = readActor(shown.document)?.keyIds ?? []
  if (names.includes(id)) await addRemoteKey(ctx, actor.id, { id, pem })
  return (await findStoredKey(ctx, id)) ?? unlisted
}
