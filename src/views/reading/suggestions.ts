import type { AdminRecommendation } from '#entities/admin/account.ts'
import type { Suggestion } from '#entities/account.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Suggestion as SuggestionRow, SuggestionSource } from '#domain/reading/suggestions/queries.ts'
import type { Recommendation } from '#domain/reading/suggestions/suppress.ts'
import { loadAccountViews } from '../identity/accounts.ts'

/** What older apps read in place of the list of sources. */
const olderWords: Readonly<Record<SuggestionSource, Suggestion['source']>> = {
  featured: 'staff',
  friends_of_friends: 'past_interactions',
  similar_to_recently_followed: 'past_interactions',
  most_followed: 'global',
  most_interactions: 'global',
}

/** Suggestion (https://docs.joinmastodon.org/entities/Suggestion/), in the order of `suggestions`. */
export async function viewSuggestions(
  ctx: Ctx,
  suggestions: readonly SuggestionRow[],
): Promise<Suggestion[]> {
  const accounts = await loadAccountViews(
    ctx,
    suggestions.map(({ id }) => id),
  )
  return suggestions.flatMap(({ id, sources }) => {
    const account = accounts.get(id)
    const [first] = sources
    return account && first ? [{ source: olderWords[first], sources, account }] : []
  })
}

/** What staff see of accounts that are popular here. */
export async function viewRecommendations(
  ctx: Ctx,
  found: readonly Recommendation[],
): Promise<AdminRecommendation[]> {
  const accounts = await loadAccountViews(
    ctx,
    found.map(({ id }) => id),
  )
  return found.flatMap(({ id, followers, fans, suppressed }) => {
    const account = accounts.get(id)
    return account ? [{ account, active_followers: followers, active_fans: fans, suppressed }] : []
  })
}
