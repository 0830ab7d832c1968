import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { watchUtilisation } from './utilisation.ts'

const megabyte = 2 ** 20
/** Milliseconds between two looks. */
const interval = 200
/** For which part of the time the event loop has work where requests wait for each other, and where they do not. */
const [busy, quiet] = [0.5, 0.25]
/** A heap of more bytes would take more than a tenth of a second in one go; one that is much smaller does not. */
const [large, small] = [256 * megabyte, 128 * megabyte]

export interface Load {
  /** For which part of the time since the last call the event loop had work. */
  utilisation(): number
  /** Bytes that V8 has taken for the heap. */
  heap(): number
}

/**
 * Returns what looks at the load, and calls `mark` when the heap is to be marked in another way: in steps, beside what the
 * process does, or in one go while it is busy. What it throws away while the heap is marked in steps stays until the next
 * time; the busier it is, the more. One go takes 40 to 90 milliseconds, in which a process that is not busy would be missed.
 */
export function createMarking(load: Load, mark: (inSteps: boolean) => void): () => void {
  let isBusy = false
  let isLarge = false
  let inSteps = true
  return () => {
    isBusy = load.utilisation() > (isBusy ? quiet : busy)
    isLarge = load.heap() > (isLarge ? small : large)
    if (inSteps === (!isBusy || isLarge)) return
    inSteps = !inSteps
    mark(inSteps)
  }
}

/** How V8 marks the heap from now on. In steps is what it does by itself. */
export const markInSteps = (inSteps: boolean): void =>
  setFlagsFromString(`--${inSteps ? '' : 'no-'}incremental-marking`)

/** Docs/adr/0004 says what it is worth. */
export function chooseMarking(): void {
  const load: Load = {
    utilisation: watchUtilisation(),
    heap: () => getHeapStatistics().total_heap_size,
  }
  setInterval(createMarking(load, markInSteps), interval).unref()
}
