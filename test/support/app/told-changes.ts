import type { Changes } from '#ports/changes.ts'

/** Changes that a test tells by itself. */
export function createToldChanges(): { changes: Changes; change(...names: string[]): void } {
  const listeners = new Set<(names: readonly string[]) => void>()
  const listen: Changes['listen'] = (listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const hear: Changes['hear'] = (names) => listeners.forEach((listener) => listener(names))
  return { changes: { listen, listenToShown: listen, hear }, change: (...names) => hear(names) }
}
