// A client that costs less than what it measures: one that is dearer leaves the server waiting, and a server that is
// woken for each request pays for that as much again as for a short answer.
import { once } from 'node:events'
import net from 'node:net'
import type { Shot } from './load.ts'

export interface Answer {
  status: number
  /** Of the body. */
  bytes: number
}

/** A kept connection, over which one request is sent at a time. */
export interface Connection {
  /** Whether the server has ended it. */
  isClosed(): boolean
  /** Throws when the connection ends before the answer does. */
  ask(request: Buffer): Promise<Answer>
  close(): void
}

/** What is sent for it to the server of that base address. */
export function toRequest(base: string, { method = 'GET', path, token, body }: Shot): Buffer {
  const { host } = new URL(base)
  const json = body === undefined ? '' : JSON.stringify(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === undefined && method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(json)}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json']),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${json}`)
}

/** How an answer begins, as far as it is of interest. */
interface Head {
  status: number
  /** Of the body; null: it ends with an empty piece. */
  length: number | null
}

const endOfPieces = Buffer.from('0\r\n\r\n')

/** Opens a connection to the server of that base address. */
export async function openConnection(base: string): Promise<Connection> {
  const { hostname, port } = new URL(base)
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<Answer> | null = null
  let head: Head | null = null
  /** What came of an answer whose head is not whole. */
  let begun: Buffer = Buffer.alloc(0)
  let bytes = 0

  function take(chunk: Buffer): void {
    let body = chunk
    if (head === null) {
      begun = begun.length === 0 ? chunk : Buffer.concat([begun, chunk])
      const end = begun.indexOf('\r\n\r\n')
      if (end < 0) return
      head = readHead(begun.toString('latin1', 0, end + 2))
      body = begun.subarray(end + 4)
      begun = Buffer.alloc(0)
    }
    bytes += body.length
    const isWhole =
      head.length === null ? body.subarray(-endOfPieces.length).equals(endOfPieces) : bytes >= head.length
    if (!isWhole) return
    const answer = { status: head.status, bytes }
    const { resolve } = waiting as PromiseWithResolvers<Answer>
    waiting = head = null
    bytes = 0
    resolve(answer)
  }

  socket.on('data', take)
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed a connection')))
  return {
    isClosed: () => socket.destroyed || socket.readableEnded,
    ask(request) {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () => socket.destroy(),
  }
}

function readHead(head: string): Head {
  const status = Number(head.slice(9, 12))
  if (status === 204 || status === 304) return { status, length: 0 }
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1]
  return { status, length: length === undefined ? null : Number(length) }
}
