import type { EventEmitter } from 'node:events'
import pg from 'pg'

export interface Parking {
  /** For a pool: makes clients that do not end with it, but wait for the next pool, with all that they have prepared. */
  readonly Client: typeof pg.Client
  /** Processes of the database whose clients wait, once all have come that were let go. */
  pids(): Promise<number[]>
  /** Ends those that wait. */
  end(): Promise<void>
}

/** What pg keeps to itself of a client. */
interface Inside {
  processID: number
  readyForQuery: boolean
  _queryable: boolean
  _ended: boolean
  connection: EventEmitter & { stream: { ref(): void; unref(): void } }
}

type Ended = (error?: Error) => void

const inside = (client: pg.Client) => client as unknown as Inside
const isUsable = (client: pg.Client) => inside(client)._queryable && !inside(client)._ended
/** What a session has besides its plans. */
const tidy = 'rollback; select pg_advisory_unlock_all(); unlisten *; reset all'

type Listener = Parameters<EventEmitter['off']>[1]

const listenersOf = (client: pg.Client) => {
  const { connection } = inside(client)
  return new Set(connection.eventNames().flatMap((name) => connection.listeners(name) as Listener[]))
}

/** Its server listens no more, neither to it nor to what it is made of, and it holds nothing of its server. */
function leave(client: pg.Client, own: ReadonlySet<Listener>): void {
  client.removeAllListeners()
  // A pool gives it to whom it hands a client out.
  delete (client as Partial<pg.PoolClient>).release
  client.on('error', () => {})
  const { connection } = inside(client)
  for (const name of connection.eventNames()) {
    for (const listener of connection.listeners(name) as Listener[])
      if (!own.has(listener)) connection.off(name, listener)
  }
}

interface Place {
  /** Those that wait, with what ends them. */
  parked: Map<pg.Client, () => Promise<void>>
  /** A pool does not wait for what its clients do at their end. */
  arriving: Set<Promise<void>>
}

/** Has its pool take what waits for its end. */
function makeParkable(client: pg.Client, { parked, arriving }: Place): pg.Client {
  const own = { connect: client.connect.bind(client), end: client.end.bind(client) }
  let isConnected = false
  let ownListeners = new Set<Listener>()

  function connect(callback: Ended): void {
    if (isConnected) return callback()
    // It keeps what it calls, and that its first pool.
    let asked: Ended | null = callback
    own.connect((error?: Error) => {
      isConnected = !error
      ownListeners = listenersOf(client)
      asked?.(error)
      asked = null
    })
  }

  async function park(): Promise<void> {
    leave(client, ownListeners)
    try {
      await client.query(tidy)
      inside(client).connection.stream.unref()
      parked.set(client, () => own.end())
    } catch {
      await own.end()
    }
  }

  function end(callback: Ended): void {
    // Not one that is at work, or broken.
    if (!isConnected || !isUsable(client) || !inside(client).readyForQuery) return own.end(callback)
    const arrival = park()
    arriving.add(arrival)
    void arrival.then(() => arriving.delete(arrival))
    callback()
  }

  return Object.assign(client, { connect, end })
}

/** A place for the clients of one database. */
export function parkingClients(): Parking {
  const place: Place = { parked: new Map(), arriving: new Set() }

  function take(): pg.Client | undefined {
    for (const client of place.parked.keys()) {
      place.parked.delete(client)
      if (!isUsable(client)) continue
      client.removeAllListeners()
      inside(client).connection.stream.ref()
      return client
    }
    return undefined
  }

  return {
    Client: function (options: pg.ClientConfig) {
      return take() ?? makeParkable(new pg.Client(options), place)
    } as unknown as typeof pg.Client,
    async pids() {
      await Promise.all(place.arriving)
      return Array.from(place.parked.keys(), (client) => inside(client).processID)
    },
    async end() {
      await Promise.all(Array.from(place.parked.values(), (end) => end()))
      place.parked.clear()
    },
  }
}
