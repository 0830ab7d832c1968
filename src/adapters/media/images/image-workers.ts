// The processes that read pictures, as the server sees them: one for each task at a time, started when it is needed.
import { fork, type ChildProcess } from 'node:child_process'
import { AppError, unavailable, unprocessable } from '#lib/errors.ts'
import type { Reason } from '#lib/messages/describe-error.ts'
import { programFile } from '#lib/project/project.ts'
import type { Log } from '#ports/log.ts'
import { createSemaphore } from '#lib/concurrency/semaphore.ts'
import type { ImageTasks, TaskName, TaskReply } from './image-tasks.ts'
import { tooManyFiles } from '../kit/too-many-files.ts'
import { residentBytes, watch, yieldToOthers } from '../kit/watch.ts'

export interface ImageWorkers {
  /**
   * Runs a task in a process of its own. Throws AppError `invalid` when the picture cannot be read, or takes too much
   * time or memory; `unavailable` when too many wait, or no process can be started.
   */
  run<K extends TaskName>(name: K, input: ImageTasks[K]['input']): Promise<ImageTasks[K]['output']>
  /** Process ids of those that run. */
  pids(): number[]
  /** Ends them. What they were asked fails with `unavailable`. */
  close(): Promise<void>
}

export interface ImageWorkersOptions {
  log: Log
  /** Milliseconds for one task, the start of the process included. */
  deadline?: number
  /** Bytes of memory that one process may have. */
  memory?: number
  /** Milliseconds without a task after which a process ends. */
  idle?: number
}

interface Worker {
  child: ChildProcess
  exited: Promise<void>
  resting: NodeJS.Timeout | null
  /** Whether it came so far as to take tasks. */
  isReady: boolean
  /** The end of what it wrote to its error output. */
  stderr: string
}

const program = programFile('image-worker')
const mebibyte = 2 ** 20
/** A process that keeps more than this after its task is not used again. */
const worthKeeping = 256 * mebibyte

export function createImageWorkers(options: ImageWorkersOptions): ImageWorkers {
  const { log, deadline = 30_000, memory = 1024 * mebibyte, idle = 60_000 } = options
  const semaphore = createSemaphore({ limit: 2, maxWaiting: 200, full: tooManyFiles })
  const workers = new Set<Worker>()
  let closing = false

  const take = (): Worker => {
    const free = [...workers].find((worker) => worker.resting)
    const worker = free ?? startWorker((ended) => workers.delete(ended))
    workers.add(worker)
    if (worker.resting) clearTimeout(worker.resting)
    worker.resting = null
    setReferenced(worker.child, true)
    return worker
  }
  const release = async (worker: Worker) => {
    if (!workers.has(worker)) return
    const held = await residentBytes(worker.child.pid)
    if (closing || (held ?? 0) > worthKeeping) return end(worker)
    worker.resting = setTimeout(end, idle, worker).unref()
    setReferenced(worker.child, false)
  }
  const end = (worker: Worker) => {
    workers.delete(worker)
    worker.child.kill('SIGKILL')
  }
  const attempt = async <K extends TaskName>(name: K, input: ImageTasks[K]['input']) => {
    if (closing) throw unavailable('server_stopping')
    const worker = take()
    const bounds = watch(worker.child, { milliseconds: deadline, bytes: memory })
    try {
      return await ask(worker, { name, input })
    } catch (error) {
      if (closing) throw unavailable('server_stopping', undefined, { cause: error })
      const broken = bounds.broken()
      if (broken) log.warn({ bound: broken, task: name }, 'reading a picture took too much')
      else if (!workers.has(worker))
        log.warn({ task: name, error: String(error) }, 'reading a picture failed')
      throw error
    } finally {
      bounds.stop()
      await release(worker)
    }
  }
  return {
    run: (name, input) => semaphore(() => attempt(name, input)),
    pids: () => [...workers].flatMap(({ child }) => child.pid ?? []),
    async close() {
      closing = true
      const all = [...workers]
      for (const worker of all) {
        // A process that rests would not keep this one waiting for its end.
        setReferenced(worker.child, true)
        end(worker)
      }
      await Promise.all(all.map(({ exited }) => exited))
    },
  }
}

/** A small heap, and nothing of the environment but what finding libraries needs: no secret is within its reach. */
function startWorker(onEnd: (worker: Worker) => void): Worker {
  const { PATH, LD_LIBRARY_PATH, TMPDIR } = process.env
  const child = fork(program, [], {
    execPath: process.execPath,
    execArgv: ['--max-old-space-size=64', '--max-semi-space-size=1'],
    env: { PATH, LD_LIBRARY_PATH, TMPDIR, MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  yieldToOthers(child)
  const exited = Promise.withResolvers<void>()
  const worker: Worker = { child, exited: exited.promise, resting: null, isReady: false, stderr: '' }
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    worker.stderr = (worker.stderr + text).slice(-2000)
  })
  const ended = () => {
    if (worker.resting) clearTimeout(worker.resting)
    onEnd(worker)
    exited.resolve()
  }
  child.once('message', () => (worker.isReady = true))
  child.on('exit', ended).on('error', ended)
  return worker
}

/** Whether the process keeps the server's from ending by itself. */
function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  const handles = [child, child.channel, child.stderr as { ref?(): void; unref?(): void } | null]
  for (const handle of handles) {
    if (isReferenced) handle?.ref?.()
    else handle?.unref?.()
  }
}

/** Sends one task and waits for its answer, or for the process to end. */
async function ask(worker: Worker, request: object): Promise<never> {
  const { child } = worker
  const answer = Promise.withResolvers<never>()
  const onMessage = (reply: TaskReply) => {
    if (reply === 'ready') return
    if ('output' in reply) answer.resolve(reply.output as never)
    else answer.reject(failure(reply))
  }
  const onEnd = (reason: unknown) => {
    const cause = worker.stderr.trim() || `the process ended: ${String(reason)}`
    answer.reject(
      worker.isReady
        ? unprocessable('picture_unreadable', undefined, { cause })
        : unavailable('pictures_unavailable', undefined, { cause }),
    )
  }
  child.on('message', onMessage).once('exit', onEnd).once('error', onEnd)
  try {
    child.send(request, (error) => error && onEnd(error))
    return await answer.promise
  } finally {
    child.off('message', onMessage).off('exit', onEnd).off('error', onEnd)
  }
}

function failure({ reason, cause }: { reason: Reason | null; cause: string }): AppError {
  if (reason !== null) return new AppError('invalid', reason)
  if (/No space left|ENOSPC|EDQUOT/.test(cause))
    return unavailable('cannot_store_files', undefined, { cause })
  return unprocessable('picture_unreadable', undefined, { cause })
}
