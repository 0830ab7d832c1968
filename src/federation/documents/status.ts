import type { Document } from '#ports/activity-pub.ts'
import { gone, notFound } from '#lib/errors.ts'
import { contextUri, statusUri } from '#domain/server/instance/urls.ts'
import {
  countReactions,
  findServedStatus,
  findStamp,
  listReplyUris,
  listThreadUris,
  type ServedStatus,
} from '#domain/federation/queue/published-objects.ts'
import { loadNotes, type NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import { toActivity } from '../objects/to-activity.ts'
import { toNote } from '../objects/to-note.ts'
import { open, personal, signerIfGood, type AccountAsk, type Ask } from './ask.ts'
import { countOf, readPage, risingPage } from './collection.ts'
import type { ConversationId, IdCursor, StatusId } from '#lib/id.ts'

const repliesPerPage = 20
const threadPage = 60

/** The Note or Question; of a boost its Announce, for which it has no document of its own. */
export async function statusDocument(ask: AccountAsk, id: StatusId): Promise<Document> {
  const { status, note } = await getNote(ask, id)
  if (typeof note === 'string') return { ...open({ id: note, type: 'Tombstone' }), gone: true }
  const { config, clock } = ask.ctx
  const isBoost = status.reblog_of_id !== null
  const body = isBoost ? toActivity(config, note, clock.now()) : toNote(config, note, clock.now())
  return status.open ? open(body) : personal(body)
}

export async function activityDocument(ask: AccountAsk, id: StatusId): Promise<Document> {
  const { status, note } = await getNote(ask, id)
  if (typeof note === 'string') throw gone()
  const body = toActivity(ask.ctx.config, note, ask.ctx.clock.now())
  return status.open ? open(body) : personal(body)
}

/** The facts; of a deleted one that everybody could see its id alone. Throws `not_found`. */
async function getNote(
  ask: AccountAsk,
  id: StatusId,
): Promise<{ status: ServedStatus; note: NoteFacts | string }> {
  const status = await getStatus(ask, id)
  if (status.deleted) return { status, note: statusUri(ask.ctx.config, ask.account.username, id) }
  const note = (await loadNotes(ask.ctx, [id])).get(id)
  if (!note) throw notFound()
  return { status, note }
}

/** A status that whoever asks may see, not being blocked, or a deleted one that everybody could. Throws `not_found`. */
async function getStatus(ask: AccountAsk, id: StatusId): Promise<ServedStatus> {
  const { ctx, account } = ask
  const named = { id, username: account.username }
  const status = await findServedStatus(ctx, named, null)
  if (status?.deleted && status.open) return status
  if (status?.visible) {
    // Most block nobody, and it need not be known who asks.
    const asker = status.author_blocks ? await signerIfGood(ask) : null
    if (!asker || (await findServedStatus(ctx, named, asker.accountId))?.visible) return status
    throw notFound()
  }
  // A signature is looked at also where nothing is: what it is answered with tells nobody that there is something.
  const signer = await ask.signer()
  const seen = signer && (await findServedStatus(ctx, named, signer.accountId))
  if (!seen?.visible) throw notFound()
  return seen
}

/** Its author's own answers come first, then those of others, by their ids. */
export async function repliesDocument(ask: AccountAsk, id: StatusId): Promise<Document> {
  const status = await getOpen(ask, id)
  const uri = `${statusUri(ask.ctx.config, ask.account.username, id)}/replies`
  const page = readPage(ask.query, repliesPerPage)
  if (!page) {
    return open({
      id: uri,
      type: 'Collection',
      first: await replyPage(ask, { status, uri, after: '0', own: true }),
    })
  }
  const own = ask.query.get('only_other_accounts') !== 'true'
  return open(await replyPage(ask, { status, uri, after: page.minId ?? '0', own }))
}

async function replyPage(
  { ctx }: Ask,
  { status, uri, after, own }: { status: ServedStatus; uri: string; after: IdCursor; own: boolean },
) {
  const of = { statusId: status.id, accountId: status.account_id, own }
  const page = await listReplyUris(ctx, of, { limit: repliesPerPage, minId: after })
  const also: Record<string, string> = own ? {} : { only_other_accounts: 'true' }
  const rendered = risingPage(uri, { page, after, also })
  if (!own || rendered['next'] !== undefined) return rendered
  return { ...rendered, next: `${uri}?page=true&only_other_accounts=true` }
}

export async function likesDocument(ask: AccountAsk, id: StatusId): Promise<Document> {
  await getOpen(ask, id)
  const uri = `${statusUri(ask.ctx.config, ask.account.username, id)}/likes`
  return open(countOf(uri, (await countReactions(ask.ctx, id)).favourites))
}

export async function sharesDocument(ask: AccountAsk, id: StatusId): Promise<Document> {
  await getOpen(ask, id)
  const uri = `${statusUri(ask.ctx.config, ask.account.username, id)}/shares`
  return open(countOf(uri, (await countReactions(ask.ctx, id)).reblogs))
}

/** What surrounds a status is told of what everybody may see, and to nobody else. Throws `not_found`. */
async function getOpen(ask: AccountAsk, id: StatusId): Promise<ServedStatus> {
  const status = await getStatus(ask, id)
  if (!status.open || status.deleted || status.reblog_of_id !== null) throw notFound()
  return status
}

/** FEP-044f: that a local author agrees to be quoted by a status. */
export async function stampDocument(ask: AccountAsk, quotingId: StatusId): Promise<Document> {
  const stamp = await findStamp(ask.ctx, ask.account.username, quotingId)
  if (!stamp) throw notFound()
  return open({
    id: `${ask.actor}/quote_authorizations/${quotingId}`,
    type: 'QuoteAuthorization',
    attributedTo: ask.actor,
    interactingObject: stamp.quotingUri,
    interactionTarget: stamp.quotedUri,
  })
}

/** FEP-7888: what belongs to a thread. */
export async function contextDocument(
  { ctx, query }: Ask,
  conversationId: ConversationId,
): Promise<Document> {
  const uri = contextUri(ctx.config, conversationId)
  const request = readPage(query, threadPage)
  const after = request?.minId ?? '0'
  const page = await listThreadUris(ctx, conversationId, { limit: threadPage, minId: after })
  if (page.items.length === 0 && after === '0') throw notFound()
  const first = risingPage(uri, { page, after })
  return request ? open(first) : open({ id: uri, type: 'Collection', first })
}
