// What processes cost, read from /proc: Linux only.
import { readFileSync, readdirSync } from 'node:fs'

const ticksPerSecond = 100

interface Stat {
  pid: number
  parent: number
  /** Milliseconds of user and system time, of ended children too. */
  cpu: number
}

function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
    return { pid, parent: Number(fields[1]), cpu: (ticks * 1000) / ticksPerSecond }
  } catch {
    return null
  }
}

/** The process and all below it. */
export function processTree(root: number): number[] {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? [])
  const found = [root]
  for (const pid of found) found.push(...stats.filter((stat) => stat.parent === pid).map((stat) => stat.pid))
  return found
}

/** CPU milliseconds that these processes and those they started have used so far. */
export function cpuOf(roots: readonly number[]): number {
  const pids = new Set(roots.flatMap(processTree))
  return [...pids].reduce((sum, pid) => sum + (readStat(pid)?.cpu ?? 0), 0)
}

/** Memory in megabytes of processes and those they started, as `pssOf`. */
export function memoryOf(roots: readonly number[]): number {
  return pssOf(new Set(roots.flatMap(processTree)))
}

export interface AtRest {
  node: number
  postgres: number
  total: number
}

/** What a server takes that has just started and is asked for nothing: when it has given back what only its start took. */
export async function measureAtRest([node, ...postgres]: readonly number[]): Promise<AtRest> {
  await new Promise((resolve) => setTimeout(resolve, 15_000))
  const [total, database] = [memoryOf([node ?? 0, ...postgres]), memoryOf(postgres)]
  // An embedded PostgreSQL is below the server, one of its own is not.
  return { node: total - database, postgres: database, total }
}

/** Memory in megabytes, pages that several processes share counted once (proportional set size). */
export const pssOf = (pids: Iterable<number>): number => sumOf(pids, 'Pss')

/** What processes have made themselves, in megabytes: whatever else runs on the machine, it is the same. */
export const ownMemoryOf = (pids: Iterable<number>): number => sumOf(pids, 'Pss_Anon')

function sumOf(pids: Iterable<number>, name: 'Pss' | 'Pss_Anon'): number {
  const line = new RegExp(`^${name}:\\s+(\\d+)`, 'm')
  let kilobytes = 0
  for (const pid of pids) {
    try {
      kilobytes += Number(line.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It has ended meanwhile.
    }
  }
  return kilobytes / 1024
}
