import { saveRemoteVote } from '#domain/content/statuses/remote/save-remote-vote.ts'
import type { Ctx } from '#ports/ctx.ts'
import { toId, toText, type JsonObject } from '#federation/kit/json.ts'
import type { Incoming, Outcome } from '../kit/handler.ts'
import { findLocalStatus } from '../kit/local.ts'

/** A vote is a note that has a name and nothing else to say, and answers the poll. */
export function isVote(document: JsonObject): boolean {
  return (
    document['type'] === 'Note' &&
    toText(document['name']) !== null &&
    toText(document['content']) === null &&
    toId(document['inReplyTo']) !== null
  )
}

export async function onVote(ctx: Ctx, { actor }: Incoming, document: JsonObject): Promise<Outcome> {
  const status = await findLocalStatus(ctx, toId(document['inReplyTo']))
  if (!status) return 'ignored'
  const option = toText(document['name']) ?? ''
  await saveRemoteVote(ctx, { accountId: actor.id }, { statusId: status.id, option })
  return 'done'
}
