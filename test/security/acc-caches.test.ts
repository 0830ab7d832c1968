import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { callRoute, nameOf, routes, type ListedRoute, type RouteCall } from '#test/client/every-route.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const closed = useApp({ env: { DISALLOW_UNAUTHENTICATED_API_ACCESS: 'true' } })
let alice: Person
let statusId: string

beforeAll(async () => {
  alice = await app.person('alice')
  statusId = (await alice.say('hello')).id
})

const reads = routes.filter(({ method }) => method === 'GET')
/** Files and documents that know no caller. */
const knowsCallers = (route: ListedRoute) =>
  route.path.startsWith('/api/') || route.path.startsWith('/oauth/')

function callOf(route: ListedRoute): RouteCall {
  const id = route.path.includes('/statuses/') ? statusId : alice.accountId
  return { path: { id, hashtag: 'tag', name: 'tag' }, query: `acct=${alice.username}&id[]=${statusId}` }
}

const isShared = (headers: Headers) => !(headers.get('cache-control') ?? '').includes('no-store')

describe('answers in caches [ACC-15]', () => {
  test('every answer of the API varies by the token', async () => {
    const wrong: unknown[] = []
    for (const route of routes.filter(knowsCallers)) {
      for (const token of [null, alice.token, 'nonsense']) {
        const call = route.method === 'GET' ? callOf(route) : {}
        const { status, headers } = await callRoute(app.fetch, route, { ...call, token })
        const vary = (headers.get('vary') ?? '').split(/,\s*/)
        if (!vary.includes('Authorization')) wrong.push([nameOf(route), token, status, vary])
      }
    }
    expect(wrong).toEqual([])
  })

  test('no answer to a token may be kept, unless it is the same for all', async () => {
    const wrong: unknown[] = []
    for (const route of reads.filter(knowsCallers)) {
      const call = callOf(route)
      const own = await callRoute(app.fetch, route, { ...call, token: alice.token })
      if (!isShared(own.headers)) continue
      const stranger = await callRoute(app.fetch, route, call)
      const same = JSON.stringify(own.body) === JSON.stringify(stranger.body)
      if (route.auth !== 'none' || !same) wrong.push(nameOf(route))
    }
    expect(wrong).toEqual([])
  })

  test('what changes something and what goes wrong is never kept', async () => {
    const wrong: unknown[] = []
    for (const route of routes.filter(knowsCallers)) {
      for (const token of [null, alice.token, 'nonsense']) {
        const { status, headers } = await callRoute(app.fetch, route, { token })
        if ((route.method !== 'GET' || status >= 400) && isShared(headers))
          wrong.push([nameOf(route), status])
      }
    }
    expect(wrong).toEqual([])
  })

  test('of what strangers read, only what is said to be so may be kept, for moments', async () => {
    const kept = new Map<string, string | null>()
    for (const route of reads.filter(({ auth }) => auth === 'optional')) {
      const { status, headers } = await callRoute(app.fetch, route, callOf(route))
      if (status === 200) kept.set(nameOf(route), headers.get('cache-control'))
    }
    expect(kept.size).toBeGreaterThan(10)
    for (const [name, control] of kept) {
      expect([name, control]).toEqual([
        name,
        expect.stringMatching(/^(private, no-store|public, max-age=15, .*)$/),
      ])
    }
  })

  test('a server that is closed to strangers lets nothing be kept', async () => {
    const { token } = await closed.person('member')
    const wrong: unknown[] = []
    for (const route of routes.filter((one) => knowsCallers(one) && !one.open)) {
      const member = await callRoute(closed.fetch, route, { token })
      const stranger = await callRoute(closed.fetch, route)
      if (isShared(member.headers) || isShared(stranger.headers)) wrong.push(nameOf(route))
      if (stranger.status !== 401) wrong.push([nameOf(route), stranger.status])
    }
    expect(wrong).toEqual([])
  })

  test('the second caller never gets the answer for the first', async () => {
    const bob = await app.person('bob')
    ;(await bob.post(`/api/v1/statuses/${statusId}/favourite`)).ok()
    const seen = async (token: string | null) => {
      const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
      const response = await app.fetch(`/api/v1/statuses/${statusId}`, { headers })
      return ((await response.json()) as { favourited?: boolean }).favourited
    }
    expect([await seen(bob.token), await seen(alice.token), await seen(null), await seen(bob.token)]).toEqual(
      [true, false, undefined, true],
    )
  })
})
