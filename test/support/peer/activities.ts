// The activities and notes of an actor on a peer, in the usual form. Every part can be overridden.
import type { JsonObject } from './documents.ts'

export type Activity = JsonObject & { id: string; type: string; actor: string }
export type Note = JsonObject & { id: string; type: string; attributedTo: string }

export const everyone = 'https://www.w3.org/ns/activitystreams#Public'
export const context = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']

/** Who makes them. */
export interface Maker {
  readonly uri: string
  readonly baseUrl: string
  now(): number
}

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct'

let made = 0

/** Unlike any other of this process, whatever port a peer gets. */
export const nextNumber = () => ++made

const followersOf = ({ uri }: Maker) => `${uri}/followers`
const timeOf = (maker: Maker) => new Date(maker.now()).toISOString()

/** `to`, `cc` and `tag` of a note. `mentioned`: ids of actors. */
export function audienceOf(
  maker: Maker,
  visibility: Visibility,
  mentioned: readonly string[] = [],
): JsonObject {
  const followers = followersOf(maker)
  const tag = mentioned.map((href) => ({
    type: 'Mention',
    href,
    name: `@${href.split('/').at(-1)}@${new URL(href).host}`,
  }))
  if (visibility === 'public') return { to: [everyone], cc: [followers, ...mentioned], tag }
  if (visibility === 'unlisted') return { to: [followers], cc: [everyone, ...mentioned], tag }
  if (visibility === 'private') return { to: [followers], cc: [...mentioned], tag }
  return { to: [...mentioned], cc: [], tag }
}

/** A public note with a new id. */
export function makeNote(maker: Maker, content: string | JsonObject, overrides: JsonObject = {}): Note {
  const number = nextNumber()
  return {
    '@context': context,
    id: `${maker.uri}/statuses/${number}`,
    type: 'Note',
    attributedTo: maker.uri,
    published: timeOf(maker),
    url: `${maker.baseUrl}/@${maker.uri.split('/').at(-1)}/${number}`,
    ...audienceOf(maker, 'public'),
    content: typeof content === 'string' ? `<p>${content}</p>` : '',
    ...(typeof content === 'object' && content),
    ...overrides,
  }
}

/** Makes activities without sending them. The last argument overrides what is in the activity. */
export function createBuilders(maker: Maker) {
  const activity = (type: string, parts: JsonObject, overrides: JsonObject = {}): Activity => ({
    '@context': context,
    id: `${maker.baseUrl}/activities/${nextNumber()}`,
    type,
    actor: maker.uri,
    ...parts,
    ...overrides,
  })
  const toAll = () => ({ to: [everyone], cc: [followersOf(maker)] })
  const featured = `${maker.uri}/featured`
  return {
    create: (note: JsonObject, more?: JsonObject) =>
      activity('Create', { published: timeOf(maker), to: note['to'], cc: note['cc'], object: note }, more),
    update: (object: JsonObject, more?: JsonObject) =>
      activity('Update', { to: object['to'] ?? [everyone], cc: object['cc'] ?? [], object }, more),
    /** Of a status or, by its own id, of the actor. */
    delete: (target: string | { id: string }, more?: JsonObject) => {
      const id = typeof target === 'string' ? target : target.id
      const object = id === maker.uri ? id : { id, type: 'Tombstone' }
      return activity('Delete', { to: [everyone], object }, more)
    },
    announce: (object: string, more?: JsonObject) =>
      activity('Announce', { published: timeOf(maker), ...toAll(), object }, more),
    like: (object: string, more?: JsonObject) => activity('Like', { object }, more),
    follow: (object: string, more?: JsonObject) => activity('Follow', { object }, more),
    accept: (object: unknown, more?: JsonObject) => activity('Accept', { object }, more),
    reject: (object: unknown, more?: JsonObject) => activity('Reject', { object }, more),
    undo: (object: unknown, more?: JsonObject) => activity('Undo', { object }, more),
    block: (object: string, more?: JsonObject) => activity('Block', { object }, more),
    move: (target: string, more?: JsonObject) =>
      activity('Move', { ...toAll(), object: maker.uri, target }, more),
    add: (object: unknown, more?: JsonObject) =>
      activity('Add', { ...toAll(), object, target: featured }, more),
    remove: (object: unknown, more?: JsonObject) =>
      activity('Remove', { ...toAll(), object, target: featured }, more),
    flag: (objects: string[], content = '', more?: JsonObject) =>
      activity('Flag', { object: objects, content }, more),
  }
}

export type Builders = ReturnType<typeof createBuilders>
