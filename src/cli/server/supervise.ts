// Web, worker and streaming processes of their own on one machine. Each is started again when it ends.
import { createLog } from '#app/log/log.ts'
import { inheritedSockets, socketFor } from '#app/service/inherited-sockets.ts'
import { createServiceManager, withoutServiceManager } from '#app/service/service-manager.ts'
import { askForReplacement, writeSupervisorFile } from '#app/service/supervisor-file.ts'
import { superviseProcesses, type PlannedProcess } from '#app/supervise-processes.ts'
import { assertRoles, loadConfig, withRoles } from '#config/config.ts'
import { UsageError, type Command, type Input } from '../kit/command.ts'

/** More processes of one role than any machine has use for. */
const maxProcesses = 64
const usual = { web: '2', worker: '2', streaming: '1', 'streaming-port': '4000' } as const
export const supervise: Command = {
  summary:
    'Runs the server as several processes until SIGTERM or Ctrl-C; SIGUSR2, or `supervise restart`, replaces them one by one',
  args: ['[restart]'],
  options: {
    web: { value: 'N', help: `Processes that answer requests, on PORT and those after it (${usual.web})` },
    worker: { value: 'N', help: `Processes that do what follows (${usual.worker})` },
    streaming: { value: 'N', help: `Processes that serve streams (${usual.streaming})` },
    'streaming-port': { value: 'PORT', help: `Their first port (${usual['streaming-port']})` },
  },
  endsItself: true,
  async run(input) {
    const [word] = input.args
    if (word === 'restart') return restart(input)
    if (word !== undefined)
      throw new UsageError(`${JSON.stringify(word)} is no word of this command; allowed is restart, or none`)
    const config = withRoles(loadConfig(input.env), ['web'])
    const plan = await planProcesses(input, config.port)
    assertRoles(config)
    const log = createLog({ logLevel: config.logLevel })
    const manager = createServiceManager(input.env, log)
    const env = {
      ...withoutServiceManager(input.env),
      ...sharedAddresses(input.env, config.localDomain, plan),
    }
    const file = await writeSupervisorFile(config.dataDir)
    await superviseProcesses(plan, env, { log, manager, file })
    await file.remove()
  },
}

async function restart({ env }: Input): Promise<void> {
  const warning = await askForReplacement(loadConfig(env).dataDir)
  if (warning !== null) console.error(warning)
  console.log('All processes were replaced.')
}

async function planProcesses(input: Input, firstWebPort: number): Promise<PlannedProcess[]> {
  const sockets = await inheritedSockets(input.env)
  const firstPorts = { web: firstWebPort, worker: null, streaming: numberOf(input, 'streaming-port', 65_535) }
  const plan = (['web', 'worker', 'streaming'] as const).flatMap((role) => {
    const first = firstPorts[role]
    return Array.from({ length: numberOf(input, role, maxProcesses) }, (_, index): PlannedProcess => ({
      name: `${role} ${index + 1}`,
      role,
      port: first === null ? null : first + index,
      descriptor: first === null ? null : socketFor(first + index, sockets),
    }))
  })
  if (plan.length === 0) throw new UsageError('There is nothing to run')
  const ports = plan.flatMap(({ port }) => port ?? [])
  const twice = ports.find((port, index) => ports.indexOf(port) !== index)
  if (twice !== undefined)
    throw new UsageError(`Port ${twice} would be taken twice: change --streaming-port or PORT`)
  const high = ports.find((port) => port < 1 || port > 65_535)
  if (high !== undefined) throw new UsageError(`There is no port ${high}: change --streaming-port or PORT`)
  return plan
}

function numberOf(input: Input, name: keyof typeof usual, max: number): number {
  const text = input.text(name) ?? usual[name]
  if (/^\d{1,5}$/.test(text) && Number(text) <= max) return Number(text)
  throw new UsageError(`--${name} is ${JSON.stringify(text)}; allowed is a number up to ${max}`)
}

/**
 * A name that every process has. Without one each would be named by its own port, and they would not meet in Redis;
 * and without a proxy before them clients have to be told where the streams are.
 */
function sharedAddresses(
  env: NodeJS.ProcessEnv,
  localDomain: string,
  plan: readonly PlannedProcess[],
): NodeJS.ProcessEnv {
  if (env['LOCAL_DOMAIN']?.trim()) return {}
  const streaming = plan.find(({ role }) => role === 'streaming')
  const given = env['STREAMING_API_BASE_URL']?.trim()
  return {
    LOCAL_DOMAIN: localDomain,
    ...(streaming && !given && { STREAMING_API_BASE_URL: `ws://localhost:${streaming.port}` }),
  }
}
