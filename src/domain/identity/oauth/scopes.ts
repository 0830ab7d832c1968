// OAuth scopes (https://docs.joinmastodon.org/api/oauth-scopes/) and what holding one means.

const readable = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'favourites',
  'filters',
  'follows',
  'lists',
  'mutes',
  'notifications',
  'search',
  'statuses',
]
const writable = [
  'accounts',
  'blocks',
  'bookmarks',
  'collections',
  'conversations',
  'favourites',
  'filters',
  'follows',
  'lists',
  'media',
  'mutes',
  'notifications',
  'reports',
  'statuses',
]
const administered = [
  'accounts',
  'reports',
  'domain_allows',
  'domain_blocks',
  'ip_blocks',
  'email_domain_blocks',
  'canonical_email_blocks',
]
const under = (parent: string, names: readonly string[]) => names.map((name) => `${parent}:${name}`)
const relationships = ['blocks', 'follows', 'mutes']

/** A scope and those it includes. `follow` is the old word for six of them. */
const children: Readonly<Record<string, readonly string[]>> = {
  profile: [],
  read: under('read', readable),
  write: under('write', writable),
  push: [],
  follow: [...under('read', relationships), ...under('write', relationships)],
  'admin:read': under('admin:read', administered),
  'admin:write': under('admin:write', administered),
}

/** Asks for a refresh token (OpenID Connect Core section 11). It opens nothing in the API. */
export const offlineAccess = 'offline_access'

/** The scopes of the API, parents first. */
export const apiScopes: readonly string[] = [
  ...new Set([...Object.keys(children), ...Object.values(children).flat()]),
]

/** Scopes with their parts, for people to choose from; `follow` has none that `read` and `write` lack. */
export const scopeGroups: readonly (readonly [scope: string, parts: readonly string[]])[] = Object.entries(
  children,
).map(([scope, parts]) => [scope, scope === 'follow' ? [] : parts])

/** What an application gets that asks for nothing. */
export const defaultScopes: readonly string[] = ['read']

const known = new Set([...apiScopes, offlineAccess])

/**
 * Scopes from `read write:media` or a list, each once. Null when one of them is unknown. Nothing asked for is an
 * empty list.
 */
export function parseScopes(asked: string | readonly string[]): string[] | null {
  const names = (typeof asked === 'string' ? [asked] : asked)
    .flatMap((text) => text.split(/[\s+]+/))
    .filter(Boolean)
  return names.every((name) => known.has(name)) ? [...new Set(names)] : null
}

/**
 * Whether what is held includes all that is asked: `read` includes `read:statuses`, and `follow` is included in
 * its six parts, however they are held. All children of `read` are less than `read`, which may grow.
 */
export function covers(held: readonly string[], asked: readonly string[]): boolean {
  const all = new Set(held.flatMap((scope) => [scope, ...(children[scope] ?? [])]))
  return asked.every(
    (scope) => all.has(scope) || (scope === 'follow' && children['follow']!.every((part) => all.has(part))),
  )
}

/** The scopes that stand for themselves, without those that another one of the list includes. For people to read. */
export function withoutIncluded(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !scopes.some((other) => other !== scope && covers([other], [scope])))
}
