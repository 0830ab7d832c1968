import { deleteRemoteAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { tombstoneStatus } from '#domain/federation/queue/tombstone-status.ts'
import { insertTombstone } from '#domain/federation/queue/tombstones.ts'
import { dropHeldPost } from '#domain/content/spam/held-posts.ts'
import { findQuoteParties, refuseQuote } from '#domain/content/statuses/quotes/remote-quote.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isSameHost, toId } from '#federation/kit/json.ts'
import type { Handler, Incoming, Outcome } from '../kit/handler.ts'
import { findKnownStatus } from '../kit/local.ts'
import { remembered, recordUndone } from '../kit/find-undone-activity.ts'

/** The actor itself, a status of its own, or its consent to be quoted. */
export const onDelete: Handler = async (ctx, incoming) => {
  const { actor, json } = incoming
  const uri = toId(json['object'])
  if (uri === null || !isSameHost(uri, actor.uri)) return 'ignored'
  if (uri === actor.uri) {
    await deleteRemoteAccount(ctx, actor.id)
    return 'done'
  }
  return (await onDeletedStatus(ctx, incoming, uri)) ?? onDeletedStamp(ctx, incoming, uri)
}

/** Null when no status of that id is known. One that arrives later is not stored. */
async function onDeletedStatus(ctx: Ctx, { actor }: Incoming, uri: string): Promise<Outcome | null> {
  const isRemembered = await recordUndone(ctx, actor, uri)
  const status = await findKnownStatus(ctx, uri)
  if (status) {
    if (status.account_id !== actor.id) return 'ignored'
    await tombstoneStatus(ctx, uri, actor.id)
    return 'done'
  }
  await dropHeldPost(ctx, actor.id, uri)
  // Whose it is can be told by such an id alone.
  if (isRemembered && uri.startsWith(`${actor.uri}/`)) await insertTombstone(ctx, uri, remembered)
  return null
}

async function onDeletedStamp(ctx: Ctx, { actor }: Incoming, approvalUri: string): Promise<Outcome> {
  const quote = await findQuoteParties(ctx, { approvalUri })
  if (quote?.quotedAccountId !== actor.id) return 'ignored'
  await refuseQuote(ctx, quote.statusId)
  return 'done'
}
