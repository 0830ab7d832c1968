// Where a request may name its token: a header, the address, the body (RFC 6750 section 2; behaviour of Doorkeeper).
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' } })
const from = { 'x-forwarded-for': '203.0.113.7' }

type Params = Record<string, string>

/** A status, or an error. */
interface Answered {
  id: string
  content: string
  account: { id: string }
}

const bodies: Record<string, (params: Params) => { body: RequestInit['body']; headers?: Params }> = {
  form: (params) => ({ body: new URLSearchParams(params) }),
  JSON: (params) => ({ body: JSON.stringify(params), headers: { 'content-type': 'application/json' } }),
  multipart(params) {
    const body = new FormData()
    for (const [name, value] of Object.entries(params)) body.set(name, value)
    return { body }
  },
}

async function send(
  kind: string,
  params: Params,
  more: { method?: string; path?: string; headers?: Params } = {},
) {
  const { body, headers } = bodies[kind]!(params)
  const answer = await app.fetch(more.path ?? '/api/v1/statuses', {
    method: more.method ?? 'POST',
    headers: { ...from, ...headers, ...more.headers },
    body,
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answered }
}

const bearer = ({ token }: Pick<Person, 'token'>) => ({ authorization: `Bearer ${token}` })

describe('a token in the body', () => {
  test.each(Object.keys(bodies))('counts as one in the headers: %s', async (kind) => {
    const alice = await app.person('alice')
    for (const name of ['access_token', 'bearer_token']) {
      const made = await send(kind, { [name]: alice.token, status: `by ${name}` })
      expect([made.status, made.body.account.id]).toEqual([200, alice.accountId])
      const path = `/api/v1/statuses/${made.body.id}`
      const gone = await send(kind, { [name]: alice.token }, { method: 'DELETE', path })
      expect(gone.status).toBe(200)
    }
  })

  test.each(['form', 'JSON'])('counts where files may be sent, when there are none: %s', async (kind) => {
    const alice = await app.person('alice')
    const { id } = await alice.say('first')
    const path = `/api/v1/statuses/${id}`
    const edited = await send(kind, { access_token: alice.token, status: 'edited' }, { method: 'PUT', path })
    expect([edited.status, edited.body.content]).toEqual([200, '<p>edited</p>'])
  })

  test('is refused as one in the headers is', async () => {
    const alice = await app.person('alice', { scopes: ['read'] })
    const unknown = await send('form', { access_token: 'unknown', status: 'x' })
    expect([unknown.status, unknown.body]).toEqual([401, { error: 'The access token is invalid' }])
    expect(unknown.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect((await send('form', { access_token: alice.token, status: 'x' })).status).toBe(403)
    expect((await send('JSON', { status: 'x' })).status).toBe(401)
    expect((await send('JSON', { 'access_token[]': alice.token, status: 'x' })).status).toBe(401)
  })

  test('is not looked for beside another one', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const both = await send('form', { access_token: bob.token, status: 'x' }, { headers: bearer(alice) })
    expect(both.body.account.id).toBe(alice.accountId)
    const wrong = { headers: { authorization: 'Bearer unknown' } }
    expect((await send('form', { access_token: alice.token, status: 'x' }, wrong)).status).toBe(401)
    const path = '/api/v1/statuses?access_token=unknown'
    expect((await send('form', { access_token: alice.token, status: 'x' }, { path })).status).toBe(401)
  })

  test('is not looked for among files, which are not read before it is known whose they are', async () => {
    const alice = await app.person('alice')
    const path = '/api/v2/media'
    expect((await send('multipart', { access_token: alice.token, description: 'x' }, { path })).status).toBe(
      401,
    )
  })

  test('counts for the address when it is guessed, and for its account when it is right [AUTH-16]', async () => {
    const alice = await app.person('alice')
    const left = async (token: string, address: string) => {
      const one = await send(
        'form',
        { access_token: token, status: '' },
        { headers: { 'x-forwarded-for': address } },
      )
      return [one.status, Number(one.headers.get('x-ratelimit-remaining'))]
    }
    const guesses = [await left('guess', '203.0.113.8'), await left('other', '203.0.113.8')]
    expect(guesses).toEqual([
      [401, 299],
      [401, 298],
    ])
    const [status, own] = await left(alice.token, '203.0.113.8')
    expect(status).toBe(422)
    expect(own).toBeGreaterThan(0)
    expect(await left('third', '203.0.113.8')).toEqual([401, 296])
  })
})

test('a blank token is none, wherever it is', async () => {
  const alice = await app.person('alice')
  const ask = async (query: string, headers: Params = {}) =>
    (await app.fetch(`/api/v1/timelines/public${query}`, { headers: { ...from, ...headers } })).status
  expect([await ask('?access_token='), await ask('', { authorization: 'Bearer ' })]).toEqual([200, 200])
  const two = `?access_token=&bearer_token=${alice.token}`
  const answer = await app.fetch(`/api/v1/accounts/verify_credentials${two}`, { headers: from })
  expect(answer.status).toBe(200)
  for (const kind of Object.keys(bodies)) {
    const params = { access_token: '', bearer_token: alice.token, status: 'x' }
    expect([kind, (await send(kind, params)).status]).toEqual([kind, 200])
    const beside = { access_token: alice.token, status: 'x' }
    const path = '/api/v1/statuses?access_token='
    expect([kind, (await send(kind, beside, { path })).status]).toEqual([kind, 200])
  }
})
