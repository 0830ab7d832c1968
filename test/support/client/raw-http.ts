// HTTP by hand, byte by byte: what no client library would send.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawConnection {
  readonly socket: Socket
  /** Everything that has come so far. */
  received(): string
  /** Status numbers of the answers so far. */
  statuses(): number[]
  /** Resolves when the connection is gone, in whatever way. */
  readonly ended: Promise<void>
}

/** Connects; `from` is an address of this machine that the connection comes from. Rejects when it is refused. */
export async function openRaw(
  port: number,
  options: { from?: string; host?: string } = {},
): Promise<RawConnection> {
  const socket = connect({ port, host: options.host ?? '127.0.0.1', localAddress: options.from })
  let text = ''
  socket.on('data', (data) => (text += data.toString('latin1')))
  await once(socket, 'connect')
  // A cut may be told as an error first.
  socket.on('error', () => {})
  const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  return {
    socket,
    received: () => text,
    statuses: () => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)),
    ended,
  }
}

/** The head of a request, with the lines that every request needs. */
export function requestHead(start: string, headers: Record<string, string | number>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${start} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Sends a byte now and then until the connection ends. */
export function drip(socket: Socket, byte: string, every = 100): void {
  const timer = setInterval(() => socket.write(byte), every)
  socket.on('close', () => clearInterval(timer))
}
