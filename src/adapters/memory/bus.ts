import type { Bus, BusListener } from '#ports/bus.ts'
import type { Log } from '#ports/log.ts'
import { createListeners } from '../listeners.ts'

/** A bus inside one process: listeners have run when `publish` returns. */
export function createMemoryBus({ log }: { log: Log }): Bus {
  const listeners = createListeners(log)
  return {
    publish: (channel: string, message: string) => listeners.deliver(channel, message),
    mayReach: (channel: string) => listeners.has(channel),
    subscribe: (channel: string, listener: BusListener) => listeners.add(channel, listener),
    close: async () => listeners.clear(),
  }
}
