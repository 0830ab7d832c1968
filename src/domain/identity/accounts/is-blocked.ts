import { sql, type RawBuilder } from 'kysely'
import type { AccountId } from '#lib/id.ts'

/** Who blocks whom: ids, or the names of columns such as `s.account_id`. */
export interface BlockPair {
  readonly blocker: AccountId | RawBuilder<unknown>
  readonly blocked: AccountId | RawBuilder<unknown>
}

/**
 * The condition that one account blocks another. `offset 0` makes it one look-up in an index for each row. Of an account
 * that is the same for all rows it is asked once a statement first whether it blocks anybody, or anybody blocks it, and each
 * row is looked at only then: most people have no blocks.
 */
export function isBlocked({ blocker, blocked }: BlockPair): RawBuilder<boolean> {
  const isPair = sql<boolean>`exists (
    select 1 from blocks pair where pair.account_id = ${blocker} and pair.target_account_id = ${blocked} offset 0)`
  if (typeof blocker === 'string')
    return sql`(exists (select 1 from blocks own where own.account_id = ${blocker}) and ${isPair})`
  if (typeof blocked === 'string')
    return sql`(exists (select 1 from blocks own where own.target_account_id = ${blocked}) and ${isPair})`
  return isPair
}

/** The condition that neither of the two blocks the other. */
export const isUnblocked = (one: BlockPair['blocker'], other: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(not ${isBlocked({ blocker: one, blocked: other })} and not ${isBlocked({ blocker: other, blocked: one })})`
