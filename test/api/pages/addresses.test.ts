// Addresses that people and programs ask for without having been led to them.
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { startApp, type TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

let app: TestApp
let ada: Person
let admin: Person

beforeAll(async () => {
  app = await startApp()
  ada = await personWithPassword(app, 'ada')
  admin = await app.person('admin', { role: 'Admin' })
})
afterAll(() => app.close())

const locationOf = async (path: string) =>
  (await app.fetch(path, { redirect: 'manual' })).headers.get('location')

describe("Mastodon's addresses", () => {
  test.each([
    ['/settings/preferences', '/settings'],
    ['/settings/preferences/other', '/settings/preferences/posting_defaults'],
    ['/settings/preferences/notifications', '/settings/notifications'],
    ['/settings/two_factor_authentication_methods', '/settings/two-factor'],
    ['/settings/login_activities', '/settings/sessions'],
    ['/terms', '/privacy-policy'],
    ['/web', '/home'],
    ['/web/timelines/home', '/home'],
    ['/web/timelines/public/local', '/public/local'],
    ['/web/timelines/tag/Owls', '/tags/Owls'],
    ['/web/notifications', '/notifications'],
    ['/web/getting-started', '/home'],
    ['/deck/@ada/123', '/@ada/123'],
    ['/deck', '/home'],
    ['/getting-started', '/home'],
    ['/notifications_v2/requests', '/notifications/requests'],
    ['/web//evil.example', '/evil.example'],
    ['/pinned', '/auth/sign_in?return_to=%2Fpinned'],
    ['/authorize_follow?acct=acct:ada@chat.example', '/authorize_interaction?uri=ada%40chat.example'],
    [
      `/intent?uri=${encodeURIComponent('web+mastodon://follow?uri=acct:ada@chat.example')}`,
      '/authorize_interaction?uri=ada%40chat.example',
    ],
    [`/intent?uri=${encodeURIComponent('web+mastodon://share?text=so+it+is')}`, '/share?text=so+it+is'],
    ['/users/ada', '/@ada'],
    ['/explore', '/'],
    ['/home', '/auth/sign_in?return_to=%2Fhome'],
    ['/@ada/followers', '/@ada'],
    ['/@ada@elsewhere.example/featured', '/@ada@elsewhere.example'],
    ['/@ada/123/reblogs', '/@ada/123'],
    ['/@ada/123/statistics', '/auth/sign_in?return_to=%2F%40ada%2F123%2Fstatistics'],
  ])('%s leads to %s', async (path, target) => {
    expect(await locationOf(path)).toBe(target)
  })

  test('every page of settings that one leads to is there', async () => {
    const browser = await signedIn(app, ada)
    for (const path of [
      '/settings/profile',
      '/settings/preferences',
      '/settings/exports',
      '/settings/follower_domains',
    ]) {
      const { location } = await browser.get(path)
      expect([path, (await browser.get(location ?? '')).status]).toEqual([path, 200])
    }
  })

  test('an account or a post that is named by its id leads to its page, and a hidden one nowhere', async () => {
    const said = await ada.say('named by its id')
    const hidden = await ada.say('for few', { visibility: 'private' })
    for (const path of ['/web/accounts', '/accounts', '/redirect/accounts']) {
      const step = path.startsWith('/web')
        ? ((await locationOf(`${path}/${ada.accountId}`)) ?? '')
        : `${path}/${ada.accountId}`
      expect(await locationOf(step)).toBe(`/@${ada.username}`)
    }
    expect(await locationOf(`/statuses/${said.id}`)).toBe(`/@${ada.username}/${said.id}`)
    expect(await locationOf(`/redirect/statuses/${said.id}`)).toBe(`/@${ada.username}/${said.id}`)
    expect((await app.fetch(`/statuses/${hidden.id}`)).status).toBe(404)
  })
})

test.each([
  '/no-such-page',
  '/settings/no-such-page',
  '/@nobody',
  '/@nobody/1',
  '/auth/nothing',
  '/a/b/c.php',
])('%s gives a browser a page that says that there is nothing, and a program JSON', async (path) => {
  const browser = newBrowser(app)
  const seen = await browser.get(path, { accept: 'text/html,*/*;q=0.8' })
  expect([seen.status, seen.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  // Of people and posts the web app says so, where it is built.
  const isView = path.startsWith('/@')
  expect(seen.text).toMatch(isView ? /This page does not exist\.|id="start"/ : /This page does not exist\./)
  if (isView) return
  const plain = await app.fetch(path, { headers: { accept: 'application/json' } })
  expect([plain.status, plain.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
})

test.each([
  'web+ap://chat.example/@ada',
  'web+activitypub://chat.example/users/ada',
  'web+ap:https://chat.example/@ada',
  'acct:ada@chat.example',
])('a browser opens %s by the page that it was told of', async (uri) => {
  const named = uri.replace('chat.example', app.ctx.config.localDomain).replace(/\bada\b/, ada.username)
  const browser = await signedIn(app, ada)
  const seen = await browser.get(`/authorize_interaction?${new URLSearchParams({ uri: named })}`)
  expect([named, seen.status, seen.text.includes(`@${ada.username}`)]).toEqual([named, 200, true])
})

test('who asks for pages in place of the app comes to one from every view, and goes on with them', async () => {
  const said = await ada.say('read without scripts')
  const browser = await signedIn(app, ada)
  const seen: Record<string, string | null> = {}
  for (const path of ['/home', '/bookmarks', '/filters', `/@${ada.username}/following`, '/public/local']) {
    const answer = await browser.get(`${path}?plain`, { accept: 'text/html' })
    seen[path] = answer.location
    const page = answer.location ? await browser.get(answer.location, { accept: 'text/html' }) : answer
    expect([path, page.status, page.text.includes('id="start"')]).toEqual([path, 200, false])
  }
  expect(seen).toEqual({
    '/home': '/?plain',
    '/bookmarks': '/?plain',
    '/filters': '/settings/filters',
    [`/@${ada.username}/following`]: `/@${ada.username}?plain`,
    '/public/local': null,
  })
  const timeline = await browser.get('/public/local?plain', { accept: 'text/html' })
  expect(timeline.text).toContain(said.id)
  expect(timeline.text).toContain('href="/public?plain"')
})

test('what is shared without a service worker leads to the composer with its words', async () => {
  const browser = await signedIn(app, ada)
  const seen = await browser.post('/share', { title: 'A heron', url: 'https://birds.example/' })
  expect([seen.status, seen.location]).toEqual([
    303,
    '/share?title=A+heron&url=https%3A%2F%2Fbirds.example%2F',
  ])
})

test('every page that the table for people of Mastodon names is there', async () => {
  const table = readFileSync(
    new URL('../../../docs/operators/coming-from-mastodon.md', import.meta.url),
    'utf8',
  )
  // The second column of each row; addresses with a part of their own are looked at where their pages are.
  const named = table.split('\n').flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`(\/[^`:]+)`/g)])
  const paths = [...new Set(named.map(([, path = '']) => path))].filter((path) => path !== '/metrics')
  expect(paths.length).toBeGreaterThan(60)
  const owner = await signedIn(app, await personWithPassword(app, 'owner', { role: 'Owner' }))
  const found: string[] = []
  for (const path of paths) {
    const { status } = await owner.get(path, { accept: 'text/html' })
    if (status !== 200 && status !== 302) found.push(`${path}: ${status}`)
  }
  expect(found).toEqual([])
})

describe('crawlers', () => {
  const robots = async () => (await app.fetch('/robots.txt')).text()

  test('are kept from forms, and from everything where the server opted out', async () => {
    expect(await robots()).toMatch(/User-agent: \*\nDisallow: \/auth\//)
    expect(await robots()).not.toMatch(/^Disallow: \/$(?!\n\nUser-agent: \*)/m)
    await admin.patch('/api/v1/admin/settings', { noindex: true }).then((answer) => answer.ok())
    expect(await robots()).toBe('User-agent: *\nDisallow: /\n')
    await admin.patch('/api/v1/admin/settings', { noindex: false }).then((answer) => answer.ok())
  })
})

test('what installs the server finds its name, icons and colours at the addresses that programs guess', async () => {
  for (const path of ['/manifest', '/manifest.json', '/manifest.webmanifest']) {
    const response = await app.fetch(path, { headers: { 'accept-language': 'de' } })
    expect(response.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
    const manifest = (await response.json()) as {
      icons: { src: string; sizes: string }[]
      shortcuts: { name: string; url: string }[]
    }
    expect(manifest).toMatchObject({ id: '/', scope: '/', display: 'standalone', lang: 'de' })
    expect(manifest).toMatchObject({
      share_target: { action: '/share', method: 'POST', params: { files: [{ name: 'files' }] } },
      protocol_handlers: [{ protocol: 'web+ap' }, { protocol: 'web+activitypub' }],
    })
    expect(manifest.shortcuts[0]).toEqual({ name: 'Neuer Beitrag', url: '/publish' })
    expect(manifest.icons.map(({ sizes }) => sizes)).toEqual(['48x48', '180x180', '192x192', '512x512'])
    for (const { src, sizes } of manifest.icons) {
      const bytes = Buffer.from(await (await app.fetch(new URL(src).pathname)).arrayBuffer())
      const { width, height } = await sharp(bytes).metadata()
      expect(`${width}x${height}`).toBe(sizes)
    }
  }
})

test('/favicon.ico is the picture of the server in an ICO file', async () => {
  const response = await app.fetch('/favicon.ico')
  expect(response.headers.get('content-type')).toBe('image/x-icon')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect([bytes.readUInt16LE(2), bytes.readUInt16LE(4), bytes.readUInt32LE(18)]).toEqual([1, 1, 22])
  expect(bytes.length).toBe(22 + bytes.readUInt32LE(14))
  expect(await sharp(bytes.subarray(22)).metadata()).toMatchObject({ format: 'png', width: 48, height: 48 })
})
