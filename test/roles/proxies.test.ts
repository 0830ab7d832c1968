// The proxies that only docs/operators/ has: before one process, and before a store of media. nginx and Caddy before
// several processes: rolling-restart.test.ts.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { arrivalPath, createArrivalTicket } from '#domain/server/instance/arrival-ticket.ts'
import { useStreamingApp } from '#test/app/streaming-app.ts'
import { openStores } from '#app/media/stores.ts'
import { recordingLog } from '#test/app/log.ts'
import { startS3rver } from '#test/servers/s3-server.ts'
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

const nginxMissing = proxyMissing('nginx')

describe.skipIf(nginxMissing !== null)(nginxMissing ?? 'nginx before a bucket, as documented', () => {
  test('hands files out from its cache, nothing else, and without what the store says besides', async () => {
    const store = await startS3rver()
    const { s3, close } = openStores({ ...store.env, DATA_DIR: tmpdir() }, recordingLog())
    const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-nginx-cache-'))
    const example = (await exampleOf('docs/operators/storage.md', 'proxy_cache_path'))
      .replace('/var/cache/nginx/media', folder)
      .replaceAll('files.example.org', exampleName)
      .replace('https://chat-media.s3.example.net/', `${store.env['S3_ENDPOINT']}/media/`)
      .replace('Host chat-media.s3.example.net', 'Host $proxy_host')
    const proxy = await startProxy('nginx', example, {}, { begun: 404 })
    onTestFinished(async () => {
      await proxy.stop()
      await close()
      await store.remove()
    })
    await s3.put('avatars/1/a.png', { body: Buffer.from('picture') }, { contentType: 'image/png' })
    const first = await proxy.fetch('/avatars/1/a.png')
    expect([first.status, await first.text()]).toEqual([200, 'picture'])
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-cache-status': 'MISS',
    })
    expect([...first.headers.keys()].filter((name) => name.startsWith('x-amz-'))).toEqual([])
    await s3.delete('avatars/1/a.png')
    const again = await proxy.fetch('/avatars/1/a.png')
    expect([await again.text(), again.headers.get('x-cache-status')]).toEqual(['picture', 'HIT'])
    expect((await proxy.fetch('/')).status).toBe(404)
    expect((await proxy.fetch('/avatars/1/b.png', { method: 'PUT', body: 'x' })).status).toBe(403)
  })
})
