import type { Reader } from '#ports/ctx.ts'
import type { StatusId } from '#lib/id.ts'

/** The texts of local statuses as their authors wrote them. */
export async function loadSourceTexts(
  reader: Reader,
  ids: readonly StatusId[],
): Promise<Map<StatusId, string>> {
  const rows = await reader.db
    .selectFrom('statuses')
    .select(['id', 'text'])
    .where('id', 'in', ids)
    .where('local', '=', true)
    .execute()
  return new Map(rows.map(({ id, text }) => [id, text]))
}
