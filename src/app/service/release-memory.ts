/** Long enough that what waits for the start of a server is through, in milliseconds. */
const afterStart = 10_000

/**
 * Gives back, once it has served for some seconds, the memory that only its start took: the room of what it made and
 * threw away, and the code that runs once. Node itself would keep both until the heap has grown by much more. Does nothing
 * without `--expose-gc`, with which bin/stonechat runs it (docs/adr/0004 says what it is worth).
 */
export function releaseStart(): void {
  setTimeout(() => void globalThis.gc?.({ type: 'major', flavor: 'last-resort' }), afterStart).unref()
}
