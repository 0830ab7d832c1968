// How fast upkeep goes: in batches so small that nobody notices one, with pauses that leave the machine to people.

/** What a batch should take, in milliseconds. Whoever waits for what it locks waits no longer. */
const target = 60
const sizes = { first: 100, least: 20, max: 1000 }
/** Of the time that passes, the part that is work, and the part while people wait for the database. */
const usualShare = 0.25
const busyShare = 0.05
/** Milliseconds. */
const maxPause = 20_000

export interface Throttle {
  /** How many rows the next batch looks at. */
  size(): number
  /**
   * Tells what the last batch took in milliseconds, and whether people wait for the database. Returns the pause before
   * the next one, in milliseconds.
   */
  next(took: number, isBusy: boolean): number
}

/** `share`: the part of the time that is work, above 0 and at most 1; a quarter unless told. */
export function createThrottle(share = usualShare): Throttle {
  let size = sizes.first
  return {
    size: () => size,
    next(took, isBusy) {
      // By half or twice at most: one slow batch may be a matter of chance.
      const fit = Math.min(2, Math.max(0.5, target / Math.max(took, 1)))
      size = Math.round(Math.min(sizes.max, Math.max(sizes.least, size * fit)))
      const part = isBusy && share < 1 ? Math.min(share, busyShare) : share
      return Math.min(maxPause, took * (1 / part - 1))
    },
  }
}
