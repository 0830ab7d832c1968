// Which Redis or Valkey: one, one of several that Sentinel names, or a cluster.
import type { EnvReader } from '#config/env.ts'

export interface RedisNode {
  host: string
  port: number
}

interface Login {
  username: string | null
  password: string | null
}

/** Connections are encrypted, and certificates those of the authority in this file, or one of the system's. */
export interface RedisTls {
  caFile: string | null
}

export interface SentinelConfig extends Login {
  kind: 'sentinel'
  sentinels: readonly RedisNode[]
  /** Of the group whose master is used. */
  name: string
  database: number
  /** At the sentinels themselves. */
  sentinelLogin: Login
}

export interface ClusterConfig extends Login {
  kind: 'cluster'
  /** Some of them: they know the others. */
  nodes: readonly RedisNode[]
}

/** `url`: `redis://`, `rediss://` or `unix:///path`. */
export type RedisConfig = ({ kind: 'single'; url: string } | SentinelConfig | ClusterConfig) & {
  tls?: RedisTls
}

/**
 * Reads REDIS_URL, Mastodon's REDIS_SENTINEL* and REDIS_CLUSTER_NODES, of which one may be set, and REDIS_TLS*; null means
 * in-process.
 */
export function readRedis(reader: EnvReader): RedisConfig | null {
  const caFile = reader.text('REDIS_TLS_CA_FILE')
  const isEncrypted = reader.boolean('REDIS_TLS', false)
  const found = readAddress(reader)
  if (!found) return null
  const isSecureUrl = found.kind === 'single' && found.url.startsWith('rediss:')
  return isEncrypted || isSecureUrl ? { ...found, tls: { caFile } } : found
}

function readAddress(reader: EnvReader): RedisConfig | null {
  const url = reader.url('REDIS_URL', ['redis', 'rediss', 'unix']) && reader.text('REDIS_URL')
  const sentinel = readSentinel(reader)
  const nodes = reader.list('REDIS_CLUSTER_NODES', parseNode(6379), 'a list of HOST:PORT')
  if ([url, sentinel, nodes].filter((one) => one !== null).length > 1) {
    const name = sentinel ? 'REDIS_SENTINELS' : 'REDIS_CLUSTER_NODES'
    reader.refuse(name, 'nothing beside REDIS_URL or the other of these two: only one of them can be meant')
  }
  if (nodes) return { kind: 'cluster', nodes, ...readLogin(reader) }
  return sentinel ?? (url === null ? null : { kind: 'single', url })
}

const readLogin = (reader: EnvReader): Login => ({
  username: reader.text('REDIS_USER'),
  password: reader.text('REDIS_PASSWORD'),
})

function readSentinel(reader: EnvReader): SentinelConfig | null {
  const port = reader.integer('REDIS_SENTINEL_PORT', { min: 1, max: 65_535, fallback: 26_379 })
  const sentinels = reader.list('REDIS_SENTINELS', parseNode(port), 'a list of HOST or HOST:PORT')
  const database = reader.integer('REDIS_DB', { min: 0, max: 65_535, fallback: 0 })
  if (!sentinels) return null
  return {
    kind: 'sentinel',
    sentinels,
    name: reader.text('REDIS_SENTINEL_MASTER') ?? 'mymaster',
    database,
    sentinelLogin: {
      username: reader.text('REDIS_SENTINEL_USERNAME'),
      password: reader.text('REDIS_SENTINEL_PASSWORD'),
    },
    ...readLogin(reader),
  }
}

const parseNode =
  (usualPort: number) =>
  (entry: string): RedisNode | null => {
    const [, host, , port = String(usualPort)] = /^(\[[\da-f:.]+\]|[\w.-]+)(:(\d{1,5}))?$/i.exec(entry) ?? []
    return host !== undefined && Number(port) > 0 && Number(port) < 65_536
      ? { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
      : null
  }
