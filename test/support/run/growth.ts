// How the work that a text makes grows with its length: for texts that are made to be slow. Seconds would depend on the
// machine and on who else uses it.

/** Into how many pieces the text is cut. */
const pieces = 16
/** What grows with the length costs as much in pieces as at once; what grows with its square 16 times as much at once. */
const max = 4
/** Kernels count processor time in steps: microseconds that are none. */
const step = 20_000
/** A collector or compiler at work in between spoils a try, not all of them. */
const tries = 5

/** Microseconds for which this thread was at work. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return user + system
}

/** Whether `work` on `piece` repeated to `length` characters costs about what it costs on sixteen such texts of a sixteenth. */
export function growsWithLength(work: (text: string) => unknown, piece: string, length: number): boolean {
  const [short = '', long = ''] = [length / pieces, length].map((size) =>
    piece.repeat(Math.ceil(size / piece.length)),
  )
  let [inPieces, atOnce] = [Infinity, Infinity]
  for (let n = 0; n < tries; n++) {
    atOnce = Math.min(
      atOnce,
      cost(() => work(long)),
    )
    if (atOnce <= step) return true
    inPieces = Math.min(
      inPieces,
      cost(() => {
        for (let i = 0; i < pieces; i++) work(short)
      }),
    )
    if (atOnce <= max * inPieces + step) return true
  }
  return false
}
