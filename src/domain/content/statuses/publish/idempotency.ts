import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { AccountId, DraftId, HeldPostId, ScheduledStatusId, StatusId } from '#lib/id.ts'

const rememberedFor = 3_600_000
const maxKey = 256

/** A status or what waits to be one: scheduled, a draft, or with staff, where it has the id that its status would have. */
export type MadeId = StatusId | ScheduledStatusId | DraftId
/** What was made; of a thread all its posts in their order. */
export type Made = readonly [MadeId, ...MadeId[]]

/**
 * What `make` makes, or what it made within the hour under the same key. A repeat makes nothing and fails at nothing, even
 * where making it twice is impossible: what carries media, say. `make` takes the key by `claimIdempotencyKey`.
 */
export async function onceForKey(
  ctx: Ctx,
  accountId: AccountId,
  key: string | null,
  make: () => Promise<Made>,
): Promise<Made> {
  if (!key) return make()
  const earlier = await findKeyed(ctx, accountId, key)
  if (earlier) return earlier
  try {
    return await make()
  } catch (error) {
    const meanwhile = await findKeyed(ctx, accountId, key)
    if (meanwhile) return meanwhile
    throw error
  }
}

/**
 * Takes an idempotency key for what gets these ids, in the transaction that writes it: one that runs at the same time
 * waits here. Returns the ids of the earlier ones when the key was taken within the hour, else null.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  accountId: AccountId,
  key: string | null | undefined,
  [id, ...further]: Made,
): Promise<Made | null> {
  if (!key) return null
  const now = tx.clock.now()
  const { rows } = await sql`
    insert into idempotency_keys (account_id, key, status_id, further_ids, created_at)
    values (${accountId}, ${key.slice(0, maxKey)}, ${id}, ${further}::bigint[], ${new Date(now)})
    on conflict (account_id, key) do update
      set status_id = excluded.status_id, further_ids = excluded.further_ids, created_at = excluded.created_at
      where idempotency_keys.created_at < ${new Date(now - rememberedFor)}
    returning status_id`.execute(tx.db)
  return rows.length > 0 ? null : findKeyed(tx, accountId, key)
}

/** Has the keys of a scheduled status lead to what became of it. */
export async function moveIdempotencyKeys(
  tx: Tx,
  accountId: AccountId,
  ids: { from: ScheduledStatusId | HeldPostId; to: StatusId },
): Promise<void> {
  await sql`
    update idempotency_keys set status_id = ${ids.to}
    where account_id = ${accountId} and status_id = ${ids.from}`.execute(tx.db)
}

async function findKeyed(reader: Reader, accountId: AccountId, key: string): Promise<Made | null> {
  const { rows } = await sql<{ status_id: MadeId; further_ids: StatusId[] }>`
    select status_id, further_ids from idempotency_keys
    where account_id = ${accountId} and key = ${key.slice(0, maxKey)}
      and created_at >= ${new Date(reader.clock.now() - rememberedFor)}`.execute(reader.db)
  return rows[0] ? [rows[0].status_id, ...rows[0].further_ids] : null
}
