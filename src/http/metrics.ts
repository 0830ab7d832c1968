// What a Prometheus server scrapes (https://prometheus.io/docs/instrumenting/exposition_formats/, text format 0.0.4).
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { routePath } from 'hono/route'
import { deliveryCounts } from '#domain/federation/queue/delivery-counts.ts'
import { countWaitingTraffic, type WaitingTraffic } from '#domain/federation/queue/waiting-traffic.ts'
import { readServerSize, type ServerSize } from '#domain/server/instance/server-size.ts'
import { countWaitingWork, type WaitingWork } from '#domain/server/instance/waiting-work.ts'
import { unauthorized } from '#lib/errors.ts'
import { family, type Sample } from '#lib/prometheus.ts'
import { sameSecret } from '#lib/secrets.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { ReplicaUse } from '#ports/metrics.ts'
import type { HttpApp } from './kit/app.ts'
import { createRequestMetrics, type RequestMetrics } from './request-metrics.ts'

/** Of an answer with numbers. */
export const metricsHeaders = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'cache-control': 'no-store',
} as const
const nanosecond = 1e-9

export interface Metrics {
  /** All numbers of this process, in the text format. */
  text(): Promise<string>
  readonly requests: RequestMetrics
}

/** The numbers of this process; null unless PROMETHEUS_ENABLED is on. */
export function createMetrics(ctx: Ctx): Metrics | null {
  if (!ctx.config.metrics) return null
  const requests = createRequestMetrics()
  const lag = monitorEventLoopDelay({ resolution: 10 })
  lag.enable()
  return {
    requests,
    async text() {
      return [
        processText(),
        lagText(lag),
        poolText(ctx),
        replicasText(ctx),
        await workText(ctx),
        deliveriesText(ctx),
        await stateText(ctx),
        ...ctx.meter.families().map(({ name, type, help, samples }) => family(name, type, help, samples)),
        requests.text(),
      ].join('')
    },
  }
}

/**
 * Counts all requests to what is added to `app` afterwards, and serves `/metrics` to whoever brings METRICS_TOKEN.
 * Without one `/metrics` is as unknown as any other path.
 */
export function addMetrics(app: HttpApp, ctx: Ctx, metrics: Metrics | null): void {
  if (!metrics) return
  app.use(async (c, next) => {
    const started = performance.now()
    await next()
    metrics.requests.observe({
      method: c.req.method,
      route: routePath(c),
      status: c.res.status,
      seconds: (performance.now() - started) / 1000,
    })
  })
  const token = ctx.config.metrics?.token ?? null
  if (token === null) return
  app.get('/metrics', async (c) => {
    const given = /^Bearer +(\S+)\s*$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (given === undefined || !sameSecret(given, token)) throw unauthorized('metrics_token_wrong')
    return new Response(await metrics.text(), { headers: metricsHeaders })
  })
}

function processText(): string {
  const cpu = process.cpuUsage()
  const memory = process.memoryUsage()
  const started = Date.now() / 1000 - process.uptime()
  return [
    family('process_cpu_seconds_total', 'counter', 'CPU time used.', [
      { labels: { mode: 'user' }, value: cpu.user / 1e6 },
      { labels: { mode: 'system' }, value: cpu.system / 1e6 },
    ]),
    family('process_start_time_seconds', 'gauge', 'When the process started.', [{ value: started }]),
    family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [{ value: memory.rss }]),
    family('nodejs_heap_used_bytes', 'gauge', 'Heap in use.', [{ value: memory.heapUsed }]),
    family('nodejs_external_memory_bytes', 'gauge', 'Memory outside the heap.', [{ value: memory.external }]),
  ].join('')
}

/** Since the scrape before this one. */
function lagText(lag: ReturnType<typeof monitorEventLoopDelay>): string {
  const quantile = (name: string, value: number): Sample => ({
    labels: { quantile: name },
    value: value * nanosecond,
  })
  const samples = [
    quantile('0.5', lag.percentile(50)),
    quantile('0.99', lag.percentile(99)),
    quantile('1', lag.max),
  ]
  const empty = lag.count === 0
  lag.reset()
  return family('nodejs_eventloop_lag_seconds', 'gauge', 'Delay of the event loop.', empty ? [] : samples)
}

function poolText(ctx: Ctx): string {
  const use = ctx.poolUse()
  return [
    family('stonechat_database_connections', 'gauge', 'Connections to the database.', [
      { labels: { state: 'busy' }, value: use.open - use.idle },
      { labels: { state: 'idle' }, value: use.idle },
    ]),
    family('stonechat_database_connections_max', 'gauge', 'Connections allowed.', [{ value: use.max }]),
    family('stonechat_database_queue', 'gauge', 'Queries that wait for a connection.', [
      { value: use.waiting },
    ]),
  ].join('')
}

