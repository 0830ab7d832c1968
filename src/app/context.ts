// The composition root: the only code that knows every adapter.
import path from 'node:path'
import type pg from 'pg'
import type { Config } from '#config/config.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Clock } from '#ports/clock.ts'
import type { Bus } from '#ports/bus.ts'
import type { Dns } from '#ports/dns.ts'
import type { Event } from '#ports/events.ts'
import type { HttpClient } from '#ports/http-client.ts'
import type { Kv } from '#ports/kv.ts'
import type { Log } from '#ports/log.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { Trace } from '#ports/trace.ts'
import type { Translator } from '#ports/translator.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'
import { createIdGenerator } from '#lib/ids.ts'
import { createChanges, type ToldChanges } from '#adapters/changes.ts'
import { createCaches } from '#adapters/memory/caches.ts'
import { createMemoryBus } from '#adapters/memory/bus.ts'
import { createMeter } from '#adapters/memory/meter.ts'
import { createMemoryKv } from '#adapters/memory/kv.ts'
import { createDns } from '#adapters/dns/dns.ts'
import { createDoctor } from '#adapters/doctor.ts'
import type { ImageWorkers } from '#adapters/media/images/image-workers.ts'
import { createMedia } from '#adapters/media/media.ts'
import { createHttpClient } from '#adapters/http-client/http-client.ts'
import { openSignIn } from './sign-in.ts'
import { createDeepl } from '#adapters/translate/deepl.ts'
import { createLibreTranslate } from '#adapters/translate/libretranslate.ts'
import { createOutboxMailer } from '#adapters/outbox/mailer.ts'
import { createWebPush } from '#adapters/webpush/push.ts'
import { createJobs, migrateJobs } from '#adapters/postgres/jobs.ts'
import { watchChanges } from '#adapters/postgres/changes.ts'
import { listenForChanges, type Listening } from '#adapters/postgres/listen-for-changes.ts'
import { openDatabase, type Database } from '#adapters/postgres/database.ts'
import type { QueryListener } from '#adapters/postgres/pool.ts'
import { assertRestored } from '#db/dump/target.ts'
import { migrate } from '#db/migrate.ts'
import { insertEvents, outboxChannel } from '#db/outbox.ts'
import { isHostBlocked } from '#domain/server/instance/is-host-blocked.ts'
import { createActivityPub } from '#federation/activity-pub.ts'
import { createRemote } from '#federation/remote.ts'
import { invalidateChanged } from './invalidate-changed.ts'
import { createStorage } from './media/stores.ts'
import { loadSecrets } from './secrets.ts'
import { idFloor, processNode } from '#db/id-node.ts'
import { openTrace } from './trace.ts'

/** Of a process's connections, a third only reads (docs/adr/0022). A command, which has few, does without. */
const readersOf = (all: number) => Math.min(6, Math.floor(all / 3))

/** What the job queue takes where it has connections of its own. */
const sessionConnections = 6

const connectionsFor = (all: number) =>
  all < 6 ? { max: all } : { max: all - readersOf(all), readers: readersOf(all) }

/** Where requests go: behind a pooler it is the pooler that shares connections, and that keeps settings of its own. */
function mainConnections({ config, databaseUrl, connections }: ContextOptions) {
  const all = connections ?? config.connections
  const isPooled = config.databaseDirectUrl !== null && config.databaseDirectUrl !== databaseUrl
  const prepares = config.preparedStatements
  return isPooled ? { max: all, isPooled, prepares } : { ...connectionsFor(all), prepares }
}

/** Only who answers people asks replicas. */
function replicasFor({ config, databaseUrl, listens = false }: ContextOptions) {
  const urls = config.replicaUrls
  if (urls.length === 0 || !listens || !config.roles.includes('web')) return undefined
  return { urls, of: config.databaseDirectUrl ?? databaseUrl }
}

