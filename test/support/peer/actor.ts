import type { Json } from '#test/client/client.ts'
import {
  audienceOf,
  context,
  createBuilders,
  makeNote,
  type Activity,
  type Builders,
  type Maker,
  type Note,
  type Visibility,
} from './activities.ts'
import type { JsonObject } from './documents.ts'
import { borrowKey, type PeerKey } from './keys.ts'
import { buildRequest, type RawRequest, type SignOptions } from './sign.ts'
import { transmit, type PeerAnswer } from './transmit.ts'
import type { PeerServer } from './peer.ts'

/** Where an activity goes: an inbox, or a server, whose shared inbox is meant. */
export type Target = string | { baseUrl: string }

/** Builds an activity and sends it to the shared inbox of the app. Throws unless that answers 2xx. */
type Acts = { [K in keyof Builders]: (...args: Parameters<Builders[K]>) => Promise<Activity> }

export interface PeerActor extends Acts, Maker {
  readonly name: string
  /** `bob@127.0.0.2:4000`. */
  readonly handle: string
  readonly keyId: string
  readonly inbox: string
  readonly sharedInbox: string
  readonly followers: string
  /** The pair it signs with now. */
  readonly key: PeerKey
  /** The actor as it is served now. */
  document(): JsonObject
  /** Changes what is served; `undefined` takes a member away. Returns the new document. */
  change(overrides: JsonObject): JsonObject
  /** Signs with a new pair from now on, and serves its public key. Returns the old one. */
  changeKey(): Promise<PeerKey>
  /** A public note, which the peer serves from now on. */
  note(content: string | JsonObject, overrides?: JsonObject): Note
  /** The note as it is after an edit, served from now on. */
  revise(note: Note, changes: JsonObject): Note
  /** `to`, `cc` and `tag` of a note of this actor; mentions by ids of actors. */
  audience(visibility: Visibility, mentioned?: readonly string[]): JsonObject
  /** Activities that are not sent. */
  readonly build: Builders
  /** Sends to the shared inbox of the app unless told otherwise. Any status is an answer. */
  send(activity: unknown, to?: Target, options?: SignOptions): Promise<PeerAnswer>
  /** Fetches, signed, as ActivityPub. */
  get(url: string, options?: SignOptions): Promise<PeerAnswer>
  /** The request that `send` would make, to be spoiled further and given to `transmit`. */
  prepare(activity: unknown, to?: Target, options?: SignOptions): RawRequest
  /** Waits for a Follow of this actor and sends its Accept. Returns the Follow. */
  acceptFollow(more?: JsonObject): Promise<Json>
}

interface ActorOptions {
  name: string
  /** Below which everything of the actor is. */
  path: string
  overrides: JsonObject
}

export async function createActor(server: PeerServer, options: ActorOptions): Promise<PeerActor> {
  const { baseUrl, documents } = server
  const uri = `${baseUrl}${options.path}`
  const maker: Maker = { uri, baseUrl, now: () => server.clock.now() }
  const build = createBuilders(maker)
  let key = await borrowKey()
  let overrides = options.overrides
  const document = () => ({ ...usualActor(maker, options.name, key), ...overrides })
  const sending = createSending(server, { keyId: `${uri}#main-key`, key: () => key })
  documents.compute(options.path, document)
  for (const collection of ['outbox', 'followers', 'following', 'featured'])
    documents.put(`${options.path}/${collection}`, emptyCollection(`${uri}/${collection}`))

  const serve = (note: Note) => {
    if (note.id.startsWith(`${baseUrl}/`)) documents.put(note.id.slice(baseUrl.length), note)
    return note
  }
  return {
    ...maker,
    ...sending,
    ...createActs(build, sending),
    build,
    name: options.name,
    handle: `${options.name}@${server.domain}`,
    keyId: `${uri}#main-key`,
    inbox: `${uri}/inbox`,
    sharedInbox: `${baseUrl}/inbox`,
    followers: `${uri}/followers`,
    get key() {
      return key
    },
    document,
    change(changes) {
      overrides = { ...overrides, ...changes }
      return document()
    },
    async changeKey() {
      const old = key
      key = await borrowKey()
      return old
    },
    note: (content, more) => serve(makeNote(maker, content, more)),
    revise: (note, changes) => serve({ ...note, updated: new Date(maker.now()).toISOString(), ...changes }),
    audience: (visibility, mentioned) => audienceOf(maker, visibility, mentioned),
    async acceptFollow(more) {
      const mine = (post: { json: Json }) => post.json?.type === 'Follow' && post.json.object === uri
      const follow = (await server.received(mine)).at(-1)?.json
      expectAccepted(await sending.send(build.accept(follow, more)), 'an Accept')
      return follow
    },
  }
}

type Sending = Pick<PeerActor, 'send' | 'get' | 'prepare'>

function createSending(server: PeerServer, signer: { keyId: string; key: () => PeerKey }): Sending {
  const request = (method: 'GET' | 'POST', url: string, body: string | null, options?: SignOptions) =>
    buildRequest(
      { method, url: new URL(url), body, keyId: signer.keyId, key: signer.key(), now: server.clock.now() },
      options,
    )
  const inboxOf = (to: Target | undefined) => {
    const target = to ?? server.app
    if (!target) throw new Error('this peer knows no app: say where to send to')
    return typeof target === 'string' ? target : `${target.baseUrl}/inbox`
  }
  const prepare: Sending['prepare'] = (activity, to, options) =>
    request('POST', inboxOf(to), typeof activity === 'string' ? activity : JSON.stringify(activity), options)
  return {
    prepare,
    send: (activity, to, options) => transmit(prepare(activity, to, options)),
    get: (url, options) => transmit(request('GET', url, null, options)),
  }
}

function createActs(build: Builders, { send }: Sending): Acts {
  const acts = Object.entries(build).map(([name, make]) => [
    name,
    async (...args: unknown[]) => {
      const activity = (make as (...args: unknown[]) => Activity)(...args)
      expectAccepted(await send(activity), `the ${activity.type}`)
      return activity
    },
  ])
  return Object.fromEntries(acts) as Acts
}

function expectAccepted({ status, text }: PeerAnswer, what: string): void {
  if (status < 200 || status > 299)
    throw new Error(`${what} was answered with ${status}: ${text.slice(0, 500)}`)
}

function usualActor({ uri, baseUrl }: Maker, name: string, key: PeerKey): JsonObject {
  return {
    '@context': context,
    id: uri,
    type: 'Person',
    preferredUsername: name,
    name,
    summary: '',
    url: `${baseUrl}/@${name}`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    followers: `${uri}/followers`,
    following: `${uri}/following`,
    featured: `${uri}/featured`,
    endpoints: { sharedInbox: `${baseUrl}/inbox` },
    manuallyApprovesFollowers: false,
    discoverable: true,
    published: '2024-01-01T00:00:00Z',
    publicKey: { id: `${uri}#main-key`, owner: uri, publicKeyPem: key.publicKeyPem },
  }
}

const emptyCollection = (id: string): JsonObject => ({
  '@context': context,
  id,
  type: 'OrderedCollection',
  totalItems: 0,
  orderedItems: [],
})
