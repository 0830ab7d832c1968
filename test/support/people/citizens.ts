// People of several servers, as they know each other.
import type { Json } from '#test/client/client.ts'
import type { NetworkServer } from '#test/servers/network.ts'
import type { Person } from './people.ts'

export interface Citizen extends Person {
  readonly server: NetworkServer
  /** The id of the actor. */
  readonly uri: string
  /** `alice1@127.0.1.1:4000`. */
  readonly handle: string
}

export async function citizen(server: NetworkServer, name: string): Promise<Citizen> {
  const person = await server.person(name)
  return { ...person, server, uri: server.uriOf(person), handle: server.handleOf(person) }
}

/** The Account of another one as somebody's own server shows it, found by its handle where it is elsewhere. */
export async function meet(who: Citizen, other: Citizen): Promise<Json> {
  if (who.server.domain === other.server.domain)
    return (await who.get(`/api/v1/accounts/${other.accountId}`)).ok()
  const account = await who.server.find(who, other.handle)
  if (!account) throw new Error(`${other.handle} is not found on ${who.server.domain}`)
  return account
}

export async function relationOf(who: Citizen, other: Citizen): Promise<Json> {
  const { id } = await meet(who, other)
  return (await who.get('/api/v1/accounts/relationships', { id: [id] })).ok()[0]
}

/** Does something with an account: `follow`, `block`, … Nothing is delivered yet. */
export async function toward(who: Citizen, verb: string, other: Citizen, more: object = {}): Promise<Json> {
  const { id } = await meet(who, other)
  return (await who.post(`/api/v1/accounts/${id}/${verb}`, { ...more })).ok()
}

/** Follows, and waits until both servers know. */
export async function befriend(who: Citizen, other: Citizen): Promise<void> {
  await toward(who, 'follow', other)
  await who.server.settle()
}

/** A Status as somebody's server knows it by now, or null: nothing is fetched. */
export async function arrived(who: Citizen, status: Json): Promise<Json> {
  const { statuses } = (await who.get('/api/v2/search', { q: status.uri, type: 'statuses' })).ok()
  return statuses[0] ?? null
}

/** As `arrived`; fails when it has not come. */
export async function seen(who: Citizen, status: Json): Promise<Json> {
  const there = await arrived(who, status)
  if (!there) throw new Error(`${status.uri} has not come to ${who.handle}`)
  return there
}

/** Does something with a Status that has come to somebody's server: `favourite`, `reblog`, … */
export async function act(who: Citizen, verb: string, status: Json, more: object = {}): Promise<Json> {
  const { id } = await seen(who, status)
  return (await who.post(`/api/v1/statuses/${id}/${verb}`, { ...more })).ok()
}

/** The types of what somebody was told, the newest first, with the handles of who did it. */
export async function toldOf(who: Citizen): Promise<string[]> {
  const list: Json[] = (await who.get('/api/v1/notifications')).ok()
  return list.map(({ type, account }) => `${type} ${account.acct}`)
}

/** Addresses of the newest in a list of statuses. */
export async function urisOf(who: Citizen, path: string): Promise<string[]> {
  const list: Json[] = (await who.get(path)).ok()
  return list.map((status) => status.reblog?.uri ?? status.uri)
}
