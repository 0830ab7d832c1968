// Time as a process has it that goes on: while it stands still, or gets no processor, it reads no answers, and whoever waits
// for one learns nothing of the database.

/**
 * Returns what counts steps of `length` milliseconds. One that took longer, because the process stood still, counts once.
 * It counts from when it is first asked for as long as `isNeeded` says so, and when it is asked again.
 */
export function createSteps(length: number, isNeeded: () => boolean): () => number {
  let count = 0
  let timer: NodeJS.Timeout | undefined
  const step = () => {
    count++
    if (isNeeded()) return
    clearInterval(timer)
    timer = undefined
  }
  return () => {
    timer ??= setInterval(step, length).unref()
    return count
  }
}
