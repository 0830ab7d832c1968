// A whole server in this process: its own database, no sockets, a clock and a mailbox in the test's hand.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createContext, type App } from '#app/context.ts'
import { loadConfig } from '#config/config.ts'
import type { HttpApp } from '#http/kit/app.ts'
import { createWebApp } from '#http/server-app.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'
import { runUntilIdle } from '#worker/worker.ts'
import { assertAudited } from './audited.ts'
import { assertReturned } from './returned.ts'
import { createClient, type Client } from '#test/client/client.ts'
import { createTestClock, days, type TestClock } from './clock.ts'
import { takeDatabase } from './databases.ts'
import { createTestDns, type TestDns } from './dns.ts'
import { sharedImageWorkers } from './image-workers.ts'
import { createKeyPool } from './key-pool.ts'
import { recordingLog, type LogLine } from './log.ts'
import { holdForFile } from '#test/run/let-go.ts'
import { patience } from '#test/run/patience.ts'
import { openAddress } from './open-address.ts'
import { createPeople, type People } from '#test/people/people.ts'

export interface TestApp extends People {
  readonly ctx: Ctx
  readonly baseUrl: string
  readonly clock: TestClock
  /** The name servers that are asked where mail goes. */
  readonly dns: TestDns
  /** Mails in the order in which they were sent. */
  readonly mails: Mail[]
  readonly logLines: LogLine[]
  /** A client without a token. */
  readonly anonymous: Client
  /** A request as it is, to any path. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Runs all events and jobs that wait, and what follows from them. */
  settle(): Promise<void>
  /** The SQL statements that `work` runs, without those of transactions' ends and what is read once a second anyway. */
  countQueries(work: () => Promise<unknown>): Promise<string[]>
  close(): Promise<void>
}

export interface TestAppOptions {
  /** Environment variables as an operator sets them. */
  env?: Record<string, string>
  /** Also listens at this address of 127.0.0.0/8, which with a free port becomes its domain: others can reach it. */
  host?: string
  /** With `host`: the domain in handles, while addresses are of `host`. */
  handles?: string
  /** Milliseconds for which strangers share an answer. */
  sharedFor?: number
  /** Where mails go besides `mails`. */
  mailer?: Mailer
}

/** These are read again when they are seconds old, or have changed, whatever is done then: no work has them among its own. */
const oncePerSecond =
  /^select key, value from settings$|^\s*select .* from spam_rules where enabled|^\s*select [\w, ]+ from site_uploads$|^\s*select t\.id as token_id|^\s*select (count\(\*\)|ip::text) as .* from ip_blocks/
/** Of each app to its database: every further one would plan all statements anew. */
export const connections = 4

/** Starts an app on a fresh copy of the template database. Prefer `useApp`. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const database = await takeDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-app-'))
  const queries: string[] = []
  const parts = { clock: createTestClock(), log: recordingLog(), mails: [] as Mail[], dns: createTestDns() }
  const address = options.host === undefined ? null : await openAddress(options.host)
  const config = loadConfig({
    DATA_DIR: dataDir,
    LOCAL_DOMAIN: 'chat.example',
    RATE_LIMITS: 'off',
    ...address?.env,
    ...(options.handles && { LOCAL_DOMAIN: options.handles, WEB_DOMAIN: address?.env['LOCAL_DOMAIN'] }),
    ...options.env,
  })
  // Limits count in windows of the clock: no test runs across the end of one that has just begun.
  if (config.rateLimits) parts.clock.set(Math.ceil(parts.clock.now() / days(1)) * days(1))
  const app = await createContext({
    config,
    databaseUrl: database.url,
    Client: database.Client,
    imageWorkers: sharedImageWorkers(),
    clock: parts.clock,
    log: parts.log,
    mailer: {
      async send(mail) {
        await options.mailer?.send(mail)
        parts.mails.push(mail)
      },
    },
    dns: parts.dns,
    onQuery: (sql) => queries.push(sql),
    connections,
    connectTimeout: patience,
    // Strangers see at once what was done, unless a test is about just that.
    sharedFor: options.sharedFor ?? 0,
    // A count of queries must not depend on how fast the machine is.
    linesFor: 3_600_000,
  })
  const keys = createKeyPool()
  app.ctx.activityPub.generateKeys = keys.generate
  const close = async () => {
    await address?.close()
    await app.close()
    keys.release()
    await database.release()
    await rm(dataDir, { recursive: true, force: true })
  }
  const web = createWebApp(app.ctx)
  address?.serve(web.fetch)
  return assemble(holdForFile({ app, web, queries, close }), parts)
}

/** What tests have of it, and may hold: none of it holds the server itself. */
function assemble(
  server: () => { app: App; web: HttpApp; queries: string[]; close: () => Promise<void> },
  parts: { clock: TestClock; log: ReturnType<typeof recordingLog>; mails: Mail[]; dns: TestDns },
): TestApp {
  const { baseUrl } = server().app.ctx.config
  const fetch = async (target: string, init?: RequestInit) => {
    const { web, queries } = server()
    const url = new URL(target, baseUrl)
    const from = queries.length
    const response = await web.fetch(new Request(url, init))
    const request = { method: init?.method ?? 'GET', path: url.pathname, body: init?.body }
    const answer = { status: response.status, leadsTo: response.headers.get('location') }
    assertAudited(request, answer, queries.slice(from))
    await assertReturned(request.method, url, response)
    return response
  }
  const settle = async () => {
    const { app } = server()
    const client = await app.database.pool.connect()
    try {
      await runUntilIdle(app.ctx, client)
    } finally {
      client.release()
    }
  }
  const anonymous = createClient({ fetch, token: null })
  return {
    get ctx() {
      return server().app.ctx
    },
    baseUrl,
    clock: parts.clock,
    dns: parts.dns,
    mails: parts.mails,
    logLines: parts.log.lines,
    anonymous,
    fetch,
    settle,
    async countQueries(work) {
      const { queries } = server()
      queries.length = 0
      await work()
      return queries.filter((sql) => !/^(begin|commit|rollback)/i.test(sql) && !oncePerSecond.test(sql))
    },
    close: () => server().close(),
    ...createPeople({ transaction: (fn) => server().app.ctx.transaction(fn) }, fetch),
  }
}

/** One app for a test file, started before its tests and closed after them. */
export function useApp(options: TestAppOptions = {}): TestApp {
  let app: TestApp | undefined
  beforeAll(async () => {
    app = await startApp(options)
  })
  afterAll(() => app?.close())
  return new Proxy({} as TestApp, {
    get: (_, name) => {
      if (!app) throw new Error('the app is not started yet: use it inside tests')
      return app[name as keyof TestApp]
    },
  })
}
