import { loadRemoteActors } from '#domain/identity/accounts/remote/remote-actors.ts'
import { claimRefresh } from '#domain/content/polls/remote-poll.ts'
import { findLocalReader } from '#domain/content/statuses/local-reader.ts'
import type { Ctx } from '#ports/ctx.ts'
import { fetchDocument } from '#federation/fetch/fetch-document.ts'
import { updateStatus } from './status.ts'
import type { PollId } from '#lib/id.ts'

/** How old a result may be, in milliseconds. */
const goodFor = 180_000

/**
 * Reads a poll's results again when the poll is another server's and the copy older than some minutes, or `since`. For what not
 * everybody may see, one of this server's people asks who may.
 */
export async function refreshPoll(
  ctx: Ctx,
  pollId: PollId,
  { since }: { since?: number } = {},
): Promise<void> {
  const age = since === undefined ? goodFor : Math.max(ctx.clock.now() - since, 0)
  const poll = await claimRefresh(ctx, pollId, age)
  if (!poll) return
  const isOpen = poll.visibility === 'public' || poll.visibility === 'unlisted'
  const readerId = isOpen ? null : await findLocalReader(ctx, poll.statusId)
  if (!isOpen && readerId === null) return
  const author = (await loadRemoteActors(ctx, [poll.accountId])).get(poll.accountId)
  if (!author) return
  const fetched = await fetchDocument(ctx, poll.statusUri, readerId === null ? {} : { asAccountId: readerId })
  if (fetched.kind === 'document') await updateStatus(ctx, fetched.document, author, { quietly: true })
}
