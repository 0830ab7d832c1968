import { sql } from 'kysely'
import type { CallerToken } from '#domain/identity/accounts/viewer.ts'
import type { Reader } from '#ports/ctx.ts'

const day = 86_400_000

/** Remembers that somebody came with this token: for the list of applications that people let in. Writes once a day. */
export async function recordTokenUse(
  reader: Reader,
  token: CallerToken,
  lastUsedAt: Date | null,
): Promise<void> {
  const now = reader.clock.now()
  if (lastUsedAt && now - lastUsedAt.getTime() < day) return
  await sql`
    update oauth_tokens set last_used_at = ${new Date(now)}
    where id = ${token.id} and (last_used_at is null or last_used_at <= ${new Date(now - day)})`.execute(
    reader.db,
  )
}
