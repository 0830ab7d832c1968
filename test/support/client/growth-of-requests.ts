// How what a request costs grows with the length of its text, for texts that are made to be slow. As growth.ts does for
// functions: seconds would depend on the machine and on who else uses it.

/** Into how many pieces the text is cut. */
const pieces = 8
/** What grows with the length costs as much in pieces as at once; what grows with its square 8 times as much at once. */
const max = 3
/** Milliseconds of which nobody needs to know what they grow with. */
const little = 100
/** A collector or compiler at work in between spoils a try, not all of them. */
const tries = 4

/** Processor time of this thread: other work on the machine does not count. */
export function threadTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Of all who are at work on it, as the database is. */
export const passedTime = (): number => performance.now()

/**
 * Whether `ask` costs for this text about what it costs for eight texts of an eighth. `now`: milliseconds of what is
 * counted.
 */
export async function costsItsLength(
  text: string,
  ask: (text: string) => Promise<unknown>,
  now: () => number = threadTime,
): Promise<boolean> {
  const piece = text.slice(0, Math.ceil(text.length / pieces))
  const inPieces = async () => {
    for (let i = 0; i < pieces; i++) await ask(piece)
  }
  return costsNoMore(() => ask(text), inPieces, { max, now })
}

/**
 * Whether `work` costs at most `max` times what `usual` costs, which is done beside it where `work` costs more than
 * `little` milliseconds. `now`: as above.
 */
export async function costsNoMore(
  work: () => Promise<unknown>,
  usual: () => Promise<unknown>,
  {
    max: times,
    now = threadTime,
    little: free = little,
  }: { max: number; now?: () => number; little?: number },
): Promise<boolean> {
  let [theirs, ours] = [Infinity, Infinity]
  const cost = async (one: () => Promise<unknown>) => {
    const before = now()
    await one()
    return now() - before
  }
  for (let n = 0; n < tries; n++) {
    ours = Math.min(ours, await cost(work))
    if (ours <= free) return true
    theirs = Math.min(theirs, await cost(usual))
    if (ours <= times * theirs + free) return true
  }
  return false
}
