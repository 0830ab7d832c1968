// What strangers are told is made once for all who ask within a second, and nobody else is told it.
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createWebApp } from '#http/server-app.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import { routes } from '#test/client/every-route.ts'

const app = useApp({ sharedFor: 1_000 })
const pause = () => app.clock.advance(1_000)

async function textsOf(path: string): Promise<string[]> {
  const page: { content: string }[] = (await app.anonymous.get(path)).ok()
  return page.map(({ content }) => content)
}

describe('the public timeline and those of hashtags', () => {
  const paths = ['/api/v1/timelines/public', '/api/v1/timelines/tag/shared']

  test.for(paths)('%s is made once a second for strangers, each page by itself', async (path) => {
    const alice = await app.person('alice')
    for (const number of [1, 2, 3]) await alice.say(`number ${number} #shared`)
    pause()
    await app.clock.whileStopped(async () => {
      const first = await textsOf(path)
      const asked = () =>
        Promise.all([path, path, `${path}?limit=20`, `${path}?local=&unknown=1`].map((one) => textsOf(one)))
      expect(await app.countQueries(asked)).toEqual([])
      expect(await textsOf(`${path}?limit=2`)).toEqual(first.slice(0, 2))
    })
    await alice.say('newer #shared')
    pause()
    expect((await textsOf(path))[0]).toContain('newer')
  })

  test('are told to all who ask at the same time by one reading', async () => {
    pause()
    const together = () => Promise.all(Array.from({ length: 10 }, () => textsOf('/api/v1/timelines/public')))
    const statements = await app.countQueries(together)
    expect(
      statements.filter((text) => /from statuses s\s+where s\.visibility = 'public'/.test(text)),
    ).toHaveLength(1)
  })

  test('are not kept for who asks at great length, as what was asked would be kept too', async () => {
    const alice = await app.person('alice')
    const path = `/api/v1/timelines/tag/long?none[]=${'x'.repeat(1_000)}`
    await app.clock.whileStopped(async () => {
      await alice.say('first #long')
      expect(await textsOf(path)).toHaveLength(1)
      await alice.say('second #long')
      expect(await textsOf(path)).toHaveLength(2)
      expect(await app.countQueries(() => textsOf(path))).not.toEqual([])
    })
  })

  test('are told to who is signed in as they see it, whatever strangers were told [ACC-15]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id } = await alice.say('of alice #shared')
    pause()
    await textsOf('/api/v1/timelines/public')
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    const seen: { id: string }[] = (await bob.get('/api/v1/timelines/public')).ok()
    expect(seen.map((status) => status.id)).not.toContain(id)
    const own: { favourited?: boolean }[] = (await alice.get('/api/v1/timelines/public')).ok()
    expect(own[0]).toHaveProperty('favourited')
  })

  test('lose a suspended author at once [ACC-17]', async () => {
    const [alice, owner] = [await app.person('alice'), await app.person('owner', { role: 'Owner' })]
    await alice.say('soon gone #shared')
    pause()
    expect((await textsOf('/api/v1/timelines/public'))[0]).toContain('soon gone')
    const action = { type: 'suspend' }
    ;(await owner.post(`/api/v1/admin/accounts/${alice.accountId}/action`, action)).ok()
    expect((await textsOf('/api/v1/timelines/public')).join()).not.toContain('soon gone')
  })

  test('lead to further pages by the address that was asked for', async () => {
    const linkOf = async (query: string) =>
      (await app.fetch(`/api/v1/timelines/public?limit=1${query}`)).headers.get('link')
    expect(await linkOf('&local=true')).toContain('limit=1&local=true&max_id=')
    expect(await linkOf('&local=1')).toContain('limit=1&local=1&max_id=')
  })
})

describe('documents', () => {
  const path = '/api/v1/instance'
  const tagOf = (response: Response) => response.headers.get('etag') ?? ''

  test('are made once a second, and anew when what they are made of changes', async () => {
    pause()
    await app.clock.whileStopped(async () => {
      await app.anonymous.get(path)
      expect(await app.countQueries(() => app.anonymous.get(path))).toEqual([])
      expect(await app.countQueries(() => app.anonymous.get(`${path}?whatever=1`))).toEqual([])
    })
    const before = tagOf(await app.fetch(path))
    await setSetting(app.ctx, 'site_title', 'A title of now')
    const after = await app.fetch(path)
    expect([tagOf(after) === before, (await after.json()) as { title: string }]).toEqual([
      false,
      expect.objectContaining({ title: 'A title of now' }),
    ])
  })

  test('are not sent again to who has them', async () => {
    const whole = await app.fetch(path)
    const etag = tagOf(whole)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await app.fetch(path, { headers: { 'if-none-match': known } })
      expect([again.status, await again.text(), tagOf(again)]).toEqual([304, '', etag])
      expect(again.headers.get('cache-control')).toBe(whole.headers.get('cache-control'))
    }
    const other = await app.fetch(path, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
  })

  test('are kept compressed too, under a tag of their own', async () => {
    const plain = await app.fetch(path)
    const request = new Request(`${app.baseUrl}${path}`, { headers: { 'accept-encoding': 'gzip' } })
    const zipped = await createWebApp(app.ctx).fetch(request)
    expect([zipped.headers.get('content-encoding'), zipped.headers.get('vary')]).toEqual([
      'gzip',
      'Authorization, Origin, Accept-Encoding',
    ])
    expect(tagOf(zipped)).not.toBe(tagOf(plain))
    const bytes = Buffer.from(await zipped.arrayBuffer())
    expect(gunzipSync(bytes).toString()).toBe(await plain.text())
  })
})

test('only what strangers may read is shared, and nothing that writes [ACC-15]', () => {
  const shared = routes.filter((route) => route.shared !== null)
  expect(shared.length).toBeGreaterThan(10)
  const wrong = shared.filter(
    ({ method, auth, permission, caching }) =>
      method !== 'GET' ||
      !['none', 'optional'].includes(auth) ||
      permission !== null ||
      caching === 'private',
  )
  // Those with a header of their own say there how long they may be kept.
  expect(wrong.map(({ path }) => path)).toEqual(['/.well-known/nodeinfo', '/nodeinfo/2.0', '/nodeinfo/2.1'])
})
