import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { apiScopes } from '#domain/identity/oauth/scopes.ts'
import { routes } from '#http/routes.ts'
import type { UserId } from '#lib/id.ts'

// The whole table of operations at once: a new one is covered without a line here.
const app = useApp()
const outside = 'This action is outside the authorized scopes'
const guarded = routes.filter((route) => route.scopes.length > 0)

async function tokenFor(userId: UserId | null, scopes: readonly string[]): Promise<string> {
  const issued = await app.ctx.transaction((tx) => issueToken(tx, { applicationId: null, userId, scopes }))
  return issued.secret
}

async function call(
  route: (typeof routes)[number],
  token: string | null,
): Promise<{ status: number; error: unknown }> {
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
  const response = await app.fetch(route.path.replaceAll(/:\w+/g, '1'), { method: route.method, headers })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return { status: response.status, error: isJson ? JSON.parse(text).error : undefined }
}

const nameOf = (route: (typeof routes)[number]) => `${route.method} ${route.path}`

test('every operation names scopes that exist [AUTH-6]', () => {
  const unknown = guarded.flatMap((route) =>
    route.scopes.filter((scope) => !apiScopes.includes(scope)).map((scope) => [nameOf(route), scope]),
  )
  expect(unknown).toEqual([])
})

test('every operation for users names its scopes [AUTH-6]', () => {
  const open = routes.filter((route) => route.auth === 'user' && route.scopes.length === 0).map(nameOf)
  expect(open).toEqual([])
})

test('every operation refuses a token that has all scopes but its own [AUTH-6]', async () => {
  const { userId } = await app.person('alice')
  const opened: unknown[] = []
  for (const route of guarded) {
    const token = await tokenFor(
      userId,
      apiScopes.filter((scope) => !route.scopes.includes(scope)),
    )
    const { status, error } = await call(route, token)
    if (status !== 403 || error !== outside) opened.push([nameOf(route), status, error])
  }
  expect(opened).toEqual([])
})

test('every operation opens to each of its scopes alone [AUTH-6]', async () => {
  const refused: unknown[] = []
  const reader = await app.person('reader')
  for (const route of guarded) {
    // What changes something may take away who does it.
    const { userId } = route.method === 'GET' ? reader : await app.person('alice')
    for (const scope of route.scopes) {
      const { error } = await call(route, await tokenFor(userId, [scope]))
      if (error === outside) refused.push([nameOf(route), scope])
    }
  }
  expect(refused).toEqual([])
})

test('every operation for users refuses applications and strangers [AUTH-7]', async () => {
  const opened: unknown[] = []
  const token = await tokenFor(null, apiScopes)
  for (const route of routes.filter((route) => route.auth === 'user' || route.auth === 'any-user')) {
    const application = await call(route, token)
    const stranger = await call(route, null)
    if (![401, 403, 422].includes(application.status) || stranger.status !== 401) {
      opened.push([nameOf(route), application, stranger])
    }
  }
  expect(opened).toEqual([])
})
