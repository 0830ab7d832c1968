// What others tell of statuses that are not theirs: never believed, always looked at where it belongs.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { loadRemoteActors } from '#domain/identity/accounts/remote/remote-actors.ts'
import { tombstoneStatus } from '#domain/federation/queue/tombstone-status.ts'
import { findQuoteParties, refuseQuote } from '#domain/content/statuses/quotes/remote-quote.ts'
import type { KnownStatus } from '#domain/content/statuses/remote/remote-references.ts'
import type { Ctx } from '#ports/ctx.ts'
import { fetchDocument, type Fetched } from '#federation/fetch/fetch-document.ts'
import { ensureStatus, updateStatus } from '#federation/ingest/notes/status.ts'
import { typeOf } from '#federation/kit/json.ts'
import { isOwnUri } from '#federation/kit/uris.ts'
import type { Outcome } from './handler.ts'
import { findKnownStatus } from './local.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * The status at an address: known, or fetched and stored. Null when there is none to be had. `unasked`: rules against spam
 * hold for it.
 */
export async function findOrFetch(
  ctx: Ctx,
  uri: string,
  { unasked = false } = {},
): Promise<StatusId | 'later' | null> {
  if (isOwnUri(ctx.config, uri) || (await findKnownStatus(ctx, uri))) return ensureStatus(ctx, uri)
  const fetched = await fetchDocument(ctx, uri)
  if (fetched.kind === 'failed') return 'later'
  if (fetched.kind !== 'document') return null
  const { document } = fetched
  return typeOf(document) === 'Create'
    ? ensureStatus(ctx, uri, { unasked })
    : ensureStatus(ctx, fetched.uri, { document, unasked })
}

/** Somebody says that there is a status. */
export async function refetchStatus(ctx: Ctx, uri: string): Promise<Outcome> {
  const found = await findOrFetch(ctx, uri, { unasked: true })
  if (found === 'later') return 'later'
  return found === null ? 'ignored' : 'done'
}

/**
 * Somebody says that a status has changed, or is gone: its server is asked. One that is not for everybody is not shown
 * to this server's own look-up, so that nothing could be told from the answer.
 */
export async function refetchChangedStatus(ctx: Ctx, uri: string): Promise<Outcome> {
  const known = isOwnUri(ctx.config, uri) ? null : await findKnownStatus(ctx, uri)
  const author = known && !known.deleted && isOpen(known.visibility) ? await findAuthor(ctx, known) : null
  if (!author) return 'ignored'
  return become(ctx, await fetchDocument(ctx, uri, { again: true }), { uri, author })
}

/** Somebody says that an author took back the consent to be quoted: the author's server is asked. */
export async function refetchQuoteStamp(ctx: Ctx, approvalUri: string): Promise<Outcome> {
  const quote = await findQuoteParties(ctx, { approvalUri })
  if (!quote || !mayEnd.includes(quote.state) || quote.quotedLocal) return 'ignored'
  if (!isOpen(quote.quotingVisibility)) return 'ignored'
  const fetched = await fetchDocument(ctx, approvalUri, { again: true })
  if (fetched.kind === 'failed') return 'later'
  if (fetched.kind !== 'gone') return 'ignored'
  await refuseQuote(ctx, quote.statusId)
  return 'done'
}

/** States of a quote in which its author's consent is still to be taken back. */
const mayEnd = ['accepted', 'pending']
const isOpen = (visibility: string) => visibility === 'public' || visibility === 'unlisted'

async function findAuthor(ctx: Ctx, { account_id }: KnownStatus): Promise<StoredActor | null> {
  return (await loadRemoteActors(ctx, [account_id])).get(account_id) ?? null
}

async function become(
  ctx: Ctx,
  fetched: Fetched,
  { uri, author }: { uri: string; author: StoredActor },
): Promise<Outcome> {
  if (fetched.kind === 'failed') return 'later'
  if (fetched.kind === 'refused') return 'ignored'
  if (fetched.kind === 'gone') await tombstoneStatus(ctx, uri, author.id)
  else await updateStatus(ctx, fetched.document, author)
  return 'done'
}
