// A server in this process with everything that `stonechat serve` runs, and clients that listen to its streams.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { WebSocket, type ClientOptions } from 'ws'
import { createContext } from '#app/context.ts'
import { createHttpRoles } from '#app/http-roles.ts'
import { loadConfig, withRoles, type Role } from '#config/config.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { HeartbeatTimes } from '#streaming/heartbeat.ts'
import { startWorker } from '#worker/worker.ts'
import type { Json } from '#test/client/client.ts'
import { createTestClock, type TestClock } from './clock.ts'
import { takeDatabase, type TestDatabase } from './databases.ts'
import { recordingLog, type LogLine } from './log.ts'
import { patience, until } from '#test/run/patience.ts'
import { createPeople, type People, type Person } from '#test/people/people.ts'
import { checkedFetch } from './returned.ts'
import { assertStreamed } from './streamed.ts'
import { parseExactly } from '#test/client/parse-exactly.ts'

export interface StreamingApp extends People {
  readonly ctx: Ctx
  readonly clock: TestClock
  readonly databaseUrl: string
  readonly logLines: LogLine[]
  readonly url: string
  /** `ws://…/api/v1/streaming`. */
  readonly streamUrl: string
  countStreams(): number
  /** All SQL statements so far. */
  readonly queries: string[]
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** An open WebSocket of this person. `query`: of its address. */
  listen(token: string, query?: Record<string, string>): Promise<Listener>
  /** Server-sent events of a path below the streaming one. */
  read(token: string, path: string): Promise<EventReader>
  /** Resolves when no event waits for its effects: streams have been told of all that had happened before. */
  untilDone(): Promise<void>
  /**
   * Resolves when the listener has heard all that had happened before: then a post of this person comes last. `more`: of
   * that post.
   */
  fence(listener: Inbox, person: Person, more?: Record<string, unknown>): Promise<void>
  /** Ends the streams that were opened by `listen` and `read`. */
  closeStreams(): Promise<void>
  /** Without the database, which is the caller's. */
  stop(): Promise<void>
}

export interface StreamingAppOptions {
  databaseUrl: string
  /** Takes the connections that earlier servers left: see `TestDatabase`. */
  Client?: TestDatabase['Client']
  env?: Record<string, string>
  roles?: Role[]
  heartbeat?: Partial<HeartbeatTimes>
  /** Hears what other programs change in the database. */
  listens?: boolean
  /** Where it listens; any free port unless given. */
  port?: number
}

/** One event as a client gets it. `payload` is parsed where it is JSON of an object. */
export interface Heard {
  stream: string[]
  event: string
  payload: Json
  /** As it was sent. */
  text: string
  error?: string
  status?: number
}

const quickly: HeartbeatTimes = { beat: 15_000, ping: 30_000, access: 500, refresh: 60_000 }

