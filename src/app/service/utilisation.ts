import { performance } from 'node:perf_hooks'

/** Returns what tells for which part of the time since its last call the event loop of this process had work. */
export function watchUtilisation(): () => number {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
}
