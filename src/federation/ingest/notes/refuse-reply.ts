// Whose replies an author here takes. Authors of other servers say it themselves, by a Reject.
import { mayReply } from '#domain/content/statuses/reply-policy.ts'
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { NoteContent } from './read-note.ts'
import type { References } from './resolve.ts'

interface Reply {
  note: Pick<NoteContent, 'uri'>
  author: StoredActor
  parent: References['parent']
  via: 'inbox' | 'fetch'
}

/** Whether a note answers a local status whose author does not take it. Whoever sent it is told so. */
export async function isReplyRefused(ctx: Ctx, { note, author, parent, via }: Reply): Promise<boolean> {
  if (!parent?.local || !parent.replies_limited || (await mayReply(ctx, author.id, parent.id))) return false
  const refused = { statusId: parent.id, accountId: author.id, replyUri: note.uri }
  if (via === 'inbox') await ctx.transaction((tx) => tx.emit({ type: 'reply.refused', ...refused }))
  return true
}
