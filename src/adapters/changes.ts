import { randomUUID } from 'node:crypto'
import type { Bus } from '#ports/bus.ts'
import type { Changes } from '#ports/changes.ts'
import type { Log } from '#ports/log.ts'

const channel = 'changes'
/** More than these are not told one by one. */
const maxNames = 500

interface Message {
  from: string
  names: readonly string[]
}

export interface ToldChanges extends Changes {
  /** What this process changed: those on the same bus are told. */
  tell(names: string[]): void
  /** What the database told of others, as it tells every process. */
  hear(names: readonly string[]): void
}

/** Changes of this process, of all others on the same bus, and of whoever else the database tells. */
export function createChanges(parts: { bus: Bus; log: Log }): ToldChanges {
  const { bus, log } = parts
  const self = randomUUID()
  const listeners = new Set<(names: readonly string[]) => void>()
  const deliver = (names: readonly string[]) => {
    for (const listener of listeners) listener(names)
  }
  bus.subscribe(channel, (text) => {
    const message = JSON.parse(text) as Message
    if (message.from !== self) deliver(message.names)
  })
  return {
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(all) {
      const names = all.length > maxNames ? [] : all
      log.debug({ names }, 'what was kept of these is dropped')
      deliver(names)
      bus.publish(channel, JSON.stringify({ from: self, names } satisfies Message))
    },
    hear(names) {
      log.debug({ names }, 'the database told: what was kept of these is dropped')
      deliver(names)
    },
  }
}