/** How this process finds the read replicas. */
function replicasText(ctx: Ctx): string {
  const { replicas } = ctx.poolUse()
  const each = (read: (use: ReplicaUse) => number): Sample[] =>
    replicas.map((use) => ({ labels: { replica: use.name }, value: read(use) }))
  const answers = replicas.flatMap(({ name, answered, passedOn }) => [
    { labels: { replica: name, by: 'replica' }, value: answered },
    { labels: { replica: name, by: 'database' }, value: passedOn },
  ])
  return [
    family(
      'stonechat_replica_up',
      'gauge',
      'Whether a read replica is asked.',
      each(({ state }) => Number(state === 'current')),
    ),
    family(
      'stonechat_replica_lag_bytes',
      'gauge',
      'Log that a read replica has not been through.',
      each(({ bytes }) => bytes),
    ),
    family(
      'stonechat_replica_lag_seconds',
      'gauge',
      'For how long a read replica has been behind.',
      each(({ seconds }) => seconds),
    ),
    family(
      'stonechat_replica_reads_total',
      'counter',
      'Reads meant for a replica, by what answered them.',
      answers,
    ),
  ].join('')
}

async function workText(ctx: Ctx): Promise<string> {
  const counts = Promise.all([countWaitingWork(ctx), countWaitingTraffic(ctx)])
  const [work, traffic] = await counts.catch(() => [null, null] as const)
  const up = family('stonechat_database_up', 'gauge', 'Whether the database answers.', [
    { value: work ? 1 : 0 },
  ])
  return work ? up + renderWork(work) + renderTraffic(traffic) : up
}

async function stateText(ctx: Ctx): Promise<string> {
  const size = await readServerSize(ctx).catch(() => null)
  return size ? renderSize(size) : ''
}

function renderSize({ queues, users, media, databaseBytes }: ServerSize): string {
  const each = (label: string, values: Readonly<Record<string, number>>): Sample[] =>
    Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }))
  return [
    family(
      'stonechat_queue_oldest_seconds',
      'gauge',
      'How long the oldest entry that is due has waited.',
      each('queue', queues),
    ),
    family('stonechat_users', 'gauge', 'People with an account here.', each('state', users)),
    family('stonechat_media_bytes', 'gauge', 'Bytes of stored media.', each('kind', media)),
    family('stonechat_database_size_bytes', 'gauge', 'Size of the database.', [{ value: databaseBytes }]),
  ].join('')
}

/** Of this process: what delivers has the numbers. */
function deliveriesText(ctx: Ctx): string {
  const samples = Object.entries(deliveryCounts(ctx)).map(([result, value]) => ({
    labels: { result },
    value,
  }))
  return family('stonechat_delivery_attempts_total', 'counter', 'Attempts to deliver an activity.', samples)
}

function renderWork(work: WaitingWork): string {
  return [
    family('stonechat_outbox_events', 'gauge', 'Events in the outbox.', [
      { labels: { state: 'waiting' }, value: work.eventsWaiting },
      { labels: { state: 'failed' }, value: work.eventsFailed },
    ]),
    family('stonechat_outbox_oldest_seconds', 'gauge', 'How long the oldest event has waited.', [
      { value: work.oldestEventAge },
    ]),
    family('stonechat_jobs', 'gauge', 'Jobs in the queue.', [
      { labels: { state: 'waiting' }, value: work.jobsWaiting },
      { labels: { state: 'scheduled' }, value: work.jobsScheduled },
      { labels: { state: 'running' }, value: work.jobsRunning },
      { labels: { state: 'failed' }, value: work.jobsFailed },
    ]),
  ].join('')
}

function renderTraffic(traffic: WaitingTraffic): string {
  return [
    family('stonechat_incoming_activities', 'gauge', 'What other servers sent and is not dealt with.', [
      { labels: { state: 'waiting' }, value: traffic.incomingWaiting },
      { labels: { state: 'failed' }, value: traffic.incomingFailed },
    ]),
    family('stonechat_deliveries', 'gauge', 'Activities that wait for an inbox of another server.', [
      { labels: { state: 'due' }, value: traffic.deliveriesDue },
      { labels: { state: 'later' }, value: traffic.deliveriesLater },
    ]),
    family('stonechat_hosts', 'gauge', 'Other servers that do not answer.', [
      { labels: { state: 'held' }, value: traffic.hostsHeld },
      { labels: { state: 'given-up' }, value: traffic.hostsGivenUp },
    ]),
  ].join('')
}
