// To whom this server listens when they speak of what others did.
import { isAnyFollowed } from '#domain/content/statuses/remote/remote-references.ts'
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { findRelayOf } from '#domain/federation/relays/relays.ts'
import type { Reader } from '#ports/ctx.ts'
import { hostOf } from '#federation/kit/json.ts'

/** Whether an account is a relay that has let this server in. */
export async function isRelay(reader: Reader, { uri }: StoredActor): Promise<boolean> {
  const relay = await findRelayOf(reader, { uri, host: hostOf(uri) ?? '' })
  return relay?.state === 'accepted'
}

/**
 * Whether word of others' activities is taken from an account, as a hint where to look: somebody here follows it, or it
 * is a relay.
 */
export async function isTrustedForwarder(reader: Reader, actor: StoredActor): Promise<boolean> {
  return (await isAnyFollowed(reader, [actor.id])) || isRelay(reader, actor)
}