/** Starts a server with these roles on a database of its own or one that others use too. */
export async function startStreamingApp(options: StreamingAppOptions): Promise<StreamingApp> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-streams-'))
  const roles = options.roles ?? ['web', 'worker', 'streaming']
  const config = withRoles(
    loadConfig({ DATA_DIR: dataDir, LOCAL_DOMAIN: 'chat.example', RATE_LIMITS: 'off', ...options.env }),
    roles,
  )
  const [clock, log, queries] = [createTestClock(), recordingLog(), [] as string[]]
  const app = await createContext({
    config,
    databaseUrl: options.databaseUrl,
    ...(options.Client && { Client: options.Client }),
    clock,
    log,
    mailer: { send: async () => {} },
    onQuery: (sql) => queries.push(sql),
    connections: 8,
    listens: options.listens ?? false,
  })
  const worker = roles.includes('worker') ? await startWorker(app.ctx, app.database.pool, false) : null
  const http = createHttpRoles(app.ctx, {
    heartbeat: { ...quickly, ...options.heartbeat },
    // Its port is known too late to be named.
    checkHost: () => 'ours',
  })
  http.server.listen(options.port ?? 0, '127.0.0.1')
  await once(http.server, 'listening')
  const { port } = http.server.address() as AddressInfo
  const [url, streamUrl] = [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}/api/v1/streaming`]
  const fetch = checkedFetch(url)
  const listening = createSubscribed(url, streamUrl)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    await http.close({ requests: 1_000 })
    await listening.closeStreams()
    await worker?.stop()
    await app.close()
    await rm(dataDir, { recursive: true, force: true })
  }
  return {
    ctx: app.ctx,
    clock,
    databaseUrl: options.databaseUrl,
    logLines: log.lines,
    url,
    streamUrl,
    countStreams: http.countStreams,
    queries,
    fetch,
    ...listening,
    untilDone: () => untilDone(app.ctx),
    async fence(listener, person, more) {
      await untilDone(app.ctx)
      const { id } = await person.say(`fence ${crypto.randomUUID()}`, more)
      await listener.next('update', (heard) => heard.payload.id === id)
    },
    stop: () => (stopping ??= stop()),
    ...createPeople(app.ctx, fetch),
  }
}

function createSubscribed(
  url: string,
  streamUrl: string,
): Pick<StreamingApp, 'listen' | 'read' | 'closeStreams'> {
  const opened = new Set<Listener | EventReader>()
  const keep = <T extends Listener | EventReader>(one: T) => {
    opened.add(one)
    return one
  }
  return {
    async listen(token, query = {}) {
      const asked = new URLSearchParams({ access_token: token, ...query })
      return keep(await openListener(`${streamUrl}?${asked}`))
    },
    read: async (token, target) => keep(await openReader(`${url}/api/v1/streaming/${target}`, token)),
    async closeStreams() {
      const closed = Array.from(opened, (one) => one.closed)
      for (const one of opened) one.close()
      opened.clear()
      await Promise.all(closed)
    },
  }
}

/** Resolves when no event waits for its effects. */
async function untilDone(ctx: Ctx): Promise<void> {
  const isDone = async () =>
    (await sql`select 1 from outbox where failed_at is null limit 1`.execute(ctx.db)).rows.length === 0
  await until(isDone, () => 'events still wait', { interval: 10 })
}

/** One server for a test file. */
export function useStreamingApp(options: Omit<StreamingAppOptions, 'databaseUrl'> = {}): StreamingApp {
  let app: StreamingApp | undefined
  let database: TestDatabase | undefined
  beforeAll(async () => {
    database = await takeDatabase()
    app = await startStreamingApp({ databaseUrl: database.url, Client: database.Client, ...options })
  })
  afterAll(async () => {
    await app?.stop()
    await database?.release()
  })
  return new Proxy({} as StreamingApp, {
    get: (_, name) => {
      if (!app) throw new Error('the app is not started yet: use it inside tests')
      return app[name as keyof StreamingApp]
    },
  })
}

/** What a listener has heard, in order, and what it waits for. */
export interface Inbox {
  readonly heard: Heard[]
  /** The first event, past or coming, of this kind that `matches`; fails the test when it does not come. */
  next(event: string, matches?: (heard: Heard) => boolean): Promise<Heard>
}

function createInbox(): Inbox & { take(heard: Heard): void } {
  const heard: Heard[] = []
  const waiting = new Set<() => void>()
  return {
    heard,
    take(one) {
      heard.push(one)
      for (const look of waiting) look()
    },
    next(event, matches = () => true) {
      const found = () => heard.find((one) => one.event === event && matches(one))
      return new Promise((resolve, reject) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(look)
        }
        const look = () => {
          const one = found()
          if (!one) return
          end()
          resolve(one)
        }
        const timer = setTimeout(() => {
          end()
          reject(
            new Error(`no ${event} came, but ${JSON.stringify(heard.map((one) => [one.stream, one.event]))}`),
          )
        }, patience)
        waiting.add(look)
        look()
      })
    },
  }
}

export interface Listener extends Inbox {
  readonly socket: WebSocket
  /** Why it was closed, once it is. */
  readonly closed: Promise<number>
  subscribe(stream: string, more?: Record<string, unknown>): void
  unsubscribe(stream: string, more?: Record<string, unknown>): void
  /** Resolves when the server has done all that it was told before: it does one after another. */
  answered(): Promise<void>
  close(): void
}

export async function openListener(
  url: string,
  protocols: string[] = [],
  options: ClientOptions = {},
): Promise<Listener> {
  const socket = new WebSocket(url, protocols, options)
  const inbox = createInbox()
  socket.on('message', (data) => {
    const message = parseExactly(String(data))
    inbox.take({
      stream: message.stream ?? [],
      event: message.event ?? 'error',
      text: message.payload,
      payload: parsePayload(message.event, message.payload),
      ...(message.error !== undefined && { error: message.error, status: message.status }),
    })
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await once(socket, 'open')
  socket.on('error', () => {})
  const say =
    (type: string) =>
    (stream: string, more: Record<string, unknown> = {}) =>
      socket.send(JSON.stringify({ type, stream, ...more }))
  return {
    ...inbox,
    socket,
    closed,
    subscribe: say('subscribe'),
    unsubscribe: say('unsubscribe'),
    async answered() {
      const isRefusal = (one: Heard) => one.event === 'error'
      const before = inbox.heard.filter(isRefusal).length
      say('subscribe')('no such stream')
      await inbox.next('error', () => inbox.heard.filter(isRefusal).length > before)
    },
    close: () => socket.terminate(),
  }
}

function parsePayload(event: string, text: string | undefined): Json {
  if (text === undefined || !/^[{[]/.test(text)) return text
  const payload = parseExactly(text)
  assertStreamed(event, payload)
  return payload
}

export interface EventReader extends Inbox {
  readonly response: Response
  /** Lines that are no part of an event. */
  readonly comments: string[]
  readonly closed: Promise<void>
  close(): void
}

async function openReader(url: string, token: string): Promise<EventReader> {
  const abort = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    signal: abort.signal,
  })
  const inbox = createInbox()
  const comments: string[] = []
  const consume = async () => {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      rest += chunk
      for (let end = rest.indexOf('\n'); end !== -1 && rest.startsWith(':'); end = rest.indexOf('\n')) {
        comments.push(rest.slice(0, end))
        rest = rest.slice(end + 1)
      }
      for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
        takeBlock(inbox, rest.slice(0, end))
        rest = rest.slice(end + 2)
      }
    }
  }
  return { ...inbox, response, comments, closed: consume().catch(() => {}), close: () => abort.abort() }
}

function takeBlock(inbox: { take(heard: Heard): void }, block: string): void {
  const [, event = '', text = ''] = /^event: (.*)\ndata: ?(.*)$/.exec(block) ?? []
  inbox.take({ stream: [], event, text, payload: parsePayload(event, text) })
}
