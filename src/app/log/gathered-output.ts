import pino from 'pino'

/** How long lines after one that was just written wait for others, in milliseconds. */
const wait = 50
/** Bytes of one piece of lines. */
const maxPiece = 32_768
/** As many the system keeps together in a pipe (POSIX: PIPE_BUF of Linux), whoever else writes into it. */
const maxTogether = 4_096
/** Bytes that are kept for a reader who does not read; further lines are lost. */
const most = 16 * 1024 ** 2

/**
 * Writes lines to an open file, those that come close together in one piece: each write wakes a thread and is told back
 * to the event loop, which is some hundredths of what an answer costs. What waits is written when the process ends, but
 * not when it is killed. `shared`: other processes write there too, and no line of theirs comes into one of ours, unless
 * it is longer than the system keeps together.
 */
export function createGatheredOutput(
  descriptor: number,
  { shared = false } = {},
): { write(line: string): void } {
  const max = shared ? maxTogether : maxPiece
  let lines = ''
  let bytes = 0
  let resting: NodeJS.Timeout | null = null

  function write(text: string): void {
    output.write(text)
    resting = setTimeout(flush, wait).unref()
  }

  function flush(): void {
    if (resting) clearTimeout(resting)
    resting = null
    if (lines !== '') write(lines)
    lines = ''
    bytes = 0
  }

  // Before those of the output, which write what it has.
  for (const end of ['beforeExit', 'exit']) process.on(end, flush)
  const output = pino.destination({ dest: descriptor, maxLength: most, ...(shared && { maxWrite: max }) })
  return {
    write(line) {
      const more = Buffer.byteLength(line)
      if (bytes + more > max) flush()
      if (!resting) return write(line)
      lines += line
      bytes += more
    },
  }
}
