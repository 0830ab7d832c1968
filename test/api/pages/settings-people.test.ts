// Pages about others: follows as a table, limits, hashtags, numbers, and the first steps. All without scripts.
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
let wren: Person
let robin: Person
let jay: Person
let browser: Browser

beforeAll(async () => {
  wren = await personWithPassword(app, 'wren')
  ;[robin, jay] = [await app.person('robin'), await app.person('jay')]
  browser = await signedIn(app, wren)
})

async function send(path: string, fields: Record<string, string>, page = path) {
  const { authenticity_token = '' } = (await browser.get(page)).forms.find(
    (form) => form.method === 'post' && form.action !== '/auth/sign_out',
  )!.fields
  return browser.post(path, { authenticity_token, ...fields })
}

const relationTo = async ({ accountId }: Person) =>
  ((await wren.get(`/api/v1/accounts/relationships?id[]=${accountId}`)).ok() as unknown as object[])[0]
const follow = async (who: Person, whom: Person) =>
  (await who.post(`/api/v1/accounts/${whom.accountId}/follow`)).ok()
const handlesOn = (text: string) => [...text.matchAll(/<bdi>@([^<]+)<\/bdi>/g)].map(([, handle]) => handle)

describe('conversations that are muted', () => {
  test('are listed by the first post that one may see, and are heard of again', async () => {
    const first = await robin.say(`@${wren.username} the first nest`)
    const answer = await robin.say(`@${wren.username} another nest`, { in_reply_to_id: first.id })
    ;(await wren.post(`/api/v1/statuses/${answer.id}/mute`)).ok()
    const page = await browser.get('/settings/muted_conversations')
    expect(page.text).toContain('the first nest')
    expect(page.text).not.toContain('another nest')
    await robin.delete(`/api/v1/statuses/${first.id}`)
    expect((await browser.get('/settings/muted_conversations')).text).toContain('another nest')
    const form = page.forms.find(({ action }) => action?.startsWith('/settings/muted_conversations/'))
    const unmute = form?.action?.replace(first.id, answer.id) ?? ''
    const done = await browser.post(unmute, form?.fields ?? {})
    expect((await browser.get(done.location ?? '')).text).toContain('You have muted no conversation')
    expect((await wren.get(`/api/v1/statuses/${answer.id}`)).ok().muted).toBe(false)
  })

  test('of others are nobody else’s, and a post that one may not see unmutes nothing', async () => {
    const secret = await robin.say('for followers', { visibility: 'private' })
    const done = await send(`/settings/muted_conversations/${secret.id}/unmute`, {}, '/settings/mutes')
    expect(done.status).toBe(404)
  })
})

