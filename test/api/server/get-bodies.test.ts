// Parameters in the body of a GET, as some clients send them.
import { request as openRequest, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app/app.ts'
import { openRaw, requestHead } from '#test/client/raw-http.ts'
import type { Person } from '#test/people/people.ts'

let app: TestApp
let limited: TestApp
let alice: Person
beforeAll(async () => {
  app = await startApp({ host: '127.0.3.1' })
  limited = await startApp({ host: '127.0.3.2', env: { RATE_LIMITS: 'on' } })
  alice = await app.person('alice')
})
afterAll(async () => {
  await app?.close()
  await limited?.close()
})

interface Sent {
  token?: string
  type: string
  body: string
  chunked?: boolean
  method?: string
}

/** `fetch` sends no body with a GET. */
async function get(path: string, { token, type, body, chunked, method = 'GET' }: Sent, to = app) {
  const headers: Record<string, string> = { 'content-type': type, 'x-forwarded-for': '203.0.113.9' }
  if (token) headers['authorization'] = `Bearer ${token}`
  if (chunked) headers['transfer-encoding'] = 'chunked'
  else headers['content-length'] = String(Buffer.byteLength(body))
  const request = openRequest(new URL(path, to.baseUrl), { method, headers, agent: false })
  request.end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const answer = await text(response)
  const isJson = response.headers['content-type']?.includes('json') && answer !== ''
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson ? JSON.parse(answer) : answer,
  }
}

const json = (params: unknown) => ({ type: 'application/json', body: JSON.stringify(params) })
const form = (params: Record<string, string>) => ({
  type: 'application/x-www-form-urlencoded',
  body: new URLSearchParams(params).toString(),
})

describe('parameters in the body of a GET', () => {
  test('count as those of the address: JSON, form, multipart, in chunks', async () => {
    const [first, second] = [await alice.say('first'), await alice.say('second')]
    const path = `/api/v1/accounts/${alice.accountId}/statuses`
    const boundary = 'x-y-z'
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="max_id"\r\n\r\n${second.id}\r\n--${boundary}--\r\n`
    for (const sent of [
      json({ max_id: second.id }),
      form({ max_id: second.id }),
      { type: `multipart/form-data; boundary=${boundary}`, body: part },
      { ...json({ max_id: second.id }), chunked: true },
    ]) {
      const answer = await get(path, { ...sent, token: alice.token })
      expect([sent.type, answer.status, answer.body.map((one: { id: string }) => one.id)]).toEqual([
        sent.type,
        200,
        [first.id],
      ])
    }
    const found = await get('/api/v1/accounts/lookup', form({ acct: alice.username }))
    expect(found.body.id).toBe(alice.accountId)
    const named = await get(
      '/.well-known/webfinger',
      json({ resource: `acct:${alice.username}@${app.ctx.config.localDomain}` }),
    )
    expect(named.status).toBe(200)
  })

  test('never decide what the path names', async () => {
    const other = await app.person('other')
    const answer = await get(`/api/v1/accounts/${alice.accountId}`, json({ id: other.accountId }))
    expect(answer.body.id).toBe(alice.accountId)
  })

  test('make an answer that no cache may keep [ACC-15]', async () => {
    for (const path of [
      '/api/v1/timelines/public',
      '/.well-known/webfinger',
      '/api/v1/instance',
      '/.well-known/host-meta',
    ]) {
      const answer = await get(
        path,
        json({ limit: 1, resource: `acct:${alice.username}@${app.ctx.config.localDomain}` }),
      )
      expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 200, 'private, no-store'])
    }
    const without = await app.fetch('/api/v1/timelines/public')
    expect(without.headers.get('cache-control')).toContain('public')
  })

  test('are counted by the limits as those of the address', async () => {
    const person = await limited.person('pager')
    const path = '/api/v1/timelines/home'
    const left = async (sent: Sent) =>
      Number((await get(path, { ...sent, token: person.token }, limited)).headers['x-ratelimit-remaining'])
    const before = await left(json({ max_id: '1' }))
    expect(await left(form({ min_id: '1' }))).toBe(before - 1)
    const byAddress = await person.get(path, { max_id: '1' })
    expect(Number(byAddress.headers.get('x-ratelimit-remaining'))).toBeLessThanOrEqual(before - 2)
  })

  test('that are broken, too long or of another type harm nothing', async () => {
    expect((await get('/api/v1/instance', { type: 'application/json', body: '{' })).status).toBe(400)
    expect((await get('/api/v1/instance', { type: 'text/plain', body: '{"a":1}' })).status).toBe(200)
    const long = json({ a: 'x'.repeat(1024 * 1024) })
    expect((await get('/api/v1/instance', long)).status).toBe(413)
    const head = await get('/api/v1/accounts/lookup', { ...form({ acct: alice.username }), method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
  })

  test.each([
    {
      what: 'a stranger may not send',
      path: '/api/v1/timelines/home',
      length: 300_000,
      statuses: [401, 200],
    },
    { what: 'is longer than it may be', path: '/api/v1/instance', length: 3_000_000, statuses: [413, 200] },
    {
      what: 'turns out to be too long',
      path: '/api/v1/instance',
      length: 3_000_000,
      chunked: true,
      statuses: [413],
    },
  ])('that $what keeps no other request waiting', async ({ path, length, chunked, statuses }) => {
    const { hostname, port, host } = new URL(app.baseUrl)
    const connection = await openRaw(Number(port), { host: hostname })
    const body = JSON.stringify({ a: 'x'.repeat(length) })
    const size: Record<string, string> = chunked
      ? { 'transfer-encoding': 'chunked' }
      : { 'content-length': String(body.length) }
    connection.socket.write(
      requestHead(`GET ${path}`, { host, 'content-type': 'application/json', ...size }) +
        (chunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body) +
        requestHead('GET /health', { host, connection: 'close' }),
    )
    await connection.ended
    expect(connection.statuses()).toEqual(statuses)
  })
})
