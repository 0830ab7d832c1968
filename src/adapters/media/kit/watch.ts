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

/**
 * Kills the child once it has run for `milliseconds`, or holds more than `bytes` of memory (seen on Linux alone,
 * where the kernel tells it).
 */
export function watch(child: ChildProcess, bounds: { milliseconds: number; bytes: number }): Watch {
  let broken: Bound | null = null
  let stopped = false
  const kill = (bound: Bound) => {
    if (stopped) return
    broken = bound
    child.kill('SIGKILL')
  }
  const deadline = setTimeout(kill, bounds.milliseconds, 'time')
  const look = async () => {
    const held = await residentBytes(child.pid)
    if (stopped || held === null) return
    if (held > bounds.bytes) kill('memory')
    else poll = setTimeout(look, interval)
  }
  let poll = setTimeout(look, interval)
  return {
    broken: () => broken,
    stop() {
      stopped = true
      clearTimeout(deadline)
      clearTimeout(poll)
    },
  }
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
