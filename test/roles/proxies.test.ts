// The proxies that only docs/operators/proxies.md has, before one process. nginx and Caddy: rolling-restart.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrivalPath, createArrivalTicket } from '#domain/server/instance/arrival-ticket.ts'
import { useStreamingApp } from '#test/app/streaming-app.ts'
import { exampleName, exampleOf, proxyMissing, startProxy, type RunningProxy } from '#test/servers/proxies.ts'

describe.each([
  ['apache2', '<VirtualHost'],
  ['haproxy', 'frontend'],
] as const)('%s', (program, begin) => {
  const missing = proxyMissing(program)

  describe.skipIf(missing !== null)(missing ?? 'as documented', () => {
    const app = useStreamingApp({ env: { LOCAL_DOMAIN: exampleName } })
    let proxy: RunningProxy

    beforeAll(async () => {
      const example = await exampleOf('docs/operators/proxies.md', begin)
      proxy = await startProxy(program, example, { 3000: Number(new URL(app.url).port) })
    })
    afterAll(() => proxy?.stop())

    test('tells the server by which name and from where it was asked, whatever the caller claims', async () => {
      const answer = await proxy.fetch(arrivalPath, {
        headers: {
          authorization: `Bearer ${createArrivalTicket(app.ctx)}`,
          'x-forwarded-for': '198.51.100.7',
        },
      })
      expect(await answer.json()).toMatchObject({
        host: expect.stringContaining(exampleName),
        forwardedFor: '127.0.0.1',
      })
    })

    test('leaves addresses within addresses as they are, and compresses', async () => {
      const found = await proxy.fetch('/.well-known/webfinger?resource=acct%3Anobody%40chat.example.org')
      expect(found.status).toBe(404)
      const inner = await proxy.fetch(`/links/${encodeURIComponent('https://avis.org/via')}`, {
        redirect: 'manual',
      })
      expect(inner.headers.get('location') ?? (await inner.text())).toContain('avis.org%252Fvia')
      const page = await proxy.fetch('/about', { headers: { 'accept-encoding': 'gzip' } })
      expect(page.headers.get('content-encoding')).toBe('gzip')
    })

    test('passes streams on as they come', async () => {
      const wren = await app.person()
      const stream = await proxy.listen(wren.token)
      const { id } = await wren.say('Ave')
      expect((await stream.next('update')).payload.id).toBe(id)
      stream.close()
    })
  })
})
