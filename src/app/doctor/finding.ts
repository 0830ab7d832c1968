import { describeSystemError } from '../service/system-errors.ts'

export type Part =
  | 'variables'
  | 'pooler'
  | 'database'
  | 'schema'
  | 'sizing'
  | 'replicas'
  | 'redis'
  | 'worker'
  | 'jobs'
  | 'clock'
  | 'storage'
  | 'disk'
  | 'secrets'
  | 'backup'
  | 'mail'
  | 'domain'
  | 'tls'
  | 'federation'
  | 'ffmpeg'
  | 'otlp'
  | 'proxy'

export interface Finding {
  part: Part
  state: 'ok' | 'warning' | 'problem'
  /** One line. */
  text: string
  /** What the operator does about it; null where all is well. */
  advice: string | null
}

export type Result = Omit<Finding, 'part'>
export const ok = (text: string): Result => ({ state: 'ok', text, advice: null })
export const warning = (text: string, advice: string): Result => ({ state: 'warning', text, advice })
export const problem = (text: string, advice: string): Result => ({ state: 'problem', text, advice })

/** How long another machine may take to answer, in milliseconds. */
export const patience = 5_000
/** How long one check may take, in milliseconds. */
const maxDuration = 20_000

/** Runs one check. One that throws, or does not come to an end, has found a problem. */
export async function check(part: Part, run: () => Promise<Result>): Promise<Finding> {
  const late = Promise.withResolvers<Result>()
  const failed = (text: string) => late.resolve(problem(text, whenItFails[part]))
  const timer = setTimeout(() => failed(`no answer for ${maxDuration / 1000} s`), maxDuration)
  const result = run().catch((error: Error) => failure(error, whenItFails[part]))
  try {
    return { part, ...(await Promise.race([result, late.promise])) }
  } finally {
    clearTimeout(timer)
  }
}

const outsideDatabase = 'see that PostgreSQL runs and that DATABASE_URL leads to it, then ask again'

/** What to do about a check that could not even be made. */
export const whenItFails: Record<Part, string> = {
  variables: 'see that each is spelt as in docs/operators/configuration.md',
  pooler: outsideDatabase,
  database: outsideDatabase,
  schema: outsideDatabase,
  sizing: outsideDatabase,
  replicas:
    'see that PostgreSQL runs there and that REPLICA_DATABASE_URL leads to it; docs/operators/replicas.md',
  worker: outsideDatabase,
  jobs: outsideDatabase,
  clock: outsideDatabase,
  storage:
    'see that the user of this program may write to DATA_DIR/media, or that the S3_ variables are right',
  backup: outsideDatabase,
  federation: 'see that this machine reaches the internet, and others reach LOCAL_DOMAIN',
  secrets: 'see that the user of this program may read and write DATA_DIR/secrets',
  redis: 'see that Redis runs and that REDIS_URL leads to it',
  disk: 'see that DATA_DIR is there and belongs to the user of this program',
  mail: 'see that SMTP_SERVER and SMTP_PORT are right, and that this machine may connect there',
  domain: 'see that LOCAL_DOMAIN and WEB_DOMAIN are right',
  tls: 'see that the proxy runs and has a certificate for the domain',
  ffmpeg: 'install it again (Debian: apt install ffmpeg)',
  otlp: 'see that the collector runs, and that OTEL_EXPORTER_OTLP_ENDPOINT leads to it',
  proxy: 'see that the proxy passes all paths on to this server',
}

/** What could not be done. Errors of files, and those that this program puts into words, say themselves what to do. */
export function failure(error: Error, advice: string): Result {
  // What is written to a disk that is full comes without the name of the file.
  const isOfFile = 'path' in error || ('code' in error && error.code === 'ENOSPC')
  const line = (isOfFile ? describeSystemError(error) : null) ?? reasonOf(error)
  const end = isOfFile || isInOurWords(error) ? line.lastIndexOf(': ') : -1
  return end === -1 ? problem(line, advice) : problem(line.slice(0, end), line.slice(end + 2))
}

/** What puts its cause into words ends in what to do, after a colon. `fetch failed` and the like say less than their cause. */
const isInOurWords = (error: Error) => error.cause !== undefined && error.message.includes(': ')

/** One line. */
export function reasonOf(error: Error): string {
  const { message } = error.cause instanceof Error && !isInOurWords(error) ? error.cause : error
  return message.split('\n')[0] || error.name
}

export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
