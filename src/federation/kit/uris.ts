import type { Config } from '#ports/ctx.ts'
import { isLocalUsername } from '#lib/acct.ts'
import { isId } from '#lib/ids.ts'
import { asId, type StatusId } from '#lib/id.ts'

/** What an address of this server names. */
export type LocalName =
  | { kind: 'actor'; username: string }
  | { kind: 'followers'; username: string }
  | { kind: 'status'; username: string; id: StatusId }
  /** The activity that made a status: its Create, or the Announce of a boost. */
  | { kind: 'activity'; username: string; id: StatusId }
  | { kind: 'instance-actor' }

/** Whether an address is one of this server, known or not: it is never asked over the network. */
export function isOwnUri(config: Config, uri: string): boolean {
  return uri === config.baseUrl || uri.startsWith(`${config.baseUrl}/`)
}

/** Reads an id or page of this server; null for another's and for what is no such thing. A fragment is ignored. */
export function readLocalUri(config: Config, uri: string): LocalName | null {
  if (!isOwnUri(config, uri)) return null
  const [path = ''] = uri.slice(config.baseUrl.length).split(/[?#]/, 1)
  if (path === '/actor') return { kind: 'instance-actor' }
  const parts = path.split('/').slice(1)
  const page = parts[0]?.startsWith('@') ? [parts[0].slice(1), ...parts.slice(1)] : null
  if (page) return readParts(page[0], page.length > 1 ? ['statuses', ...page.slice(1)] : [])
  return parts[0] === 'users' ? readParts(parts[1], parts.slice(2)) : null
}

function readParts(username: string | undefined, rest: readonly string[]): LocalName | null {
  if (username === undefined || !isLocalUsername(username)) return null
  const [collection, name, more] = rest
  if (collection === undefined) return { kind: 'actor', username }
  if (collection === 'followers' && name === undefined) return { kind: 'followers', username }
  if (collection !== 'statuses' || name === undefined || !isId(name)) return null
  const id = asId<StatusId>(name)
  if (more === undefined) return { kind: 'status', username, id }
  return more === 'activity' && rest.length === 3 ? { kind: 'activity', username, id } : null
}

export const instanceActorUri = (config: Config) => `${config.baseUrl}/actor`
export const instanceKeyId = (config: Config) => `${config.baseUrl}/actor#main-key`
