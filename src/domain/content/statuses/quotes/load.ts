import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { keyBy } from '#lib/collections.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export type QuoteState = 'pending' | 'accepted' | 'rejected' | 'revoked' | 'deleted'

export interface QuoteRow {
  status_id: StatusId
  quoted_status_id: StatusId | null
  quoted_account_id: AccountId | null
  state: QuoteState
}

/** The quotes that statuses make, by the quoting status. */
export async function loadQuotes(
  reader: Reader,
  statusIds: readonly StatusId[],
): Promise<Map<StatusId, QuoteRow>> {
  const { rows } = await sql<QuoteRow>`
    select status_id, quoted_status_id, quoted_account_id, state from quotes
    where status_id = any(${statusIds}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.status_id)
}

/** Why the viewer does not want to see what an account says, although they may. */
export type QuoteBarrier = 'blocked_account' | 'blocked_domain' | 'muted_account'

/** Authors whom the viewer blocks or mutes, or whose server they block. Nobody for nobody. */
export async function loadQuoteBarriers(
  reader: Reader,
  viewerId: AccountId | null,
  accountIds: readonly AccountId[],
): Promise<Map<AccountId, QuoteBarrier>> {
  if (viewerId === null || accountIds.length === 0) return new Map()
  const muted = isMuted({ muter: viewerId, muted: sql`a.id` }, new Date(reader.clock.now()))
  const { rows } = await sql<{ id: AccountId; barrier: QuoteBarrier | null }>`
    select a.id, case
      when ${isBlocked({ blocker: viewerId, blocked: sql`a.id` })}
        then 'blocked_account'
      when exists (select 1 from account_domain_blocks d where d.account_id = ${viewerId} and d.domain = a.domain offset 0)
        then 'blocked_domain'
      when ${muted}
        then 'muted_account' end as barrier
    from accounts a where a.id = any(${accountIds}::bigint[])`.execute(reader.db)
  return new Map(rows.flatMap((row) => (row.barrier === null ? [] : [[row.id, row.barrier]])))
}
