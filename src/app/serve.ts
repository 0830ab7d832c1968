import { takesConnections, type Config } from '#config/config.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Log } from '#ports/log.ts'
import { systemClock } from '#ports/clock.ts'
import { claimKey } from '#domain/server/instance/own-key.ts'
import { createMetrics, type Metrics } from '#http/metrics.ts'
import { startWorker } from '#worker/worker.ts'
import { createContext, type App } from './context.ts'
import { clearTemporary } from './clear-temporary.ts'
import { createHttpRoles } from './http-roles.ts'
import { closeHttpServer } from './http-server.ts'
import { assertCanListen, listen, type Place } from './listen.ts'
import { startMetricsServer } from './metrics-server.ts'
import { assertOwnName } from './own-name.ts'
import { assertAlone, openPostgres } from './postgres.ts'

/** How long a stop waits for requests under way, in milliseconds. */
const drainTime = 15_000
/** Where several processes run a proxy sends requests on connections that it keeps open to each of them. */
const idleTime = 2_000

export interface RunningServer {
  readonly ctx: Ctx
  /** Resolves when the embedded database ended by itself and could not be brought back. */
  readonly databaseDied: Promise<void>
  stop(): Promise<void>
}

export interface ServeOptions {
  /** Gets a line for each step that may take long. */
  tell?: (line: string) => void
  /** A socket that listens on the port already. */
  descriptor?: number | null
}

/**
 * Starts the roles of `config` on an embedded or outside PostgreSQL. Undoes what it started when a step fails, and
 * makes nothing when its port is taken.
 */
export async function serve(
  config: Config,
  log: Log,
  { tell = () => {}, descriptor = null }: ServeOptions = {},
): Promise<RunningServer> {
  const undo: (() => Promise<void>)[] = []
  const stop = once(async () => {
    for (const step of undo.toReversed()) await step()
  })
  try {
    if (takesConnections(config)) await assertAddress(config, descriptor)
    const postgres = await openPostgres(config, log, tell)
    undo.push(() => postgres.close())
    await clearTemporary(config.dataDir, postgres.own)
    const app = await createContext({
      config,
      databaseUrl: config.databaseUrl ?? postgres.url,
      clock: systemClock,
      log,
      tell,
      listens: true,
    })
    undo.push(() => app.close())
    await assertOwnName(app.ctx)
    await warnOfOtherKey(app.ctx)
    if (config.roles.includes('worker')) await addWorker(app, postgres.own, undo)
    const metrics = await addMetrics(app, config, undo)
    if (takesConnections(config)) await addHttp(app, { metrics, descriptor }, undo)
    return { ctx: app.ctx, databaseDied: postgres.died, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function warnOfOtherKey(ctx: Ctx): Promise<void> {
  if (!(await claimKey(ctx))) return
  ctx.log.warn(
    { see: 'docs/operators/emergencies.md#another-secret_key_base' },
    'SECRET_KEY_BASE is not that of the last start: codes of authenticator apps, passkeys and links in mails made under the former one do not work',
  )
}

async function assertAddress(config: Config, descriptor: number | null): Promise<void> {
  try {
    await assertCanListen(placeOf(config, descriptor))
  } catch (error) {
    // Whoever starts a server twice is told that, not that its port is taken.
    await assertAlone(config)
    throw error
  }
}

const placeOf = ({ port, bind }: Config, descriptor: number | null): Place => ({
  port,
  bind,
  descriptor,
  isShared: true,
  names: { port: 'PORT', bind: 'BIND' },
})

async function addWorker(app: App, alone: boolean, undo: (() => Promise<void>)[]): Promise<void> {
  const worker = await startWorker(app.ctx, app.sessions, alone)
  undo.push(() => worker.stop())
}

async function addMetrics(app: App, config: Config, undo: (() => Promise<void>)[]): Promise<Metrics | null> {
  const metrics = createMetrics(app.ctx)
  if (!metrics || !config.metrics) return null
  const server = await startMetricsServer(metrics, config.metrics, app.ctx.log)
  undo.push(() => closeHttpServer(server, { requests: 0 }))
  return metrics
}

interface HttpParts {
  metrics: Metrics | null
  descriptor: number | null
}

async function addHttp(
  app: App,
  { metrics, descriptor }: HttpParts,
  undo: (() => Promise<void>)[],
): Promise<void> {
  const http = createHttpRoles(app.ctx, { metrics })
  const { config } = app.ctx
  undo.push(() => http.close({ requests: drainTime, idle: config.redis === null ? 0 : idleTime }))
  await listen(http.server, placeOf(config, descriptor))
}

function once(fn: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= fn())
}
