// Collections of things that this server does not have, so that each is truly empty. Apps ask for them at their start
// and take a missing route for a broken server. A line goes when the things come.
import { apiScopes } from '#domain/oauth/scopes.ts'
import { listed, route, type Auth } from '#http/kit/route.ts'

const nothing = { items: [], newest: null, oldest: null, full: false }

function empty(path: `/api/${string}`, auth: Auth, scopes: readonly string[] = []) {
  return route({ method: 'GET', path, auth, scopes, handle: async () => listed(nothing, []) })
}

export const routes = [
  // Any scope opens announcements.
  empty('/api/v1/announcements', 'user', apiScopes),
  empty('/api/v1/trends', 'optional'),
  empty('/api/v1/trends/tags', 'optional'),
  empty('/api/v1/trends/statuses', 'optional'),
  empty('/api/v1/trends/links', 'optional'),
  empty('/api/v1/suggestions', 'user', ['read', 'read:accounts']),
  empty('/api/v2/suggestions', 'user', ['read', 'read:accounts']),
  empty('/api/v1/lists', 'user', ['read', 'read:lists']),
  empty('/api/v1/filters', 'user', ['read', 'read:filters']),
  empty('/api/v2/filters', 'user', ['read', 'read:filters']),
]
