// Pages on which people set what is theirs: through their forms, as without scripts.
import { createECDH } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import sharp from 'sharp'
import { useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
let wren: Person
let browser: Browser

beforeAll(async () => {
  wren = await personWithPassword(app, 'wren')
  browser = await signedIn(app, wren)
})

/** Sends the form of a page with these fields alone, as a browser does in which nothing else is ticked. */
async function send(path: string, fields: Record<string, string>, action = path) {
  const { authenticity_token = '' } = (await browser.get(path)).form(action).fields
  return browser.post(action, { authenticity_token, ...fields })
}

const own = async () => (await wren.get('/api/v1/accounts/verify_credentials')).ok()
const linksOf = (text: string) => [...text.matchAll(/<a href="(\/[^"]+)"[^>]*>/g)].map(([, href]) => href)

describe('/settings', () => {
  test('leads to all pages, and finds them by words that stand in none of their names', async () => {
    const main = (text: string) => linksOf(text.slice(text.indexOf('<main')))
    const all = main((await browser.get('/settings')).text)
    expect(all).toEqual(expect.arrayContaining(['/settings/profile', '/settings/delete', '/auth/edit']))
    const found = async (q: string) =>
      main((await browser.get(`/settings?${new URLSearchParams({ q })}`)).text)[0]
    expect(await found('dark mode')).toBe('/settings/preferences/appearance')
    expect(await found('AVATAR')).toBe('/settings/profile')
    expect(await found('rel=me')).toBe('/settings/verification')
    const german = (await browser.get('/settings?lang=de&q=schriftgrosse')).text
    expect(main(german)[0]).toBe('/settings/preferences/appearance')
    expect((await browser.get('/settings?q=xyzzy')).text).toContain('Nothing found')
  })

  test('and each page shows where it stands among them', async () => {
    const { text } = await browser.get('/settings/privacy')
    expect(text).toMatch(/<a href="\/settings\/privacy"\s+aria-current="page"/)
    expect((await newBrowser(app).get('/settings/privacy')).location).toBe(
      '/auth/sign_in?return_to=%2Fsettings%2Fprivacy',
    )
  })
})

describe('/settings/profile', () => {
  const path = '/settings/profile'

  test('keeps names, text, fields and switches; what is not ticked is off', async () => {
    const saved = await send(path, {
      display_name: 'Troglodytes',
      note: 'Small.\r\nLoud.',
      'fields[0][name]': 'Nest',
      'fields[0][value]': 'https://nest.example/',
      'fields[1][name]': '',
      'fields[1][value]': '',
      bot: '1',
    })
    expect(saved.location).toBe(`${path}?saved`)
    expect((await browser.get(`${path}?saved`)).text).toContain('role="status"')
    expect(await own()).toMatchObject({
      display_name: 'Troglodytes',
      bot: true,
      show_media: false,
      source: { note: 'Small.\nLoud.', fields: [{ name: 'Nest', value: 'https://nest.example/' }] },
    })
  })

  test('shows what was refused with what was written', async () => {
    const refused = await send(path, { display_name: 'x'.repeat(31), note: 'Do not lose this' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Do not lose this')
    expect(refused.text).toContain('role="alert"')
    expect(await own()).toMatchObject({ display_name: 'Troglodytes' })
  })

  test('takes a picture with its description, and takes it away again', async () => {
    const bytes = await sharp({ create: { width: 60, height: 40, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const form = (await browser.get(path)).form(path)
    const { authenticity_token = '' } = form.fields
    const content = new File([new Uint8Array(bytes)], 'red.png', { type: 'image/png' })
    await browser.upload(
      { ...form, fields: { authenticity_token } },
      { display_name: 'Wren', avatar_description: 'All red' },
      { name: 'avatar', content },
    )
    const before = await own()
    expect(before['avatar']).toContain('/avatars/')
    expect(before).toMatchObject({ avatar_description: 'All red' })
    const { text } = await browser.get(path)
    expect(text).toContain('alt="All red"')
    await send(path, { display_name: 'Wren', remove_avatar: '1' })
    expect((await own())['avatar']).not.toBe(before['avatar'])
  })
})

test('/settings/privacy turns each of its switches on and off', async () => {
  await send('/settings/privacy', {})
  expect(await own()).toMatchObject({
    locked: true,
    discoverable: false,
    indexable: false,
    hide_collections: true,
    noindex: true,
  })
  const all = { unlocked: '1', discoverable: '1', indexable: '1', search_engines: '1', show_collections: '1' }
  await send('/settings/privacy', all)
  expect(await own()).toMatchObject({
    locked: false,
    discoverable: true,
    indexable: true,
    hide_collections: false,
    noindex: false,
  })
  // One that is no column of the account, by itself.
  await send('/settings/privacy', { ...all, search_engines: '' })
  expect(await own()).toMatchObject({ indexable: true, noindex: true })
})

describe('/settings/verification', () => {
  const path = '/settings/verification'

  test('shows the link to put on a page, and keeps who may name somebody as an author', async () => {
    expect((await browser.get(path)).text).toContain(
      `rel=&quot;me&quot; href=&quot;${app.ctx.config.baseUrl}/@${wren.username}`,
    )
    await send(path, { attribution_domains: 'https://blog.example/x\nnews.example' })
    expect(await own()).toMatchObject({
      source: { attribution_domains: ['blog.example', 'news.example'] },
    })
    expect((await send(path, { attribution_domains: 'no domain!' })).status).toBe(422)
  })

  test('looks at the pages again when asked', async () => {
    await send('/settings/profile', {
      'fields[0][name]': 'Nest',
      'fields[0][value]': 'https://nest.example/',
    })
    expect((await send(path, {}, `${path}/check`)).location).toBe(`${path}?saved`)
    await app.settle()
    expect((await browser.get(path)).text).toContain('Not verified')
  })
})

test('/settings/featured_tags features a hashtag, refuses what is none, and takes it away', async () => {
  const path = '/settings/featured_tags'
  expect((await send(path, { name: '#Birds' })).location).toBe(`${path}?saved`)
  expect((await send(path, { name: 'no tag' })).status).toBe(422)
  const page = await browser.get(path)
  const remove = page.forms.find(({ action }) => action.endsWith('/remove'))
  expect(page.text).toContain('#Birds')
  await browser.submit(remove!)
  expect((await wren.get('/api/v1/featured_tags')).ok()).toEqual([])
})

describe('/settings/preferences/appearance', () => {
  const path = '/settings/preferences/appearance'

  test('is in every page from its first byte on, and gone again with the choice', async () => {
    await send(path, {
      theme: 'dark',
      density: 'compact',
      text_size: 'large',
      columns: 'one',
      motion: 'less',
    })
    const html = /<html[^>]*>/.exec((await browser.get('/settings/profile')).text)?.[0]
    for (const mark of [
      'theme="dark"',
      'density="compact"',
      'text="large"',
      'columns="one"',
      'motion="less"',
    ])
      expect(html).toContain(`data-${mark}`)
    expect((await newBrowser(app).get('/')).text).not.toContain('data-theme')
    await send(path, { theme: 'purple' })
    expect((await browser.get('/settings/profile')).text).not.toContain('data-theme')
  })

  test('chooses the language of pages and mails, over what the browser asks for', async () => {
    await send(path, { interface_language: 'de' })
    const { headers } = await browser.get('/settings', { 'accept-language': 'en' })
    expect(headers.get('content-language')).toBe('de')
    await send(path, { interface_language: '' })
    const again = await browser.get('/settings', { 'accept-language': 'en' })
    expect(again.headers.get('content-language')).toBe('en')
  })

  test('keeps how posts are shown, and which languages somebody reads', async () => {
    await send(path, { expand_media: 'hide_all', autoplay_gifs: '1', 'chosen_languages[]': 'fr' })
    expect((await wren.get('/api/v1/preferences')).ok()).toMatchObject({
      'reading:expand:media': 'hide_all',
      'reading:autoplay:gifs': true,
      'reading:expand:spoilers': false,
    })
    expect((await browser.get(path)).text).toMatch(/value="fr"\s+checked/)
    const post = await wren.say('Nothing French here', { language: 'en' })
    const seen = async () => (await wren.get('/api/v1/timelines/public')).ok() as unknown as { id: string }[]
    await app.settle()
    expect((await seen()).map(({ id }) => id)).not.toContain(post.id)
    await send(path, {})
    expect((await seen()).map(({ id }) => id)).toContain(post.id)
  })
})

test('/settings/preferences/posting_defaults is with what new posts begin', async () => {
  const path = '/settings/preferences/posting_defaults'
  await send(path, {
    default_privacy: 'unlisted',
    default_quote_policy: 'followers',
    default_reply_policy: 'following',
    default_language: 'de',
    default_sensitive: '1',
  })
  expect((await wren.get('/api/v1/preferences')).ok()).toMatchObject({
    'posting:default:visibility': 'unlisted',
    'posting:default:quote_policy': 'followers',
    'posting:default:reply_policy': 'following',
    'posting:default:language': 'de',
    'posting:default:sensitive': true,
  })
  expect(await wren.say('As I chose')).toMatchObject({ visibility: 'unlisted', language: 'de' })
})

describe('/settings/notifications', () => {
  const path = '/settings/notifications'

  test('keeps from whom notifications are wanted', async () => {
    await send(path, { for_bots: 'drop', for_new_accounts: 'filter' }, `${path}/policy`)
    expect((await wren.get('/api/v2/notifications/policy')).ok()).toMatchObject({
      for_bots: 'drop',
      for_new_accounts: 'filter',
      for_not_following: 'accept',
      for_private_mentions: 'accept',
    })
  })

  test('lists devices, changes what is pushed to each, and ends one; those of others are not there', async () => {
    const robin = await personWithPassword(app, 'robin')
    const p256dh = createECDH('prime256v1').generateKeys('base64url')
    const subscription = {
      subscription: { endpoint: 'https://push.example/1', keys: { p256dh, auth: 'tBHItJI5svbpez7KI4CCXg' } },
      data: { alerts: { mention: true, 'admin.report': true } },
    }
    ;(await wren.post('/api/v1/push/subscription', subscription)).ok()
    const page = await browser.get(path)
    const action = page.forms.map((form) => form.action).find((one) => /devices\/\d+$/.test(one)) ?? ''
    const device = `device_${action.split('/').at(-1)}`
    const stranger = await signedIn(app, robin)
    const { authenticity_token = '' } = (await stranger.get(path)).form(path).fields
    expect((await stranger.post(action, { authenticity_token })).status).toBe(404)
    await stranger.post(`${action}/end`, { authenticity_token })
    await send(path, { [`${device}[policy]`]: 'followed', [`${device}[poll]`]: '1' }, action)
    expect((await wren.get('/api/v1/push/subscription')).ok()).toMatchObject({
      policy: 'followed',
      alerts: { mention: false, poll: true, 'admin.report': true },
    })
    await send(path, {}, `${action}/end`)
    expect((await wren.get('/api/v1/push/subscription')).status).toBe(404)
  })
})
