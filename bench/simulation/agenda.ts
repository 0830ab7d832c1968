/** What comes next in time, first. */
export interface Agenda<T> {
  add(at: number, what: T): void
  /** Takes out the earliest; undefined when there is none. */
  next(): { at: number; what: T } | undefined
}

/** Returns an empty one: a binary heap. Of two at the same time the one that was added first comes first. */
export function createAgenda<T>(): Agenda<T> {
  const heap: { at: number; order: number; what: T }[] = []
  let added = 0
  const isBefore = (a: number, b: number) => {
    const [one, other] = [heap[a]!, heap[b]!]
    return one.at < other.at || (one.at === other.at && one.order < other.order)
  }
  const swap = (a: number, b: number) => {
    ;[heap[a], heap[b]] = [heap[b]!, heap[a]!]
  }
  return {
    add(at, what) {
      heap.push({ at, order: added++, what })
      for (let child = heap.length - 1, parent; child > 0; child = parent) {
        parent = (child - 1) >> 1
        if (!isBefore(child, parent)) return
        swap(child, parent)
      }
    },
    next() {
      const first = heap[0]
      const last = heap.pop()
      if (first === undefined || last === undefined || heap.length === 0) return first
      heap[0] = last
      for (let parent = 0; ;) {
        let least = parent
        for (const child of [2 * parent + 1, 2 * parent + 2])
          if (child < heap.length && isBefore(child, least)) least = child
        if (least === parent) return first
        swap(parent, least)
        parent = least
      }
    },
  }
}
