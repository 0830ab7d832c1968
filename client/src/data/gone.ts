// What was taken out of a list before the server has agreed. It stays in the list, unseen: where that is refused it stands
// in its place again, whatever came and went meanwhile.
import { signal, type ReadonlySignal } from '@preact/signals'

export interface Gone {
  readonly ids: ReadonlySignal<ReadonlySet<string>>
  /** Lists ask it, and are drawn anew when any is gone. */
  has(id: string): boolean
  /** Returns how to take that back. */
  add(...ids: readonly string[]): () => void
  /** As when it came anew. */
  bringBack(...ids: readonly string[]): void
}

export function createGone(): Gone {
  const ids = signal<ReadonlySet<string>>(new Set())
  const bringBack = (...back: readonly string[]) => {
    ids.value = new Set([...ids.peek()].filter((one) => !back.includes(one)))
  }
  return {
    ids,
    has: (id) => ids.value.has(id),
    add(...more) {
      ids.value = new Set([...ids.peek(), ...more])
      return () => bringBack(...more)
    },
    bringBack,
  }
}
