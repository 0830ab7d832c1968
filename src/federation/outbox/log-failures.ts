// What the log says of deliveries that failed: one line for a host and try, whatever number of inboxes it has.
import type { Ctx } from '#ports/ctx.ts'
import type { HostReport, LeasedHost } from '#domain/federation/queue/deliveries.ts'
import { holdAfterFailures } from '#domain/server/hosts/breaker.ts'

export interface Failure {
  reason: string
  /** Milliseconds since the epoch; null: it is given up. */
  nextTry: number | null
}

/** Nothing for a host that took all. One that is left alone is not tried before that ends. */
export function logFailures(
  ctx: Ctx,
  { host, failures: before }: LeasedHost,
  { report, failures }: { report: HostReport; failures: readonly Failure[] },
): void {
  const last = failures.at(-1)
  if (!last) return
  const times = failures.flatMap(({ nextTry }) => nextTry ?? [])
  const heldUntil = ctx.clock.now() + holdAfterFailures((report.answered ? 0 : before) + report.failed)
  const next = times.length === 0 ? null : Math.max(Math.min(...times), heldUntil, report.restUntil ?? 0)
  const nextTry = next === null ? null : new Date(next).toISOString()
  ctx.log.info(
    { host, reason: last.reason, deliveries: failures.length, nextTry },
    nextTry === null ? 'deliveries to a server were given up' : 'deliveries to a server failed',
  )
}
