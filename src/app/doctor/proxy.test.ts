import { expect, test } from 'vitest'
import type { Arrival } from '#domain/server/instance/arrival-ticket.ts'
import { checkArrival } from './proxy.ts'

const config = { webDomain: 'chat.example', https: true }
const good: Arrival = {
  host: 'chat.example',
  peer: '127.0.0.1',
  trusted: true,
  forwardedFor: '192.0.2.1, 198.51.100.7',
  forwardedProto: 'https',
  address: '198.51.100.7',
}

test('a proxy that adds to X-Forwarded-For or replaces it is in order', () => {
  expect(checkArrival(config, good).state).toBe('ok')
  expect(checkArrival(config, { ...good, forwardedFor: '198.51.100.7', forwardedProto: null }).state).toBe(
    'ok',
  )
})

test('without TLS there may be none in between', () => {
  const direct = { ...good, forwardedFor: '192.0.2.1', address: '192.0.2.1', forwardedProto: null }
  expect(checkArrival({ ...config, https: false }, direct)).toMatchObject({
    state: 'ok',
    text: 'no proxy in between',
  })
})

test.each<[string, Partial<Arrival>, RegExp]>([
  ['another Host', { host: '127.0.0.1:3000' }, /proxy_set_header Host/],
  ['no X-Forwarded-For', { forwardedFor: null }, /proxy_set_header X-Forwarded-For/],
  [
    'what a visitor claims',
    { forwardedFor: '192.0.2.1', address: '192.0.2.1' },
    /proxy_set_header X-Forwarded-For/,
  ],
  [
    'a proxy that is not trusted',
    { trusted: false, peer: '172.18.0.2' },
    /^set TRUSTED_PROXY_IP to 172\.18\.0\.2$/,
  ],
  ['too many that are trusted', { address: '192.0.2.1' }, /TRUSTED_PROXY_IP/],
  ['another X-Forwarded-Proto', { forwardedProto: 'http' }, /X-Forwarded-Proto/],
])('%s is told with what to do', (_, wrong, advice) => {
  const found = checkArrival(config, { ...good, ...wrong })
  expect(found.state).not.toBe('ok')
  expect(found.advice).toMatch(advice)
})
