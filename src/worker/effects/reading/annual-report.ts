import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { generateReport } from '#domain/reading/annual-reports/generate-report.ts'
import { notifyOfAnnualReport } from '#domain/reading/notifications/notify.ts'

/** Sums up somebody's year, which may have many statuses: one at a time. */
export const generateAnnualReport = {
  name: 'generate-annual-report',
  background: true,
  queue: () => 'annual-reports',
  run: (ctx: Ctx, event: EventOf<'annual-report.requested'>) => generateReport(ctx, event.reportId),
}

/** Tells somebody that their report is there. */
export const notifyAnnualReport = {
  name: 'notify-annual-report',
  run: (ctx: Ctx, event: EventOf<'annual-report.generated'>) => notifyOfAnnualReport(ctx, event.reportId),
}
