// The folder in which a run keeps everything temporary. By its name the run's processes are known: whatever a test
// starts, and whatever that starts in turn, has the folder in its environment, its arguments, or as its working or root
// folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { readlinkSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Makes a folder in `parent`, open to other accounts as that is: PostgreSQL has one of its own under root. */
export function createRunFolder(prefix: string, parent = tmpdir()): string {
  const folder = mkdtempSync(path.join(parent, prefix))
  chmodSync(folder, 0o1777)
  return folder
}

/** Where memory is a file system on Linux. */
const inMemory = '/dev/shm'
/** What a run has there, in bytes: an eighth of it was the most that was seen. */
const roomInMemory = 4 * 2 ** 30

/**
 * Returns where a run is best kept: in memory where there is plenty of it and TMPDIR says nothing else. A run makes
 * and drops databases by the hundred, and ext4 searches long for a place for a file where many were just deleted.
 */
export function placeOfRuns(): string {
  if (process.env['TMPDIR'] || process.platform !== 'linux') return tmpdir()
  try {
    accessSync(inMemory, constants.W_OK)
    const { bavail, bsize } = statfsSync(inMemory)
    const isRoomy = bavail * bsize >= roomInMemory && freemem() >= 2 * roomInMemory
    return isRoomy && mayRunPrograms(inMemory) ? inMemory : tmpdir()
  } catch {
    return tmpdir()
  }
}

function mayRunPrograms(place: string): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounts.map((line) => line.split(' ')).findLast(([, where]) => where === place)?.[3]
  return options !== undefined && !options.split(',').includes('noexec')
}

interface Found {
  pid: number
  name: string
}

/** Ids of processes that serve one test file after another, and end with this one. */
const lasting: (() => number[])[] = []

/** Keeps processes from being ended with the test file that started them. */
export const keepProcesses = (pids: () => number[]): void => void lasting.push(pids)

/** The live processes that belong to `folder`, without this one and its own. Those that may not be looked into are no tests'. */
export function processesOf(folder: string): Found[] {
  const found = process.platform === 'linux' ? listFromProc(folder) : listFromPs(folder)
  const own = new Set([process.pid, ...lasting.flatMap((pids) => pids())])
  return found.filter(({ pid }) => !own.has(pid))
}

function listFromProc(folder: string): Found[] {
  const read = (work: () => string) => {
    try {
      return work()
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) =>
      [
        () => readFileSync(`/proc/${pid}/environ`, 'latin1'),
        () => readFileSync(`/proc/${pid}/cmdline`, 'latin1'),
        () => readlinkSync(`/proc/${pid}/cwd`),
        () => readlinkSync(`/proc/${pid}/root`),
      ].some((text) => read(text).includes(folder)),
    )
    .map((pid) => ({ pid, name: read(() => readFileSync(`/proc/${pid}/comm`, 'utf8')).trim() }))
}

/** Where there is no /proc: with the environment of this account's processes, but without working folders. */
function listFromPs(folder: string): Found[] {
  return execFileSync('ps', ['-axwwE', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .filter((line) => line.includes(folder) && !line.includes('ps -axwwE'))
    .map((line) => ({
      pid: Number.parseInt(line, 10),
      name: path.basename(line.trim().split(/\s+/)[1] ?? ''),
    }))
}

/** How long PostgreSQL may take to end its sessions and to give its shared memory back, in milliseconds. */
const grace = 5_000

/** Ends all processes of `folder`, those too that come meanwhile; answers what was found at first. */
export async function endProcessesOf(folder: string): Promise<Found[]> {
  const first = processesOf(folder)
  const asked = new Set<number>()
  const deadline = performance.now() + grace
  for (let left = first; left.length > 0; left = processesOf(folder)) {
    for (const { pid, name } of left) {
      const isGentle = name === 'postgres' && performance.now() < deadline
      // Once: again, it would take the signal for a new one. A stopped process hears nothing until it goes on.
      if (isGentle && !asked.has(pid)) for (const signal of ['SIGQUIT', 'SIGCONT'] as const) send(pid, signal)
      if (!isGentle) send(pid, 'SIGKILL')
      asked.add(pid)
    }
    await sleep(20)
  }
  return first
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended, or is another account's.
  }
}

/** Ends what runs in `folder` and removes it, with what is mounted there. */
export async function clearRunFolder(folder: string): Promise<void> {
  await endProcessesOf(folder)
  // The innermost first. What was mounted by a namespace that has just ended may be gone by now.
  for (const place of mountsIn(folder).toReversed()) spawnSync('umount', ['-l', place])
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

function mountsIn(folder: string): string[] {
  if (process.platform !== 'linux') return []
  const places = readFileSync('/proc/mounts', 'utf8').split('\n')
  return places.map((line) => line.split(' ')[1] ?? '').filter((place) => place.startsWith(`${folder}/`))
}
