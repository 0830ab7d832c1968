export interface SlotLimits {
  perHost: number
  total: number
}

/** Runs work when there is room for it, in order. */
export interface Slots {
  /** Rejects with the signal's reason when that is aborted while the work waits. */
  run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/**
 * Bounds the requests that run at a time. Those to a host that has its share wait without taking room from other
 * hosts, so that one slow host does not stop the rest.
 */
export function createSlots({ perHost, total }: SlotLimits): Slots {
  const running = new Map<string, number>()
  const waiting = new Set<{ host: string; start: () => void }>()
  let sum = 0

  const hasRoom = (host: string) => sum < total && (running.get(host) ?? 0) < perHost
  const take = (host: string) => {
    sum += 1
    running.set(host, (running.get(host) ?? 0) + 1)
  }
  const give = (host: string) => {
    sum -= 1
    const left = running.get(host)! - 1
    if (left === 0) running.delete(host)
    else running.set(host, left)
    for (const waiter of waiting) {
      if (sum >= total) return
      if (!hasRoom(waiter.host)) continue
      waiting.delete(waiter)
      take(waiter.host)
      waiter.start()
    }
  }
  const wait = (host: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(waiter)
        reject(signal.reason)
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiter = { host, start }
      waiting.add(waiter)
      signal.addEventListener('abort', leave, { once: true })
    })

  return {
    async run(host, signal, work) {
      signal.throwIfAborted()
      if (hasRoom(host)) take(host)
      else await wait(host, signal)
      try {
        return await work()
      } finally {
        give(host)
      }
    },
  }
}
