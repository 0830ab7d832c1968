/** Tells the time in ISO 8601. What comes before its milliseconds is the same for a second, and is put together once. */
export function createIsoClock(clock: () => number = Date.now): () => string {
  let second = Number.NaN
  let start = ''
  return () => {
    const now = clock()
    const current = Math.floor(now / 1000)
    if (current !== second) {
      second = current
      start = new Date(now).toISOString().slice(0, -4)
    }
    return `${start}${String(now - current * 1000).padStart(3, '0')}Z`
  }
}
