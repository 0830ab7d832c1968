import pino from 'pino'

/** How long a line may wait for others, in milliseconds. */
const wait = 50
/** Characters of lines that are written without waiting for more. */
const enough = 8_192
/** Bytes that are kept for a reader who does not read; further lines are lost. */
const most = 16 * 1024 ** 2

/**
 * Writes lines to an open file, some of them together: each write wakes a thread and is told back to the event loop,
 * which is some hundredths of what an answer costs. What waits is written when the process ends, but not when it is
 * killed.
 */
export function createGatheredOutput(descriptor: number): { write(line: string): void } {
  let lines = ''
  let due: NodeJS.Timeout | null = null
  const flush = () => {
    if (due) clearTimeout(due)
    due = null
    if (lines !== '') output.write(lines)
    lines = ''
  }
  // Before those of the output, which write what it has.
  for (const end of ['beforeExit', 'exit']) process.on(end, flush)
  const output = pino.destination({ dest: descriptor, minLength: 0, sync: false, maxLength: most })
  return {
    write(line) {
      lines += line
      if (lines.length >= enough) flush()
      else due ??= setTimeout(flush, wait).unref()
    },
  }
}
