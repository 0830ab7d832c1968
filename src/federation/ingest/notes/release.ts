// A status of another server that waited for staff comes in as if it had just come.
import { loadRemoteActors } from '#domain/identity/accounts/remote/remote-actors.ts'
import { findReleased, removeReleased } from '#domain/content/spam/held-posts.ts'
import { addReader } from '#domain/content/statuses/remote/save-remote-status.ts'
import type { Ctx } from '#ports/ctx.ts'
import { ingestStatus } from './status.ts'
import type { HeldPostId } from '#lib/id.ts'

/** Stores what staff let through, past the rules against spam. Idempotent. */
export async function ingestReleased(ctx: Ctx, heldPostId: HeldPostId): Promise<void> {
  const held = await findReleased(ctx, heldPostId)
  if (!held) return
  const { document, audience, recipientIds } = held.object
  const author = (await loadRemoteActors(ctx, [held.accountId])).get(held.accountId)
  const [recipientId = null, ...others] = recipientIds
  const id = author && (await ingestStatus(ctx, { document, author, audience, recipientId, released: true }))
  if (id) for (const other of others) await addReader(ctx, id, other)
  await removeReleased(ctx, heldPostId)
}
