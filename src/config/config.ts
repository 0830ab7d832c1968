// The whole configuration, read once at the start and frozen. Nothing else reads environment variables.

import path from 'node:path'
import { readAddresses, type AddressConfig } from '#config/addresses.ts'
import { readEnv, type Env, type EnvReader } from '#config/env.ts'
import { readLimits, type Limits } from '#config/limits.ts'
import {
  readDatabaseDirectUrl,
  readDatabaseUrl,
  readS3,
  readSmtp,
  readTranslation,
  type S3Config,
  type SmtpConfig,
  type TranslationConfig,
} from '#config/services.ts'
import { readRobotCheck, type RobotCheck } from '#config/robots.ts'
import { readSignIn, type SignInConfig } from '#config/sign-in.ts'
import { readDatabase, type DatabaseConfig } from '#config/database.ts'
import { readReplicas } from '#config/replicas.ts'
import { readRedis, type RedisConfig } from '#config/redis.ts'
import { readMetrics, type MetricsConfig } from '#config/metrics.ts'
import { readTracing, type TracingConfig } from '#config/tracing.ts'
import { projectFolder } from '#lib/project/project.ts'
import { findVapidPublicKey, mendVapidKeys, type VapidKeys } from '#lib/vapid-keys.ts'

export type Role = 'web' | 'worker' | 'streaming'
/** What a worker takes from: what has happened, jobs with their timetable, what other servers get, and what they sent. */
export type Queue = 'events' | 'jobs' | 'deliveries' | 'incoming'
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface Config extends Readonly<AddressConfig>, DatabaseConfig {
  /** Absolute. Holds all state of a server without outside services. */
  readonly dataDir: string
  /** null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null
  /** For what listens or locks, where `databaseUrl` leads to a pooler. null: it does not. */
  readonly databaseDirectUrl: string | null
  /** Of read replicas; empty: there are none. */
  readonly replicaUrls: readonly string[]
  /** null: bus and short-lived keys in this process. */
  readonly redis: Readonly<RedisConfig> | null
  /** null: media under `dataDir`. */
  readonly s3: Readonly<S3Config> | null
  /** null: mails are written to a folder under `dataDir`. */
  readonly smtp: Readonly<SmtpConfig> | null
  /** null: nothing is translated. */
  readonly translation: Readonly<TranslationConfig> | null
  /** Base64url without padding. null: generated once and kept in the database. */
  readonly vapid: Readonly<VapidKeys> | null
  /** null: generated once and kept. */
  readonly secretKeyBase: string | null
  /** Federation GETs want a signature. Also on in limited federation. */
  readonly authorizedFetch: boolean
  readonly limitedFederation: boolean
  /** Also on in limited federation. */
  readonly disallowUnauthenticatedApi: boolean
  readonly singleUser: boolean
  readonly timelinePreview: boolean
  readonly compatBlockedBy: boolean
  readonly oauthPasswordGrant: boolean
  readonly rateLimits: boolean
  /** null: nobody has to show that they are no robot. */
  readonly robotCheck: Readonly<RobotCheck> | null
  /** Ways to sign in besides a password of this server. */
  readonly signIn: Readonly<SignInConfig>
  /** Which answers this server compresses itself. `direct`: those that no proxy passes on. */
  readonly compression: 'direct' | 'always' | 'off'
  readonly limits: Readonly<Limits>
  readonly logLevel: LogLevel
  /** null: numbers are not kept. */
  readonly metrics: Readonly<MetricsConfig> | null
  /** null: nothing is traced. */
  readonly tracing: Readonly<TracingConfig> | null
  /** What this process does. */
  readonly roles: readonly Role[]
  /** What it takes from as a worker. */
  readonly queues: readonly Queue[]
}

/** The configuration is bad. `message` has one line per problem and shows no secrets. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const allRoles: readonly Role[] = ['web', 'worker', 'streaming']
const allQueues: readonly Queue[] = ['events', 'jobs', 'deliveries', 'incoming']

/**
 * Reads the configuration from environment variables, with all roles. Blank variables count as unset, unknown ones
 * are ignored. Throws one ConfigError with all problems.
 */
export function loadConfig(env: Env): Config {
  const reader = readEnv(env)
  const addresses = readAddresses(reader)
  const config: Config = {
    ...addresses,
    dataDir: readDataDir(reader),
    databaseUrl: readDatabaseUrl(reader),
    databaseDirectUrl: readDatabaseDirectUrl(reader),
    replicaUrls: readReplicas(reader),
    ...readDatabase(reader),
    redis: readRedis(reader),
    s3: readS3(reader),
    smtp: readSmtp(reader, addresses.localDomain),
    translation: readTranslation(reader),
    vapid: readVapid(reader),
    secretKeyBase: readSecretKeyBase(reader),
    ...readSwitches(reader),
    robotCheck: readRobotCheck(reader),
    signIn: readSignIn(reader, addresses.baseUrl),
    compression: reader.choice('COMPRESSION', ['direct', 'always', 'off'], 'direct'),
    limits: readLimits(reader),
    logLevel: reader.choice('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    metrics: readMetrics(reader),
    tracing: readTracing(reader),
    roles: allRoles,
    queues: allQueues,
  }
  if (reader.problems.length > 0) throw new ConfigError(reader.problems)
  return deepFreeze(config)
}

/** Parses the value of `--roles`, such as `web,streaming`, and drops repeated names. Throws ConfigError. */
export const parseRoles = (text: string): Role[] => parseList(text, { option: '--roles', all: allRoles })

/** Parses the value of `--queues`, such as `deliveries,incoming`, as `parseRoles` does. */
export const parseQueues = (text: string): Queue[] => parseList(text, { option: '--queues', all: allQueues })

function parseList<T extends string>(
  text: string,
  { option, all }: { option: string; all: readonly T[] },
): T[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.every((name) => all.some((one) => one === name))) return all.filter((one) => names.includes(one))
  throw new ConfigError([
    `${option} is ${JSON.stringify(text)}; allowed is a list of ${all.join(', ')} separated by commas`,
  ])
}

