import { RemoteError } from '#ports/http-client.ts'

/** The end of one call, redirects and slow bodies included. */
export interface Deadline {
  /** Aborted with RemoteError `timeout`. */
  signal: AbortSignal
  /** Waits for `work` until the deadline. What comes of it later is nobody's concern. */
  race<T>(work: Promise<T>): Promise<T>
  stop(): void
}

/** Timers of Node fire at once when they are asked for more. */
const maxTimer = 2_147_483_647

/** Starts counting `milliseconds`. */
export function startDeadline(milliseconds: number): Deadline {
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  late.promise.catch(() => {})
  const timer = setTimeout(
    () => {
      const error = new RemoteError('timeout', `No whole answer within ${milliseconds} ms`)
      controller.abort(error)
      late.reject(error)
    },
    Math.min(milliseconds, maxTimer),
  )
  return {
    signal: controller.signal,
    race: (work) => Promise.race([work, late.promise]),
    stop: () => clearTimeout(timer),
  }
}
