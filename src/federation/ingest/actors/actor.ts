// Actors of other servers as accounts of this one: each is stored once its own server, and that of its handle, agree.
import { deleteRemoteAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { refreshAfter, requestRefresh } from '#domain/identity/accounts/remote/refresh-remote.ts'
import {
  findKnownActor,
  type KnownActor,
  type StoredActor,
} from '#domain/identity/accounts/remote/remote-actors.ts'
import { loadHostPolicy } from '#domain/server/hosts/host-policy.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import { followAgain } from '#domain/federation/queue/follow-again.ts'
import { storeActor } from '#domain/federation/queue/store-actor.ts'
import { isTombstone } from '#domain/federation/queue/tombstones.ts'
import { normaliseDomain, normaliseUsername, type Acct } from '#lib/acct.ts'
import type { Ctx } from '#ports/ctx.ts'
import { hostOf, toText, type JsonObject } from '#federation/kit/json.ts'
import { isOwnUri } from '#federation/kit/uris.ts'
import { mayTry, recallFailure, rememberFailure } from '#federation/fetch/failures.ts'
import { fetchDocument, isSameUri, type FetchOptions } from '#federation/fetch/fetch-document.ts'
import { createSingleFlight } from '#lib/concurrency/single-flight.ts'
import { finger } from '#federation/fetch/webfinger.ts'
import { findMovedTo } from './moved-to.ts'
import { readActor, type RemoteActor } from './read-actor.ts'
import { toAccountInput } from './to-account-input.ts'

export interface EnsureActorOptions {
  /** Its document, when it was just fetched from its origin. */
  document?: JsonObject
  /** Reads the document again, whatever its age. */
  fresh?: boolean
  /** How many look-ups led to this one. */
  depth?: number
  /** Its handle, when WebFinger has just said that it is this actor's. */
  acct?: Acct
}

const maxDepth = 2
/** How long an actor that could not be stored is not asked for again, in seconds. */
const quietTime = 60
const oncePerDay = { max: 1, seconds: 86_400 }

const share = createSingleFlight<StoredActor | null>()

/**
 * The account of an actor, stored when it is not known yet: fetched from its server, and its handle confirmed by
 * WebFinger. A stored one costs one query; when it is older than a day it is read again later. Null when there is none,
 * its server is blocked or does not answer, or it was deleted. Suspended ones are answered.
 */
export async function ensureActor(
  ctx: Ctx,
  uri: string,
  options: EnsureActorOptions = {},
): Promise<StoredActor | null> {
  const host = hostOf(uri)
  if (host === null || isOwnUri(ctx.config, uri)) return null
  const known = await findSpelled(ctx, uri, host)
  if (known?.deleted || known?.blocked) return null
  if (known && !options.fresh && !options.document) {
    await refreshLater(ctx, known)
    return known.actor
  }
  const depth = options.depth ?? 0
  if (depth > maxDepth || !(await mayFederate(ctx, host))) return null
  const work = () => (known ? read(ctx, { uri, known, options }) : meet(ctx, { uri, known, options }))
  // One look-up that waits for another, which waits for the first, would never end.
  return depth > 0 ? work() : share(ctx, uri, work)
}

/** By its id as it is given, or as it is asked for: nobody gets us to ask again by another spelling. */
async function findSpelled(ctx: Ctx, uri: string, host: string): Promise<KnownActor | null> {
  const known = await findKnownActor(ctx, uri, host)
  const usual = URL.parse(uri)?.href ?? uri
  return known ?? (usual === uri ? null : findKnownActor(ctx, usual, host))
}

interface Reading {
  uri: string
  known: KnownActor | null
  options: EnsureActorOptions
}

/** Somebody new, unless they were deleted. Whoever could not be stored is left alone for a while. */
async function meet(ctx: Ctx, reading: Reading): Promise<StoredActor | null> {
  const { uri, options } = reading
  if (await isTombstone(ctx, uri)) return null
  const isGiven = options.document !== undefined || options.acct !== undefined
  if (!isGiven && (await recallFailure(ctx, 'actor', uri))) return null
  const actor = await read(ctx, reading)
  if (!actor) await rememberFailure(ctx, { kind: 'actor', name: uri, seconds: quietTime }, true)
  return actor
}

async function read(ctx: Ctx, { uri, known, options }: Reading): Promise<StoredActor | null> {
  const document = options.document ?? (await fetchActor(ctx, uri, { isWanted: options.acct !== undefined }))
  if (document === 'gone') return forget(ctx, known)
  const actor = document && readActor(document)
  if (!actor || !isSameUri(actor.uri, uri)) return known?.actor ?? null
  const acct = await confirmHandle(ctx, { actor, known, given: options.acct })
  if (acct === 'gone') return forget(ctx, known)
  // Whose handle is another's now keeps the one under which they are known.
  if (acct === null && !known) return null
  return store(ctx, actor, { acct, known, depth: options.depth ?? 0 })
}

async function fetchActor(ctx: Ctx, uri: string, options: FetchOptions): Promise<JsonObject | 'gone' | null> {
  const fetched = await fetchDocument(ctx, uri, options)
  if (fetched.kind === 'document') return fetched.document
  // What is not found may be found again; only 410 says that it will not.
  return fetched.kind === 'gone' && fetched.status === 410 ? 'gone' : null
}

async function forget(ctx: Ctx, known: KnownActor | null): Promise<null> {
  if (known) await deleteRemoteAccount(ctx, known.actor.id)
  return null
}

interface Handled {
  actor: RemoteActor
  known: KnownActor | null
  given: Acct | undefined
}

/**
 * The handle that its own server and the actor agree on; null when there is none. What another server says of a handle
 * of its own is not enough: it could give itself anybody.
 */
async function confirmHandle(ctx: Ctx, { actor, known, given }: Handled): Promise<Acct | 'gone' | null> {
  const host = normaliseDomain(hostOf(actor.uri) ?? '')
  const claimed = actor.webfinger ?? { username: actor.username, domain: host }
  if (given && isSameHandle(given, claimed)) return given
  // A suspended account may have lost its handle already.
  if (known && actor.suspended) return null
  if (claimed.domain === null) return null
  const found = await finger(ctx, claimed.username, claimed.domain)
  // The server of the handle alone does not say that an actor of another one is gone.
  if (found.kind === 'gone' && claimed.domain === host) return 'gone'
  if (found.kind !== 'found' || !isSameUri(found.uri, actor.uri)) return null
  return { username: found.username, domain: found.domain }
}

const isSameHandle = (one: Acct, other: Acct) =>
  normaliseUsername(one.username) === normaliseUsername(other.username) && one.domain === other.domain

/**
 * Stores what an actor's document says of an actor that is known; `ensureActor` when it is not. The document must be
 * the actor's own word: signed by it, or fetched from its server. Null as with `ensureActor`.
 */
export async function saveActor(ctx: Ctx, document: JsonObject): Promise<StoredActor | null> {
  const uri = toText(document['id'])
  const host = uri === null ? null : hostOf(uri)
  if (uri === null || host === null || isOwnUri(ctx.config, uri)) return null
  const known = await findKnownActor(ctx, uri, host)
  if (!known) return ensureActor(ctx, uri, { document })
  if (known.deleted || known.blocked) return null
  const actor = readActor(document)
  return actor && store(ctx, actor, { acct: null, known, depth: 0 })
}

/** `acct`: null keeps the handle that is stored. */
async function store(
  ctx: Ctx,
  actor: RemoteActor,
  { acct, known, depth }: { acct: Acct | null; known: KnownActor | null; depth: number },
): Promise<StoredActor | null> {
  const domain = acct?.domain ?? known?.actor.domain
  const hosts = [hostOf(actor.uri) as string, ...(domain === undefined ? [] : [domain])]
  if (acct?.domain && !(await mayFederate(ctx, acct.domain))) return null
  const policy = await loadHostPolicy(ctx, hosts)
  const movedToId = await findMovedTo(ctx, actor, (uri) => ensureActor(ctx, uri, { depth: depth + 1 }))
  const account = toAccountInput(ctx, actor, { acct, policy, movedToId })
  const { keys, keyIds } = actor
  const emojis = policy.rejectMedia ? [] : actor.emojis
  const stored = await storeActor(ctx, { account, keys, keyIds, emojis })
  // Its server may have lost who follows it.
  if (stored?.isSetUpAnew && (await mayTry(ctx, { kind: 'follow-again', name: actor.uri, ...oncePerDay }))) {
    await followAgain(ctx, stored.actor.id)
  }
  return stored?.actor ?? null
}

/** Of a copy that is young enough nothing has to be asked. */
async function refreshLater(ctx: Ctx, { actor, fetchedAt, triedAt }: KnownActor): Promise<void> {
  const old = ctx.clock.now() - refreshAfter
  const isStale = (time: Date | null) => time === null || time.getTime() < old
  if (isStale(fetchedAt) && isStale(triedAt)) await requestRefresh(ctx, actor.id)
}
