import { findLocalAccount } from '#domain/identity/accounts/lookup.ts'
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { readLocalUri } from '#federation/kit/uris.ts'
import type { RemoteActor } from './read-actor.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * The account to which an actor says that it moved, of this server or, by `ensure`, of another; null for none and for
 * itself.
 */
export async function findMovedTo(
  ctx: Ctx,
  actor: RemoteActor,
  ensure: (uri: string) => Promise<StoredActor | null>,
): Promise<AccountId | null> {
  const uri = actor.movedToUri
  if (uri === null || uri === actor.uri) return null
  const local = readLocalUri(ctx.config, uri)
  if (local?.kind !== 'actor') return (await ensure(uri))?.id ?? null
  const account = await findLocalAccount(ctx, local.username)
  return account && !account.gone ? account.id : null
}
