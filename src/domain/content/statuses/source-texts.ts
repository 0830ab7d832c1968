import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

/** The texts of local statuses as their authors wrote them. */
export async function loadSourceTexts(reader: Reader, ids: readonly Id[]): Promise<Map<Id, string>> {
  const rows = await reader.db
    .selectFrom('statuses')
    .select(['id', 'text'])
    .where('id', 'in', ids)
    .where('local', '=', true)
    .execute()
  return new Map(rows.map(({ id, text }) => [id, text]))
}
