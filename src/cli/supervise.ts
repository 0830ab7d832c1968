// Web, worker and streaming processes of their own on one machine. Each is started again when it ends.
import { spawn, type ChildProcess } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#app/log.ts'
import { assertRoles, loadConfig, withRoles, type Role } from '#config/config.ts'
import type { Log } from '#ports/log.ts'
import { UsageError, type Command, type Input } from './command.ts'

const launcher = path.resolve(import.meta.dirname, '../../bin/stonechat')
/** More processes of one role than any machine has use for. */
const most = 64
const usual = { web: '2', worker: '2', streaming: '1', 'streaming-port': '4000' } as const
/** A process that ends sooner, in milliseconds, did not get going: the next one waits, each time twice as long. */
const settled = 30_000
const firstPause = 500
const longestPause = 30_000

interface Planned {
  /** Such as `web 2`. */
  readonly name: string
  readonly role: Role
  /** null: it does not listen. */
  readonly port: number | null
}

export const supervise: Command = {
  summary: 'Runs the server as several processes until SIGTERM or Ctrl-C, and starts again those that end',
  options: {
    web: { value: 'N', help: `Processes that answer requests, on PORT and those after it (${usual.web})` },
    worker: { value: 'N', help: `Processes that do what follows (${usual.worker})` },
    streaming: { value: 'N', help: `Processes that serve streams (${usual.streaming})` },
    'streaming-port': { value: 'PORT', help: `Their first port (${usual['streaming-port']})` },
  },
  endsItself: true,
  async run(input) {
    const config = withRoles(loadConfig(input.env), ['web'])
    const plan = planProcesses(input, config.port)
    assertRoles(config)
    const env = { ...input.env, ...sharedAddresses(input.env, config.localDomain, plan) }
    await keepAll(plan, env, createLog({ logLevel: config.logLevel }))
  },
}

function planProcesses(input: Input, firstWebPort: number): Planned[] {
  const firstPorts = { web: firstWebPort, worker: null, streaming: numberOf(input, 'streaming-port', 65_535) }
  const plan = (['web', 'worker', 'streaming'] as const).flatMap((role) => {
    const first = firstPorts[role]
    return Array.from({ length: numberOf(input, role, most) }, (_, index): Planned => ({
      name: `${role} ${index + 1}`,
      role,
      port: first === null ? null : first + index,
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
  plan: readonly Planned[],
): NodeJS.ProcessEnv {
  if (env['LOCAL_DOMAIN']?.trim()) return {}
  const streaming = plan.find(({ role }) => role === 'streaming')
  const given = env['STREAMING_API_BASE_URL']?.trim()
  return {
    LOCAL_DOMAIN: localDomain,
    ...(streaming && !given && { STREAMING_API_BASE_URL: `ws://localhost:${streaming.port}` }),
  }
}

/** Resolves when a signal came and all have ended. */
async function keepAll(plan: readonly Planned[], env: NodeJS.ProcessEnv, log: Log): Promise<void> {
  const stopping = new AbortController()
  setMaxListeners(plan.length, stopping.signal)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stopping.abort())
  await Promise.all(plan.map((one) => keep(one, { env, log, stop: stopping.signal })))
}

interface Surroundings {
  env: NodeJS.ProcessEnv
  log: Log
  stop: AbortSignal
}

/** Runs one process after the other until stopped. */
async function keep(one: Planned, { env, log, stop }: Surroundings): Promise<void> {
  for (let failures = 0; !stop.aborted;) {
    const since = performance.now()
    const child = start(one, env)
    log.info({ process: one.name, pid: child.pid, ...(one.port !== null && { port: one.port }) }, 'started')
    const reason = await endOf(child, stop)
    if (stop.aborted) return
    failures = performance.now() - since < settled ? failures + 1 : 0
    const pause = failures === 0 ? 0 : Math.min(firstPause * 2 ** (failures - 1), longestPause)
    log.error({ process: one.name, pid: child.pid, reason, pause }, 'ended by itself: it is started again')
    await sleep(pause, undefined, { signal: stop }).catch(() => {})
  }
}

function start({ role, port }: Planned, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(launcher, ['serve', '--roles', role], {
    env: { ...env, ...(port !== null && { PORT: String(port) }) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

/** Why it ended. When all are to stop it is asked to. */
function endOf(child: ChildProcess, stop: AbortSignal): Promise<string> {
  const ask = () => void child.kill('SIGTERM')
  stop.addEventListener('abort', ask)
  return new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  }).finally(() => stop.removeEventListener('abort', ask))
}
