import { createECDH, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newVapidKeys } from '#lib/vapid-keys.ts'
import {
  RemoteError,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
  type RemoteProblem,
} from '#ports/http-client.ts'
import type { PushMessage } from '#ports/push.ts'
import { createWebPush } from './push.ts'

const now = Date.parse('2026-03-01T12:00:00Z')

const message = (more: Partial<PushMessage> = {}): PushMessage => ({
  endpoint: 'https://push.example/send/1',
  keys: { p256dh: newVapidKeys().publicKey, auth: randomBytes(16).toString('base64url') },
  standard: true,
  payload: '{"title":"hello"}',
  ttl: 60,
  contact: 'mailto:team@chat.example',
  topic: 'a_topic',
  ...more,
})

/** What is sent to a client that answers so. */
async function send(answer: Partial<HttpResponse> | RemoteError, more: Partial<PushMessage> = {}) {
  const sent: HttpRequest[] = []
  const http: Pick<HttpClient, 'send'> = {
    async send(request) {
      sent.push(request)
      if (answer instanceof RemoteError) throw answer
      return { status: 201, url: request.url, headers: new Headers(), body: Buffer.alloc(0), ...answer }
    },
  }
  const push = createWebPush({ http: http as HttpClient, clock: { now: () => now }, vapid: newVapidKeys() })
  return { outcome: await push.send(message(more)), sent }
}

test.each([
  [201, { result: 'delivered' }],
  [202, { result: 'delivered' }],
  [301, { result: 'refused', status: 301 }],
  [400, { result: 'refused', status: 400 }],
  [403, { result: 'refused', status: 403 }],
  [404, { result: 'gone' }],
  [408, { result: 'again', restUntil: null }],
  [410, { result: 'gone' }],
  [413, { result: 'too-large' }],
  [429, { result: 'again', restUntil: null }],
  [500, { result: 'again', restUntil: null }],
])('%i', async (status, outcome) => {
  expect((await send({ status })).outcome).toEqual(outcome)
})

test('Retry-After is told', async () => {
  const headers = new Headers({ 'retry-after': '120' })
  expect((await send({ status: 503, headers })).outcome).toEqual({
    result: 'again',
    restUntil: now + 120_000,
  })
})

test.each([
  ['forbidden', { result: 'gone' }],
  ['unreachable', { result: 'silent', slow: false }],
  ['timeout', { result: 'silent', slow: true }],
] satisfies [RemoteProblem, object][])('no answer: %s', async (problem, outcome) => {
  expect((await send(new RemoteError(problem, 'x'))).outcome).toEqual(outcome)
})

describe('the signature', () => {
  const audienceOf = async (endpoint: string) => {
    const { sent } = await send({}, { endpoint })
    const claims = /t=[\w-]+\.([\w-]+)\./.exec(sent[0]?.headers?.['Authorization'] ?? '')?.[1] ?? ''
    return { aud: JSON.parse(Buffer.from(claims, 'base64url').toString()).aud, to: sent[0]?.url }
  }

  test.each([
    'https://push.example/send/1',
    'https://PUSH.example:443/send/1',
    'https://push.example\\@victim.example/',
    'https://push.example:8443/x?y#z',
  ])('of %j is for the origin that gets it', async (endpoint) => {
    const { aud, to } = await audienceOf(endpoint)
    expect(aud).toBe(new URL(to ?? '').origin)
    expect(new URL(aud).hostname).toBe('push.example')
  })
})

test('nothing is sent to the service that was closed', async () => {
  const { outcome, sent } = await send({}, { endpoint: 'https://android.googleapis.com/gcm/send/abc' })
  expect([outcome, sent]).toEqual([{ result: 'gone' }, []])
})

test('signatures and shared secrets keep their leading zeros', async () => {
  const device = createECDH('prime256v1')
  const p256dh = device.generateKeys('base64url')
  const tokens: string[] = []
  // One in 128 has a zero at the beginning of one of the two halves of its signature.
  for (let made = 0; made < 600; made++) {
    const { sent } = await send({}, { keys: { p256dh, auth: 'A'.repeat(22) } })
    const { headers, body } = sent[0] as HttpRequest
    tokens.push(/t=([\w.-]+)/.exec(String((headers as Record<string, string>)['Authorization']))?.[1] ?? '')
    expect(device.computeSecret((body as Buffer).subarray(21, 86))).toHaveLength(32)
  }
  const signatures = tokens.map((token) => Buffer.from(token.split('.')[2] ?? '', 'base64url'))
  expect(new Set(signatures.map(({ length }) => length))).toEqual(new Set([64]))
  expect(signatures.some((bytes) => bytes[0] === 0 || bytes[32] === 0)).toBe(true)
})
