import { parseArgs } from 'node:util'
import {
  assertRoles,
  ConfigError,
  loadConfig,
  parseQueues,
  parseRoles,
  takesConnections,
  withQueues,
  withRoles,
  type Config,
} from '#config/config.ts'
import { endProcess } from '#adapters/end-process.ts'
import { hasOwner } from '#domain/identity/accounts/local-user.ts'
import { setUpToken } from '#domain/identity/accounts/registration/set-up.ts'
import { awaitsSetup } from '#domain/identity/sign-up-restrictions/registrations.ts'
import { softwareVersion } from '#domain/server/instance/document-version.ts'
import { createLog } from './log/log.ts'
import { notifyReady } from './ready-message.ts'
import { chooseMarking } from './service/marking.ts'
import { releaseMemory } from './service/release-memory.ts'
import { serve, type RunningServer } from './serve.ts'
import { describeFailure } from './service/describe-failure.ts'
import { inheritedSockets, socketFor } from './service/inherited-sockets.ts'
import { createServiceManager } from './service/service-manager.ts'
import { socketVariable } from './supervise-processes.ts'

/** `stonechat serve`: runs until SIGTERM or SIGINT, then stops cleanly. A start that fails exits 1 with one line. */
export async function run(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(args, env)
  const log = createLog(config)
  tell(`Starting Stonechat ${softwareVersion} …`)
  const manager = createServiceManager(env, log)
  const descriptor = await findSocket(config, env).catch((error: Error) => fail(describeFailure(error)))
  const starting = serve(config, log, { tell, descriptor })
  let asked = false
  // Also while it starts, so that what was started is stopped. npm and a terminal both send the signal: once counts.
  const stop = async (reason: string, code: number) => {
    if (asked) return
    asked = true
    log.info({ reason }, 'stopping')
    manager.stopping()
    const running = await starting
    await running.stop()
    endProcess(code)
  }
  const stopOrFail = (reason: string, code = 0) =>
    stop(reason, code).catch((error: Error) => fail(describeFailure(error)))
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stopOrFail(signal))
  process.on('unhandledRejection', (error) => log.error({ error: String(error) }, 'unhandled rejection'))

  const running = await starting.catch((error: Error) => fail(describeFailure(error)))
  if (asked) return
  void running.databaseDied.then(() => stopOrFail('the database does not stay up', 1))
  log.info(placeOf(config), 'ready')
  notifyReady()
  manager.ready()
  releaseMemory()
  chooseMarking()
  if (config.roles.includes('web')) await greet(config, running)
}

/** The socket of its port, where a supervisor or the service manager has opened it for this process. */
async function findSocket(config: Config, env: NodeJS.ProcessEnv): Promise<number | null> {
  if (!takesConnections(config)) return null
  const given = env[socketVariable]
  return given ? Number(given) : socketFor(config.port, await inheritedSockets(env))
}

function readConfig(args: string[], env: NodeJS.ProcessEnv): Config {
  try {
    const { values } = parseArgs({ args, options: { roles: { type: 'string' }, queues: { type: 'string' } } })
    const loaded = loadConfig(env)
    const inRoles = values.roles === undefined ? loaded : withRoles(loaded, parseRoles(values.roles))
    const config = values.queues === undefined ? inRoles : withQueues(inRoles, parseQueues(values.queues))
    assertRoles(config)
    return config
  } catch (error) {
    return fail(error instanceof ConfigError ? error.message : `stonechat serve: ${(error as Error).message}`)
  }
}

/** Where it is reached. A process that only works is reached nowhere, though its configuration names a port. */
const placeOf = (config: Config) =>
  takesConnections(config) ? { address: config.baseUrl, port: config.port, bind: config.bind } : {}

/** For the person at the terminal, between the log's JSON lines. */
function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

async function greet(config: Config, { ctx }: RunningServer): Promise<void> {
  tell(`\nStonechat serves ${config.baseUrl}`)
  if (await hasOwner(ctx)) return
  if (await awaitsSetup(ctx)) {
    tell('Set it up in a browser, by this link, which works until there is an account:')
    tell(`  ${config.baseUrl}/setup?token=${setUpToken(ctx.secrets)}`)
    tell('Or make the first owner account with:')
  } else tell('Make the first owner account with:')
  tell('  bin/stonechat accounts create NAME --email YOU@EXAMPLE.ORG --confirmed --role Owner')
  tell(`It prints a password. With that, open ${config.baseUrl}/auth/sign_in in a browser.\n`)
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  // oxlint-disable-next-line unicorn/no-process-exit -- what was started is not stopped
  process.exit(1)
}
