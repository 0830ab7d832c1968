import type { Log } from '#ports/log.ts'

/** Of each message one line in so many milliseconds. */
const pause = 60_000

export type ThrottledLog = Pick<Log, 'warn' | 'error'>

/** Logs each message once a minute at most: for what others can cause as often as they like. */
export function createThrottledLog(log: Log): ThrottledLog {
  const last = new Map<string, number>()
  const write =
    (level: 'warn' | 'error'): Log['warn'] =>
    (fields, message) => {
      const now = performance.now()
      if (now - (last.get(message) ?? -Infinity) < pause) return
      last.set(message, now)
      log[level](fields, message)
    }
  return { warn: write('warn'), error: write('error') }
}
