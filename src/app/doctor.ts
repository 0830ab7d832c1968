// `stonechat doctor`: whether everything that the server leans on works, one finding each.
import { randomUUID } from 'node:crypto'
import { access, constants, mkdir, statfs } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { loadConfig, type Config } from '#config/config.ts'
import type { S3Config } from '#config/services.ts'
import type { Ctx } from '#ports/ctx.ts'
import { mediaUrl } from '#domain/instance/urls.ts'
import { describeDatabase } from '#db/describe.ts'
import { listFailedWork } from '#db/failed-work.ts'
import { listFailedIncoming } from '#domain/exchange/incoming.ts'
import { withContext } from './command-context.ts'

export interface Finding {
  part: 'database' | 'jobs' | 'storage' | 'mail' | 'clock' | 'domain'
  state: 'ok' | 'warning' | 'problem'
  /** One line. */
  text: string
}

type Result = Omit<Finding, 'part'>
const ok = (text: string): Result => ({ state: 'ok', text })
const warning = (text: string): Result => ({ state: 'warning', text })
const problem = (text: string): Result => ({ state: 'problem', text })

/** How long mail and domain may take to answer, in milliseconds. */
const patience = 5_000

/** Runs all checks, those that need the database in one connection. Throws ConfigError. */
export async function checkServer(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const config = loadConfig(env)
  const inside = withContext(env, async ({ ctx }) => [
    await check('database', () => checkDatabase(ctx)),
    await check('jobs', () => checkJobs(ctx)),
    await check('clock', () => checkClock(ctx)),
    await check('storage', () => checkStorage(ctx)),
  ]).catch((error: Error) => [{ part: 'database', ...problem(error.message) } as Finding])
  const outside = [check('mail', () => checkMail(config)), check('domain', () => checkDomain(config))]
  return [...(await inside), ...(await Promise.all(outside))]
}

async function check(part: Finding['part'], run: () => Promise<Result>): Promise<Finding> {
  const result = await run().catch((error: Error) => problem(reasonOf(error)))
  return { part, ...result }
}

/** `fetch failed` and the like say nothing; their cause does. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message
}

async function checkDatabase({ db, config }: Ctx): Promise<Result> {
  const found = await describeDatabase(db)
  const where = config.databaseUrl === null ? 'embedded' : 'outside'
  const line = `PostgreSQL ${found.version}, ${where}, schema ${found.schema}, ${megabytes(found.bytes)}`
  return found.major >= 15 ? ok(line) : problem(`${line}: 15 or newer is needed`)
}

async function checkJobs(ctx: Ctx): Promise<Result> {
  const count = (await listFailedWork(ctx.db)).length + (await listFailedIncoming(ctx)).length
  return count === 0 ? ok('none was given up') : warning(`${count} given up: see \`stonechat jobs list\``)
}

async function checkClock({ db, clock }: Ctx): Promise<Result> {
  const before = clock.now()
  const { now } = await describeDatabase(db)
  const middle = (before + clock.now()) / 2
  const apart = Math.round(Math.abs(now.getTime() - middle))
  const line = `${new Date(middle).toISOString()}, ${apart} ms from the database's`
  return apart < 1_000 ? ok(line) : problem(`${line}: set both machines by NTP`)
}

/** Writes, reads and deletes a file: a picture, because that is what a store must give to everybody. */
async function checkStorage({ storage, config }: Ctx): Promise<Result> {
  const key = `doctor/${randomUUID()}.png`
  await storage.put(key, { body: Buffer.from(key) }, { contentType: 'image/png' })
  try {
    const file = await storage.open(key)
    if (!file || (await text(file.stream)) !== key) return problem('a file that was stored did not come back')
    if (config.s3) return await checkBucket(config, config.s3, key)
  } finally {
    await storage.delete(key)
  }
  const { bavail, bsize } = await statfs(config.dataDir)
  const line = `${config.dataDir}, ${megabytes(bavail * bsize)} free`
  return bavail * bsize > 1e9 ? ok(line) : warning(`${line}: that is little`)
}

/** Whether people get the file, when they do not get it from this server. */
async function checkBucket(config: Config, { bucket, aliasUrl }: S3Config, key: string): Promise<Result> {
  const line = `bucket ${bucket} takes and gives files`
  if (aliasUrl === null) return ok(line)
  const answer = await fetchStatus(mediaUrl(config, key))
  return answer === 200
    ? ok(`${line}, ${aliasUrl} shows them`)
    : problem(`${line}, but at ${aliasUrl} people get ${answer} for one`)
}

/** A status, or why there is none. */
async function fetchStatus(url: string): Promise<number | string> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(patience) })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    return reasonOf(error as Error)
  }
}

async function checkMail(config: Config): Promise<Result> {
  if (config.smtp) {
    const greeting = await smtpGreeting(config.smtp)
    const line = `${config.smtp.host}:${config.smtp.port} says ${JSON.stringify(greeting)}`
    return greeting.startsWith('220') ? ok(line) : problem(line)
  }
  const folder = path.join(config.dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await access(folder, constants.W_OK)
  return warning(`SMTP_SERVER is not set: mails are written to ${folder}`)
}

/** The first line a mail server says (RFC 5321 section 4.2). */
function smtpGreeting(smtp: NonNullable<Config['smtp']>): Promise<string> {
  return new Promise((resolve, reject) => {
    const { host, port } = smtp
    const socket = smtp.implicitTls
      ? tls.connect({ host, port, servername: host, rejectUnauthorized: smtp.verifyCertificate })
      : net.connect({ host, port })
    const end = (act: () => void) => {
      socket.destroy()
      act()
    }
    socket.setTimeout(patience, () => end(() => reject(new Error(`${host}:${port} does not answer`))))
    socket.once('error', (error) => end(() => reject(new Error(`${host}:${port}: ${error.message}`))))
    socket.once('data', (data) => end(() => resolve(data.toString('latin1').split('\r\n')[0] ?? '')))
  })
}

/** Whether the public address leads to a server that answers. */
async function checkDomain(config: Config): Promise<Result> {
  const handles = `handles end in @${config.localDomain}`
  const url = `${config.baseUrl}/health`
  if (isPrivate(config.webDomain)) return warning(`${handles}: others cannot reach that; set LOCAL_DOMAIN`)
  const answer = await fetchStatus(url)
  if (typeof answer === 'string') return problem(`${handles}, but ${url} cannot be reached: ${answer}`)
  const line = `${handles}, ${url} answers ${answer}`
  return answer === 200 ? ok(line) : problem(line)
}

function isPrivate(domain: string): boolean {
  const host = URL.parse(`http://${domain}`)?.hostname ?? ''
  return host === 'localhost' || host.endsWith('.localhost') || /^[\d.]+$|^\[/.test(host)
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
