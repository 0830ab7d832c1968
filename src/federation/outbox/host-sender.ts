// Sends to one host what is due there, strictly one after the other.
import type { Ctx } from '#ports/ctx.ts'
import type { SpanStart } from '#ports/trace.ts'
import type { Delivery, HostReport, LeasedHost, Settled } from '#domain/federation/queue/deliveries.ts'
import { countDelivery } from '#domain/federation/queue/delivery-counts.ts'
import { holdAfter } from '#domain/server/hosts/breaker.ts'
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import type { SignatureScheme } from '../signatures/sign-request.ts'
import { synchronisationHeaders } from './synchronisation.ts'
import { logFailures, type Failure } from './log-failures.ts'
import { deliver, refusedUnasked, retryTime, type Outcome, type SignedActivity } from './deliver.ts'
import type { OutgoingActivityId } from '#lib/id.ts'

export interface HostQueue {
  host: LeasedHost
  /** The end of the lease. */
  until: number
  /** What is due to it, in order. */
  due: readonly Delivery[]
  activityOf(activityId: OutgoingActivityId): SignedActivity | undefined
  /** False: no more may be begun. */
  mayBegin(): boolean
  /** Resolves when it is written down: nothing else is sent to the host before. */
  settle(settled: Settled): Promise<void>
}

/**
 * Sends until all is sent, the host does not answer or wants rest, or no more may be begun. A host that is left alone
 * for its failures is tried with one request. Returns what was learnt.
 */
export async function sendToHost(ctx: Ctx, queue: HostQueue): Promise<HostReport> {
  const { host } = queue.host
  const { until } = queue
  const report: HostReport = {
    host,
    until,
    answered: false,
    failed: 0,
    restUntil: null,
    scheme: null,
    error: null,
  }
  const failures: Failure[] = []
  let scheme = queue.host.scheme
  const due = queue.host.failures >= holdAfter ? queue.due.slice(0, 1) : queue.due
  for (const delivery of due) {
    if (!queue.mayBegin()) break
    const { outcome, nextTry } = await attempt(ctx, queue, delivery, scheme)
    countDelivery(ctx, outcome.result)
    if (outcome.reason !== null) failures.push({ reason: outcome.reason, nextTry })
    scheme = outcome.scheme ?? scheme
    record(report, outcome)
    if (outcome.answered === false || outcome.restUntil !== null) break
  }
  logFailures(ctx, queue.host, { report, failures })
  return report
}

async function attempt(
  ctx: Ctx,
  queue: HostQueue,
  delivery: Delivery,
  scheme: SignatureScheme | null,
): Promise<{ outcome: Outcome; nextTry: number | null }> {
  const activity = queue.activityOf(delivery.activityId)
  // Deleted meanwhile, with its sender.
  if (!activity) return { outcome: refusedUnasked, nextTry: null }
  const outcome = await ctx.trace.span(describe(delivery, activity), async (span) => {
    const found = await send(ctx, delivery, activity, scheme).catch(unsent)
    span.set({ 'stonechat.result': found.result })
    if (found.result !== 'delivered') span.fail(found.result)
    return found
  })
  const settled = toSettled(ctx, delivery, outcome)
  await queue.settle(settled)
  return { outcome, nextTry: settled.retry?.dueAt ?? null }
}

/** In the trace of what it tells of. */
function describe({ host, attempts }: Delivery, { traceparent: parent }: SignedActivity): SpanStart {
  const attributes = { 'stonechat.host': host, 'stonechat.attempt': attempts + 1 }
  return { name: 'delivery', kind: 'producer', attributes, parent }
}

/** Something is wrong here: it is tried again later. */
const unsent = (error: Error): Outcome => ({
  result: 'again',
  answered: null,
  restUntil: null,
  scheme: null,
  reason: error.message,
})

async function send(
  ctx: Ctx,
  { activityId, host, inboxUrl }: Delivery,
  activity: SignedActivity,
  scheme: SignatureScheme | null,
): Promise<Outcome> {
  // The client knows of blocks, and of nobody being allowed.
  if (ctx.config.limitedFederation && !activity.severing && !(await mayFederate(ctx, host)))
    return refusedUnasked
  const { senderId, synchronise } = activity
  const headers =
    synchronise && senderId !== null ? await synchronisationHeaders(ctx, { senderId, activityId, host }) : {}
  return deliver(ctx, activity, { inboxUrl, scheme, headers })
}

function toSettled(
  { clock }: Ctx,
  { id, attempts }: Delivery,
  { result, restUntil, reason: error }: Outcome,
): Settled {
  if (result !== 'again') return { id, retry: null }
  const dueAt = retryTime(clock.now(), attempts + 1, Math.random())
  return {
    id,
    retry: dueAt === null ? null : { attempts: attempts + 1, dueAt: Math.max(dueAt, restUntil ?? 0), error },
  }
}

function record(report: HostReport, { answered, restUntil, scheme, reason }: Outcome): void {
  report.answered ||= answered === true
  if (answered === false) report.failed += 1
  report.restUntil = restUntil
  report.scheme = scheme ?? report.scheme
  report.error = reason ?? report.error
}
