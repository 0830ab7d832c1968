// What a stored status still lacks is asked for: what it answers, whom it names, what it quotes.
import { addMentions } from '#domain/content/statuses/publish/add-mentions.ts'
import { attachParent } from '#domain/content/statuses/publish/attach-parent.ts'
import {
  acceptQuote,
  attachRemoteQuote,
  findQuoteParties,
} from '#domain/content/statuses/quotes/remote-quote.ts'
import { fanOutStatus } from '#domain/reading/timelines/fan-out.ts'
import { statusUri } from '#domain/server/instance/urls.ts'
import { idToTime } from '#lib/ids.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { fetchDocument } from '#federation/fetch/fetch-document.ts'
import { isSameHost } from '#federation/kit/json.ts'
import { isOwnUri } from '#federation/kit/uris.ts'
import { ensureActor } from '../actors/actor.ts'
import { maxParents, quotedDepth } from '../notes/limits.ts'
import { isStampFor } from '../notes/quote.ts'
import { ensureStatus } from '../notes/status.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** Feeds get what has found its place in a thread while it is this new, in milliseconds. */
const freshFor = 6 * 3_600_000

/**
 * Fetches what a status answers, and the replies it brought along. What it answers, and quotes, is its author's choice, so
 * that nobody here has asked for it.
 */
export async function completeThread(ctx: Ctx, wanted: EventOf<'thread.requested'>): Promise<void> {
  const { statusId, parentUri, replyUris, depth } = wanted
  if (parentUri !== null) await findParent(ctx, { statusId, parentUri, depth })
  for (const uri of replyUris) await ensureStatus(ctx, uri, { depth: maxParents, unasked: true })
}

/** Whether a reply is shown to those who follow its author depends on whom it answers: now that is known. */
async function findParent(
  ctx: Ctx,
  { statusId, parentUri, depth }: { statusId: StatusId; parentUri: string; depth: number },
): Promise<void> {
  const parentId = await ensureStatus(ctx, parentUri, { depth: depth + 1, unasked: true })
  if (parentId === null || !(await attachParent(ctx, statusId, parentId))) return
  if (ctx.clock.now() - idToTime(statusId) < freshFor) await fanOutStatus(ctx, statusId)
}

/** Looks up those whom a status names and nobody here knew. They are not told: they are of other servers. */
export async function completeMentions(ctx: Ctx, wanted: EventOf<'mentions.requested'>): Promise<void> {
  const found: AccountId[] = []
  for (const uri of wanted.uris) {
    const actor = await ensureActor(ctx, uri)
    if (actor && !actor.suspended) found.push(actor.id)
  }
  await addMentions(ctx, wanted.statusId, found)
}

/** Fetches what a status quotes, and reads whether its author consents. */
export async function completeQuote(ctx: Ctx, wanted: EventOf<'quoted-status.requested'>): Promise<void> {
  const { statusId, uri, approvalUri, depth } = wanted
  const quotedId = await ensureStatus(ctx, uri, { depth: quotedDepth(depth), unasked: true })
  if (quotedId === null) return
  await attachRemoteQuote(ctx, statusId, quotedId)
  if (approvalUri !== null) await verifyQuote(ctx, statusId, approvalUri)
}

/**
 * Accepts a quote when the stamp at `approvalUri` says, on the server of the quoted author, that they consent. What
 * this server's people are quoted with, they consent to here. Returns whether it is accepted now.
 */
export async function verifyQuote(ctx: Ctx, statusId: StatusId, approvalUri: string): Promise<boolean> {
  const parties = await findQuoteParties(ctx, { statusId })
  if (!parties) return false
  if (parties.state !== 'pending') return parties.state === 'accepted'
  const { quotedUri, quotedAuthorUri } = parties
  if (quotedUri === null || quotedAuthorUri === null || isOwnUri(ctx.config, approvalUri)) return false
  if (!isSameHost(approvalUri, quotedAuthorUri)) return false
  const fetched = await fetchDocument(ctx, approvalUri)
  if (fetched.kind === 'failed')
    throw new Error(`the consent to a quote could not be read: ${fetched.reason}`)
  const quotingUri = parties.quotingUri ?? statusUri(ctx.config, parties.quotingUsername, statusId)
  const isGiven =
    fetched.kind === 'document' &&
    isStampFor(fetched.document, { uri: approvalUri, quotingUri, quotedUri, quotedAuthorUri })
  return isGiven && acceptQuote(ctx, { statusId, approvalUri })
}
