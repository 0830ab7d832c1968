// The kinds of an account's posts, what it features, and the pages of collections.
import { describe, expect, test } from 'vitest'
import { startApp, useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { insertMedia } from '#test/people/status-parts.ts'

const app = useApp()

const page = (path: string) => newBrowser(app).get(path)
const wordsOf = (text: string) => [...new Set([...text.matchAll(/\bw-\w+/g)].map(([word]) => word))]

describe('the kinds of posts', () => {
  test('have a page each, linked from each other', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const other = await bob.say('w-boosted')
    await alice.say('w-plain #Heath')
    await alice.say(`@${bob.username} w-reply #heath`, { in_reply_to_id: other.id })
    await alice.say('w-picture', { media_ids: [await insertMedia(app.ctx, alice)] })
    await alice.say(`@${bob.username} w-answer`, {
      in_reply_to_id: other.id,
      media_ids: [await insertMedia(app.ctx, alice)],
    })
    await alice.say('w-secret #heath', {
      visibility: 'private',
      media_ids: [await insertMedia(app.ctx, alice)],
    })
    await alice.post(`/api/v1/statuses/${other.id}/reblog`)
    const base = `/@${alice.username}`
    const expected = {
      '': ['w-boosted', 'w-picture', 'w-plain'],
      '/with_replies': ['w-boosted', 'w-answer', 'w-picture', 'w-reply', 'w-plain'],
      '/media': ['w-answer', 'w-picture'],
      '/tagged/heath': ['w-reply', 'w-plain'],
    }
    for (const [path, words] of Object.entries(expected)) {
      const seen = await page(base + path)
      expect([path, seen.status, wordsOf(seen.text.split('<nav class="tabs"')[1] ?? '')]).toEqual([
        path,
        200,
        words,
      ])
      expect(seen.text).toContain(`<link rel="canonical" href="https://chat.example${base}${path}"`)
      expect(seen.text).toMatch(new RegExp(`href="${base}${path}"\\s+aria-current="page"`))
      for (const tab of ['/with_replies', '/media']) expect(seen.text).toContain(`href="${base}${tab}"`)
    }
    expect((await page(`${base}/tagged/heath`)).text).toContain('<title>#heath · ')
    await alice.patch('/api/v1/profile', { show_media: true, show_media_replies: false })
    expect(wordsOf((await page(`${base}/media`)).text)).toEqual(['w-picture'])
    await alice.patch('/api/v1/profile', { show_media: false })
    expect((await page(base)).text).not.toContain(`href="${base}/media"`)
  })

  test('show private posts to followers only [ACC-1]', async () => {
    const [alice, friend] = [await personWithPassword(app, 'alice'), await personWithPassword(app, 'friend')]
    await friend.follow(alice)
    const media_ids = [await insertMedia(app.ctx, alice)]
    await alice.say('w-secret #heath', { visibility: 'private', media_ids })
    const inside = await signedIn(app, friend)
    for (const path of ['', '/with_replies', '/media', '/tagged/heath']) {
      expect(wordsOf((await page(`/@${alice.username}${path}`)).text)).toEqual([])
      const seen = await inside.get(`/@${alice.username}${path}`)
      expect([path, wordsOf(seen.text)]).toEqual([path, ['w-secret']])
      expect(seen.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  test('are not there for nobody, nor for what is no hashtag', async () => {
    const alice = await app.person('alice')
    for (const path of [
      '/@nobody/media',
      '/@nobody/tagged/x',
      `/@${alice.username}/tagged/no%20tag`,
      `/@${alice.username}/other`,
    ])
      expect([path, (await page(path)).status]).toEqual([path, 404])
  })
})

describe('what an account features', () => {
  test('stands on its profile, unless it is not to be shown', async () => {
    const alice = await app.person('alice')
    await alice.say('on the #Heath')
    ;(await alice.post('/api/v1/featured_tags', { name: 'Heath' })).ok()
    const open = (await alice.post('/api/v1/collections', { name: 'Good <people>' })).ok().collection
    await alice.post('/api/v1/collections', { name: 'Hidden people', discoverable: false })
    const path = `/@${alice.username}`
    const { text } = await page(path)
    expect(text).toMatch(
      new RegExp(`<a href="${path}/tagged/heath"\\s*><span>#<bdi>Heath</bdi></span\\s*><small>1</small>`),
    )
    expect(text).toContain(`href="https://chat.example/collections/${open.id}"`)
    expect(text).toContain('<bdi>Good &lt;people&gt;</bdi>')
    expect(text).not.toContain('Hidden people')
    await alice.patch('/api/v1/profile', { show_media: true, show_featured: false })
    expect((await page(path)).text).not.toMatch(/tagged\/heath|Good &lt;people/)
  })
})

describe('the page of a collection', () => {
  async function discoverable(name: string): Promise<Person> {
    const person = await app.person(name)
    await person.patch('/api/v1/accounts/update_credentials', {
      discoverable: true,
      note: `I am ${name} & co`,
    })
    return person
  }

  const make = async (owner: Person, more: Json = {}): Promise<Json> =>
    (await owner.post('/api/v1/collections', { name: 'Good people', ...more })).ok().collection

  test('shows what it is, whose, and who is in it', async () => {
    const [alice, bob] = [await app.person('alice'), await discoverable('bob')]
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'A\u202E<i>' })
    const { id } = await make(alice, {
      name: 'Good <people>',
      description: 'Worth "it"',
      tag_name: 'Friends',
      account_ids: [bob.accountId],
    })
    const seen = await page(`/collections/${id}`)
    expect(seen.status).toBe(200)
    for (const text of [
      '<bdi>Good &lt;people&gt;</bdi>',
      'Worth &quot;it&quot;',
      '1 account',
      '#<bdi>Friends</bdi>',
      `@${bob.username}`,
      'I am bob &amp; co',
    ])
      expect(seen.text).toContain(text)
    // CNT-9: a name ends where it ends.
    expect(seen.text).toMatch(/<bdi>A[^<]*&lt;i&gt;<\/bdi>/)
    expect(seen.text).toContain(`<link rel="canonical" href="https://chat.example/collections/${id}"`)
    expect(seen.text).not.toMatch(/noindex|class="veil"/)
    expect(seen.headers.get('cache-control')).toMatch(/^public, max-age/)
    expect(seen.headers.get('x-frame-options')).toBe('DENY')
    expect(seen.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('folds what is sensitive and keeps it from search engines, as what is not to be discovered', async () => {
    const [alice, bob] = [await app.person('alice'), await discoverable('bob')]
    const { id } = await make(alice, { sensitive: true, account_ids: [bob.accountId] })
    const { text } = await page(`/collections/${id}`)
    expect(text).toMatch(
      /<details class="veil">\s*<summary>Sensitive collection: show<\/summary>\s*<ul class="people">/,
    )
    expect(text).toContain('noindex')
    const hidden = await make(alice, { discoverable: false })
    const seen = await page(`/collections/${hidden.id}`)
    expect(seen.text).toContain('noindex')
    expect(seen.text).toContain('Nobody is in this collection yet.')
  })

  test('is 404 for those whom the owner blocks, when the owner is gone, and where there is none [ACC-1]', async () => {
    const [alice, blocked] = [await app.person('alice'), await personWithPassword(app, 'blocked')]
    const { id } = await make(alice)
    const inside = await signedIn(app, blocked)
    expect((await inside.get(`/collections/${id}`)).status).toBe(200)
    await alice.post(`/api/v1/accounts/${blocked.accountId}/block`)
    expect((await inside.get(`/collections/${id}`)).status).toBe(404)
    for (const path of ['/collections/1', '/collections/99999999999999999999999', '/collections/x']) {
      expect([path, (await page(path)).status]).toEqual([path, 404])
    }
    await app.ctx.db
      .updateTable('accounts')
      .set({ suspended_at: new Date() })
      .where('id', '=', alice.accountId)
      .execute()
    const seen = await page(`/collections/${id}`)
    expect(seen.status).toBe(404)
    expect(seen.text).not.toContain('Good people')
  })

  test('leaves out who is gone', async () => {
    const [alice, bob] = [await app.person('alice'), await discoverable('bob')]
    const { id } = await make(alice, { account_ids: [bob.accountId] })
    await app.ctx.db
      .updateTable('accounts')
      .set({ suspended_at: new Date() })
      .where('id', '=', bob.accountId)
      .execute()
    const { text } = await page(`/collections/${id}`)
    expect(text).not.toContain(bob.username)
    expect(text).toContain('0 accounts')
  })

  test('a closed server sends strangers to sign in', async () => {
    const closed = await startApp({ env: { DISALLOW_UNAUTHENTICATED_API_ACCESS: 'true' } })
    try {
      const alice = await personWithPassword(closed, 'alice')
      const { id } = await make(alice)
      const seen = await newBrowser(closed).get(`/collections/${id}`)
      expect([seen.status, seen.location]).toEqual([302, `/auth/sign_in?return_to=%2Fcollections%2F${id}`])
      for (const path of ['/media', '/with_replies', '/tagged/x']) {
        expect((await newBrowser(closed).get(`/@${alice.username}${path}`)).status).toBe(302)
        expect((await newBrowser(closed).get(`/@${alice.username}${path}.rss`)).status).toBe(401)
      }
      expect((await (await signedIn(closed, alice)).get(`/collections/${id}`)).text).toContain('Good people')
    } finally {
      await closed.close()
    }
  })
})
