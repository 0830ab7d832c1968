// Who listens to which channel in this process; shared by the buses.

import type { BusListener } from '#ports/bus.ts'
import type { Log } from '#ports/log.ts'

export interface Listeners {
  /** The returned function removes the listener; called again it does nothing. */
  add(channel: string, listener: BusListener): () => void
  /** Somebody listens to the channel. */
  has(channel: string): boolean
  deliver(channel: string, message: string): void
  channels(): string[]
  clear(): void
}

interface Hooks {
  /** The channel got its first listener. */
  onFirst?(channel: string): void
  /** The channel lost its last listener. */
  onLast?(channel: string): void
}

/** Makes an empty table. Errors of listeners are logged and stay there. */
export function createListeners(log: Log, hooks: Hooks = {}): Listeners {
  const byChannel = new Map<string, Set<{ listener: BusListener }>>()

  const remove = (channel: string, entry: { listener: BusListener }) => {
    const entries = byChannel.get(channel)
    if (!entries?.delete(entry) || entries.size > 0) return
    byChannel.delete(channel)
    hooks.onLast?.(channel)
  }
  return {
    add(channel, listener) {
      // An object of its own: the same function may listen twice.
      const entry = { listener }
      const entries = byChannel.get(channel)
      if (entries) entries.add(entry)
      else {
        byChannel.set(channel, new Set([entry]))
        hooks.onFirst?.(channel)
      }
      return () => remove(channel, entry)
    },
    deliver(channel, message) {
      const entries = byChannel.get(channel)
      if (!entries) return
      // A copy: a listener may subscribe or unsubscribe while it is called.
      for (const entry of Array.from(entries)) {
        if (!entries.has(entry)) continue
        try {
          entry.listener(message)
        } catch (error) {
          log.error({ err: error, channel }, 'a listener of the bus failed')
        }
      }
    },
    has: (channel) => byChannel.has(channel),
    channels: () => [...byChannel.keys()],
    clear: () => byChannel.clear(),
  }
}
