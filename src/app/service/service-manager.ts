// What systemd is told of this process (sd_notify): that it serves, that it ends, what it is at, and, where it watches
// over it, that it is alive. Node has no datagram sockets to files: the program that comes with systemd sends the lines.
import { spawn } from 'node:child_process'
import type { Log } from '#ports/log.ts'

export interface ServiceManager {
  /** Tells that the process serves, and from now on, where the unit has a watchdog, that it is alive. */
  ready(): void
  /** Tells that the process ends: it is not taken for hung meanwhile. */
  stopping(): void
  /** One line for `systemctl status`. */
  status(text: string): void
}

/** Of the time after which a silent process is killed, how much passes between two signs of life. */
const share = 3

/** Returns one that says nothing where no service manager listens. */
export function createServiceManager(env: NodeJS.ProcessEnv, log: Log): ServiceManager {
  const socket = env['NOTIFY_SOCKET']
  if (!socket) return { ready() {}, stopping() {}, status() {} }
  const tell = createTeller({ PATH: env['PATH'], NOTIFY_SOCKET: socket }, log)
  const interval = watchdogInterval(env)
  return {
    ready() {
      tell('READY=1')
      // A timer of this process: one whose event loop hangs gives no sign.
      if (interval !== null) setInterval(() => tell('WATCHDOG=1'), interval).unref()
    },
    stopping: () => tell('STOPPING=1'),
    status: (text) => tell(`STATUS=${text.replaceAll('\n', ' ')}`),
  }
}

const ownVariables = [
  'NOTIFY_SOCKET',
  'WATCHDOG_USEC',
  'WATCHDOG_PID',
  'LISTEN_FDS',
  'LISTEN_PID',
  'LISTEN_FDNAMES',
]

/**
 * The environment for processes that this one starts: what it says to the service manager is not for them. The variables
 * are there without a value, because `cluster.fork` adds what it is given to this process's own environment.
 */
export function withoutServiceManager(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, ...Object.fromEntries(ownVariables.map((name) => [name, undefined])) }
}

function watchdogInterval(env: NodeJS.ProcessEnv): number | null {
  const microseconds = Number(env['WATCHDOG_USEC'])
  const isForUs = env['WATCHDOG_PID'] === undefined || env['WATCHDOG_PID'] === String(process.pid)
  return isForUs && microseconds > 0 ? Math.max(1, Math.floor(microseconds / 1000 / share)) : null
}

/** Lines are sent one after the other, so that none overtakes another. */
function createTeller(env: NodeJS.ProcessEnv, log: Log): (line: string) => void {
  let last = Promise.resolve()
  let hasFailed = false
  const fail = (reason: string) => {
    if (!hasFailed) log.warn({ reason }, 'the service manager cannot be told: is systemd-notify there?')
    hasFailed = true
  }
  return (line) => {
    last = last.then(() => send(line, env)).catch((error: Error) => fail(error.message))
  }
}

function send(line: string, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('systemd-notify', [line], { env, stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`systemd-notify ended with ${code}`)),
    )
  })
}
