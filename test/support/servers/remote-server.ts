import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RemoteServer {
  host: string
  port: number
  /** How often somebody connected, whatever came of it. */
  readonly connections: number
  /** Everything that was asked for, in order. */
  requests: IncomingMessage[]
  url(path?: string): string
}

const answerNothing: RequestListener = (_, response) => response.end()

/** A server on an address of its own in 127.0.0.0/8, until the test ends. */
export async function startRemote(host: string, listener = answerNothing, port = 0): Promise<RemoteServer> {
  const requests: IncomingMessage[] = []
  const server = createHttpServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  return listen(server, { host, port, requests })
}

/** As `startRemote`, but what happens on a connection is up to the test. */
export async function startRawRemote(host: string, onConnection: (socket: Socket) => void) {
  const server = createServer((socket) => void onConnection(socket.on('error', () => {})))
  return listen(server, { host, port: 0, requests: [] })
}

async function listen(
  server: Server,
  { host, port: wanted, requests }: Pick<RemoteServer, 'host' | 'port' | 'requests'>,
): Promise<RemoteServer> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(wanted, host, resolve)
  })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => void server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  const shownHost = host.includes(':') ? `[${host}]` : host
  return {
    host,
    port,
    get connections() {
      return connections
    },
    requests,
    url: (path = '/') => `http://${shownHost}:${port}${path}`,
  }
}
