// A control group of Linux that holds a server, and all it starts, to so much memory and one core. Wants root.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface ControlGroup {
  /** Which kind the kernel has. */
  readonly version: 1 | 2
  /** What a command is started through to be held. */
  readonly through: readonly string[]
  /** Megabytes that cannot be given back: made by processes, or shared by them. Copies of files are not in it. */
  held(): number
  /** Megabytes at most so far, copies of files included: these fill whatever room there is. */
  peak(): number
  /** How many processes were killed for want of memory. */
  kills(): number
  /** Removes it, once all that ran in it has ended. */
  remove(): void
}

const root = '/sys/fs/cgroup'

interface Kind {
  parent: string
  limits(bytes: number): Record<string, number>
  peak: string
  events: string
  /** Of `memory.stat`, what is counted as held. */
  held: readonly string[]
}

/** Below the group of this process, where that is of the first kind: what holds this one holds the other as well. */
function kindOf(groups: string): ControlGroup['version'] {
  return /^\d+:([\w,]*,)?memory(,|:)/m.test(groups) ? 1 : 2
}

const kinds = (groups: string): Record<ControlGroup['version'], Kind> => ({
  1: {
    parent: path.join(root, 'memory', /:memory:(.*)$/m.exec(groups)?.[1] ?? ''),
    limits: (bytes) => ({ 'memory.limit_in_bytes': bytes }),
    peak: 'memory.max_usage_in_bytes',
    events: 'memory.oom_control',
    held: ['total_rss', 'total_shmem'],
  },
  // Groups of the second kind that have processes cannot have groups with limits below them, but for the first of all.
  2: {
    parent: root,
    limits: (bytes) => ({ 'memory.max': bytes, 'memory.swap.max': 0 }),
    peak: 'memory.peak',
    events: 'memory.events',
    held: ['anon', 'shmem'],
  },
})

/** Throws where this kernel, or who runs this, may not make one. */
export function createControlGroup(megabytes: number, core: number): ControlGroup {
  const groups = readFileSync('/proc/self/cgroup', 'utf8')
  const version = kindOf(groups)
  const kind = kinds(groups)[version]
  const folder = path.join(kind.parent, `stonechat-bench-${process.pid}`)
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')
  const lineOf = (name: string, key: string) =>
    Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(read(name))?.[1] ?? 0)
  mkdirSync(folder)
  for (const [name, limit] of Object.entries(kind.limits(megabytes * 2 ** 20)))
    writeFileSync(path.join(folder, name), String(limit))
  const join = `echo $$ > ${path.join(folder, 'cgroup.procs')} && exec taskset -c ${core} "$@"`
  return {
    version,
    through: ['sh', '-c', join, 'sh'],
    held: () => kind.held.reduce((sum, key) => sum + lineOf('memory.stat', key), 0) / 2 ** 20,
    peak: () => Number(read(kind.peak)) / 2 ** 20,
    kills: () => lineOf(kind.events, 'oom_kill'),
    remove: () => rmdirSync(folder),
  }
}
