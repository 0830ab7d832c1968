// One event on its way to many: written once for each form in which it goes out.
import { textFrame } from './text-frame.ts'

export interface Outgoing {
  /** As a WebSocket message on the stream of this label (JSON), ready for the wire. */
  frame(label: string): Buffer
  /** As a server-sent event. */
  block(): Buffer
}

/** `payload`: null where the event has none. */
export function createOutgoing(event: string, payload: string | null): Outgoing {
  const frames = new Map<string, Buffer>()
  let encoded: string | undefined
  let block: Buffer | undefined
  const end = () => (payload === null ? '}' : `,"payload":${JSON.stringify(payload)}}`)
  return {
    frame(label) {
      let frame = frames.get(label)
      if (frame) return frame
      encoded ??= end()
      frame = textFrame(`{"stream":${label},"event":"${event}"${encoded}`)
      frames.set(label, frame)
      return frame
    },
    // Without a data line browsers would not pass the event on.
    block: () => (block ??= Buffer.from(`event: ${event}\ndata: ${payload ?? ''}\n\n`)),
  }
}
