import { performance } from 'node:perf_hooks'
import { keepStandardSpecimens } from '#lib/specimens.ts'
import { watchUtilisation } from './utilisation.ts'

/** Milliseconds after which what waits for the start of a server is through. */
const first = 5_000
/** How often it is looked later, in milliseconds: for so long hardly anything must have happened. */
const interval = 5_000
/** A process whose event loop was busy for less than this part of the time has nobody waiting for it. */
const quiet = 0.05
/** Until the next time it takes so many times as long as the last one took: three hundredths of the time at most go into it. */
const rest = 30
/** Bytes that a heap has to grow by until it is worth a tenth of a second. */
const worthwhile = 16 * 2 ** 20

/** What the process does and holds. */
export interface Usage {
  /** For which part of the time since the last call the event loop had work. */
  utilisation(): number
  /** Bytes that V8 has taken for the heap. */
  heap(): number
  /** Milliseconds. */
  now(): number
}

/**
 * Looks once whether to give memory back. The first call always does: the start made much and threw it away, and has code
 * that runs once. Later ones do when nothing happens after the heap has grown, as after many requests at once: V8 itself
 * would keep that room for as long as nobody asks for more.
 */
export function createRelease(usage: Usage, collect: () => void): () => void {
  let released: number | null = null
  let next = 0
  return () => {
    const isQuiet = usage.utilisation() < quiet
    const begun = usage.now()
    if (released !== null && !(isQuiet && begun >= next && usage.heap() - released > worthwhile)) return
    collect()
    released = usage.heap()
    const ended = usage.now()
    next = ended + rest * (ended - begun)
  }
}

/** Does nothing without `--expose-gc`, with which bin/stonechat runs it (docs/adr/0004 says what it is worth). */
export function releaseMemory(): void {
  const { gc } = globalThis
  if (!gc) return
  const usage: Usage = {
    utilisation: watchUtilisation(),
    heap: () => process.memoryUsage().heapTotal,
    now: () => performance.now(),
  }
  const release = createRelease(usage, () => {
    keepStandardSpecimens()
    void gc({ type: 'major', flavor: 'last-resort' })
  })
  setTimeout(() => {
    release()
    setInterval(release, interval).unref()
  }, first).unref()
}
