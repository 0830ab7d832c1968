import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { insertVersion, keepOriginal } from './versions.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * Marks what statuses carry as sensitive, or no longer, on behalf of staff. Those that carry no media and no link stay as
 * they are. Of this server's it is an edit that everybody is told of; others' are marked here alone. Returns those that
 * changed.
 */
export async function markSensitive(
  tx: Tx,
  ids: readonly StatusId[],
  sensitive: boolean,
): Promise<StatusId[]> {
  const { rows } = await sql<{ id: StatusId; local: boolean }>`
    select id, local from statuses
    where id = any(${ids}::bigint[]) and deleted_at is null and sensitive <> ${sensitive}
      and (media_ids <> '{}' or card_id is not null)
    order by id for no key update`.execute(tx.db)
  for (const { id, local } of rows) {
    if (local) await keepOriginal(tx, id)
    const edited = local ? sql`, edited_at = ${new Date(tx.clock.now())}` : sql``
    await sql`
      update statuses set sensitive = ${sensitive}, version = version + 1 ${edited} where id = ${id}`.execute(
      tx.db,
    )
    const editId = local ? await insertVersion(tx, id) : null
    await tx.emit({ type: 'status.updated', statusId: id, editId })
  }
  return rows.map((row) => row.id)
}
