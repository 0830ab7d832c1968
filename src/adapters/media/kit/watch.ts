// Holds a child process within its time and memory, and keeps it from being in anybody's way.
import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'

export type Bound = 'time' | 'memory'

export interface Watch {
  /** Which bound the child was killed for; null while it keeps within them. */
  broken(): Bound | null
  stop(): void
}

const interval = 100
/** How many times as long as it may work a child may be there: a busy machine lets it work little, as its priority asks. */
const longest = 5

/**
 * Kills the child once it has worked for `milliseconds` of processor time and been there as long, or holds more than
 * `bytes` of memory. Both are seen on Linux alone, where the kernel tells them; elsewhere the time is the clock's.
 */
export function watch(child: ChildProcess, bounds: { milliseconds: number; bytes: number }): Watch {
  let broken: Bound | null = null
  let stopped = false
  const workedBefore = millisecondsWorked(child.pid)
  const kill = (bound: Bound) => {
    if (stopped) return
    broken = bound
    child.kill('SIGKILL')
  }
  const lookAtTime = async () => {
    const [before, now] = await Promise.all([workedBefore, millisecondsWorked(child.pid)])
    if (stopped) return
    const left = before === null || now === null ? 0 : bounds.milliseconds - (now - before)
    if (left <= 0) kill('time')
    else deadline = setTimeout(lookAtTime, Math.max(interval, left))
  }
  const lookAtMemory = async () => {
    const held = await residentBytes(child.pid)
    if (stopped || held === null) return
    if (held > bounds.bytes) kill('memory')
    else poll = setTimeout(lookAtMemory, interval)
  }
  let deadline = setTimeout(lookAtTime, bounds.milliseconds)
  const end = setTimeout(kill, longest * bounds.milliseconds, 'time')
  let poll = setTimeout(lookAtMemory, interval)
  return {
    broken: () => broken,
    stop() {
      stopped = true
      for (const timer of [deadline, end, poll]) clearTimeout(timer)
    },
  }
}

/** Of processor time, by all threads of the process; null when it has ended or the system does not tell. */
async function millisecondsWorked(pid: number | undefined): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return null
  // After its name: utime and stime (proc_pid_stat(5)), in hundredths of a second.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Bytes of memory that the process has resident; null when it has ended or the system does not tell. */
export async function residentBytes(pid: number | undefined): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status)
  return found ? Number(found[1]) * 1024 : null
}

/** Serving people comes first: for processor time, and when the machine runs out of memory. */
export function yieldToOthers(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
  writeFile(`/proc/${child.pid}/oom_score_adj`, '1000').catch(() => undefined)
}