export interface ContextOptions {
  config: Config
  databaseUrl: string
  clock: Clock
  log: Log
  mailer?: Mailer
  dns?: Dns
  onQuery?: QueryListener
  /** Milliseconds for which strangers share an answer; a second unless told. */
  sharedFor?: number
  /** Milliseconds for which lines of posts and accounts are believed of which no change was told; five seconds unless told. */
  linesFor?: number
  /** Shared with other contexts of this process, as several processes share Redis. */
  bus?: Bus
  /** Connections to the database at most. */
  connections?: number
  /** Milliseconds for which a statement may remain unanswered: see `PoolOptions`. */
  maxDuration?: number
  /** Milliseconds for which a caller waits for a connection: see `PoolOptions`. */
  connectTimeout?: number
  /** Shared with other contexts of this process, and not ended with this one. */
  imageWorkers?: ImageWorkers
  /** Makes connections to the database: see `PoolOptions`. */
  Client?: typeof pg.Client
  /** Hears what other programs change in the database: for servers, which keep more in memory than commands. */
  listens?: boolean
  /** Servers are told what it changes, as by any other program. */
  isCommand?: boolean
  /** For the restore itself: others refuse a database that is not restored whole. */
  restoring?: boolean
  /** Gets a line for each step that may take long. */
  tell?: (line: string) => void
}

export interface App {
  readonly ctx: Ctx
  readonly database: Database
  /** For what listens or locks: connections that are nobody else's meanwhile, also where `database` is a pooler's. */
  readonly sessions: pg.Pool
  close(): Promise<void>
}

/** How long a close waits for statements under way, in milliseconds. */
const closeTime = 3_000
/** The longest time a timer takes, 24 days, in milliseconds. */
const maxTimer = 2 ** 31 - 1

/** Opens the database, brings its schema forward and builds the context around it. */
export async function createContext(options: ContextOptions): Promise<App> {
  await bringForward(options)
  const trace = await openTrace(options.config, options.log)
  const database = openDatabase({
    url: options.databaseUrl,
    ...mainConnections(options),
    log: options.log,
    trace,
    Client: options.Client,
    ...(options.onQuery && { onQuery: options.onQuery }),
    ...(options.maxDuration !== undefined && { maxDuration: options.maxDuration }),
    connectTimeout: options.connectTimeout,
    replicas: replicasFor(options),
    isCommand: options.isCommand,
  })
  try {
    return await buildContext(options, { database, trace })
  } catch (error) {
    await Promise.all([database.close(), trace.close()])
    throw error
  }
}

/** Over connections of its own: a migration, or waiting for that of another process, takes as long as it takes. */
async function bringForward({
  config,
  databaseUrl,
  log,
  restoring,
  tell,
  Client,
}: ContextOptions): Promise<void> {
  const url = config.databaseDirectUrl ?? databaseUrl
  const database = openDatabase({ url, max: 1, log, maxDuration: maxTimer, Client })
  try {
    if (!restoring) await assertRestored(database.db)
    await migrate(database.db as never, undefined, (from, to) =>
      tell?.(from === 0 ? 'Making its tables …' : `Bringing the schema from ${from} to ${to} …`),
    )
    await migrateJobs(database.pool)
  } finally {
    await database.close()
  }
}

interface Opened {
  database: Database
  trace: Trace & { close(): Promise<void> }
}

async function buildContext(options: ContextOptions, { database, trace }: Opened): Promise<App> {
  const { config, clock, log, imageWorkers } = options
  const meter = createMeter()
  const { kv, bus } = await createShared(options)
  const changes = createChanges({ bus, log })
  const sessions = openSessions(options, database)
  const listening = await watchDatabase(options, changes, database.pool)
  const { http, services } = openHttp(options, database, trace)
  const node = await processNode(database.db)
  const secrets = await loadSecrets(database.db, config)
  const { images, media, close: closeMedia } = createMedia({ limits: config.limits, log, imageWorkers })
  const parts: Omit<Ctx, 'replicated'> = {
    config,
    clock,
    log,
    meter,
    caches: createCaches({ clock, changes, meter }, options),
    changes,
    kv,
    bus,
    newId: createIdGenerator({ now: () => clock.now(), node, floor: await idFloor(database.db) }),
    db: database.db,
    secrets,
    jobs: createJobs(database.db, trace),
    storage: createStorage(config, services),
    images,
    media,
    http,
    dns: options.dns ?? createDns(),
    remote: createRemote(() => ctx),
    activityPub: createActivityPub(() => ctx),
    ...(await openSignIn(config, { configured: services, strangers: http, clock, log })),
    translator: createTranslator(config, { http: services, clock }),
    mailer: options.mailer ?? (await createMailer(config, log)),
    push: createWebPush({ http, clock, vapid: secrets.vapid }),
    doctor: createDoctor(process.env),
    trace,
    poolUse: () => database.use(),
    transaction: (fn) => runTransaction(ctx, database, fn),
  }
  const ctx = withReplicated(parts, database)
  return {
    ctx,
    database,
    sessions: sessions.pool,
    async close() {
      await Promise.all([
        listening?.close(),
        kv.close(),
        bus.close(),
        http.close(),
        services.close(),
        closeMedia(),
        trace.close(),
      ])
      // It waits for whoever still has a connection, and that may be work that hangs.
      await withTimeout(closeTime, Promise.all([database.close(), sessions !== database && sessions.close()]))
    },
  }
}

