// The look-ups on other servers that the rest of the program may ask for (ports/remote.ts).
import { findAccountByHandle } from '#domain/identity/accounts/queries.ts'
import {
  findRefreshState,
  refreshAfter,
  type RefreshState,
} from '#domain/identity/accounts/remote/refresh-remote.ts'
import { loadRemoteActors } from '#domain/identity/accounts/remote/remote-actors.ts'
import { isOwnDomain } from '#domain/identity/accounts/lookup.ts'
import { findNamed } from '#domain/reading/search/find-named.ts'
import { isUsername, normaliseDomain } from '#lib/acct.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Found, Remote } from '#ports/remote.ts'
import { fetchPageOrDocument } from './fetch/fetch-page-or-document.ts'
import { finger } from './fetch/webfinger.ts'
import { ensureActor } from './ingest/actors/actor.ts'
import { ensureAccountImage, ensureEmojiImage } from './ingest/actors/profile-images.ts'
import { probeActor } from './ingest/actors/probe-actor.ts'
import { isActorDocument } from './ingest/actors/read-actor.ts'
import { refreshPoll } from './ingest/notes/refresh-poll.ts'
import { fetchReplies } from './ingest/back-fill/replies.ts'
import { ensureStatus } from './ingest/notes/status.ts'
import { hostOf, toId, typeOf } from './kit/json.ts'
import { deliverLeave } from './outbox/relationships.ts'
import { isOwnUri } from './kit/uris.ts'
import type { AccountId } from '#lib/id.ts'

/** `ctx` is asked for when something is looked up: it holds what is made here. */
export function createRemote(ctx: () => Ctx): Remote {
  return {
    findAccount: (username, domain) => findAccount(ctx(), username, domain),
    speaksOtherProtocol: (username, domain) => speaksOtherProtocol(ctx(), username, domain),
    findByUrl: (url) => findByUrl(ctx(), url),
    refreshAccount: (accountId, options) => refreshAccount(ctx(), accountId, options),
    probeAccount: (accountId) => probeActor(ctx(), accountId),
    refreshPoll: (pollId, options) => refreshPoll(ctx(), pollId, options),
    fetchReplies: (statusId) => fetchReplies(ctx(), statusId),
    ensureImage: (accountId, kind) => ensureAccountImage(ctx(), accountId, kind),
    ensureEmoji: (emojiId) => ensureEmojiImage(ctx(), emojiId),
    takeLeave: (accountId) => deliverLeave(ctx(), accountId),
  }
}

async function findAccount(ctx: Ctx, username: string, domain: string): Promise<AccountId | null> {
  const host = normaliseDomain(domain)
  if (host === null || !isUsername(username)) return null
  const isOwn = isOwnDomain(ctx.config, host)
  const known = await findAccountByHandle(ctx, username, isOwn ? null : host)
  if (isOwn) return known?.id ?? null
  const actor = known && (await loadRemoteActors(ctx, [known.id])).get(known.id)
  if (actor && (await isFresh(ctx, actor.id))) return (await ensureActor(ctx, actor.uri))?.id ?? null
  // Whose handle it was when it was last asked for may have it no more.
  const found = await finger(ctx, username, host)
  if (found.kind !== 'found') return known?.id ?? null
  const { username: name, domain: confirmed, uri } = found
  return (await ensureActor(ctx, uri, { acct: { username: name, domain: confirmed } }))?.id ?? null
}

async function speaksOtherProtocol(ctx: Ctx, username: string, domain: string): Promise<boolean> {
  const host = normaliseDomain(domain)
  if (host === null || !isUsername(username) || isOwnDomain(ctx.config, host)) return false
  return (await finger(ctx, username, host)).kind === 'other-protocol'
}

async function findByUrl(ctx: Ctx, url: string): Promise<Found | null> {
  if (hostOf(url) === null) return null
  const named = await findNamed(ctx, url)
  if (named) return named.kind === 'collection' ? null : named
  if (isOwnUri(ctx.config, url)) return null
  const fetched = await fetchPageOrDocument(ctx, url)
  if (fetched.kind !== 'document') return null
  const { document, uri } = fetched
  if (isActorDocument(document)) {
    const actor = await ensureActor(ctx, uri, { document })
    return actor && { kind: 'account', id: actor.id }
  }
  const activityOf = typeOf(document) === 'Create' ? toId(document['object']) : null
  const id =
    activityOf === null ? await ensureStatus(ctx, uri, { document }) : await ensureStatus(ctx, activityOf)
  return id === null ? null : { kind: 'status', id }
}

const isYoung = ({ clock }: Ctx, { fetched_at: at }: RefreshState) =>
  at !== null && at.getTime() > clock.now() - refreshAfter

async function isFresh(ctx: Ctx, accountId: AccountId): Promise<boolean> {
  const state = await findRefreshState(ctx, accountId)
  return state !== null && isYoung(ctx, state)
}

/** Reads an account's document again when the copy is old. Without an answer everything stays as it was. */
async function refreshAccount(ctx: Ctx, accountId: AccountId, { anew = false } = {}): Promise<void> {
  const state = await findRefreshState(ctx, accountId)
  if (!state) return
  if (isYoung(ctx, state) && !anew) return
  await ensureActor(ctx, state.uri, { fresh: true })
}
