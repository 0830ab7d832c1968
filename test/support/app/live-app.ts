// A server in this process as `stonechat serve` runs it: worker, sockets and all, on a fresh database.
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { createContext } from '#app/context.ts'
import { closeHttpServer, createHttpServer, type HttpTimes } from '#app/http-server.ts'
import { loadConfig, withQueues, type Queue } from '#config/config.ts'
import { createWebApp } from '#http/server-app.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Mail } from '#ports/mailer.ts'
import { runUntilIdle, startWorker } from '#worker/worker.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { recordingLog, type LogLine } from './log.ts'
import { checkedFetch } from './returned.ts'
import { patience } from '#test/run/patience.ts'
import { createPeople, type People } from '#test/people/people.ts'

export interface LiveApp extends People {
  readonly ctx: Ctx
  readonly url: string
  readonly port: number
  readonly clock: TestClock
  readonly logLines: LogLine[]
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Runs all events and jobs that wait, and what follows from them. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface LiveAppOptions {
  databaseUrl: string
  worker?: boolean
  /** What its worker takes from; everything unless told. */
  queues?: readonly Queue[]
  /** As a server does: see `ContextOptions`. */
  listens?: boolean
  /** No other server works on the database: see `startWorker`. */
  alone?: boolean
  times?: Partial<HttpTimes>
  maxDuration?: number
  /** Milliseconds for which a caller waits for a connection; unless told, as long as there is need. */
  connectTimeout?: number
  connections?: number
  /** Environment variables as an operator sets them. */
  env?: Record<string, string>
  onMail?: (mail: Mail) => Promise<void>
}

export async function startLiveApp(options: LiveAppOptions): Promise<LiveApp> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-live-'))
  const clock = createTestClock()
  const log = recordingLog()
  const config = loadConfig({
    DATA_DIR: dataDir,
    LOCAL_DOMAIN: 'chat.example',
    RATE_LIMITS: 'off',
    ...options.env,
  })
  const app = await createContext({
    config: withQueues(config, options.queues ?? config.queues),
    databaseUrl: options.databaseUrl,
    clock,
    log,
    mailer: { send: options.onMail ?? (async () => {}) },
    connections: options.connections ?? 8,
    sharedFor: 0,
    listens: options.listens ?? false,
    connectTimeout: options.connectTimeout ?? patience,
    ...(options.maxDuration !== undefined && { maxDuration: options.maxDuration }),
  })
  const worker =
    options.worker === false ? null : await startWorker(app.ctx, app.database.pool, options.alone ?? false)
  const server = createHttpServer(getRequestListener(createWebApp(app.ctx).fetch), options.times)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const fetch = checkedFetch(url)
  return {
    ctx: app.ctx,
    url,
    port,
    clock,
    logLines: log.lines,
    fetch,
    async settle() {
      const client = await app.database.pool.connect()
      await runUntilIdle(app.ctx, client).finally(() => client.release())
    },
    async close() {
      await closeHttpServer(server, { requests: 1_000 })
      await worker?.stop()
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
    },
    ...createPeople(app.ctx, fetch),
  }
}
