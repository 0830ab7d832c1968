// The machine that this runs on, or the share of it that a container or service gets.
import { availableParallelism, totalmem } from 'node:os'

export interface Machine {
  /** Bytes. */
  readonly memory: number
  readonly cores: number
}

/** Returns what this process may use: limits of its control group count. */
export function describeMachine(): Machine {
  const limit = process.constrainedMemory()
  return { memory: limit > 0 ? Math.min(limit, totalmem()) : totalmem(), cores: availableParallelism() }
}
