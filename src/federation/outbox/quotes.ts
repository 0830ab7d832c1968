// Consent to quotes across servers (FEP-044f, https://w3id.org/fep/044f).
import type { Ctx } from '#ports/ctx.ts'
import {
  findQuote,
  loadNamedStatuses,
  loadParties,
  setQuoteRequest,
  type NamedStatus,
} from '#domain/federation/queue/federated-facts.ts'
import { listStatusInboxes } from '#domain/federation/queue/recipients.ts'
import { quoteAuthorizationUri } from '#domain/server/instance/urls.ts'
import { loadNotes } from '#domain/content/statuses/load-note-data.ts'
import { toQuoteAnswer, toQuoteRequest, toStampDelete } from '../objects/activities.ts'
import { toNote } from '../objects/to-note.ts'
import { publish } from './publish.ts'
import type { StatusId } from '#lib/id.ts'

interface Sides {
  quoting: NamedStatus
  quoted: NamedStatus
  state: string
}

async function findSides(ctx: Ctx, statusId: StatusId): Promise<Sides | null> {
  const quote = await findQuote(ctx, statusId)
  if (!quote?.quotedStatusId) return null
  const statuses = await loadNamedStatuses(ctx, [statusId, quote.quotedStatusId])
  const [quoting, quoted] = [statuses.get(statusId), statuses.get(quote.quotedStatusId)]
  return quoting && quoted ? { quoting, quoted, state: quote.state } : null
}

/** QuoteRequest to the author of another server, while the quote waits for consent. */
export async function deliverQuoteRequest(ctx: Ctx, statusId: StatusId): Promise<void> {
  const sides = await findSides(ctx, statusId)
  if (!sides || sides.state !== 'pending' || !sides.quoting.local || sides.quoted.local) return
  const { quoting, quoted } = sides
  const note = (await loadNotes(ctx, [statusId])).get(statusId)
  const author = (await loadParties(ctx, [quoted.authorId])).get(quoted.authorId)
  if (!note || note.suspended || note.localOnly || !author?.inboxUrl) return
  const id = `${quoting.authorUri}/quote_requests/${statusId}`
  await setQuoteRequest(ctx, statusId, id)
  const instrument = toNote(ctx.config, note, ctx.clock.now())
  const asked = {
    actor: quoting.authorUri,
    quotedUri: quoted.uri,
    quotedAuthorUri: quoted.authorUri,
    instrument,
  }
  await publish(ctx, {
    senderId: quoting.authorId,
    activity: toQuoteRequest(asked, id),
    inboxes: [author.inboxUrl],
  })
}

/** Accept with the stamp, or Reject, of what another server asked for. */
export async function deliverQuoteAnswer(
  ctx: Ctx,
  { statusId, requestUri }: { statusId: StatusId; requestUri: string },
): Promise<void> {
  const sides = await findSides(ctx, statusId)
  if (!sides || sides.quoting.local || !sides.quoted.local) return
  const { quoting, quoted, state } = sides
  const parties = await loadParties(ctx, [quoting.authorId, quoted.authorId])
  const [asker, owner] = [parties.get(quoting.authorId), parties.get(quoted.authorId)]
  if (!asker?.inboxUrl || !owner || state === 'pending') return
  const stamp = state === 'accepted' ? quoteAuthorizationUri(ctx.config, owner.username, statusId) : null
  const request = {
    id: requestUri,
    actor: asker.uri,
    quotedUri: quoted.uri,
    quotedAuthorUri: owner.uri,
    instrument: quoting.uri,
  }
  const activity = toQuoteAnswer(request, stamp)
  await publish(ctx, { senderId: owner.id, activity, inboxes: [asker.inboxUrl] })
}

/** Delete of the stamp of a local author, to whoever may have seen either status. */
export async function deliverRevocation(
  ctx: Ctx,
  { statusId, quotedStatusId }: { statusId: StatusId; quotedStatusId: StatusId },
): Promise<void> {
  const statuses = await loadNamedStatuses(ctx, [statusId, quotedStatusId])
  const [quoting, quoted] = [statuses.get(statusId), statuses.get(quotedStatusId)]
  if (!quoting || !quoted?.local || quoted.localOnly || quoting.localOnly) return
  const parties = await loadParties(ctx, [quoting.authorId, quoted.authorId])
  const [asker, owner] = [parties.get(quoting.authorId), parties.get(quoted.authorId)]
  if (!owner) return
  const id = quoteAuthorizationUri(ctx.config, owner.username, statusId)
  const stamp = { id, owner: owner.uri, quotingUri: quoting.uri, quotedUri: quoted.uri }
  const lists = await Promise.all(
    [statusId, quotedStatusId].map((one) => listStatusInboxes(ctx, one, 'gone')),
  )
  const inboxes = [...lists.flat(), ...(asker?.inboxUrl ? [asker.inboxUrl] : [])]
  await publish(ctx, { senderId: owner.id, activity: toStampDelete(stamp), inboxes, reach: 'open' })
}
