// A server of somebody else's, for tests of federation: it does what the test says, right or wrong.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { createActor, type PeerActor } from './actor.ts'
import { createDocuments, type Documents, type JsonObject } from './documents.ts'
import { createPostBox, type PeerInbox, type PostBox } from './inbox.ts'
import { createKeyFetcher } from './key-fetcher.ts'
import { createListener } from './listener.ts'
import type { SpamDecision } from './verify.ts'

/** A GET (or HEAD) that somebody made. */
export interface PeerRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Checks its signature now, which fetches the key. */
  verify(): Promise<SpamDecision>
}

/** `drop` cuts the connection. */
export type PostAnswer = number | 'drop' | { status: number; headers?: Record<string, string>; body?: string }

export interface PeerOptions {
  /** The server that actors send to unless told otherwise. Its clock is the peer's. */
  app?: { baseUrl: string; clock?: { now(): number } }
  /** What NodeInfo says. */
  software?: { name: string; version: string }
}

export interface Peer extends Pick<Documents, 'put' | 'answer' | 'remove'> {
  /** `127.0.0.2:4000`. */
  readonly domain: string
  readonly host: string
  readonly baseUrl: string
  readonly instanceActor: PeerActor
  url(path: string): string
  /**
   * A new actor, served with its WebFinger. Overrides change the document; `undefined` takes a member away. Another one of
   * the same name at another `path` has the handle from then on.
   */
  actor(name: string, overrides?: JsonObject, path?: string): Promise<PeerActor>
  /** What is answered to a WebFinger look-up of `resource`; null: 404. Otherwise all actors are found. */
  finger(resource: string, jrd: JsonObject | null): void
  /** Answers 410 at a path, with a Tombstone. */
  gone(path: string): void
  /** Every POST in order, with what became of its signature. */
  readonly inbox: PeerInbox
  /** Waits until that many have come (in all, not from now on) and answers all there are. Throws when they are not signed well. */
  received: PostBox['received']
  /** Every GET in order. */
  readonly requests: PeerRequest[]
  /** How often somebody connected, whatever came of it. */
  readonly connections: number
  /** What every POST is answered with from now on. Default 202. */
  inboxAnswers(answer: PostAnswer | ((post: PeerInbox[number]) => PostAnswer | Promise<PostAnswer>)): void
  /** Documents are served to signed requests only (but for the instance actor, WebFinger and NodeInfo). */
  requireSignedGet(on?: boolean): void
  /** Answers nothing until the returned function is called. */
  hold(): () => void
  /** Cuts every connection on which something is asked, until called with false. */
  dropAll(on?: boolean): void
  /** Nobody listens any more at this address; `comeBack` listens there again. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
}

/** What actors and the listener need of their server. */
export interface PeerServer {
  readonly baseUrl: string
  readonly domain: string
  readonly app: PeerOptions['app']
  readonly clock: { now(): number }
  readonly documents: Documents
  received: PostBox['received']
}

/** How a peer behaves at the moment. */
export interface Behaviour {
  answer: (post: PeerInbox[number]) => PostAnswer | Promise<PostAnswer>
  signedGetOnly: boolean
  drop: boolean
  /** Resolves when answers may go out. */
  held: Promise<void>
}

/** Starts a foreign server on an address of its own in 127.0.0.0/8, until the test ends. */
export async function startPeer(host = '127.0.0.2', options: PeerOptions = {}): Promise<Peer> {
  let listener: RequestListener = (request) => request.socket.destroy()
  const net = await listen(host, (request, response) => listener(request, response))
  const domain = `${host}:${net.port}`
  const baseUrl = `http://${domain}`
  const documents = createDocuments()
  const box = createPostBox()
  const clock = options.app?.clock ?? { now: () => Date.now() }
  const server: PeerServer = { baseUrl, domain, app: options.app, clock, documents, received: box.received }
  const actors = new Map<string, PeerActor>()
  const fingers = new Map<string, JsonObject | null>()
  const requests: PeerRequest[] = []
  const behaviour: Behaviour = {
    answer: () => 202,
    signedGetOnly: false,
    drop: false,
    held: Promise.resolve(),
  }
  const instanceActor = await createActor(server, {
    name: host,
    path: '/actor',
    overrides: { type: 'Application' },
  })
  actors.set(domain, instanceActor)
  const verifying = { baseUrl, clock, fetchKey: createKeyFetcher(instanceActor) }
  const software = options.software ?? { name: 'kit', version: '1.0.0' }
  listener = createListener({ verifying, documents, box, requests, behaviour, actors, fingers, software })
  return {
    ...box,
    ...switches(behaviour),
    put: documents.put,
    answer: documents.answer,
    remove: documents.remove,
    domain,
    host,
    baseUrl,
    instanceActor,
    url: (path) => `${baseUrl}${path}`,
    async actor(name, overrides = {}, path = `/users/${name}`) {
      const actor = await createActor(server, { name, path, overrides })
      actors.set(name, actor)
      return actor
    },
    finger: (resource, jrd) => void fingers.set(resource, jrd),
    gone: (path) => documents.put(path, { id: `${baseUrl}${path}`, type: 'Tombstone' }, { status: 410 }),
    requests,
    get connections() {
      return net.connections()
    },
    goAway: net.close,
    comeBack: net.open,
  }
}

function switches(
  behaviour: Behaviour,
): Pick<Peer, 'inboxAnswers' | 'requireSignedGet' | 'hold' | 'dropAll'> {
  return {
    inboxAnswers: (answer) => {
      behaviour.answer = typeof answer === 'function' ? answer : () => answer
    },
    requireSignedGet: (on = true) => {
      behaviour.signedGetOnly = on
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      behaviour.held = promise
      return resolve
    },
    dropAll: (on = true) => {
      behaviour.drop = on
    },
  }
}

/** A listening socket that can be closed, and opened again at the same port. */
async function listen(host: string, listener: (...args: Parameters<RequestListener>) => void) {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((request: IncomingMessage, response) => listener(request, response))
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const openAt = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => void server.close(resolve))
  }
  await openAt(0)
  const { port } = server.address() as AddressInfo
  onTestFinished(close)
  return { port, connections: () => connections, close, open: () => openAt(port) }
}
