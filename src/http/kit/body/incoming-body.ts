// The bytes of a request's body. Reading them always comes to an end: with the body, with an error, or with patience.
import { tooLarge, timedOut } from '#lib/errors.ts'

/** Longer than the server waits for bytes itself (app/slow-requests.ts): it is for what hangs behind them. In milliseconds. */
const usualPatience = 60_000

export interface IncomingBody {
  /** To be read once. Throws what `stop` was given. */
  readonly chunks: AsyncGenerator<Uint8Array>
  /** Aborts when no chunk came for too long, and with `stop`. Its reason is an error. */
  readonly signal: AbortSignal
  /** Nothing more is wanted: also a read that waits for the client ends. The first reason counts. */
  stop(reason: Error): void
}

/**
 * Hands the body of a request to `read`, and lets go of it when that is done. Throws AppError `too_large` beyond
 * `max` bytes, whatever the headers claim, and `timed_out` after `patience` milliseconds without a chunk.
 */
export async function withBody<T>(
  stream: ReadableStream<Uint8Array>,
  { max, patience = usualPatience }: { max: number; patience?: number | undefined },
  read: (body: IncomingBody) => Promise<T>,
): Promise<T> {
  const reader = stream.getReader()
  const ending = new AbortController()
  const stop = (reason: Error) => {
    if (ending.signal.aborted) return
    ending.abort(reason)
    // A read that waits ends at once; without this it would wait for the client.
    reader.cancel(reason).catch(ignore)
  }
  const watch = setTimeout(() => stop(timedOut()), patience)

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let size = 0; ;) {
      const { done, value } = await reader.read()
      ending.signal.throwIfAborted()
      if (done) return
      watch.refresh()
      size += value.length
      if (size > max) throw tooLarge()
      yield value
    }
  }

  try {
    return await read({ chunks: chunks(), signal: ending.signal, stop })
  } finally {
    clearTimeout(watch)
    reader.cancel().catch(ignore)
  }
}

function ignore(): void {}
