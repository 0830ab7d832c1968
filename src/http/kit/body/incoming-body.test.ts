import { expect, test } from 'vitest'
import { withBody } from './incoming-body.ts'

const collect = (stream: ReadableStream<Uint8Array>, max = 100, patience = 50) =>
  withBody(stream, { max, patience }, async (body) => {
    let size = 0
    for await (const chunk of body.chunks) size += chunk.length
    return size
  })

test('a body that says nothing any more is given up, and the stream let go', async () => {
  let isCancelled = false
  const silent = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('begun')),
    cancel: () => void (isCancelled = true),
  })
  await expect(collect(silent)).rejects.toMatchObject({ code: 'timed_out' })
  expect(isCancelled).toBe(true)
})

test('what hangs behind the body is told so', async () => {
  const ended = new ReadableStream<Uint8Array>({ start: (controller) => controller.close() })
  const hung = withBody(ended, { max: 100, patience: 20 }, ({ signal }) => {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  })
  await expect(hung).rejects.toMatchObject({ code: 'timed_out' })
})

test('a stop ends a read that waits for the client, with its reason', async () => {
  const reason = new Error('enough')
  const read = withBody(new ReadableStream<Uint8Array>(), { max: 100 }, async (body) => {
    queueMicrotask(() => body.stop(reason))
    for await (const chunk of body.chunks) throw new Error(`unexpected ${chunk.length}`)
  })
  await expect(read).rejects.toBe(reason)
})

test('more than may be is refused, whatever the headers say', async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(Buffer.alloc(30)),
  })
  await expect(collect(endless)).rejects.toMatchObject({ code: 'too_large' })
})