describe('/settings/collections', () => {
  test('makes a collection, adds who lets themselves be recommended, and takes both away', async () => {
    ;(await robin.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
    const made = await send('/settings/collections', { name: 'Birds', discoverable: '1' })
    expect((await browser.get(made.location ?? '')).text).toContain('Birds')
    const [collection] = (await wren.get(`/api/v1/accounts/${wren.accountId}/collections`)).ok().collections
    const page = `/settings/collections/${collection.id}`
    await send(`${page}/items`, { acct: robin.username }, page)
    const shown = await browser.get(page)
    expect(shown.text).toContain(`@${robin.username}`)
    expect((await send(`${page}/items`, { acct: 'nobody' }, page)).text).toContain('Nobody was found')
    expect((await send(page, { name: '' })).status).toBe(422)
    const removal = shown.forms.find(({ action }) => action?.endsWith('/remove'))
    await browser.post(removal?.action ?? '', removal?.fields ?? {})
    expect((await browser.get(page)).text).toContain('Nobody is in it yet')
    await send(`${page}/delete`, {}, page)
    expect((await browser.get(page)).status).toBe(404)
  })
})

describe('/relationships', () => {
  test('lists by how people stand and by when they last wrote, and changes those that are ticked', async () => {
    await follow(wren, robin)
    await follow(jay, wren)
    await follow(robin, wren)
    await robin.say('Lately')
    const listed = async (query: string) => handlesOn((await browser.get(`/relationships?${query}`)).text)
    expect(await listed('relationship=following')).toEqual([robin.username])
    expect(await listed('relationship=followed_by')).toEqual([robin.username, jay.username])
    expect(await listed('relationship=mutual')).toEqual([robin.username])
    expect(await listed('relationship=followed_by&activity=dormant')).toEqual([jay.username])
    expect(await listed('relationship=followed_by&status=moved')).toEqual([])
    expect(await listed('relationship=invited')).toEqual([])
    const page = '/relationships?relationship=followed_by'
    const done = await send('/relationships', { act: 'remove_follower', 'ids[]': jay.accountId }, page)
    expect((await browser.get(done.location ?? '')).text).toContain('One person follows you no more')
    expect(await listed('relationship=followed_by')).toEqual([robin.username])
    await send('/relationships', { act: 'unfollow', 'ids[]': robin.accountId }, page)
    expect(await relationTo(robin)).toMatchObject({ following: false, followed_by: true })
    expect((await send('/relationships', { act: 'adopt', 'ids[]': robin.accountId }, page)).status).toBe(422)
  })

  test('blocks the servers of those that are ticked', async () => {
    const remote = await remoteAccount(app.ctx, 'nest.example')
    const page = '/relationships?relationship=followed_by'
    await send('/relationships', { act: 'block_domain', 'ids[]': remote.accountId }, page)
    expect((await wren.get('/api/v1/domain_blocks')).ok()).toEqual(['nest.example'])
    await send('/settings/domain_blocks/remove', { domain: 'nest.example' }, '/settings/domain_blocks')
    expect((await wren.get('/api/v1/domain_blocks')).ok()).toEqual([])
  })
})

describe('limits', () => {
  test('somebody is blocked by their handle and let go again; who is not there is told', async () => {
    const path = '/settings/blocks'
    expect((await send(path, { acct: `@${jay.username}` })).location).toBe(`${path}?saved`)
    expect(await relationTo(jay)).toMatchObject({ blocking: true })
    expect((await send(path, { acct: 'nobody_at_all' })).status).toBe(422)
    await send(`${path}/${jay.accountId}/remove`, {}, path)
    expect(await relationTo(jay)).toMatchObject({ blocking: false })
  })

  test('a mute shows its end, and ends', async () => {
    const path = '/settings/mutes'
    await send(path, { acct: jay.username, duration: '86400' })
    expect(await relationTo(jay)).toMatchObject({ muting: true, muting_expires_at: expect.any(String) })
    expect((await browser.get(path)).text).toMatch(/Until <time/)
    await send(`${path}/${jay.accountId}/remove`, {}, path)
    expect(await relationTo(jay)).toMatchObject({ muting: false })
  })

  test('a server is hidden by its name; what is none is refused', async () => {
    const path = '/settings/domain_blocks'
    expect((await send(path, { domain: 'not a domain' })).status).toBe(422)
    await send(path, { domain: 'Noise.example' })
    expect((await wren.get('/api/v1/domain_blocks')).ok()).toEqual(['noise.example'])
  })

  test('the addresses of the app lead to these pages where it does not run', async () => {
    for (const name of ['blocks', 'mutes', 'domain_blocks', 'followed_tags', 'filters', 'lists'])
      expect((await browser.get(`/${name}?plain`)).location).toBe(`/settings/${name}`)
  })
})

test('/settings/lists makes a list, changes it, and keeps its members', async () => {
  const path = '/settings/lists'
  await follow(wren, robin)
  expect((await send(path, { title: ' ', replies_policy: 'list' })).status).toBe(422)
  await send(path, { title: 'Singers', replies_policy: 'none', exclusive: '1' })
  const [list] = (await wren.get('/api/v1/lists')).ok() as unknown as { id: string }[]
  expect(list).toMatchObject({ title: 'Singers', replies_policy: 'none', exclusive: true })
  const here = `${path}/${list?.id}`
  await send(here, { title: 'Choir', replies_policy: 'followed' })
  expect((await wren.get(`/api/v1/lists/${list?.id}`)).ok()).toMatchObject({
    title: 'Choir',
    exclusive: false,
  })
  expect((await send(`${here}/members`, { acct: jay.username }, here)).status).toBe(422)
  await send(`${here}/members`, { acct: robin.username }, here)
  expect(handlesOn((await browser.get(here)).text)).toEqual([robin.username])
  await send(`${here}/members/remove`, { account_id: robin.accountId }, here)
  expect(handlesOn((await browser.get(here)).text)).toEqual([])
  await send(`${here}/delete`, {}, here)
  expect((await browser.get(here)).status).toBe(404)
})

test('/settings/filters makes a filter of several words, changes it, and deletes it', async () => {
  const path = '/settings/filters'
  const words = { lines: '2', 'keywords[0][keyword]': 'turnip', 'keywords[1][keyword]': 'swede' }
  expect((await send(path, words, `${path}/new`)).status).toBe(422)
  await send(
    path,
    { ...words, 'context[home]': '1', filter_action: 'hide', expires_in: '3600' },
    `${path}/new`,
  )
  const found = async () =>
    (
      (await wren.get('/api/v2/filters')).ok() as unknown as {
        id: string
        expires_at: string
        keywords: { id: string }[]
      }[]
    )[0]!
  const made = await found()
  expect(made).toMatchObject({
    title: 'turnip',
    context: ['home'],
    filter_action: 'hide',
    expires_at: expect.any(String),
    keywords: [{ keyword: 'turnip', whole_word: false }, { keyword: 'swede' }],
  })
  const here = `${path}/${made.id}`
  await send(here, {
    title: 'Roots',
    lines: '3',
    'keywords[0][id]': made.keywords[0]!.id,
    'keywords[0][keyword]': '',
    'keywords[1][id]': made.keywords[1]!.id,
    'keywords[1][keyword]': 'swede',
    'keywords[1][whole_word]': '1',
    'keywords[2][keyword]': 'beet',
    'context[public]': '1',
    expires_in: 'keep',
  })
  expect(await found()).toMatchObject({
    title: 'Roots',
    context: ['public'],
    filter_action: 'warn',
    expires_at: made.expires_at,
    keywords: [{ keyword: 'swede', whole_word: true }, { keyword: 'beet' }],
  })
  await send(`${here}/delete`, {}, here)
  expect((await browser.get(here)).status).toBe(404)
})

test('/settings/followed_tags follows and unfollows', async () => {
  const path = '/settings/followed_tags'
  await send(path, { name: '#Dusk' })
  expect((await browser.get(path)).text).toContain('#Dusk')
  expect((await send(path, { name: 'no tag!' })).status).toBe(422)
  await send(`${path}/remove`, { name: 'Dusk' }, path)
  expect((await wren.get('/api/v1/followed_tags')).ok()).toEqual([])
})

test('/settings/statistics shows the month, and nothing once it is switched off', async () => {
  const path = '/settings/statistics'
  const post = await wren.say('Count me')
  ;(await robin.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
  const shown = (await browser.get(path)).text
  expect(shown).toMatch(/<dt>Favourites<\/dt>\s*<dd>1<\/dd>/)
  expect(shown).toContain(`/@${wren.username}/${post.id}`)
  expect((await browser.get(`${path}?month=2000-13`)).status).toBe(404)
  await send(path, {})
  expect((await browser.get(path)).text).not.toContain('<dt>')
  expect((await wren.get('/api/v1/statistics')).ok()).toEqual({ enabled: false })
})

describe('/welcome', () => {
  test('leads through profile, topics and people, each of which can be left out', async () => {
    const fresh = await personWithPassword(app, 'fledgling')
    const nest = await signedIn(app, fresh)
    for (const [path, next] of [
      ['/welcome', '/welcome/topics'],
      ['/welcome/topics', '/welcome/people'],
      ['/welcome/people', '/home'],
    ] as const)
      expect((await nest.get(path)).text).toContain(`href="${next}"`)
    const step = async (path: string, fields: Record<string, string>) => {
      const { authenticity_token = '' } = (await nest.get('/welcome/topics')).form('/welcome/topics').fields
      return nest.post(path, { authenticity_token, ...fields })
    }
    expect((await step('/welcome', { display_name: 'Fledgling', note: 'New here' })).location).toBe(
      '/welcome/topics',
    )
    expect((await step('/welcome', { display_name: 'x'.repeat(31) })).status).toBe(422)
    expect((await step('/welcome/topics', { 'tags[]': 'Worms', more: '#flight, no-tag' })).location).toBe(
      '/welcome/people',
    )
    expect((await step('/welcome/people', { 'ids[]': robin.accountId })).location).toBe('/home')
    const tags = (await fresh.get('/api/v1/followed_tags')).ok() as unknown as { name: string }[]
    expect(tags.map(({ name }) => name.toLowerCase()).toSorted()).toEqual(['flight', 'worms'])
    expect((await fresh.get('/api/v1/accounts/verify_credentials')).ok()).toMatchObject({
      display_name: 'Fledgling',
      following_count: 1,
    })
    expect((await newBrowser(app).get('/welcome')).location).toContain('/auth/sign_in')
  })
})
