// An ActivityPub server on Fedify, a library that shares no code with Stonechat: it reads documents as strict
// JSON-LD and checks and makes signatures by itself. No queue: what it sends has arrived, or an error is thrown.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createFederation,
  detachSignature,
  generateCryptoKeyPair,
  MemoryKvStore,
  verifyObject,
  type RequestContext,
} from '@fedify/fedify'
import { Activity, Note, Question } from '@fedify/fedify/vocab'
import { getRequestListener } from '@hono/node-server'
import { createFedifyActor, type FedifyActor } from '#test/fedify/actor.ts'
import { publicPosts, toPerson } from '#test/fedify/documents.ts'
import { onActivity } from '#test/fedify/inbox.ts'
import {
  mayRead,
  type ActorState,
  type PeerContext,
  type PeerState,
  type Received,
} from '#test/fedify/state.ts'

export interface FedifyPeer {
  /** `127.0.0.x:PORT` */
  readonly host: string
  readonly url: string
  /** What was refused so far: wrong signatures, documents that cannot be read. */
  readonly problems: string[]
  /** A new actor. `locked`: follows wait for `accept`. */
  actor(name: string, options?: { locked?: boolean }): Promise<FedifyActor>
  /** Everything of a type that came with a valid signature, oldest first. */
  received<T extends Activity>(type: ActivityClass<T>): T[]
  /** As `received`, with the inbox it came to. */
  deliveries<T extends Activity>(type: ActivityClass<T>): Received<T>[]
  /** Whether it came with an integrity proof (FEP-8b32), and that is right. */
  isProven(activity: Activity): Promise<boolean>
  /** What WebFinger says of an actor, found by its id; null when it is not known there. */
  webFinger(actor: string): ReturnType<PeerContext['lookupWebFinger']>
  /** Puts a file under its address, which is answered. */
  serve(path: string, file: { bytes: Buffer; type: string }): URL
  stop(): Promise<void>
}

// oxlint-disable-next-line no-explicit-any -- the library's own form of "a class of activities"
type ActivityClass<T extends Activity> = new (...args: any[]) => T

export interface FedifyPeerOptions {
  /** The kind of signature it tries first. The other one is tried when that is refused. */
  firstKnock?: 'rfc9421' | 'draft-cavage-http-signatures-12'
}

/** Starts a server of its own on an address in 127.0.0.0/8, without actors. */
export async function startFedifyPeer(address: string, options: FedifyPeerOptions = {}): Promise<FedifyPeer> {
  const state: PeerState = {
    actors: new Map(),
    published: new Map(),
    received: [],
    bodies: new Map(),
    files: new Map(),
    problems: [],
  }
  const federation = createPeerFederation(state, options)
  const answer = async (request: Request): Promise<Response> => {
    const file = state.files.get(new URL(request.url).pathname)
    if (file) return new Response(new Uint8Array(file.bytes), { headers: { 'content-type': file.type } })
    if (request.method === 'POST') await remember(state, request.clone())
    return federation.fetch(request, { contextData: state })
  }
  const server = createServer(getRequestListener(answer)).listen(0, address)
  await once(server, 'listening')
  const host = `${address}:${(server.address() as AddressInfo).port}`
  const url = `http://${host}`
  const ctx = federation.createContext(new URL(url), state)
  const deliveries = <T extends Activity>(type: ActivityClass<T>) =>
    state.received.filter((one): one is Received<T> => one.activity instanceof type)
  return {
    host,
    url,
    problems: state.problems,
    async actor(name, { locked = false } = {}) {
      const actor = await createActorState(name, locked)
      state.actors.set(name, actor)
      return createFedifyActor(ctx, actor)
    },
    received: (type) => deliveries(type).map((one) => one.activity),
    deliveries,
    async isProven(activity) {
      const body = state.bodies.get(activity.id?.href ?? '')
      const isSigned = typeof body === 'object' && body !== null && 'proof' in body
      // An older kind of signature may have been put over the proof.
      return isSigned && (await verifyObject(Activity, detachSignature(body), ctx)) !== null
    },
    webFinger: (actor) => ctx.lookupWebFinger(new URL(actor)),
    serve(path, file) {
      state.files.set(path, file)
      return new URL(path, url)
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

async function remember(state: PeerState, request: Request): Promise<void> {
  const body = (await request.json()) as { id?: unknown }
  state.bodies.set(String(body.id), body)
}

/** Of 2048 bits, as most servers have them: Fedify's own of 4096 took most of what its tests did. */
const generateRsaPair = () =>
  crypto.subtle.generateKey(
    {
      name: 'RSASSA-PKCS1-v1_5',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: 'SHA-256',
    },
    true,
    ['sign', 'verify'],
  )

async function createActorState(name: string, locked: boolean): Promise<ActorState> {
  return {
    name,
    keys: [await generateRsaPair(), await generateCryptoKeyPair('Ed25519')],
    locked,
    displayName: name,
    summary: '',
    aliases: [],
    movedTo: null,
    followers: new Map(),
    requests: new Map(),
    following: new Set(),
    rejectedBy: new Set(),
  }
}

function createPeerFederation(state: PeerState, { firstKnock }: FedifyPeerOptions) {
  const federation = createFederation<PeerState>({
    kv: new MemoryKvStore(),
    allowPrivateAddress: true,
    ...(firstKnock && { firstKnock }),
  })
  federation
    .setActorDispatcher('/users/{identifier}', (ctx, name) => toPerson(ctx, name))
    .setKeyPairsDispatcher((_, name) => state.actors.get(name)?.keys ?? [])
  federation
    .setInboxListeners('/users/{identifier}/inbox', '/inbox')
    // Somebody has to sign when it fetches what a server shows to nobody unsigned.
    .setSharedKeyDispatcher(() => ({ identifier: [...state.actors.keys()][0] ?? '' }))
    .on(Activity, onActivity)
    .onError((_, error) => void state.problems.push(error.message))
    .onUnverifiedActivity((_, activity, reason) => {
      state.problems.push(`${activity.id?.href}: ${JSON.stringify(reason)}`)
    })
  federation
    .setFollowersDispatcher('/users/{identifier}/followers', (_, name) => {
      const actor = state.actors.get(name)
      return actor ? { items: [...actor.followers.values()] } : null
    })
    .setCounter((_, name) => state.actors.get(name)?.followers.size ?? null)
  federation
    .setOutboxDispatcher('/users/{identifier}/outbox', (ctx, name) => ({ items: publicPosts(ctx, name) }))
    .setCounter((ctx, name) => publicPosts(ctx, name).length)
  setObjectDispatchers(federation, state)
  return federation
}

function setObjectDispatchers(federation: ReturnType<typeof createFederation<PeerState>>, state: PeerState) {
  const mayAskerRead = async (ctx: RequestContext<PeerState>): Promise<boolean> => {
    const entry = state.published.get(ctx.url.href)
    if (!entry || mayRead(state, entry, null)) return true
    return mayRead(state, entry, (await ctx.getSignedKeyOwner())?.id?.href ?? null)
  }
  federation
    .setObjectDispatcher(Note, '/users/{identifier}/notes/{id}', (ctx, values) => {
      const object = state.published.get(ctx.getObjectUri(Note, values).href)?.object
      return object instanceof Note ? object : null
    })
    .authorize(mayAskerRead)
  federation
    .setObjectDispatcher(Question, '/users/{identifier}/questions/{id}', (ctx, values) => {
      const object = state.published.get(ctx.getObjectUri(Question, values).href)?.object
      return object instanceof Question ? object : null
    })
    .authorize(mayAskerRead)
}
