import type { Server } from 'node:http'
import type { Config } from '#config/config.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Log } from '#ports/log.ts'
import { systemClock } from '#ports/clock.ts'
import { startWorker } from '#worker/worker.ts'
import { createContext, type App } from './context.ts'
import { clearTemporary } from './clear-temporary.ts'
import { createHttpRoles } from './http-roles.ts'
import { openPostgres } from './postgres.ts'

/** How long a stop waits for requests under way, in milliseconds. */
const drainTime = 15_000

export interface RunningServer {
  readonly ctx: Ctx
  /** Resolves when the embedded database ended by itself and could not be brought back. */
  readonly databaseDied: Promise<void>
  stop(): Promise<void>
}

/** Starts the roles of `config` on an embedded or outside PostgreSQL. Undoes what it started when a step fails. */
export async function serve(config: Config, log: Log): Promise<RunningServer> {
  const undo: (() => Promise<void>)[] = []
  const stop = once(async () => {
    for (const step of undo.toReversed()) await step()
  })
  try {
    const postgres = await openPostgres(config, log)
    undo.push(() => postgres.close())
    await clearTemporary(config.dataDir, postgres.own)
    const app = await createContext({ config, databaseUrl: postgres.url, clock: systemClock, log })
    undo.push(() => app.close())
    if (config.roles.includes('worker')) await addWorker(app, postgres.own, undo)
    if (config.roles.some((role) => role !== 'worker')) await addHttp(app, config, undo)
    return { ctx: app.ctx, databaseDied: postgres.died, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function addWorker(app: App, alone: boolean, undo: (() => Promise<void>)[]): Promise<void> {
  const worker = await startWorker(app.ctx, app.database.pool, alone)
  undo.push(() => worker.stop())
}

async function addHttp(app: App, config: Config, undo: (() => Promise<void>)[]): Promise<void> {
  const http = createHttpRoles(app.ctx)
  undo.push(() => http.close(drainTime))
  await listen(http.server, config)
}

function listen(server: Server, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenFailure(error, config)))
    server.listen(config.port, config.bind, () => resolve())
  })
}

function listenFailure(error: NodeJS.ErrnoException, config: Config): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${config.port} is taken: stop what listens there or set PORT`,
    EACCES: `Port ${config.port} may not be used by this account: set PORT to 1024 or more`,
    EADDRNOTAVAIL: `BIND is ${config.bind}, which is no address of this machine`,
    ENOTFOUND: `BIND is ${config.bind}, a name that leads to no address`,
  }
  return new Error(reasons[error.code ?? ''] ?? error.message, { cause: error })
}

function once(fn: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => (running ??= fn())
}
