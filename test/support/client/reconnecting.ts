// Apps that listen to a person's stream and connect again whenever they lose it.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Json, Answer } from './client.ts'
import type { Person } from '#test/people/people.ts'

/** What an app knows. */
export interface ListeningApp {
  /** Ids of statuses of which the stream told. */
  readonly heard: ReadonlySet<string>
  /** Ids of statuses about which a notification came by the stream. */
  readonly notified: ReadonlySet<string>
  /** Ids of the statuses that it read from the home timeline each time when it was connected again. */
  readonly caughtUp: ReadonlySet<string>
  /** How often it was connected. */
  connections(): number
  /** Ends it. Rejects when it could not read what it had missed. */
  end(): Promise<void>
}

type Take = (event: string, payload: string) => void

interface Connection {
  closed: Promise<unknown>
  close(): void
}

/** Opens the stream, or rejects. */
export type Connect = (person: Person, take: Take) => Promise<Connection>

export const byWebSocket =
  (streamingUrl: string): Connect =>
  async ({ token }, take) => {
    const url = `${streamingUrl.replace('http', 'ws')}/api/v1/streaming?stream=user`
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
    socket.on('message', (data) => {
      const { event, payload } = JSON.parse(String(data)) as Json
      take(event, payload)
    })
    await once(socket, 'open')
    socket.on('error', () => {})
    return {
      closed: new Promise((resolve) => socket.once('close', resolve)),
      close: () => socket.terminate(),
    }
  }

export const byServerSentEvents =
  (streamingUrl: string): Connect =>
  async ({ token }, take) => {
    const abort = new AbortController()
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${streamingUrl}/api/v1/streaming/user`, { headers, signal: abort.signal })
    if (!response.ok || !response.body) throw new Error(`The stream answers ${response.status}`)
    const closed = readEvents(response.body.pipeThrough(new TextDecoderStream()), take).catch(() => {})
    return { closed, close: () => abort.abort() }
  }

/** Until it ends. Rejects when the connection is lost. */
async function readEvents(texts: AsyncIterable<string>, take: Take): Promise<void> {
  let rest = ''
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    let event = ''
    for (const [index, line] of lines.entries()) {
      if (line.startsWith('event: ')) event = line.slice(7)
      else if (line.startsWith('data: ')) take(event, line.slice(6))
      // An event that is not whole is read again with what follows.
      if (line.startsWith('event: ') && index === lines.length - 1) rest = `${line}\n${rest}`
    }
  }
}

/** Starts an app; resolves when it is connected for the first time. */
export async function startListeningApp(person: Person, connect: Connect): Promise<ListeningApp> {
  const [heard, notified, caughtUp] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const first = Promise.withResolvers<void>()
  let connection: Connection | null = null
  let connections = 0
  let isEnded = false
  const take: Take = (event, payload) => {
    if (event === 'update') heard.add(JSON.parse(payload).id)
    if (event === 'notification') notified.add(JSON.parse(payload).status.id)
  }
  const run = async () => {
    while (!isEnded) {
      connection = await connect(person, take).catch(() => null)
      if (!connection) {
        await sleep(20)
        continue
      }
      if (connections++ > 0) for (const id of await readHome(person)) caughtUp.add(id)
      first.resolve()
      await connection.closed
    }
  }
  const running = run()
  await Promise.race([first.promise, running])
  return {
    heard,
    notified,
    caughtUp,
    connections: () => connections,
    async end() {
      isEnded = true
      connection?.close()
      await running
    },
  }
}

/** Ids of all that is in their home timeline, newest first. */
export async function readHome(person: Person): Promise<string[]> {
  return (await readAll(person, '/api/v1/timelines/home?limit=40')).map((status) => status.id)
}

/** All pages of a list. */
export async function readAll(person: Person, path: string): Promise<Json[]> {
  const found: Json[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const answer: Answer = await person.get(next)
    found.push(...answer.ok())
    next = answer.links['next']
  }
  return found
}
