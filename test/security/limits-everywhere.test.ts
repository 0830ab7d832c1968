// Every route has a limit: with all of them spent, none is answered.
import { describe, expect, test } from 'vitest'
import { createWebApp } from '#http/server-app.ts'
import type { Kv } from '#ports/kv.ts'
import { useApp } from '#test/app/app.ts'

const app = useApp({
  env: { RATE_LIMITS: 'on', PROMETHEUS_ENABLED: 'true', METRICS_TOKEN: 'a-long-random-text' },
})
/** Balancers ask it, and it costs one query for all who wait. */
const unlimited = new Set(['GET /health'])
const headers = { 'x-forwarded-for': '203.0.113.77' }

/** A store in which everything was counted a million times. */
const spent = (kv: Kv): Kv => ({
  ...kv,
  increment: async () => 1e6,
  incrementMany: async (list) => list.map(() => 1e6),
})

const values: Record<string, string> = { handle: '@eve', key: 'a/b.png', shortcode: 'x' }
const fill = (path: string) =>
  path.replaceAll(/:(\w+)(\{[^}]*\})?\??/g, (_, name: string) => values[name] ?? '1')

describe('limits [AUTH-16]', () => {
  test('no route is without one, and each says when it goes on', async () => {
    const web = createWebApp({ ...app.ctx, kv: spent(app.ctx.kv) })
    const ask = (method: string, path: string) =>
      web.fetch(new Request(new URL(path, app.baseUrl), { method, headers }))
    const declared = web.routes.filter(({ method }) => method !== 'ALL')
    expect(declared.length).toBeGreaterThan(500)
    const free: string[] = []
    for (const { method, path } of declared) {
      const { status, headers } = await ask(method, fill(path))
      if (status !== 429 || !(Number(headers.get('retry-after')) >= 1)) free.push(`${method} ${path}`)
    }
    expect(new Set(free)).toEqual(unlimited)
    for (const path of ['/nothing/here', '/api/v1/nothing', '/oauth/nothing']) {
      expect([path, (await ask('GET', path)).status]).toEqual([path, 429])
    }
  })

  test.each(['/auth/sign_in', '/about', '/oauth/authorize', '/settings/sessions', '/@nobody'])(
    '%s has the limit of the API, and answers 429 as a page',
    async (path) => {
      const own = { 'x-forwarded-for': `203.0.113.${path.length + 100}` }
      const first = await app.fetch(path, { headers: own })
      expect(first.headers.get('x-ratelimit-limit')).toBe('300')
      for (let count = 1; count < 300; count++) await app.fetch(path, { headers: own })
      const last = await app.fetch(path, { headers: own })
      expect([last.status, last.headers.get('content-type')]).toEqual([
        429,
        expect.stringContaining('text/html'),
      ])
    },
  )
})
