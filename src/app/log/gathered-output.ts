import pino from 'pino'

/** How long lines after one that was just written wait for others, in milliseconds. */
const wait = 50
/** Characters of lines that are written without waiting for more. */
const enough = 32_768
/** Bytes that are kept for a reader who does not read; further lines are lost. */
const most = 16 * 1024 ** 2

/**
 * Writes lines to an open file, those that come close together in one piece: each write wakes a thread and is told back
 * to the event loop, which is some hundredths of what an answer costs. What waits is written when the process ends, but
 * not when it is killed.
 */
export function createGatheredOutput(descriptor: number): { write(line: string): void } {
  let lines = ''
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
  }

  // Before those of the output, which write what it has.
  for (const end of ['beforeExit', 'exit']) process.on(end, flush)
  const output = pino.destination({ dest: descriptor, maxLength: most })
  return {
    write(line) {
      if (!resting) return write(line)
      lines += line
      if (lines.length >= enough) flush()
    },
  }
}
