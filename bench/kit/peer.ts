// Another server of the fediverse, as far as a benchmark needs one: actors with keys, and signed posts.
import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import http from 'node:http'

export interface PeerActor {
  uri: string
  name: string
  key: KeyObject
}

export interface Peer {
  base: string
  actors: PeerActor[]
  close(): Promise<void>
}

const json = 'application/activity+json'

/** Serves `count` actors on `host`. They share one key: making keys takes longer than the benchmark. */
export async function startPeer(host: string, count: number): Promise<Peer> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const server = http.createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  const { port } = server.address() as { port: number }
  const base = `http://${host}:${port}`
  const actors = Array.from({ length: count }, (_, i) => ({
    uri: `${base}/users/peer${i}`,
    name: `peer${i}`,
    key: privateKey,
  }))

  function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    request.resume()
    const url = new URL(request.url ?? '/', base)
    const body = request.method === 'POST' ? null : find(url)
    if (body === null) return void response.writeHead(request.method === 'POST' ? 202 : 404).end()
    const type = url.pathname.startsWith('/.well-known/webfinger') ? 'application/jrd+json' : json
    response.writeHead(200, { 'content-type': type }).end(JSON.stringify(body))
  }

  function find(url: URL): object | null {
    if (url.pathname === '/.well-known/webfinger') {
      const resource = url.searchParams.get('resource') ?? ''
      const name = /^acct:@?([^@]+)@/.exec(resource)?.[1] ?? resource.split('/').at(-1)
      return {
        subject: `acct:${name}@${host}:${port}`,
        links: [{ rel: 'self', type: json, href: `${base}/users/${name}` }],
      }
    }
    const name = /^\/users\/(\w+)$/.exec(url.pathname)?.[1]
    return name === undefined ? null : actorDocument(base, name, pem)
  }

  return {
    base,
    actors,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function actorDocument(base: string, name: string, pem: string | Buffer): object {
  const uri = `${base}/users/${name}`
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: uri,
    type: 'Person',
    preferredUsername: name,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    endpoints: { sharedInbox: `${base}/inbox` },
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: pem },
  }
}

export interface SignedPost {
  path: string
  headers: Record<string, string>
  body: string
}

/** A post to an inbox, signed by draft-cavage. */
export function signPost(actor: PeerActor, inbox: string, activity: object): SignedPost {
  const url = new URL(inbox)
  const body = JSON.stringify(activity)
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
  const date = new Date().toUTCString()
  const text = [
    `(request-target): post ${url.pathname}`,
    `host: ${url.host}`,
    `date: ${date}`,
    `digest: ${digest}`,
    `content-type: ${json}`,
  ].join('\n')
  const signature = createSign('sha256').update(text).sign(actor.key, 'base64')
  return {
    path: url.pathname,
    body,
    headers: {
      host: url.host,
      date,
      digest,
      'content-type': json,
      signature: `keyId="${actor.uri}#main-key",algorithm="rsa-sha256",headers="(request-target) host date digest content-type",signature="${signature}"`,
    },
  }
}

/** A public note of about 1.5 kB; `named`: who is mentioned in it. */
export function createNote(
  actor: PeerActor,
  index: number,
  named: { href: string; name: string } | null = null,
): object {
  const id = `${actor.uri}/statuses/${index}`
  const to = ['https://www.w3.org/ns/activitystreams#Public']
  const cc = [`${actor.uri}/followers`, ...(named ? [named.href] : [])]
  const greeting = named ? `<a href="${named.href}" class="u-url mention">${named.name}</a> ` : ''
  return {
    '@context': ['https://www.w3.org/ns/activitystreams', { sensitive: 'as:sensitive' }],
    id: `${id}/activity`,
    type: 'Create',
    actor: actor.uri,
    published: new Date().toISOString(),
    to,
    cc,
    object: {
      id,
      type: 'Note',
      summary: null,
      published: new Date().toISOString(),
      url: `${id}`,
      attributedTo: actor.uri,
      to,
      cc,
      sensitive: false,
      content: `<p>${greeting}Number ${index}: ${'some words that people write to each other, '.repeat(12)}</p>`,
      contentMap: { en: `<p>Number ${index}</p>` },
      attachment: [],
      tag: [
        { type: 'Hashtag', href: `${actor.uri}/tags/bench`, name: '#bench' },
        ...(named ? [{ type: 'Mention', ...named }] : []),
      ],
      replies: {
        id: `${id}/replies`,
        type: 'Collection',
        first: {
          type: 'CollectionPage',
          partOf: `${id}/replies`,
          next: `${id}/replies?page=true`,
          items: [],
        },
      },
    },
  }
}

/** Sends posts, some at a time. Returns how many were taken. */
export async function sendAll(base: string, posts: readonly SignedPost[], atOnce: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce })
  let next = 0
  let taken = 0
  const one = async () => {
    while (next < posts.length) {
      const post = posts[next++] as SignedPost
      if ((await sendOne(base, agent, post)) === 202) taken++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  agent.destroy()
  return taken
}

/** Returns the status that it was answered with. */
export function sendOne(base: string, agent: http.Agent, post: SignedPost): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { ...post.headers, 'content-length': Buffer.byteLength(post.body) }
    const request = http.request(base + post.path, { agent, method: 'POST', headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end(post.body)
  })
}
