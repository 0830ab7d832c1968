// How the work that something makes grows, and what it costs beside other work of the same run: for what is made to be
// slow. Seconds would depend on the machine and on who else uses it.

/** Into how many pieces the text is cut. */
const pieces = 16
/** What grows with the length costs as much in pieces as at once; what grows with its square 16 times as much at once. */
const max = 4
/** Kernels count processor time in steps: microseconds that are none. */
const step = 20_000
/** A collector or compiler at work in between spoils a try, not all of them. */
const tries = 5

type Work = () => unknown

/** Microseconds for which this thread was at work. */
function costSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/** The least that the work costs, of as many tries as are asked for. */
interface Cost {
  least: number
  again(): unknown
}

function costOf(work: Work): Cost {
  const cost: Cost = {
    least: Infinity,
    again() {
      const before = process.threadCpuUsage()
      const done = work()
      let runs = 1
      const count = () => void (cost.least = Math.min(cost.least, costSince(before) / runs))
      if (done instanceof Promise) return done.then(count)
      // What takes less than a step of the clock would by chance be nothing.
      for (; costSince(before) < step; runs++) work()
      return count()
    },
  }
  return cost
}

/** What is to be tried, one after the other, until the work is seen to be cheap: yields true then. */
function* compare(work: Work, times: number, usual: Work): Generator<unknown, boolean> {
  const [mine, others] = [costOf(work), costOf(usual)]
  for (let n = 0; n < tries; n++) {
    yield mine.again()
    if (mine.least <= step) return true
    yield others.again()
    if (mine.least <= times * others.least + step) return true
  }
  console.error(
    `at least ${mine.least} µs, where ${others.least} are usual and ${times} times as much is allowed`,
  )
  return false
}

/** Whether `work` costs at most `times` as much as `usual`. */
export function costsAtMost(work: Work, times: number, usual: Work): boolean {
  const comparing = compare(work, times, usual)
  for (;;) {
    const { done, value } = comparing.next()
    if (done) return value === true
  }
}

/** The same of work that waits in between; nothing else may go on in this process meanwhile. */
export async function costsAtMostInAll(work: Work, times: number, usual: Work): Promise<boolean> {
  const comparing = compare(work, times, usual)
  for (;;) {
    const { done, value } = comparing.next()
    if (done) return value === true
    await value
  }
}

/** Whether `work` on `piece` repeated to `length` characters costs about what it costs on sixteen such texts of a sixteenth. */
export function growsWithLength(work: (text: string) => unknown, piece: string, length: number): boolean {
  const [short = '', long = ''] = [length / pieces, length].map((size) =>
    piece.repeat(Math.ceil(size / piece.length)),
  )
  const inPieces = () => {
    for (let n = 0; n < pieces; n++) work(short)
  }
  return costsAtMost(() => work(long), max, inPieces)
}
