import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { mergeTag, unmergeTag } from '#domain/reading/timelines/tag-feed.ts'

/** Brings recent posts with a newly followed hashtag home. */
export const mergeFollowedTag = {
  name: 'merge-followed-tag',
  run: (ctx: Ctx, event: EventOf<'tag-follow.created'>) => mergeTag(ctx, event.accountId, event.tagId),
}

/** Takes them out again. */
export const unmergeFollowedTag = {
  name: 'unmerge-followed-tag',
  run: (ctx: Ctx, event: EventOf<'tag-follow.deleted'>) => unmergeTag(ctx, event.accountId, event.tagId),
}
