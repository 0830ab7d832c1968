import { describe, expect, test } from 'vitest'
import type { Caller } from '#domain/identity/accounts/viewer.ts'
import type { Ctx } from '#ports/ctx.ts'
import { createLimits, generalThrottles } from './limits.ts'
import { rateLimits } from './rate-limits.ts'

const stranger = (address: string): Caller => ({ viewer: null, token: null, address })
const person = {
  viewer: { userId: '7' },
  token: { id: '8' },
  address: '203.0.113.5',
} as unknown as Caller

const throttles = (method: string, path: string, caller: Caller, query = '') =>
  generalThrottles({ method, path }, caller, new URL(`https://chat.example${path}${query}`)).map(
    ({ family, key }) => `${family} ${key} ${rateLimits[family].limit}/${rateLimits[family].seconds}`,
  )

describe('the throttles of a request', () => {
  const general = ['api-user 7 1500/300', 'api-token 8 300/300']

  test('uploads of media count by themselves, before they are read', () => {
    for (const path of ['/api/v1/media', '/api/v2/media']) {
      expect(throttles('POST', path, person)).toEqual([...general, 'media-user 7 30/1800'])
    }
    expect(throttles('PUT', '/api/v1/media/:id', person)).toEqual(general)
    expect(throttles('GET', '/api/v1/media/:id', person)).toEqual(general)
    expect(throttles('POST', '/api/v2/media', stranger('203.0.113.5'))).toEqual([
      'api-ip 203.0.113.5 300/300',
    ])
  })

  test('the media proxy counts by address, all of an IPv6 network together, and not on this machine', () => {
    const path = '/media_proxy/:id'
    expect(throttles('GET', path, stranger('203.0.113.5'))).toEqual(['media-proxy 203.0.113.5 30/600'])
    const [first, second] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'].map((address) =>
      throttles('GET', path, stranger(address)),
    )
    expect(first).toEqual(second)
    expect(throttles('GET', path, stranger('127.0.0.1'))).toEqual([])
    expect(throttles('GET', '/media/:key{.+}', stranger('203.0.113.5'))).toEqual([
      'files-ip 203.0.113.5 10000/300',
    ])
  })

  test('pages count further', () => {
    expect(throttles('GET', '/api/v1/timelines/home', person, '?max_id=1')).toEqual([
      ...general,
      'paging-user 7 300/900',
    ])
  })
})

describe('while the store does not answer', () => {
  const warnings: string[] = []
  const ctx = {
    config: { rateLimits: true },
    clock: { now: () => 0 },
    log: { warn: (_: unknown, text: string) => warnings.push(text) },
    kv: {
      incrementMany: () => Promise.reject(new Error('gone')),
      increment: () => Promise.reject(new Error('gone')),
    },
  } as unknown as Ctx
  const limits = () => createLimits(ctx, stranger('203.0.113.5'))

  test('requests go on, and what they do is done', async () => {
    await limits().throttle([{ family: 'sign-in-login', key: 'alice' }])
    expect(await limits().spend('statuses', async () => 'done')).toBe('done')
    await expect(limits().spend('statuses', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(warnings.length).toBeGreaterThan(0)
  })

  test('what is guarded by a count of its own waits', async () => {
    await expect(limits().count('sign-in-login', 'alice')).rejects.toMatchObject({ code: 'unavailable' })
  })
})
