import type { Ctx } from '#ports/ctx.ts'
import { loadStatusAudiences, type StatusAudience } from '#domain/content/statuses/status-audience.ts'
import { fanOutBoost, fanOutByTags, fanOutPost } from './home-feed.ts'
import { fanOutLists } from './list-feed.ts'
import type { StatusId } from '#lib/id.ts'

/**
 * Puts a new status into the home feeds of those who follow its author or its tags, and into the lists that have the
 * author. Safe to run again. `known`: what may follow from it, when that is known.
 */
export async function fanOutStatus(ctx: Ctx, statusId: StatusId, known?: StatusAudience): Promise<void> {
  const audience = known ?? (await loadStatusAudiences(ctx, [statusId])).get(statusId)
  if (audience?.followed) await (audience.boost ? fanOutBoost : fanOutPost)(ctx, statusId)
  if (audience?.listed) await fanOutLists(ctx, statusId)
  if (audience?.tagged) await fanOutByTags(ctx, statusId)
}
