import { randomUUID } from 'node:crypto'
import type { Bus } from '#ports/bus.ts'
import { kindOf, shownKinds, type Changes } from '#ports/changes.ts'
import type { Log } from '#ports/log.ts'

const channel = 'changes'

interface Message {
  from: string
  names: readonly string[]
}

export interface ToldChanges extends Changes {
  /** What this process changed: those on the same bus are told. */
  tell(names: string[]): void
}

const isShown = (name: string): boolean => shownKinds.includes(kindOf(name))

type Listener = (names: readonly string[]) => void

function createListeners() {
  const all = new Set<Listener>()
  return {
    add(listener: Listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    tell(names: readonly string[]): void {
      for (const listener of all) listener(names)
    },
  }
}

/** Changes of this process, of all others on the same bus, and of whoever else the database tells. */
export function createChanges(parts: { bus: Bus; log: Log }): ToldChanges {
  const { bus, log } = parts
  const self = randomUUID()
  const [listeners, shownListeners] = [createListeners(), createListeners()]
  const deliver = (names: readonly string[]) => {
    shownListeners.tell(names)
    const others = names.filter((name) => !isShown(name))
    if (others.length > 0 || names.length === 0) listeners.tell(others)
  }
  bus.subscribe(channel, (text) => {
    const message = JSON.parse(text) as Message
    if (message.from !== self) deliver(message.names)
  })
  return {
    listen: listeners.add,
    listenToShown: shownListeners.add,
    tell(names) {
      log.debug({ names }, 'what was kept of these is dropped')
      deliver(names)
      bus.publish(channel, JSON.stringify({ from: self, names } satisfies Message))
    },
    hear(names) {
      log.debug({ names }, 'heard of these: what was kept of them is dropped')
      deliver(names)
    },
  }
}
