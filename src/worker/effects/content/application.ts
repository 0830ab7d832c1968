import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { eraseApplication, invalidateApplication } from '#domain/content/statuses/applications.ts'

/** Has posts show what an application is called now. */
export const renameApplication = {
  name: 'rename-application',
  background: true,
  run: (ctx: Ctx, { applicationId }: EventOf<'application.updated'>) =>
    invalidateApplication(ctx, applicationId),
}

/** Has posts show no application any more, and removes it. */
export const removeApplication = {
  name: 'remove-application',
  background: true,
  run: (ctx: Ctx, { applicationId }: EventOf<'application.deleted'>) => eraseApplication(ctx, applicationId),
}
