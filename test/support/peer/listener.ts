import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { PeerActor } from './actor.ts'
import { readBody, writeDocument, type Documents, type JsonObject } from './documents.ts'
import type { PeerPost, PostBox } from './inbox.ts'
import type { Behaviour, PeerRequest } from './peer.ts'
import { parseJson } from './transmit.ts'
import { verifyRequest, type Arrived, type SpamDecision, type Verifying } from './verify.ts'

export interface ListenerParts {
  verifying: Pick<Verifying, 'baseUrl' | 'fetchKey'> & { clock: { now(): number } }
  documents: Documents
  box: PostBox
  requests: PeerRequest[]
  behaviour: Behaviour
  actors: ReadonlyMap<string, PeerActor>
  /** WebFinger answers that a test set. */
  fingers: ReadonlyMap<string, JsonObject | null>
  software: { name: string; version: string }
}

/** Answers everything that a peer is asked. */
export function createListener(parts: ListenerParts): RequestListener {
  return (request, response) => {
    // What is left undone when the test ends, or when a connection is cut, is nobody's concern.
    handle(parts, request, response).catch(() => response.destroy())
  }
}

async function handle(
  parts: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { behaviour, documents } = parts
  const path = request.url ?? '/'
  if (request.method === 'GET' || request.method === 'HEAD') note(parts, request, path)
  await behaviour.held
  if (behaviour.drop) return void request.socket.destroy()
  const known = documents.find(path)
  if (request.method === 'POST' && !known) return receive(parts, request, response)
  if (behaviour.signedGetOnly && !isOpen(path)) {
    const { problem } = await verify(parts, arrived(request, path))
    if (problem !== null) return writeDocument(response, { error: problem }, { status: 401 })
  }
  if (known) return void known(request, response)
  serveUsual(parts, path, response)
}

function note(parts: ListenerParts, request: IncomingMessage, path: string): void {
  const seen = arrived(request, path)
  const { method, headers } = seen
  parts.requests.push({ method, path, headers, verify: () => verify(parts, seen) })
}

const arrived = (request: IncomingMessage, path: string, body: Buffer = Buffer.alloc(0)): Arrived => ({
  method: request.method ?? 'GET',
  path,
  headers: request.headers,
  body,
})

const verify = ({ verifying }: ListenerParts, request: Arrived): Promise<SpamDecision> =>
  verifyRequest(request, { ...verifying, now: verifying.clock.now() })

async function receive(
  parts: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const got = arrived(request, request.url ?? '/', await readBody(request))
  const { signed, problem } = await verify(parts, got)
  const json = parseJson(got.body.toString())
  const post: PeerPost = { ...got, json, signed, signer: signed?.signer ?? '', problem, answered: 0 }
  const answer = await parts.behaviour.answer(post)
  const {
    status,
    headers,
    body = '',
  } = typeof answer === 'object' ? answer : { status: answer === 'drop' ? 0 : answer, headers: {} }
  post.answered = status
  parts.box.add(post)
  if (status === 0) request.socket.destroy()
  else response.writeHead(status, headers).end(body)
}

/** What other servers answer without being asked to whom. */
const isOpen = (path: string) => path === '/actor' || /^\/(?:\.well-known|nodeinfo)\//.test(path)

function serveUsual(parts: ListenerParts, target: string, response: ServerResponse): void {
  const { baseUrl } = parts.verifying
  const url = new URL(target, baseUrl)
  const json = 'application/json'
  if (url.pathname === '/.well-known/webfinger') {
    const jrd = finger(parts, url.searchParams.get('resource') ?? '')
    if (jrd) return writeDocument(response, jrd, { type: 'application/jrd+json' })
  }
  if (url.pathname === '/.well-known/host-meta')
    return writeDocument(response, hostMeta(baseUrl), { type: 'application/xrd+xml' })
  if (url.pathname === '/.well-known/nodeinfo')
    return writeDocument(response, nodeInfoLinks(baseUrl), { type: json })
  if (url.pathname === '/nodeinfo/2.0')
    return writeDocument(response, nodeInfo(parts.software), { type: json })
  writeDocument(response, { error: 'Not found' }, { status: 404, type: json })
}

/** By handle or by id. */
function finger({ fingers, actors }: ListenerParts, resource: string): JsonObject | null {
  const told = fingers.get(resource)
  if (told !== undefined) return told
  for (const actor of actors.values()) {
    if (resource !== `acct:${actor.handle}` && resource !== actor.uri) continue
    return {
      subject: `acct:${actor.handle}`,
      aliases: [actor.uri],
      links: [{ rel: 'self', type: 'application/activity+json', href: actor.uri }],
    }
  }
  return null
}

const hostMeta = (baseUrl: string) => `<?xml version="1.0" encoding="UTF-8"?>
<XRD xmlns="http://docs.oasis-open.org/ns/xri/xrd-1.0">
  <Link rel="lrdd" template="${baseUrl}/.well-known/webfinger?resource={uri}"/>
</XRD>
`

const nodeInfoLinks = (baseUrl: string) => ({
  links: [{ rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0', href: `${baseUrl}/nodeinfo/2.0` }],
})

const nodeInfo = (software: { name: string; version: string }) => ({
  version: '2.0',
  software,
  protocols: ['activitypub'],
  services: { inbound: [], outbound: [] },
  usage: { users: { total: 1 } },
  openRegistrations: false,
  metadata: {},
})
