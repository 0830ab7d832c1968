// PostgreSQL's own log: a file that goes on when this process is gone, kept from growing for ever.
import { copyFile, open, stat, truncate } from 'node:fs/promises'

const largest = 4 * 1024 * 1024
const checkEvery = 60_000

/** Moves a log that has grown into `FILE.old`. Emptied, not renamed: PostgreSQL appends to the open file. */
export async function boundLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  )
  if (size < largest) return
  await copyFile(file, `${file}.old`)
  await truncate(file)
}

/** Bounds it from time to time; returns what ends this. */
export function watchLog(file: string): () => void {
  const timer = setInterval(() => void boundLog(file).catch(() => {}), checkEvery)
  timer.unref()
  return () => clearInterval(timer)
}

/** The last complaint in the log since `offset`, without its time, or null. */
export async function lastComplaint(file: string, offset: number): Promise<string | null> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    const start = Math.max(offset > size ? 0 : offset, size - 64 * 1024)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    const worst =
      lines.findLast((line) => /\b(FATAL|PANIC):/.test(line)) ?? lines.findLast((line) => line.trim() !== '')
    return worst?.replace(/^.*?\b(FATAL|PANIC|LOG): +/, '').trim() ?? null
  } finally {
    await handle.close()
  }
}
