// New posts that are not shown yet: the newest of them, and whether more were there than are kept.
import { signal, type ReadonlySignal } from '@preact/signals'

export interface Waiting {
  /** Newest first. */
  readonly ids: ReadonlySignal<readonly string[]>
  /** Puts posts above those that wait. `below` is the newest post that is shown. */
  add(newer: readonly string[], below: string | undefined): void
  drop(id: string): void
  /**
   * Returns what waited, newest first, and nothing waits any more. Where the oldest were not kept, `cut` is the post
   * above which they are missing.
   */
  take(): { ids: readonly string[]; cut: string | null }
}

/** Less than the id of any post. */
const beforeAll = '0'

export function createWaiting(max: number): Waiting {
  const ids = signal<readonly string[]>([])
  let cut: string | null = null
  return {
    ids,
    add(newer, below) {
      const all = [...newer, ...ids.peek()]
      if (all.length > max) cut ??= below ?? beforeAll
      ids.value = all.slice(0, max)
    },
    drop(id) {
      ids.value = ids.peek().filter((one) => one !== id)
    },
    take() {
      const taken = { ids: ids.peek(), cut }
      cut = null
      ids.value = []
      return taken
    },
  }
}
