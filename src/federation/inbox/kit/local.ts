// What activities name, as far as it is known here.
import { findLocalAccount, type LocalAccount } from '#domain/identity/accounts/lookup.ts'
import { loadKnownStatuses, type KnownStatus } from '#domain/content/statuses/remote/remote-references.ts'
import type { Reader } from '#ports/ctx.ts'
import { readLocalUri } from '#federation/kit/uris.ts'

/** The local account at an address, neither suspended nor deleted. */
export async function findLocalActor(reader: Reader, uri: string | null): Promise<LocalAccount | null> {
  const name = uri === null ? null : readLocalUri(reader.config, uri)
  if (name?.kind !== 'actor') return null
  const account = await findLocalAccount(reader, name.username)
  return account?.gone === false ? account : null
}

/** The status at an address, local or of another server. Deleted ones too, for as long as they leave a trace. */
export async function findKnownStatus(reader: Reader, uri: string): Promise<KnownStatus | null> {
  const name = readLocalUri(reader.config, uri)
  const known =
    name === null
      ? await loadKnownStatuses(reader, [uri])
      : await loadKnownStatuses(reader, [], 'id' in name ? [name.id] : [])
  return known.values().next().value ?? null
}

/** The local status at an address. */
export async function findLocalStatus(reader: Reader, uri: string | null): Promise<KnownStatus | null> {
  if (uri === null || readLocalUri(reader.config, uri)?.kind !== 'status') return null
  const status = await findKnownStatus(reader, uri)
  return status?.deleted === false ? status : null
}
