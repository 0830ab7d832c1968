// A socket to the database that reads into one buffer of its own. Node takes 64 KB for each read and copies what came out
// of it: 5 to 8 microseconds of processor time an answer.
import { Socket } from 'node:net'

/** Bytes that are read at once. */
const size = 65_536

/** A type in one byte, and the length of the rest in four, which it counts itself (PostgreSQL, Message Formats). */
const head = 5
const lengthAt = (bytes: Buffer, at: number) => 1 + Math.max(4, bytes.readUInt32BE(at + 1))

/** For `pg`, which asks for a stream for each connection: what is encrypted is read by TLS, and never comes by here. */
export function openSocket({ ssl = false }: { ssl?: unknown } = {}): Socket {
  return ssl ? new Socket() : createSocket()
}

function createSocket(): Socket {
  const endsWhole = createFraming()
  let isKept = false
  const socket: Socket = new Socket({
    onread: {
      buffer: Buffer.allocUnsafeSlow(size),
      callback(length, buffer) {
        const chunk = Buffer.from(buffer.buffer, buffer.byteOffset, length)
        const isWhole = endsWhole(chunk)
        // pg's parser keeps a chunk of which it has not read all; further ones it copies behind that.
        socket.emit('data', isKept || isWhole ? chunk : Buffer.from(chunk))
        isKept = !isWhole
        return true
      },
    },
  })
  return socket
}

/** Told of each piece of a stream of messages in turn, says whether one ends where the piece does. */
export function createFraming(): (chunk: Buffer) => boolean {
  /** Where in the next piece the next message begins. */
  let next = 0
  const begun = Buffer.alloc(head)
  let begunLength = 0
  return (chunk) => {
    while (next < chunk.length) {
      if (begunLength === 0 && next + head <= chunk.length) {
        next += lengthAt(chunk, next)
        continue
      }
      const copied = chunk.copy(begun, begunLength, next, next + head - begunLength)
      begunLength += copied
      next += copied
      if (begunLength < head) break
      next += lengthAt(begun, 0) - head
      begunLength = 0
    }
    next -= chunk.length
    return next === 0 && begunLength === 0
  }
}
