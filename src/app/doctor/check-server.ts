// `stonechat doctor`: whether everything that the server leans on works, one finding each.
import { access } from 'node:fs/promises'
import { loadConfig, type Config } from '#config/config.ts'
import { OldPostgresError, upgradePostgres } from '#db/supported-postgres.ts'
import type { Ctx } from '#ports/ctx.ts'
import { placesIn } from '#adapters/embedded-postgres/places.ts'
import { withContext } from '../command-context.ts'
import { createLog } from '../log/log.ts'
import { checkClock } from './clock.ts'
import {
  checkBackup,
  checkDatabase,
  checkJobs,
  checkSchema,
  checkSizing,
  checkStorage,
  checkWorker,
} from './database.ts'
import { check, failure, ok, problem, whenItFails, type Finding, type Result } from './finding.ts'
import { checkDisk, checkRedis, checkSecrets } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkDomain, checkFederation, checkTls } from './network.ts'
import { checkReplicas } from './replicas.ts'
import { checkFfmpeg, checkOtlp } from './programs.ts'
import { checkPooler } from './pooler.ts'
import { checkProxy } from './proxy.ts'
import { checkVariables } from './variables.ts'

/** Runs all checks, each within some seconds, those that need the database over one connection. Throws ConfigError. */
export async function checkServer(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const config = loadConfig(env)
  const variables = checkVariables(env, config)
  if (await isBeforeFirstStart(config))
    return [beforeFirstStart(config), ...(await checkMachine(config)), ...variables]
  const outside = Promise.all([checkMachine(config), checkReached(config)])
  const inside = await checkInside(env, config)
  return [...inside, ...(await outside).flat(), ...variables]
}

/** There is nothing to look into, and it is not for this program to make it. */
async function isBeforeFirstStart({ databaseUrl, dataDir }: Config): Promise<boolean> {
  if (databaseUrl !== null) return false
  const error = await access(placesIn(dataDir).cluster).catch((reason: NodeJS.ErrnoException) => reason)
  return error?.code === 'ENOENT'
}

function beforeFirstStart({ dataDir, localDomain }: Config): Finding {
  const line = `there is none in ${dataDir} yet: the first \`stonechat serve\` (or \`npm start\`) makes it`
  return { part: 'database', ...ok(`${line}, and then handles end in @${localDomain}`) }
}

async function checkInside(env: NodeJS.ProcessEnv, config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  if (config.databaseUrl !== null) {
    // Where that does not answer, so it is said of the database.
    const pooler = await checkPooler(config, quiet()).catch(() => null)
    if (pooler) findings.push({ part: 'pooler', ...pooler })
    // What follows would wait for locks, or leave some behind.
    if (pooler?.state === 'problem') return findings
  }
  const add = async (finding: Promise<Finding>) => void findings.push(await finding)
  try {
    await withContext(
      env,
      async ({ ctx }) => {
        for (const one of insideChecks(ctx)) await add(one())
      },
      // It says itself whose the data is.
      { before: (url, log) => add(check('schema', () => checkSchema(url, log))), anyDomain: true },
    )
  } catch (error) {
    const told = findings.filter(({ part, state }) => part !== 'schema' || state === 'problem')
    // Nothing was brought forward.
    return [{ part: 'database', ...unusable(error as Error, config) }, ...told]
  }
  return findings
}

const whenEmbeddedFails = 'see that DATA_DIR is whole, has room, and belongs to the user of this program'

function unusable(error: Error, { databaseUrl }: Config): Result {
  if (error instanceof OldPostgresError) return problem(error.line, upgradePostgres)
  // What this program refuses by itself, such as a newer schema or half a restore, says what to do.
  const [line, advice] = error.message.split(/: (?!.*: )/)
  const isOurs = error.cause === undefined && !('code' in error)
  if (isOurs && line && advice) return problem(line, advice)
  return failure(error, databaseUrl === null ? whenEmbeddedFails : whenItFails.database)
}

const insideChecks = (ctx: Ctx): (() => Promise<Finding>)[] => [
  () => check('database', () => checkDatabase(ctx)),
  () => check('sizing', () => checkSizing(ctx)),
  ...(ctx.config.replicaUrls.length > 0 ? [() => check('replicas', () => checkReplicas(ctx.config))] : []),
  () => check('worker', () => checkWorker(ctx)),
  () => check('jobs', () => checkJobs(ctx)),
  () => check('clock', () => checkClock(ctx)),
  () => check('storage', () => checkStorage(ctx)),
  () => check('backup', () => checkBackup(ctx)),
  () => check('federation', () => checkFederation(ctx)),
  // The file is made by the first command.
  () => check('secrets', () => checkSecrets(ctx)),
  () => check('proxy', () => checkProxy(ctx)),
]

const quiet = () => createLog({ logLevel: 'silent' }, 'stderr')

/** What has to be there before the server is. */
function checkMachine(config: Config): Promise<Finding[]> {
  return Promise.all([
    check('redis', () => checkRedis(config, quiet())),
    check('disk', () => checkDisk(config)),
    check('mail', () => checkMail(config)),
    check('ffmpeg', () => checkFfmpeg()),
    check('otlp', () => checkOtlp(config, quiet())),
  ])
}

/** How others reach it. */
function checkReached(config: Config): Promise<Finding[]> {
  return Promise.all([check('domain', () => checkDomain(config)), check('tls', () => checkTls(config))])
}
