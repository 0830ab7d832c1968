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

/** Changes of this process, by `tell`, and of all others on the same bus. */
export function createChanges(parts: { bus: Bus; log: Log }): Changes & { tell(names: string[]): void } {
  const { bus, log } = parts
  const self = randomUUID()
  const listeners: ((names: readonly string[]) => void)[] = []
  const deliver = (names: readonly string[]) => {
    for (const listener of listeners) listener(names)
  }
  bus.subscribe(channel, (text) => {
    const message = JSON.parse(text) as Message
    if (message.from !== self) deliver(message.names)
  })
  return {
    listen: (listener) => void listeners.push(listener),
    tell(all) {
      const names = all.length > maxNames ? [] : all
      log.debug({ names }, 'what was kept of these is dropped')
      deliver(names)
      bus.publish(channel, JSON.stringify({ from: self, names } satisfies Message))
    },
  }
}
