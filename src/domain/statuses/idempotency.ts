import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

const rememberedFor = 3_600_000

/**
 * Takes an idempotency key for `statusId`, in the transaction that writes the status: one that runs at the same
 * time waits here. Answers the id of the earlier status when the key was taken within the hour, else null.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  accountId: Id,
  key: string | null | undefined,
  statusId: Id,
): Promise<Id | null> {
  if (!key) return null
  const now = tx.clock.now()
  const { rows } = await sql`
    insert into idempotency_keys (account_id, key, status_id, created_at)
    values (${accountId}, ${key.slice(0, 256)}, ${statusId}, ${new Date(now)})
    on conflict (account_id, key) do update set status_id = excluded.status_id, created_at = excluded.created_at
      where idempotency_keys.created_at < ${new Date(now - rememberedFor)}
    returning status_id`.execute(tx.db)
  if (rows.length > 0) return null
  const earlier = await tx.db
    .selectFrom('idempotency_keys')
    .select('status_id')
    .where('account_id', '=', accountId)
    .where('key', '=', key.slice(0, 256))
    .executeTakeFirst()
  return earlier?.status_id ?? null
}
