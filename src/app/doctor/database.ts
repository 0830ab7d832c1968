// What is found by asking the database, and the store with it.
import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Config } from '#config/config.ts'
import type { S3Config } from '#config/services.ts'
import type { Ctx } from '#ports/ctx.ts'
import { openDatabase } from '#adapters/postgres/database.ts'
import { findLastAction } from '#domain/server/audit/last-action.ts'
import { listFailedIncoming } from '#domain/federation/queue/incoming.ts'
import { countWaitingTraffic } from '#domain/federation/queue/waiting-traffic.ts'
import { findOtherName } from '#domain/server/instance/own-name.ts'
import { mediaUrl } from '#domain/server/instance/urls.ts'
import { countWaitingWork } from '#domain/server/instance/waiting-work.ts'
import { describeMachine } from '#adapters/machine.ts'
import { describeDatabase, describeSizing } from '#db/describe.ts'
import { listFailedWork } from '#db/failed-work.ts'
import { countJobHolders } from '#db/job-holders.ts'
import { describeSchema } from '#db/migrate.ts'
import type { Log } from '#ports/log.ts'
import { fetchStatus } from './fetch-status.ts'
import { megabytes, ok, problem, warning, whenItFails, type Result } from './finding.ts'

const day = 86_400_000

export async function checkDatabase(ctx: Ctx): Promise<Result> {
  const { db, config } = ctx
  const other = await findOtherName(ctx, config.localDomain)
  if (other !== null)
    return problem(
      `this data is of ${other}: no server starts on it as ${config.localDomain}`,
      `set LOCAL_DOMAIN=${other}, or see docs/operators/domains.md`,
    )
  const found = await describeDatabase(db)
  const where = config.databaseUrl === null ? 'embedded' : 'outside'
  const line = `PostgreSQL ${found.version}, ${where}, schema ${found.schema}, ${megabytes(found.bytes)}`
  return ok(line)
}

/** Share of the connections that may be in use before it is time to allow more. */
const crowded = 0.8

/** What the database makes of its machine, and whether there are connections left. */
export async function checkSizing({ db, config }: Ctx): Promise<Result> {
  const found = await describeSizing(db)
  const { memory, cores } = describeMachine()
  const settings = [
    `shared_buffers ${found.sharedBuffers}`,
    `effective_cache_size ${found.effectiveCacheSize}`,
    `work_mem ${found.workMem}`,
    `maintenance_work_mem ${found.maintenanceWorkMem}`,
  ].join(', ')
  const machine = config.databaseUrl === null ? `, for ${megabytes(memory)} of memory and ${cores} cores` : ''
  const line = `${settings}${machine}; ${found.connections} of ${found.maxConnections} connections, each process opens up to ${config.connections}`
  return found.connections < crowded * found.maxConnections
    ? ok(line)
    : warning(line, 'raise max_connections of PostgreSQL, or set a smaller DB_POOL')
}

/** Looks at the schema as it was found: every command brings it forward. */
export async function checkSchema(url: string, log: Log): Promise<Result> {
  const database = openDatabase({ url, max: 1, log })
  try {
    const { newest, pending } = await describeSchema(database.db as never)
    if (newest === null) return ok('the database was empty, and has its tables now')
    if (pending.length === 0) return ok('all migrations are there')
    return warning(
      `${pending.length} migrations were missing and are there now`,
      'restart a server that runs',
    )
  } finally {
    await database.close()
  }
}

/** How old an event may be that nobody has taken up, in seconds. */
const late = { warning: 60, problem: 600 }

export async function checkWorker(ctx: Ctx): Promise<Result> {
  const [work, traffic] = [await countWaitingWork(ctx), await countWaitingTraffic(ctx)]
  const holders = await countJobHolders(ctx.db)
  const age = Math.round(work.oldestEventAge)
  const line = `${holders} at work; waiting: ${work.eventsWaiting} events, ${work.jobsWaiting} jobs, ${traffic.incomingWaiting} from and ${traffic.deliveriesDue} to other servers`
  if (holders === 0)
    return warning(`${line}. No worker runs`, 'start the server, or a process with `--roles worker`')
  const waited = `${line}. The oldest event has waited for ${age} s`
  const advice = 'look into the log of the worker, and start another one if it is only busy'
  if (age > late.problem) return problem(waited, advice)
  return age > late.warning ? warning(waited, advice) : ok(line)
}

export async function checkJobs(ctx: Ctx): Promise<Result> {
  const count = (await listFailedWork(ctx.db)).length + (await listFailedIncoming(ctx)).length
  const advice = 'see `stonechat jobs list`, then `stonechat jobs retry` or `discard` them'
  return count === 0 ? ok('none was given up') : warning(`${count} given up`, advice)
}

/** Days without a backup after which it is time for one. */
const backupAfter = 7

export async function checkBackup(ctx: Ctx): Promise<Result> {
  const last = await findLastAction(ctx, 'backup')
  const hint = 'make one with `stonechat backup FILE`, unless you make them by other means'
  if (last === null) return warning('none was made by this program', hint)
  const days = Math.floor((ctx.clock.now() - last.getTime()) / day)
  const line = `the last one was made at ${last.toISOString()}`
  return days < backupAfter ? ok(line) : warning(`${line}, ${days} days ago`, hint)
}

/** Writes, reads and deletes a file: a picture, because that is what a store must give to everybody. */
export async function checkStorage({ storage, config }: Ctx): Promise<Result> {
  const key = `doctor/${randomUUID()}.png`
  await storage.put(key, { body: Buffer.from(key) }, { contentType: 'image/png' })
  try {
    const file = await storage.open(key)
    if (!file || (await text(file.stream)) !== key)
      return problem('a file that was stored did not come back', whenItFails.storage)
    return config.s3
      ? await checkBucket(config, config.s3, key)
      : ok(`${config.dataDir}/media takes and gives files`)
  } finally {
    await storage.delete(key)
  }
}

/** Whether people get the file, when they do not get it from this server. */
async function checkBucket(config: Config, { bucket, aliasUrl }: S3Config, key: string): Promise<Result> {
  const line = `bucket ${bucket} takes and gives files`
  if (aliasUrl === null) return ok(line)
  const answer = await fetchStatus(mediaUrl(config, key))
  return answer === 200
    ? ok(`${line}, ${aliasUrl} shows them`)
    : problem(
        `${line}, but at ${aliasUrl} people get ${answer} for one`,
        'let the bucket be read by everybody, or set S3_ALIAS_HOST to where it is',
      )
}
