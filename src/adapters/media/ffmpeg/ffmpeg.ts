// The system's ffmpeg: found once, then run within bounds of time, memory and reach.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { type AppError, unavailable, unprocessable } from '#lib/errors.ts'
import type { Log } from '#ports/log.ts'
import { atExit } from '#adapters/at-exit.ts'
import { createSemaphore } from '#lib/concurrency/semaphore.ts'
import { tooManyFiles } from '../kit/too-many-files.ts'
import { watch, yieldToOthers } from '../kit/watch.ts'

/** Where the two programs are. */
export interface FfmpegPrograms {
  ffmpeg: string
  ffprobe: string
}

export interface Run {
  program: keyof FfmpegPrograms
  args: readonly string[]
  /** Where it runs. */
  folder: string
  /** Milliseconds. */
  deadline: number
}

export interface Ffmpeg {
  /**
   * Runs to the end; what it printed (1 MiB at most). Throws AppError `invalid` when it fails or breaks a bound,
   * `unavailable` when too many wait or the disk is full.
   */
  run(run: Run): Promise<string>
  /** Ends what runs. It fails with `unavailable`. */
  close(): Promise<void>
}

const mebibyte = 2 ** 20
const maxPrinted = mebibyte
/** For what only tells of itself. */
const quick = { timeout: 10_000, env: {} }
const needed = ['libx264', 'aac', 'libmp3lame']

/** What the doctor tells of them: the version, and the encoders that it lacks; null when they are not there. */
export async function describeFfmpeg(
  searchPath: string | undefined,
): Promise<{ version: string; missing: string[] } | null> {
  const found = await findPrograms(searchPath)
  if (!found) return null
  const [{ stdout }, encoders] = await Promise.all([
    promisify(execFile)(found.ffmpeg, ['-version'], quick),
    listEncoders(found.ffmpeg),
  ])
  const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? 'unknown'
  return { version, missing: needed.filter((name) => !encoders.has(name)) }
}

/** Looks on PATH for ffmpeg and ffprobe, with the encoders we need. Null when there are none. */
export async function findFfmpeg(searchPath: string | undefined): Promise<FfmpegPrograms | null> {
  const found = await findPrograms(searchPath)
  if (!found) return null
  const encoders = await listEncoders(found.ffmpeg)
  return needed.every((name) => encoders.has(name)) ? found : null
}

async function findPrograms(searchPath: string | undefined): Promise<FfmpegPrograms | null> {
  const [ffmpeg, ffprobe] = await Promise.all(['ffmpeg', 'ffprobe'].map((name) => find(name, searchPath)))
  return ffmpeg && ffprobe ? { ffmpeg, ffprobe } : null
}

async function listEncoders(ffmpeg: string): Promise<Set<string | undefined>> {
  const list = await promisify(execFile)(ffmpeg, ['-v', 'error', '-encoders'], quick).catch(() => null)
  return new Set(list?.stdout.split('\n').map((line) => line.trim().split(/\s+/)[1]))
}

async function find(name: string, searchPath = ''): Promise<string | null> {
  for (const folder of searchPath.split(path.delimiter).filter((entry) => path.isAbsolute(entry))) {
    const file = path.join(folder, name)
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return file
  }
  return null
}

/** What is allowed more time than this is done one at a time; the rest, two at a time beside it. */
const shortTime = 60_000

/** Runs the programs: long conversions one after another, short looks into files beside them. */
export function createFfmpeg(
  programs: FfmpegPrograms,
  { log, memory = 1024 * mebibyte }: { log: Log; memory?: number },
): Ffmpeg {
  const long = createSemaphore({ limit: 1, maxWaiting: 100, full: tooManyFiles })
  const short = createSemaphore({ limit: 2, maxWaiting: 200, full: tooManyFiles })
  const running = new Set<ChildProcess>()
  let closing = false

  const start = async ({ program, args, folder, deadline }: Run) => {
    if (closing) throw unavailable('server_stopping')
    const child = spawn(programs[program], args, {
      cwd: folder,
      // Nothing of the environment: neither secrets nor settings of ffmpeg's own.
      env: { LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    const takeBack = atExit(() => child.kill('SIGKILL'))
    yieldToOthers(child)
    const bounds = watch(child, { milliseconds: deadline, bytes: memory })
    try {
      const ended = await collect(child)
      if (ended.code === 0) return ended.stdout
      if (closing || isInterrupted(ended)) throw unavailable('server_stopping')
      const bound = bounds.broken() ?? (isKilledFromOutside(ended) ? 'memory' : null)
      const reason = { bound, code: ended.code, stderr: ended.stderr.trim() }
      if (reason.bound) log.warn({ program, ...reason }, 'converting a file took too much')
      throw failure(reason)
    } finally {
      bounds.stop()
      takeBack()
      running.delete(child)
    }
  }
  return {
    run: (run) => (run.deadline > shortTime ? long : short)(() => start(run)),
    async close() {
      closing = true
      await Promise.all([...running].map(endAndWait))
    },
  }
}

/** Whoever stops a service signals all its processes at once; ffmpeg then answers 255. */
function isInterrupted({ code, signal }: Ended): boolean {
  return code === 255 || (signal !== null && ['SIGINT', 'SIGTERM', 'SIGHUP'].includes(signal))
}

function failure({ bound, stderr }: { bound: 'time' | 'memory' | null; stderr: string }): AppError {
  if (bound === 'time') return unprocessable('file_converts_too_long', undefined, { cause: stderr })
  if (bound === 'memory') return unprocessable('file_needs_memory', undefined, { cause: stderr })
  if (/No space left on device|Disk quota exceeded/.test(stderr)) {
    return unavailable('cannot_store_files', undefined, { cause: stderr })
  }
  return unprocessable('file_unreadable', undefined, { cause: stderr })
}

interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** Linux does that where memory is short. */
const isKilledFromOutside = ({ signal, stdout }: Ended) => signal === 'SIGKILL' && stdout.length <= maxPrinted

/** Waits for the end. Of what it prints too much ends it, of what it complains about the last words are kept. */
function collect(child: ChildProcess): Promise<Ended> {
  const ended = Promise.withResolvers<Ended>()
  let stdout = ''
  let stderr = ''
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    if (stdout.length > maxPrinted) child.kill('SIGKILL')
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-2000)
  })
  child.once('error', (error) => ended.reject(unavailable('videos_unavailable', undefined, { cause: error })))
  child.once('close', (code, signal) => ended.resolve({ code, signal, stdout, stderr }))
  return ended.promise
}

async function endAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = Promise.withResolvers<void>()
  child.once('close', () => ended.resolve())
  child.kill('SIGKILL')
  await ended.promise
}
