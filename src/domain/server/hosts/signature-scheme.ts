// Which kind of HTTP signature a server takes: tried once, then remembered.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

export type HostScheme = 'cavage' | 'rfc9421'

/** The kind of signature that a host last accepted; null when it accepted none yet. `host` is normalised. */
export async function findSignatureScheme(reader: Reader, host: string): Promise<HostScheme | null> {
  const { rows } = await sql<{ scheme: HostScheme | null }>`
    select signature_scheme as scheme from hosts where host = ${host}`.execute(reader.db)
  return rows[0]?.scheme ?? null
}

/** Remembers the kind of signature that a host accepted. */
export async function rememberSignatureScheme(
  reader: Reader,
  host: string,
  scheme: HostScheme,
): Promise<void> {
  await sql`
    insert into hosts (host, signature_scheme, created_at) values (${host}, ${scheme}, ${new Date(reader.clock.now())})
    on conflict (host) do update set signature_scheme = excluded.signature_scheme
      where hosts.signature_scheme is distinct from excluded.signature_scheme`.execute(reader.db)
}
