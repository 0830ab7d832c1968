// `stonechat doctor`: whether everything that the server leans on works, one finding each.
import { loadConfig, type Config } from '#config/config.ts'
import type { Ctx } from '#ports/ctx.ts'
import { withContext } from '../command-context.ts'
import { createLog } from '../log.ts'
import {
  checkBackup,
  checkClock,
  checkDatabase,
  checkJobs,
  checkSchema,
  checkStorage,
  checkWorker,
} from './database.ts'
import { check, problem, reasonOf, type Finding } from './finding.ts'
import { checkDisk, checkRedis, checkSecrets } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkDomain, checkFederation, checkTls } from './network.ts'

/** Runs all checks, each within some seconds, those that need the database over one connection. Throws ConfigError. */
export async function checkServer(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const config = loadConfig(env)
  const outside = checkOutside(config)
  const inside = await checkInside(env)
  return [...inside, ...(await outside)]
}

async function checkInside(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const findings: Finding[] = []
  const add = async (finding: Promise<Finding>) => void findings.push(await finding)
  try {
    await withContext(
      env,
      async ({ ctx }) => {
        for (const one of insideChecks(ctx)) await add(one())
      },
      { before: (url, log) => add(check('schema', () => checkSchema(url, log))) },
    )
  } catch (error) {
    findings.unshift({ part: 'database', ...problem(reasonOf(error as Error)) })
  }
  return findings
}

const insideChecks = (ctx: Ctx): (() => Promise<Finding>)[] => [
  () => check('database', () => checkDatabase(ctx)),
  () => check('worker', () => checkWorker(ctx)),
  () => check('jobs', () => checkJobs(ctx)),
  () => check('clock', () => checkClock(ctx)),
  () => check('storage', () => checkStorage(ctx)),
  () => check('backup', () => checkBackup(ctx)),
  () => check('federation', () => checkFederation(ctx)),
  // The file is made by the first command.
  () => check('secrets', () => checkSecrets(ctx.config)),
]

function checkOutside(config: Config): Promise<Finding[]> {
  return Promise.all([
    check('redis', () => checkRedis(config, createLog({ logLevel: 'silent' }, 'stderr'))),
    check('disk', () => checkDisk(config)),
    check('mail', () => checkMail(config)),
    check('domain', () => checkDomain(config)),
    check('tls', () => checkTls(config)),
  ])
}
