import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { belongsTo, type InteractionAnswer } from './interaction-groups.ts'
import type { StatusVisibility } from './visibility.ts'
import type { AccountId } from '#lib/id.ts'

/** What an author lets others do with a status (https://docs.joinmastodon.org/entities/QuoteApproval/). */
export type QuotePolicy = 'public' | 'followers' | 'nobody'

/** The policy of a new status: what is not open to all cannot be quoted by others. */
export function chooseQuotePolicy(
  viewer: Viewer,
  visibility: StatusVisibility,
  asked: QuotePolicy | undefined,
): QuotePolicy {
  if (visibility !== 'public' && visibility !== 'unlisted') return 'nobody'
  return asked ?? viewer.settings.default_quote_policy ?? 'public'
}

/** The groups whose quotes are accepted at once, as `statuses.quote_automatic` holds them. */
export function automaticGroups(policy: QuotePolicy): string[] {
  return policy === 'nobody' ? [] : [policy]
}

/**
 * What becomes of a quote of `alias` by the viewer, as SQL: `automatic`, `manual` or `denied`. What only followers
 * see is its author's alone to quote, and what only those named see is nobody's. It says nothing of whether the viewer
 * can see it.
 */
export function quoteAnswerFor(
  viewerId: AccountId | RawBuilder<AccountId> | null,
  alias: string,
): RawBuilder<InteractionAnswer> {
  if (viewerId === null) return sql`'denied'`
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  const belongs = (groups: RawBuilder<unknown>) => belongsTo(viewerId, alias, groups)
  return sql`case
    when ${s('reblog_of_id')} is not null or ${s('visibility')} in ('direct', 'limited') then 'denied'
    when ${s('account_id')} = ${viewerId} then 'automatic'
    when ${s('visibility')} = 'private' then 'denied'
    when ${belongs(s('quote_automatic'))} then 'automatic'
    when ${s('quote_manual')} <> '{}' and ${belongs(s('quote_manual'))} then 'manual' else 'denied' end`
}

/**
 * What becomes of a quote of `alias` by anybody but its author, as SQL: null where that depends on who it is. Of what not
 * everybody may see it says nothing.
 */
export function quoteAnswerForAll(alias: string): RawBuilder<InteractionAnswer | null> {
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`case
    when ${s('reblog_of_id')} is not null then 'denied'
    when 'public' = any(${s('quote_automatic')}) then 'automatic'
    when ${s('quote_automatic')} <> '{}' then null
    when 'public' = any(${s('quote_manual')}) then 'manual'
    when ${s('quote_manual')} = '{}' then 'denied' end`
}
