// Whether an account of another server is still there, for who wants to forget those that are not.
import { loadRemoteActors } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Presence } from '#ports/remote.ts'
import { fetchDocument, isSameUri } from '#federation/fetch/fetch-document.ts'
import { finger } from '#federation/fetch/webfinger.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * Asks the server of an account for its document, with a signature. Nothing is changed here. Only 410, a Tombstone, or
 * 404 for both the actor and its handle, says that it is gone.
 */
export async function probeActor(ctx: Ctx, accountId: AccountId): Promise<Presence> {
  const actor = (await loadRemoteActors(ctx, [accountId])).get(accountId)
  if (!actor) return 'unclear'
  const fetched = await fetchDocument(ctx, actor.uri, { again: true, isWanted: true })
  if (fetched.kind === 'document') return isSameUri(fetched.uri, actor.uri) ? 'there' : 'unclear'
  if (fetched.kind === 'failed') return 'away'
  if (fetched.kind === 'refused') return 'unclear'
  if (fetched.status === 410) return 'gone'
  const found = await finger(ctx, actor.username, actor.domain)
  return found.kind === 'found' && isSameUri(found.uri, actor.uri) ? 'unclear' : 'gone'
}
