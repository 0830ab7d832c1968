import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { notFound, unavailable } from '#lib/errors.ts'
import { awaitDeliveries } from './await-deliveries.ts'
import { replaceSigningKeys } from './keys.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

const batch = 50

/**
 * Gives a local account new keys in place of those it has, and has other servers told. What is on its way signed with
 * the old ones may be refused and is sent again then. Throws `not_found` for an account that is not one of this server.
 */
export async function rotateKeys(ctx: Ctx, staff: Staff, accountId: AccountId): Promise<void> {
  const pems = await ctx.activityPub.generateKeys()
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ username: string }>`
      select username from accounts where id = ${accountId} and domain is null and deleted_at is null
      for no key update`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await replaceSigningKeys(tx, accountId, pems)
    await recordAction(tx, staff, {
      action: 'rotate_keys',
      targetType: 'account',
      targetId: accountId,
      label: rows[0].username,
    })
  })
}

/**
 * `rotateKeys` for all accounts of this server, no faster than other servers can be told. Throws `unavailable` when
 * nobody sends what waits; those that are done have new keys then.
 */
export async function rotateAllKeys(ctx: Ctx, staff: Staff, onDone: () => void = () => {}): Promise<number> {
  let rotated = 0
  for (let after: IdCursor = '0'; ;) {
    const ids = await listLocal(ctx, after)
    for (const id of ids) {
      await rotateKeys(ctx, staff, id)
      onDone()
    }
    rotated += ids.length
    if (ids.length < batch) return rotated
    after = ids.at(-1) ?? after
    if (!(await awaitDeliveries(ctx))) {
      throw unavailable('new_keys_not_sent', { count: rotated })
    }
  }
}

async function listLocal(reader: Reader, after: IdCursor): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select id from accounts where domain is null and deleted_at is null and id > ${after}
    order by id limit ${batch}`.execute(reader.db)
  return rows.map((row) => row.id)
}
