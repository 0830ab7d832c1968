// The two other servers of a case, and alice, who lives here.
import type { Client, Json } from '#test/client/client.ts'
import type { TestApp } from '#test/app/app.ts'
import { minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import type { JsonObject } from '../../support/peer/documents.ts'
import { borrowKey, type PeerKey } from '../../support/peer/keys.ts'
import { startPeer, type Peer } from '../../support/peer/peer.ts'
import { buildRequest } from '../../support/peer/sign.ts'
import { transmit } from '../../support/peer/transmit.ts'
import { fill, idOf, type Arrangement, type Case } from './cases.ts'

export interface World {
  readonly app: TestApp
  readonly alice: Person
  readonly stranger: Client
  readonly names: Map<string, string>
  readonly peers: readonly Peer[]
  /** Answers these from now on, with a WebFinger answer for those that are actors, and their pictures. */
  serve(documents: Record<string, JsonObject>): void
  arrange(local: Arrangement): Promise<void>
  /** Sends an activity, signed by its actor, and lets everything follow from it. */
  deliver(activity: JsonObject, inbox: Case['inbox']): Promise<void>
}

let made = 0
/** The smallest picture there is. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

export async function createWorld(app: TestApp): Promise<World> {
  const at = () => `127.11.${++made >> 8}.${made & 255}`
  const peers = [await startPeer(at(), { app }), await startPeer(at(), { app })] as const
  const key = await borrowKey()
  const alice = await app.person('alice')
  const self = (await alice.get('/api/v1/accounts/verify_credentials')).ok()
  const names = new Map([
    ['PEER', peers[0].baseUrl],
    ['PEER_HOST', peers[0].domain],
    ['OTHER', peers[1].baseUrl],
    ['OTHER_HOST', peers[1].domain],
    ['LOCAL', app.baseUrl],
    ['LOCAL_HOST', new URL(app.baseUrl).host],
    ['ALICE', self.uri],
    ['ALICE_URL', self.url],
    ['ALICE_NAME', self.username],
    ['KEY', key.publicKeyPem],
    ['RECENT', new Date(app.clock.now() - minutes(1)).toISOString()],
  ])
  const known = new Map<string, JsonObject>()
  const world = { app, alice, stranger: await app.person('stranger'), names, peers }
  const send = createSender(world, known, key)
  return {
    ...world,
    serve: (documents) => serveAll(peers, known, documents),
    arrange: (local) => arrange(world, local, send),
    deliver: async (activity, inbox) => {
      serveImages(peers, activity)
      await send(activity, inbox)
      await app.settle()
    },
  }
}

type Actors = Pick<World, 'app' | 'alice' | 'names' | 'peers'>
type Send = (activity: JsonObject, inbox: Case['inbox']) => Promise<void>

function createSender({ app, names }: Actors, known: Map<string, JsonObject>, key: PeerKey): Send {
  return async (activity, inbox) => {
    const actor: Json = known.get(idOf(activity['actor']))
    const url = new URL(inbox === 'alice' ? `${names.get('ALICE')}/inbox` : `${app.baseUrl}/inbox`)
    const body = JSON.stringify(activity)
    const keyId = [actor.publicKey].flat()[0].id
    const answer = await transmit(
      buildRequest({ method: 'POST', url, body, keyId, key, now: app.clock.now() }),
    )
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${activity['type']} was answered with ${answer.status}: ${answer.text}`)
  }
}

function serveAll(
  peers: readonly Peer[],
  known: Map<string, JsonObject>,
  documents: Record<string, JsonObject>,
): void {
  for (const [url, document] of Object.entries(documents)) {
    const peer = peers.find(({ baseUrl }) => url.startsWith(`${baseUrl}/`))
    if (!peer) throw new Error(`nobody serves ${url}`)
    known.set(url, document)
    const status = document['type'] === 'Tombstone' ? 410 : 200
    peer.put(url.slice(peer.baseUrl.length), document, { status })
    if (typeof document['preferredUsername'] === 'string') finger(peer, document)
    serveImages(peers, document)
  }
}

function finger(peer: Peer, document: Json): void {
  const subject = `acct:${document.preferredUsername}@${peer.domain}`
  const self = { rel: 'self', type: 'application/activity+json', href: document.id }
  const jrd = { subject, aliases: [document.id], links: [self] }
  for (const resource of [subject, document.id]) peer.finger(resource, jrd)
}

function serveImages(peers: readonly Peer[], value: unknown): void {
  if (value !== null && typeof value === 'object') {
    for (const item of Object.values(value)) serveImages(peers, item)
  }
  if (typeof value !== 'string' || !/\.(?:png|jpe?g|webp)(?:\?|$)/.test(value)) return
  const peer = peers.find(({ baseUrl }) => value.startsWith(`${baseUrl}/`))
  peer?.put(value.slice(peer.baseUrl.length), picture, { type: 'image/png' })
}

async function arrange(actors: Actors, local: Arrangement, send: Send): Promise<void> {
  const { app, alice, names } = actors
  if (local.locked) (await alice.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
  for (const [name, post] of Object.entries(local.posts ?? {}))
    names.set(`POST:${name}`, (await alice.say('', { ...post })).uri)
  for (const handle of local.looksUp ?? []) await lookUp(alice, `@${fill(handle, names)}`)
  for (const uri of [...(local.follows ?? []), ...(local.requests ?? [])]) {
    const filled = fill(uri, names)
    const found = await lookUp(alice, filled)
    if (!found) throw new Error(`${filled} was not found`)
    ;(await alice.post(`/api/v1/accounts/${found.id}/follow`)).ok()
    await app.settle()
    const follow = await receiveFollow(actors, filled)
    names.set('FOLLOW', follow.id)
    if (local.follows?.includes(uri)) await send(acceptOf(follow), undefined)
  }
  await app.settle()
  for (const { inbox } of actors.peers) inbox.clear()
}

async function lookUp(alice: Client, q: string): Promise<Json> {
  return (await alice.get('/api/v2/search', { q, resolve: true, type: 'accounts' })).ok().accounts[0]
}

async function receiveFollow({ peers }: Actors, uri: string): Promise<Json> {
  const peer = peers.find(({ baseUrl }) => uri.startsWith(`${baseUrl}/`))
  const posts = await peer!.received(({ json }) => json?.type === 'Follow' && json.object === uri)
  return posts.at(-1)!.json
}

const acceptOf = (follow: Json): JsonObject => ({
  '@context': 'https://www.w3.org/ns/activitystreams',
  id: `${follow.object}#accept`,
  type: 'Accept',
  actor: follow.object,
  object: follow,
})
