// Keeps the processes of a server running, and replaces them one by one without closing a port in between.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Role } from '#config/config.ts'
import { isBuildOutdated, newestProgramFile } from '#lib/project/project.ts'
import type { Log } from '#ports/log.ts'
import { readyMessage } from './ready-message.ts'
import type { ServiceManager } from './service/service-manager.ts'
import type { SupervisorFile } from './service/supervisor-file.ts'

/** A process that ends sooner, in milliseconds, did not get going: the next one waits, each time twice as long. */
const settled = 30_000
const firstPause = 500
const maxPause = 30_000
/** Ends in a row, each soon after the start, from which on it is said that it does not get going at all. */
const crashLoop = 5

/** The variable that tells a process which descriptor is the socket of its port, where that listens already. */
export const socketVariable = 'STONECHAT_SOCKET'
/** Where a process finds it: after the streams that it shares with this one, and their channel. */
const childSocket = 4

export interface PlannedProcess {
  /** Such as `web 2`. */
  readonly name: string
  readonly role: Role
  /** null: it does not listen. */
  readonly port: number | null
  /** A socket that listens there, which this process got; null: it opens one itself. */
  readonly descriptor: number | null
}

/** What superviseProcesses tells what it does, besides the log. */
export interface Observers {
  log: Log
  manager: ServiceManager
  file: SupervisorFile
}

/** A process that was started. */
interface Running {
  readonly worker: Worker
  /** Milliseconds of the monotonic clock. */
  readonly since: number
  /** Whether it began to serve: false when it ended before that. */
  readonly ready: Promise<boolean>
  /** Why it ended. */
  readonly ended: Promise<string>
}

/** A place for one process, and which one fills it now. */
interface Slot extends PlannedProcess {
  running: Running
}

/** All that run, in a slot or not. `cluster.workers` would not do: it still has those whose last `exit` was told. */
const live = new Set<Running>()

/**
 * Runs the planned processes until SIGTERM or SIGINT, and resolves when all have ended. One that ends by itself is
 * started again. SIGUSR2 replaces them one after the other: the next process serves before the former one is asked to
 * end. Both listen on the same socket, which this process keeps open, so that no connection is refused on the way.
 */
export async function superviseProcesses(
  plan: readonly PlannedProcess[],
  env: NodeJS.ProcessEnv,
  { log, manager, file }: Observers,
): Promise<void> {
  // Each process accepts connections itself, instead of getting them from this one.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: newestProgramFile('main') })
  const stopping = new AbortController()
  const start = (planned: PlannedProcess) => startProcess(planned, env, log)
  const slots = plan.map((planned): Slot => ({ ...planned, running: start(planned) }))
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      manager.stopping()
      stopping.abort()
      for (const { worker } of live) worker.process.kill('SIGTERM')
    })
  const surroundings = { start, log, manager, stop: stopping.signal }
  onSignalOneAtATime('SIGUSR2', async () => {
    const warning = warnOfFormerProgram(log)
    await file.ended({ failure: await replaceAll(slots, surroundings), warning })
  })
  log.info({ pid: process.pid, processes: slots.length }, 'supervising')
  void Promise.all(slots.map(({ running }) => running.ready)).then(
    (all) => all.every(Boolean) && manager.ready(),
  )
  await Promise.all(slots.map((slot) => keep(slot, surroundings)))
  // A successor that was just starting when the signal came has no slot yet.
  while (live.size > 0) await Promise.all([...live].map(({ ended }) => ended))
}

function startProcess(
  { name, role, port, descriptor }: PlannedProcess,
  env: NodeJS.ProcessEnv,
  log: Log,
): Running {
  const handedOver = descriptor === null ? [] : [descriptor]
  cluster.setupPrimary({
    args: ['serve', '--roles', role],
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...handedOver],
  })
  const worker = cluster.fork({
    ...env,
    ...(port !== null && { PORT: String(port) }),
    ...(descriptor !== null && { [socketVariable]: String(childSocket) }),
  })
  const ended = new Promise<string>((resolve) => {
    worker.process.once('error', (error) => resolve(error.message))
    worker.process.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const ready = new Promise<boolean>((resolve) => {
    worker.on('message', (message) => message === readyMessage && resolve(true))
    void ended.then(() => resolve(false))
  })
  log.info({ process: name, pid: worker.process.pid, ...(port !== null && { port }) }, 'started')
  const running = { worker, since: performance.now(), ready, ended }
  live.add(running)
  void ended.then(() => live.delete(running))
  return running
}

interface Surroundings {
  start(planned: PlannedProcess): Running
  log: Log
  manager: ServiceManager
  stop: AbortSignal
}

/** Fills a slot again whenever its process ends by itself, until stopped. */
async function keep(slot: Slot, { start, log, manager, stop }: Surroundings): Promise<void> {
  for (let failures = 0; ;) {
    const { running } = slot
    const reason = await running.ended
    if (slot.running !== running) continue
    if (stop.aborted) return
    failures = performance.now() - running.since < settled ? failures + 1 : 0
    const pause = failures === 0 ? 0 : Math.min(firstPause * 2 ** (failures - 1), maxPause)
    const { pid } = running.worker.process
    log.error({ process: slot.name, pid, reason, pause, failures }, 'ended by itself: it is started again')
    if (failures === crashLoop) {
      log.error({ process: slot.name, reason, failures }, 'does not get going: see why in the lines before')
      manager.status(`${slot.name} does not get going: ${reason}, ${failures} times in a row`)
    }
    await sleep(pause, undefined, { signal: stop }).catch(() => {})
    if (stop.aborted) return
    // It may have been replaced meanwhile.
    if (slot.running === running) slot.running = start(slot)
  }
}

/** Whoever has them replaced expects the program of the sources that are there now. */
function warnOfFormerProgram(log: Log): string | null {
  if (!isBuildOutdated()) return null
  const warning =
    'The sources are newer than the program that was built, which is started again: run `npm ci`, then restart once more'
  log.warn({}, warning)
  return warning
}

/**
 * Replaces all processes, one after the other. Ends at the first whose successor does not get going. Returns null when
 * all were replaced, otherwise why not.
 */
async function replaceAll(slots: readonly Slot[], surroundings: Surroundings): Promise<string | null> {
  const { log, manager, stop } = surroundings
  const stopped = 'The server was stopped meanwhile'
  for (const slot of slots) {
    if (stop.aborted) return stopped
    if (!(await replace(slot, surroundings))) {
      const rest = 'its successor did not start: those that run go on, and nothing else is replaced'
      log.error({ process: slot.name }, rest)
      return `${slot.name}: ${rest} (the log says why)`
    }
    log.info({ process: slot.name, pid: slot.running.worker.process.pid }, 'replaced')
  }
  if (stop.aborted) return stopped
  log.info({ processes: slots.length }, 'all processes were replaced')
  manager.status(`all ${slots.length} processes were replaced`)
  return null
}

async function replace(slot: Slot, { start, stop }: Surroundings): Promise<boolean> {
  const next = start(slot)
  if (!(await next.ready)) return stop.aborted
  const former = slot.running
  slot.running = next
  former.worker.process.kill('SIGTERM')
  await former.ended
  return true
}

/** Signals that come while the work for an earlier one is under way are taken as one more, after it. */
function onSignalOneAtATime(signal: NodeJS.Signals, work: () => Promise<void>): void {
  let under: Promise<void> | null = null
  let again = false
  const begin = async () => {
    do {
      again = false
      await work()
    } while (again)
    under = null
  }
  process.on(signal, () => {
    if (under) again = true
    else under = begin()
  })
}
