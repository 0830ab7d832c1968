// How far long work is, on stderr: on a terminal one line that changes; elsewhere, as in the file of a nightly job, one
// line for each step once it is done.
export interface Progress {
  /** So much more is done; one unless told. */
  advance(count?: number): void
  /** The work is over. May be called again. */
  done(): void
}

export interface ProgressOptions {
  label: string
  /** How much there is; unknown without it. */
  total?: number | undefined
  /** The result is printed as JSON: a script reads it, and nothing is shown but on a terminal. */
  json?: boolean | undefined
}

/** The part of a stream that is used here. */
export interface ProgressOutput {
  isTTY?: boolean
  write(text: string): unknown
}

/** Milliseconds between two looks at a terminal. */
const pause = 100
/** Milliseconds of work of which nothing is said elsewhere: the result says it all. */
const short = 5_000

/** What is under way: how far it is, is told when the command is interrupted. */
const underWay = new Set<{ tell(): void }>()

/** Says how far it is with what is not done, for the last time. */
export function endProgress(): void {
  for (const one of underWay) one.tell()
  underWay.clear()
}

/** Short work says nothing. */
export function createProgress(
  { label, total, json = false }: ProgressOptions,
  output: ProgressOutput = process.stderr,
): Progress {
  const terminal = output.isTTY === true
  const begun = performance.now()
  let shownAt = begun
  let count = 0
  let isShown = false
  let isOver = false

  function show(): void {
    const text = `${label}: ${describe(count, total, performance.now() - begun)}`
    output.write(terminal ? `\r${text}\u001B[K` : `${text}\n`)
    isShown = true
    shownAt = performance.now()
  }

  const self = {
    tell() {
      isOver = true
      if (count === 0 && !isShown) return
      show()
      if (terminal) output.write('\n')
    },
  }
  underWay.add(self)

  return {
    advance(more = 1) {
      count += more
      if (terminal && !isOver && performance.now() - shownAt >= pause) show()
    },
    done() {
      if (isOver) return
      underWay.delete(self)
      isOver = true
      const isLong = !terminal && !json && performance.now() - begun >= short
      if (isShown || isLong) self.tell()
    },
  }
}

function describe(count: number, total: number | undefined, elapsed: number): string {
  const shown = count.toLocaleString('en')
  if (total === undefined || total === 0) return shown
  const part = Math.min(1, count / total)
  const percent = `${Math.floor(part * 100)} %`
  const all = `${shown} of ${total.toLocaleString('en')} (${percent})`
  if (part === 0 || part === 1) return all
  return `${all}, ${duration((elapsed / part) * (1 - part))} left`
}

function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}
