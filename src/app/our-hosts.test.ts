import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '#config/config.ts'
import { createHostCheck } from './our-hosts.ts'

function checked(
  env: Record<string, string>,
  host: string | string[] | null,
  { url = '/about', remoteAddress = '203.0.113.5', headers = {} } = {},
): string {
  const hosts = host === null ? [] : [host].flat()
  const rawHeaders = ['Accept', '*/*', ...hosts.flatMap((one) => ['Host', one]), 'Via', 'host']
  const request = { url, rawHeaders, headers, socket: { remoteAddress } }
  return createHostCheck(loadConfig(env))(request as unknown as IncomingMessage)
}

const env = {
  LOCAL_DOMAIN: 'chat.example',
  WEB_DOMAIN: 'www.chat.example',
  ALTERNATE_DOMAINS: 'old.example, ÖLD.example',
  STREAMING_API_BASE_URL: 'wss://live.chat.example',
}

describe('the host of a request', () => {
  test.each([
    'chat.example',
    'CHAT.example',
    'chat.example.',
    'chat.example:443',
    'chat.example:80',
    'chat.example:3000',
    'chat.example:8080',
    'www.chat.example',
    'live.chat.example',
    'old.example',
    'xn--ld-eka.example',
  ])('%s is ours', (host) => {
    expect(checked(env, host)).toBe('ours')
  })

  test.each([
    'evil.example',
    'chat.example.evil.example',
    'evilchat.example',
    'localhost:3000',
    '127.0.0.1:3000',
    '[::1]:3000',
    'xn--cht-5cd.example',
    'chаt.example',
  ])('%s is not', (host) => {
    expect(checked(env, host)).toBe('wrong')
  })

  test.each([
    null,
    '',
    'chat.example, evil.example',
    'user@chat.example',
    'chat.example/x',
    'a b',
    'chat.example:x',
  ])('%s names nobody', (host) => {
    expect(checked(env, host)).toBe('bad')
  })

  test('twice is once too often, whatever it says', () => {
    expect(checked(env, ['chat.example', 'evil.example'])).toBe('bad')
    expect(checked(env, ['chat.example', 'chat.example'])).toBe('bad')
  })

  test.each([
    ['http://chat.example/about', 'chat.example', 'ours'],
    ['https://www.chat.example', 'chat.example', 'ours'],
    ['http://evil.example/about', 'chat.example', 'wrong'],
    ['http://chat.example/about', 'evil.example', 'wrong'],
    ['http://chat.example@evil.example/', 'chat.example', 'bad'],
    ['evil.example:443', 'chat.example', 'bad'],
    ['*', 'chat.example', 'bad'],
  ])('a target %s by %s is %s', (url, host, decision) => {
    expect(checked(env, host, { url })).toBe(decision)
  })

  test.each(['/health', '/health?x=1', '/health/', '/api/v1/streaming/health', '/metrics'])(
    '%s is open to balancers, by any name',
    (url) => {
      expect(checked(env, '10.0.0.7:3000', { url })).toBe('ours')
      expect(checked(env, null, { url })).toBe('ours')
    },
  )

  test.each(['/healthy', '/health/../about', '/about/health', '/about?/health'])('%s is not', (url) => {
    expect(checked(env, '10.0.0.7:3000', { url })).toBe('wrong')
  })

  test.each([
    'localhost:3000',
    '127.0.0.1:3000',
    '127.0.0.7:3000',
    '[::1]:3000',
    'localhost',
    'localhost:4000',
    'LOCALHOST.:3000',
  ])('%s is ours while the domain is of this machine', (host) => {
    expect(checked({}, host)).toBe('ours')
    expect(checked({ LOCAL_DOMAIN: '127.0.0.5:3000' }, host)).toBe('ours')
  })

  test.each(['128.0.0.1:3000', '[::2]:3000', 'localhost.evil.example:3000', '127.0.0.1.evil.example'])(
    '%s is not ours even then',
    (host) => {
      expect(checked({}, host)).toBe('wrong')
    },
  )

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    'loopback names are ours for %s, not through a proxy',
    (from) => {
      expect(checked(env, 'localhost:3000', { remoteAddress: from })).toBe('ours')
      expect(checked(env, 'evil.example', { remoteAddress: from })).toBe('wrong')
      for (const name of ['forwarded', 'x-forwarded-for'])
        expect(checked(env, 'localhost:3000', { remoteAddress: from, headers: { [name]: 'x' } })).toBe(
          'wrong',
        )
    },
  )
})
