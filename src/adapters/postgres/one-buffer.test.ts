// Where messages of the database end, however they are cut: what pg's parser keeps of a buffer must not be read over.
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createFraming, openSocket } from './one-buffer.ts'

const message = (body: string): Buffer => {
  const bytes = Buffer.from(`D....${body}`)
  bytes.writeUInt32BE(bytes.length - 1, 1)
  return bytes
}

/** `bytes` in pieces, of which each begins at one of `cuts`. */
function cut(bytes: Buffer, cuts: number[]): Buffer[] {
  const at = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])].toSorted(
    (a, b) => a - b,
  )
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end))
}

const bodies = fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 20 })
const places = fc.array(fc.nat(), { maxLength: 30 })

test('a piece ends whole where the messages until there have all their bytes', () => {
  fc.assert(
    fc.property(bodies, places, (texts, cuts) => {
      const messages = texts.map(message)
      let sum = 0
      const ends = new Set(messages.map((one) => (sum += one.length)))
      const endsWhole = createFraming()
      let length = 0
      for (const piece of cut(Buffer.concat(messages), cuts)) {
        length += piece.length
        expect(endsWhole(piece)).toBe(ends.has(length))
      }
    }),
  )
})

test('a length that cannot be is passed over', () => {
  const endsWhole = createFraming()
  const bytes = Buffer.alloc(64)
  for (const piece of cut(bytes, [1, 2, 7, 11, 30])) expect(typeof endsWhole(piece)).toBe('boolean')
})

test('what is kept of a piece stays as it was while further ones are read', async () => {
  const server = createServer((peer) => void write(peer))
  onTestFinished(() => void server.close())
  const messages = Array.from({ length: 40 }, (_, index) => message(String(index).repeat(1 + index * 300)))
  const all = Buffer.concat(messages)
  const pieces = cut(
    all,
    Array.from({ length: 60 }, (_, index) => index * 3_001),
  )
  const socket = openSocket()
  /** As pg's parser does: a piece that begins a message is kept, what follows is copied behind it. */
  let kept: Buffer | null = null
  let read = 0
  const found: Buffer[] = []
  socket.on('data', (piece: Buffer) => {
    read += piece.length
    let rest = kept ? Buffer.concat([kept, piece]) : piece
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const length = 1 + rest.readUInt32BE(1)
      found.push(Buffer.from(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
    kept = rest.length > 0 ? rest : null
    socket.write('!')
  })
  async function write(peer: NodeJS.ReadWriteStream) {
    for (const piece of pieces) {
      peer.write(piece)
      await once(peer, 'data')
    }
    peer.end()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'close')
  expect(read).toBe(all.length)
  expect(found).toEqual(messages)
})
