// Where the bytes of a body go.

import { open, rm } from 'node:fs/promises'

/** Takes the bytes of a body: into `body`, or elsewhere, of which `saved` is the number. */
export type Sink = (chunks: AsyncIterable<Buffer>) => Promise<{ body: Buffer; saved: number }>

/** Into memory. */
export const collect: Sink = async (chunks) => {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return { body: Buffer.concat(parts), saved: 0 }
}

/** Into a new file that only this user can read, and that is gone again when the body does not arrive whole. */
export function saveTo(path: string): Sink {
  return async (chunks) => {
    const file = await open(path, 'wx', 0o600)
    let saved = 0
    try {
      for await (const chunk of chunks) {
        await file.writeFile(chunk)
        saved += chunk.length
      }
      await file.close()
    } catch (error) {
      await file.close().catch(() => {})
      await rm(path, { force: true })
      throw error
    }
    return { body: Buffer.alloc(0), saved }
  }
}