/** Whether a process of these roles listens on PORT. */
export const takesConnections = ({ roles }: Pick<Config, 'roles'>): boolean =>
  roles.some((role) => role !== 'worker')

/** The same configuration for a process with these roles. */
export function withRoles(config: Config, roles: readonly Role[]): Config {
  return deepFreeze({ ...config, roles: [...roles] })
}

/** The same configuration for a process that takes from these queues alone. */
export function withQueues(config: Config, queues: readonly Queue[]): Config {
  return deepFreeze({ ...config, queues: [...queues] })
}

/**
 * Refuses what cannot work: a process with only some of the roles needs the others elsewhere, and these meet only
 * in an outside database and Redis. Throws ConfigError.
 */
export function assertRoles(config: Config): void {
  const problems: string[] = []
  const isWhole = config.queues.length === allQueues.length
  if (!isWhole && !config.roles.includes('worker')) {
    problems.push(
      `--queues ${config.queues.join(',')} is for workers; --roles ${config.roles.join(',')} is none`,
    )
  }
  if (isWhole && allRoles.every((role) => config.roles.includes(role))) return
  const option = isWhole ? `--roles ${config.roles.join(',')}` : `--queues ${config.queues.join(',')}`
  const reason = `${option} means several processes, which`
  if (config.databaseUrl === null) {
    problems.push(`DATABASE_URL is not set; ${reason} need an outside PostgreSQL instead of the embedded one`)
  }
  if (config.redis === null) {
    problems.push(`REDIS_URL is not set; ${reason} need Redis to share streaming events and rate limits`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
}

/** The default belongs to the project, wherever the command was started; a given path is as the shell means it. */
function readDataDir(reader: EnvReader): string {
  const given = reader.text('DATA_DIR')
  return given === null ? path.join(projectFolder, 'data') : path.resolve(given)
}

function readSwitches(reader: EnvReader) {
  const limitedFederation = reader.boolean('LIMITED_FEDERATION_MODE', false)
  return {
    limitedFederation,
    authorizedFetch: reader.boolean('AUTHORIZED_FETCH', false) || limitedFederation,
    disallowUnauthenticatedApi:
      reader.boolean('DISALLOW_UNAUTHENTICATED_API_ACCESS', false) || limitedFederation,
    singleUser: reader.boolean('SINGLE_USER_MODE', false),
    timelinePreview: reader.boolean('TIMELINE_PREVIEW', true),
    compatBlockedBy: reader.boolean('COMPAT_BLOCKED_BY', false),
    oauthPasswordGrant: reader.boolean('OAUTH_PASSWORD_GRANT', false),
    rateLimits: reader.boolean('RATE_LIMITS', true),
  }
}

/** A private key may be without its leading zeros, as the programs write it that many keys were made with. */
function readVapid(reader: EnvReader): Config['vapid'] {
  const publicKey = reader.text('VAPID_PUBLIC_KEY')
  const privateKey = reader.text('VAPID_PRIVATE_KEY')
  if (publicKey === null && privateKey === null) return null
  const point = decodeBase64Url(reader.required('VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY needs it'))
  const scalar = decodeBase64Url(reader.required('VAPID_PRIVATE_KEY', 'VAPID_PUBLIC_KEY needs it'))
  const isPoint = point?.length === 65 && point[0] === 4
  const isScalar = scalar !== null && scalar.length > 0 && scalar.length <= 32
  if (publicKey !== null && !isPoint) {
    reader.refuse('VAPID_PUBLIC_KEY', 'an uncompressed P-256 point (65 bytes) in base64url')
  }
  if (privateKey !== null && !isScalar) {
    reader.refuse('VAPID_PRIVATE_KEY', 'a P-256 private key (32 bytes) in base64url')
  }
  if (!isPoint || !isScalar) return null
  const given = { publicKey: point.toString('base64url'), privateKey: scalar.toString('base64url') }
  const pair = mendVapidKeys(given)
  if (findVapidPublicKey(pair.privateKey) !== pair.publicKey) {
    reader.refuse('VAPID_PUBLIC_KEY', 'the public key that belongs to VAPID_PRIVATE_KEY')
  }
  return pair
}

function decodeBase64Url(text: string): Buffer | null {
  return /^[A-Za-z0-9_+/-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : null
}

function readSecretKeyBase(reader: EnvReader): string | null {
  const secret = reader.text('SECRET_KEY_BASE')
  if (secret !== null && secret.length < 32)
    reader.refuse('SECRET_KEY_BASE', 'a random text of 32 or more characters')
  return secret
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) deepFreeze(inner)
  return Object.freeze(value)
}