function withReplicated(parts: Omit<Ctx, 'replicated'>, database: Database): Ctx {
  const replicated: Ctx = {
    ...parts,
    db: database.replicated,
    get replicated() {
      return replicated
    },
  }
  return database.replicated === database.db ? replicated : { ...parts, replicated }
}

function openSessions({ config, databaseUrl, log }: ContextOptions, database: Database): Database {
  const url = config.databaseDirectUrl
  return url === null || url === databaseUrl ? database : openDatabase({ url, max: sessionConnections, log })
}

async function watchDatabase(
  { config, databaseUrl, log, listens = false }: ContextOptions,
  changes: ToldChanges,
  pool: pg.Pool,
): Promise<Listening | null> {
  invalidateChanged(changes, config)
  const { isOwn } = watchChanges(pool, changes.tell)
  if (!listens) return null
  return listenForChanges({ url: config.databaseDirectUrl ?? databaseUrl, log, isOwn, hear: changes.hear })
}

/** The two ways out: to what strangers name, and to what the operator named. */
function openHttp({ config, log }: ContextOptions, database: Database, trace: Trace) {
  const isBlocked = (hostname: string) => isHostBlocked(database, hostname)
  return {
    http: createHttpClient({ config, log, destinations: 'strangers', isBlocked, trace }),
    services: createHttpClient({ config, log, destinations: 'configured', trace }),
  }
}

async function createShared(options: ContextOptions): Promise<{ kv: Kv; bus: Bus }> {
  const { config, clock, log } = options
  if (config.redis === null)
    return { kv: createMemoryKv({ clock }), bus: options.bus ?? createMemoryBus({ log }) }
  // Most servers have none: then the command line need not load it for every command.
  const [{ redisPrefix }, { createRedisKv }, { createRedisBus }] = await Promise.all([
    import('#adapters/redis/connect.ts'),
    import('#adapters/redis/kv.ts'),
    import('#adapters/redis/bus.ts'),
  ])
  const target = { redis: config.redis, prefix: redisPrefix(config.redis, config.localDomain), log }
  const [kv, bus] = await Promise.all([createRedisKv(target), createRedisBus(target)])
  return { kv, bus }
}

function createTranslator(
  { translation }: Config,
  parts: { http: HttpClient; clock: Clock },
): Translator | null {
  if (translation === null) return null
  const create = translation.service === 'deepl' ? createDeepl : createLibreTranslate
  return create({ ...parts, ...translation })
}

async function createMailer(config: Config, log: Log): Promise<Mailer> {
  if (!config.smtp) return createOutboxMailer({ directory: path.join(config.dataDir, 'outbox'), log })
  const { createSmtpMailer } = await import('#adapters/smtp/mailer.ts')
  return createSmtpMailer(config.smtp)
}

/** Events go into the outbox of the same transaction; the worker is woken once they are committed. */
async function runTransaction<T>(ctx: Ctx, database: Database, fn: (tx: Tx) => Promise<T>): Promise<T> {
  let events: Event[] = []
  const result = await database.transaction(async (db) => {
    // It may be done again.
    events = []
    const tx: Tx = {
      config: ctx.config,
      clock: ctx.clock,
      log: ctx.log,
      newId: ctx.newId,
      db,
      async emit(event: Event) {
        events.push(event)
      },
    }
    const value = await fn(tx)
    await insertEvents(db, events, ctx.trace.carry())
    return value
  })
  if (events.length > 0) ctx.bus.publish(outboxChannel, '')
  return result
}
