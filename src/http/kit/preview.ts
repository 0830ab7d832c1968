import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { findFeedAccess, narrow, type FeedKind } from '#domain/reading/timelines/feed-access.ts'
import { unauthorized } from '#lib/errors.ts'

/**
 * Public and tag timelines want a user when the public preview is off, or when settings keep all that is asked for from
 * strangers. Throws `unauthorized`.
 */
export async function assertPreview(
  ctx: Ctx,
  viewer: Viewer | null,
  kind: FeedKind,
  asked: { local?: boolean | undefined; remote?: boolean | undefined } = {},
): Promise<void> {
  if (viewer !== null) return
  if (!ctx.config.timelinePreview || !narrow(asked, await findFeedAccess(ctx, null, kind)))
    throw unauthorized('needs_user')
}
