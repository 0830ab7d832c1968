import { createECDH, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { checkPushInput } from './rules.ts'

const rules = {
  https: true,
  localDomain: 'chat.example',
  webDomain: 'chat.example',
  allowedPrivateAddresses: [],
}
const point = createECDH('prime256v1').generateKeys()
const input = {
  endpoint: 'https://push.example/send/1',
  p256dh: point.toString('base64url'),
  auth: randomBytes(16).toString('base64url'),
}
const check = (more: Partial<typeof input>) => checkPushInput(rules, { ...input, ...more })

test('keys in any spelling of Base64 become base64url, and the endpoint stays as it is written', () => {
  const endpoint = 'https://push.example:443/send/%7Eabc?x=1'
  expect(check({ endpoint, p256dh: point.toString('base64') })).toEqual({ ...input, endpoint })
  const auth = Buffer.alloc(16, 0xff)
  expect(check({ auth: auth.toString('base64') }).auth).toBe(auth.toString('base64url'))
})

describe('refuses', () => {
  test.each(['', 'push', 'ftp://push.example/', 'http://push.example/', 'https://u:p@push.example/'])(
    'the endpoint %j',
    (endpoint) => expect(() => check({ endpoint })).toThrow('Endpoint'),
  )

  test.each([
    ['https://127.0.0.1/', 'https://[::1]/', 'https://10.1.2.3/', 'https://localhost/x'],
    [
      'https://169.254.169.254/latest',
      'https://chat.example/api',
      `https://push.example/${'x'.repeat(2048)}`,
    ],
  ])('endpoints inside, our own and endless ones [SSRF-15]', (...endpoints) => {
    for (const endpoint of endpoints) expect(() => check({ endpoint })).toThrow('Endpoint')
  })

  test('a key that is no point of the curve', () => {
    const beside = Buffer.from(point)
    beside[64] = (beside[64] ?? 0) ^ 1
    const compressed = Buffer.concat([Buffer.from([2]), point.subarray(1, 33)])
    for (const bytes of [beside, compressed, point.subarray(1), Buffer.alloc(65), Buffer.alloc(65, 4)])
      expect(() => check({ p256dh: bytes.toString('base64url') })).toThrow('p256dh')
    for (const p256dh of ['', '%', 'x'.repeat(1000)]) expect(() => check({ p256dh })).toThrow('p256dh')
  })

  test.each([15, 17, 0, 32])('%i bytes of authentication', (length) => {
    expect(() => check({ auth: randomBytes(length).toString('base64url') })).toThrow('auth')
  })
})
