// What stands between a server and its database, to be broken by tests.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import pg from 'pg'
import { once } from 'node:events'

export interface Relay {
  /** The same database through the relay. */
  readonly url: string
  /** How many connections it took so far. */
  taken(): number
  /** Ends all connections and refuses new ones, as a database that was stopped. */
  refuse(): Promise<void>
  /** Ends all connections there are; new ones work. As a load balancer that was told to. */
  cut(): void
  /** Keeps connections, takes new ones, and passes nothing on, as a network that lost its way. */
  mute(): void
  /** Passes nothing on over the connections there are, which nobody ends; new ones work. As a router that began anew. */
  forget(): void
  /** Works again. What was sent while it was mute is lost with its connection. */
  mend(): Promise<void>
  close(): Promise<void>
}

export async function startRelay(url: string): Promise<Relay> {
  const { host, port: realPort, user, password, database } = new pg.Client({ connectionString: url })
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${realPort}` } : { host, port: realPort }
  const open = new Set<Socket>()
  let isMute = false
  let taken = 0
  const remember = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }
  const relay = createServer((socket) => {
    taken++
    remember(socket)
    if (isMute) return void socket.resume()
    const onward = connect(target)
    remember(onward)
    pipeline(socket, onward, socket, () => {})
  })
  const listen = async (port: number) => {
    relay.listen(port, '127.0.0.1')
    await once(relay, 'listening')
  }
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  const stopListening = () =>
    new Promise<void>((resolve) => {
      relay.close(() => resolve())
      endAll()
    })
  const silence = () => {
    for (const socket of open) {
      socket.unpipe()
      socket.pause()
    }
  }
  await listen(0)
  const { port } = relay.address() as AddressInfo
  const login = password ? `${user}:${encodeURIComponent(String(password))}` : user
  return {
    url: `postgres://${login}@127.0.0.1:${port}/${database}`,
    taken: () => taken,
    refuse: stopListening,
    cut: endAll,
    mute() {
      isMute = true
      silence()
    },
    forget: silence,
    async mend() {
      if (isMute) endAll()
      isMute = false
      if (!relay.listening) await listen(port)
    },
    async close() {
      if (relay.listening) await stopListening()
    },
  }
}
