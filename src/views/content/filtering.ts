import type { FilterResult } from '#entities/filter.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { loadFilterMatcher } from '#domain/reading/filters/load-matcher.ts'
import type { StatusLine } from '#domain/content/statuses/load-lines.ts'
import { hides, renderFilterResult, type HidingContext } from './filters.ts'
import { loadStatusParts, type HydratedStatuses } from './hydrated-statuses.ts'
import type { StatusId } from '#lib/id.ts'

/** What a viewer's filters say of a status, or of what it boosts, which are among `hydrated`. */
export type Filtering = (line: StatusLine, hydrated: HydratedStatuses) => readonly FilterResult[]

/** Whose filters are applied. */
export type FilterOwner = Pick<Viewer, 'accountId' | 'filtersVersion'>

const nothing: readonly FilterResult[] = []

/** The filters of the viewer, or null when they have none: then nothing is looked at. `hidingIn`: none that hide there. */
export async function loadFiltering(
  ctx: Ctx,
  viewer: FilterOwner | null,
  hidingIn?: HidingContext,
): Promise<Filtering | null> {
  const matcher = await loadFilterMatcher(ctx, viewer)
  if (!viewer || !matcher) return null
  if (hidingIn && !matcher.filters.some((one) => one.action === 'hide' && one.context.includes(hidingIn))) {
    return null
  }
  const now = ctx.clock.now()
  return (line, hydrated) => {
    const original = line.reblog_of_id === null ? line : hydrated.states.get(line.reblog_of_id)?.line
    const fixed = original && hydrated.statics.get(original.id)
    // Nobody's own words, nor what they pass on themselves, are kept from them.
    const own = line.account_id === viewer.accountId || original?.account_id === viewer.accountId
    if (!fixed || own) return nothing
    const ids = original === line ? [line.id] : [line.id, original.id]
    return matcher.match(fixed.filterText(), ids, now).map(renderFilterResult)
  }
}

/**
 * Which of these statuses a filter of the viewer hides altogether here: for what counts or passes on notifications
 * without showing the statuses. Costs next to nothing for those without such a filter.
 */
export async function loadHiddenIds(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly StatusId[],
  context: HidingContext,
): Promise<Set<StatusId>> {
  const filtering = ids.length === 0 ? null : await loadFiltering(ctx, viewer, context)
  if (!filtering) return new Set()
  const hydrated = await loadStatusParts(ctx, viewer.accountId, ids)
  const hidden = [...hydrated.states.values()].filter(({ line }) => hides(filtering(line, hydrated), context))
  return new Set(hidden.map(({ line }) => line.id))
}
