import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/accounts/viewer.ts'
import { unauthorized } from '#lib/errors.ts'
import { needsUser } from './auth.ts'

/** Public and tag timelines want a user when the public preview is off. Throws `unauthorized`. */
export function assertPreview(ctx: Ctx, viewer: Viewer | null): void {
  if (!ctx.config.timelinePreview && viewer === null) throw unauthorized(needsUser)
}
