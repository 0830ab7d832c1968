import { Redis, type RedisOptions } from 'ioredis'
import type { Log } from '#ports/log.ts'

export interface RedisTarget {
  /** `redis://`, `rediss://` or `unix:///path`. */
  url: string
  /** Put before every key and channel, so that several servers can share one Redis. */
  prefix: string
  log: Log
}

/** The prefix of one server. Database numbers are not enough: publish and subscribe ignore them. */
export function redisPrefix(localDomain: string): string {
  return `stonechat:${localDomain}:`
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

/**
 * Opens a connection and waits until it is ready. Rejects when Redis cannot be reached now; a connection that is
 * lost later is opened again for as long as it takes.
 */
export async function connectRedis({ url, log }: Omit<RedisTarget, 'prefix'>): Promise<Redis> {
  const redis = url.startsWith('unix:')
    ? new Redis({ ...options, path: decodeURIComponent(new URL(url).pathname) })
    : new Redis(url, options)
  watch(redis, log)
  try {
    await redis.connect()
  } catch (error) {
    redis.disconnect()
    throw new Error('Redis cannot be reached; check REDIS_URL', { cause: error })
  }
  return redis
}

/** One line when the connection goes and one when it is back, not one per try. */
function watch(redis: Redis, log: Log): void {
  let isDown = false
  redis.on('error', (error: Error) => {
    if (!isDown) log.warn({ err: error }, 'the connection to Redis is lost')
    isDown = true
  })
  redis.on('ready', () => {
    if (isDown) log.info({}, 'the connection to Redis is back')
    isDown = false
  })
}
