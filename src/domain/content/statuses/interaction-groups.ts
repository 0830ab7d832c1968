import { sql, type RawBuilder } from 'kysely'
import type { AccountId } from '#lib/id.ts'

/** What becomes of a reply or a quote: it is one at once, its author is asked first, or it is refused. */
export type InteractionAnswer = 'automatic' | 'manual' | 'denied'

/** Whether the viewer belongs to one of these groups of the author of the status `alias`, as SQL. */
export function belongsTo(
  viewerId: AccountId | RawBuilder<AccountId>,
  alias: string,
  groups: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const author = sql.ref(`${alias}.account_id`)
  return sql`('public' = any(${groups})
    or ('followers' = any(${groups}) and exists (
      select 1 from follows gf where gf.account_id = ${viewerId} and gf.target_account_id = ${author} offset 0))
    or ('following' = any(${groups}) and exists (
      select 1 from follows gf where gf.account_id = ${author} and gf.target_account_id = ${viewerId} offset 0)))`
}
