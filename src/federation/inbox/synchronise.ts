// What another server says of the followers here of one of its accounts (FEP-8fcf, https://w3id.org/fep/8fcf).
import type { Ctx } from '#ports/ctx.ts'
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { loadRemoteActors } from '#domain/identity/accounts/remote/remote-actors.ts'
import {
  digestOfFollowers,
  forgetFollow,
  listLocalFollowers,
  type LocalFollower,
} from '#domain/federation/queue/follower-digests.ts'
import { findLocalAccount } from '#domain/identity/accounts/lookup.ts'
import { authorizeFollowRequest } from '#domain/social/relationships/follow-requests.ts'
import { isAppError } from '#lib/errors.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { isObject, isSameHost, toIds, type JsonObject } from '../kit/json.ts'
import { deliverUnfollow } from '../outbox/relationships.ts'
import { readLocalUri } from '../kit/uris.ts'
import type { AccountId } from '#lib/id.ts'

/** The header's name. */
export const synchronisationHeader = 'collection-synchronization'

export interface Synchronisation {
  accountId: AccountId
  /** Where the followers that its server counts here are listed. */
  url: string
  digest: string
}

/** What is longer than this is not read. */
const maxHeaderLength = 8_192
/** Of more follows than this nothing is said at once. */
const maxUnknown = 100
/** The same is not looked at again for so long, in seconds: what differs may be on its way. */
const quietTime = 600

/** Reads the header. Null when it is not about the followers of who signed, or names a place on another server. */
export function readSynchronisation(actor: StoredActor, header: string | null): Synchronisation | null {
  if (header === null || header.length > maxHeaderLength) return null
  const parts = new Map(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name as string, value as string]),
  )
  const [collection, url, digest] = [parts.get('collectionId'), parts.get('url'), parts.get('digest')]
  if (!collection || !url || !digest || !/^[0-9a-f]{64}$/i.test(digest)) return null
  if (collection !== actor.followersUrl || !isSameHost(url, actor.uri)) return null
  return { accountId: actor.id, url, digest: digest.toLowerCase() }
}

/** Has the followers compared, later: whoever sent the activity is not kept waiting. */
export async function recordSynchronisation(
  ctx: Ctx,
  actor: StoredActor,
  header: string | null,
): Promise<void> {
  const told = readSynchronisation(actor, header)
  if (!told) return
  const key = `synchronised:${told.accountId}:${told.digest}`
  // Without a store it waits for another time: the activity itself was taken in.
  if ((await ctx.kv.increment(key, 1, quietTime).catch(() => 2)) > 1) return
  await ctx.jobs.add('synchronise-followers', told, {
    key: `synchronise-followers:${told.accountId}`,
    background: true,
  })
}

/**
 * Compares, and where the digests differ asks for the list: follows of which the other server does not know end, requests
 * that it has accepted count, and follows of which this one does not know are taken back.
 */
export async function synchroniseFollowers(ctx: Ctx, told: Synchronisation): Promise<void> {
  const actor = (await loadRemoteActors(ctx, [told.accountId])).get(told.accountId)
  if (!actor || actor.suspended) return
  const ours = await listLocalFollowers(ctx, actor.id)
  if (digestOfFollowers([...ours.keys()]) === told.digest) return
  const theirs = await fetchFollowers(ctx, told.url)
  if (!theirs) return
  for (const [uri, { id }] of ours) if (!theirs.has(uri)) await forgetFollow(ctx, id, actor.id)
  const unknown = [...theirs].filter((uri) => !ours.has(uri)).slice(0, maxUnknown)
  for (const uri of unknown) await settleUnknown(ctx, actor, uri)
}

/** Null when there is no whole list to be had: nothing follows from that. */
async function fetchFollowers(ctx: Ctx, url: string): Promise<Set<string> | null> {
  const fetched = await fetchDocument(ctx, url, { again: true })
  if (fetched.kind !== 'document') return null
  const items = itemsOf(fetched.document)
  return items && new Set(items.filter((uri) => readLocalUri(ctx.config, uri)?.kind === 'actor'))
}

/** A list in pages is not read: that of one server's followers is short. */
function itemsOf(document: JsonObject): string[] | null {
  const listed = document['orderedItems'] ?? document['items']
  if (Array.isArray(listed) || typeof listed === 'string') return toIds(listed)
  const first = document['first']
  if (isObject(first)) return first['next'] === undefined ? itemsOf({ ...first, first: undefined }) : null
  return document['totalItems'] === 0 && first === undefined ? [] : null
}

/** Their answer to a request may have been lost; otherwise nobody here follows. */
async function settleUnknown(ctx: Ctx, actor: StoredActor, uri: string): Promise<void> {
  const name = readLocalUri(ctx.config, uri)
  const follower = name?.kind === 'actor' ? await findLocalAccount(ctx, name.username) : null
  if (!follower || follower.gone) return
  if (await acceptWaiting(ctx, actor, follower)) return
  await deliverUnfollow(ctx, { accountId: follower.id, targetAccountId: actor.id })
}

async function acceptWaiting(
  ctx: Ctx,
  actor: StoredActor,
  { id }: Pick<LocalFollower, 'id'>,
): Promise<boolean> {
  try {
    await authorizeFollowRequest(ctx, { accountId: actor.id }, id)
    return true
  } catch (error) {
    if (isAppError(error, 'not_found')) return false
    throw error
  }
}
