import { readFileSync } from 'node:fs'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import type { ClusterConfig, RedisConfig, RedisTls, SentinelConfig } from '#config/redis.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'
import type { Log } from '#ports/log.ts'

export interface RedisTarget {
  redis: Readonly<RedisConfig>
  /** Put before every key and channel, so that several servers can share one Redis. */
  prefix: string
  log: Log
}

/**
 * The prefix of one server. Database numbers are not enough: publish and subscribe ignore them. In a cluster the braces
 * keep all its keys on one node, so that several can be changed in one transaction.
 */
export function redisPrefix({ kind }: Readonly<RedisConfig>, localDomain: string): string {
  return kind === 'cluster' ? `{stonechat:${localDomain}}:` : `stonechat:${localDomain}:`
}

const options: RedisOptions = {
  lazyConnect: true,
  connectTimeout: 5000,
  commandTimeout: 5000,
  // While Redis is away commands fail at once instead of piling up.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), 2000),
}

/** Who tells where Redis is may be away as well: it is asked for no longer than this at the start, in milliseconds. */
const startTime = 15_000

/** One sentinel that hangs must not keep the others from being asked, in milliseconds. */
const sentinelTime = 2000

/** The variable that says where it is, for messages. */
const variables = { single: 'REDIS_URL', sentinel: 'REDIS_SENTINELS', cluster: 'REDIS_CLUSTER_NODES' }

/**
 * Opens a connection and waits until it is ready. Rejects when Redis cannot be reached now; a connection that is
 * lost later is opened again for as long as it takes, to whichever is the master then.
 */
export async function connectRedis({
  redis: config,
  log,
}: Omit<RedisTarget, 'prefix'>): Promise<Redis | Cluster> {
  const redis = open(config)
  watch(redis, log)
  try {
    const connecting = redis.connect()
    if (!(await withTimeout(startTime, connecting))) throw new Error('no answer')
    await connecting
  } catch (error) {
    redis.disconnect()
    throw new Error(`Redis cannot be reached; check ${variables[config.kind]}`, { cause: error })
  }
  return redis
}

function open(config: Readonly<RedisConfig>): Redis | Cluster {
  const encryption = config.tls && encryptionOf(config.tls)
  if (config.kind === 'sentinel') return openSentinel(config, encryption)
  if (config.kind === 'cluster') return openCluster(config, encryption)
  return config.url.startsWith('unix:')
    ? new Redis({ ...options, path: decodeURIComponent(new URL(config.url).pathname) })
    : new Redis(config.url, { ...options, ...(encryption && { tls: encryption }) })
}

type Encryption = NonNullable<RedisOptions['tls']>

const encryptionOf = ({ caFile }: RedisTls): Encryption =>
  caFile === null ? {} : { ca: readFileSync(caFile) }

const loginOf = ({ username, password }: { username: string | null; password: string | null }) => ({
  ...(username !== null && { username }),
  ...(password !== null && { password }),
})

function openSentinel(config: SentinelConfig, encryption: Encryption | undefined): Redis {
  const { sentinels, name, database, sentinelLogin, ...login } = config
  const { username, password } = sentinelLogin
  return new Redis({
    ...options,
    ...loginOf(login),
    ...(encryption && { tls: encryption, sentinelTLS: encryption, enableTLSForSentinelMode: true }),
    sentinels: [...sentinels],
    name,
    db: database,
    ...(username !== null && { sentinelUsername: username }),
    ...(password !== null && { sentinelPassword: password }),
    sentinelCommandTimeout: sentinelTime,
    sentinelRetryStrategy: options.retryStrategy as (times: number) => number,
    // Sentinel cuts the connections of a former master when it makes a replica of it. Should one outlive that, it is
    // left when it refuses to write. (ioredis' own way to hear of a new master can end a connection for good.)
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
}

function openCluster({ nodes, ...login }: ClusterConfig, encryption: Encryption | undefined): Cluster {
  const { connectTimeout, commandTimeout } = options
  return new Cluster([...nodes], {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: options.retryStrategy as (times: number) => number,
    // Certificates are of names: what is looked up first is only known by its address.
    ...(encryption && { dnsLookup: (name, found) => found(null, name) }),
    redisOptions: {
      connectTimeout,
      commandTimeout,
      ...loginOf(login),
      ...(encryption && { tls: encryption }),
    } as RedisOptions,
  })
}

/**
 * One line when the connection goes and one when it is back, not one per try. One that never came to be is told by whoever
 * wanted it.
 */
function watch(redis: Redis | Cluster, log: Log): void {
  let state: 'new' | 'up' | 'down' = 'new'
  redis.on('error', (error: Error) => {
    if (state !== 'up') return
    log.warn({ error: error.message }, 'the connection to Redis is lost')
    state = 'down'
  })
  redis.on('ready', () => {
    if (state === 'down') log.info({}, 'the connection to Redis is back')
    state = 'up'
  })
}
