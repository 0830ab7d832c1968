// Pages that everyone may see, and the feeds beside them.
import { describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { startApp, useApp, type TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()

const page = async (path: string, headers: Record<string, string> = {}) => newBrowser(app).get(path, headers)

async function suspend(person: Person): Promise<void> {
  await app.ctx.db
    .updateTable('accounts')
    .set((eb) => ({ suspended_at: new Date(), version: eb('version', '+', 1) }))
    .where('id', '=', person.accountId)
    .execute()
}

const xmlOf = async (path: string) => {
  const response = await app.fetch(path)
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('home and about', () => {
  test('home says what this server is and shows the latest public posts', async () => {
    await setSetting(app.ctx, 'site_title', 'Heath <b>land</b>')
    await setSetting(app.ctx, 'site_short_description', 'For walkers & birds')
    app.clock.advance(2_000)
    const alice = await app.person('alice')
    await alice.say('seen by all')
    await alice.say('seen by few', { visibility: 'private' })
    const home = await page('/')
    expect(home.status).toBe(200)
    expect(home.text).toContain('Heath &lt;b&gt;land&lt;/b&gt;')
    expect(home.text).toContain('For walkers &amp; birds')
    expect(home.text).toContain('seen by all')
    expect(home.text).not.toContain('seen by few')
    expect(home.text).toContain('href="/auth/sign_up"')
    expect(home.text).toContain('href="/auth/sign_in"')
  })

  test('public timelines are read by strangers, page by page, as far as settings let them [ACC-3]', async () => {
    const alice = await app.person('alice')
    for (let n = 1; n <= 21; n++) await alice.say(`part ${n}.`)
    await alice.say('for few', { visibility: 'private' })
    const first = await page('/public/local')
    expect(first.text).toContain('<h1 class="section">This server</h1>')
    expect(first.text).toContain('part 21.')
    expect(first.text).not.toMatch(/part 1\.|for few/)
    const next = /href="(\?max_id=\d+)"/.exec(first.text)?.[1] as string
    expect((await page(`/public/local${next}`)).text).toContain('part 1.')
    expect((await page('/public')).text).toContain('part 21.')
    expect((await page('/public/remote')).text).not.toContain('part ')
    await setSetting(app.ctx, 'remote_live_feed_access', 'authenticated')
    app.clock.advance(2_000)
    expect((await page('/public/local')).text).not.toContain('href="/public/remote"')
    expect((await page('/public/remote')).location).toBe('/auth/sign_in?return_to=%2Fpublic%2Fremote')
    await setSetting(app.ctx, 'remote_live_feed_access', 'public')
    app.clock.advance(2_000)
  })

  test('home does not invite where registrations are closed', async () => {
    await setSetting(app.ctx, 'registrations_mode', 'none')
    app.clock.advance(2_000)
    const home = await page('/about')
    expect(home.status).toBe(200)
    const main = (await page('/')).text.split('<main')[1]
    expect(main).not.toContain('/auth/sign_up')
    await setSetting(app.ctx, 'registrations_mode', 'open')
    app.clock.advance(2_000)
  })

  test('about has the rules and the contact, in the language of the reader', async () => {
    await setSetting(app.ctx, 'site_contact_email', 'staff@chat.example')
    app.clock.advance(2_000)
    const about = await page('/about', { 'accept-language': 'de' })
    expect(about.text).toContain('<html lang="de" dir="ltr"')
    expect(about.text).toContain('mailto:staff@chat.example')
    expect(about.text).toContain('id="rules"')
  })

  test('privacy policy is there from the start, terms say that there are none until they are published', async () => {
    expect((await page('/privacy-policy')).status).toBe(200)
    const none = await page('/terms-of-service')
    expect([none.status, none.text.includes('This server has no terms of service.')]).toEqual([404, true])
    await app.ctx.db
      .insertInto('terms_of_service')
      .values({
        id: app.ctx.newId(),
        text: 'Play fair.',
        effective_date: '2020-01-01',
        published_at: new Date(),
      })
      .execute()
    expect((await page('/terms-of-service')).text).toContain('Play fair.')
  })
})

describe('profile', () => {
  test('shows name, bio, fields and posts, and says where programs find the account', async () => {
    const alice = await app.person('alice')
    await alice.patch('/api/v1/accounts/update_credentials', {
      display_name: '<i>Al</i>\u202Eice',
      note: 'Birds & bees',
      fields_attributes: [{ name: 'Pond', value: 'north' }],
    })
    await alice.say('hello from alice')
    const bob = await app.person('bob')
    const said = await bob.say('by bob')
    await alice.post(`/api/v1/statuses/${said.id}/reblog`)
    await alice.say(`@${bob.username} an answer`, { in_reply_to_id: said.id })
    const seen = await page(`/@${alice.username}`)
    expect(seen.status).toBe(200)
    expect(seen.text).toMatch(/<h1><bdi>&lt;i&gt;Al&lt;\/i&gt;[^<]*ice<\/bdi><\/h1>/)
    for (const text of ['Birds &amp; bees', 'Pond', 'north', 'hello from alice', 'by bob', 'boosted']) {
      expect(seen.text).toContain(text)
    }
    expect(seen.text).not.toContain('an answer')
    const actor = `https://chat.example/users/${alice.username}`
    expect(seen.headers.get('link')).toContain('rel="lrdd"')
    expect(seen.headers.get('link')).toContain(
      `/.well-known/webfinger?resource=acct%3A${alice.username}%40chat.example`,
    )
    expect(seen.text).toContain(`<link rel="alternate" type="application/activity+json" href="${actor}"`)
    expect(seen.text).toContain('property="og:title"')
    expect(seen.text).toContain('content="profile"')
  })

  test('a post is named by its author and time', async () => {
    const alice = await app.person('alice')
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Al "ice' })
    const said = await alice.say('named')
    for (const path of [`/@${alice.username}`, `/@${alice.username}/${said.id}`, '/public/local']) {
      expect((await page(path)).text).toMatch(/<article [^>]*aria-label="Al &quot;ice, [A-Z][^">]*\d[^">]*"/)
    }
  })

  test('names are isolated wherever they stand [CNT-9]', async () => {
    const alice = await app.person('alice')
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'A\u202Eb\nc' })
    const said = await alice.say('isolated')
    for (const path of [`/@${alice.username}`, `/@${alice.username}/${said.id}`]) {
      const { text } = await page(path)
      expect(text).toMatch(/<strong><bdi>A[^<\n]*c<\/bdi><\/strong>/)
    }
  })

  test('pages through posts', async () => {
    const alice = await app.person('alice')
    for (let n = 1; n <= 25; n++) await alice.say(`number ${n}.`)
    const first = await page(`/@${alice.username}`)
    expect(first.text).toContain('number 25.')
    expect(first.text).not.toContain('number 5.')
    const next = /href="(\?max_id=\d+)"/.exec(first.text)?.[1] as string
    const second = await page(`/@${alice.username}${next}`)
    expect(second.text).toContain('number 5.')
    expect(second.text).toContain('number 1.')
    expect(second.text).not.toContain('number 6.')
    expect(second.text).not.toContain('rel="next"')
    expect((await page(`/@${alice.username}?max_id=nonsense`)).text).toContain('number 25.')
  })

  test('takes as many queries for many posts as for few', async () => {
    const [few, many] = [await app.person('few'), await app.person('many')]
    for (let n = 0; n < 2; n++) await few.say(`few ${n}`)
    for (let n = 0; n < 15; n++) await many.say(`many ${n}`)
    await page('/')
    const small = await app.countQueries(() => page(`/@${few.username}`))
    const large = await app.countQueries(() => page(`/@${many.username}`))
    expect(large.length).toBe(small.length)
  })

  test('404 for unknown and unconfirmed people, 410 for suspended ones [ACC-17]', async () => {
    expect((await page('/@nobody')).status).toBe(404)
    expect((await page('/@no.body@else.where')).status).toBe(404)
    const waiting = await app.person('waiting', { confirmed: false })
    expect((await page(`/@${waiting.username}`)).status).toBe(404)
    const bad = await app.person('bad')
    const said = await bad.say('soon gone')
    await suspend(bad)
    const gone = await page(`/@${bad.username}`)
    expect(gone.status).toBe(410)
    expect(gone.text).not.toContain('soon gone')
    expect((await xmlOf(`/@${bad.username}.rss`)).status).toBe(410)
    expect((await page(`/@${bad.username}/${said.id}`)).status).toBe(404)
  })

  test('is kept from search engines where the person wants that, with its feed', async () => {
    const alice = await app.person('alice')
    expect((await page(`/@${alice.username}`)).text).not.toContain('noindex')
    await app.ctx.db
      .updateTable('users')
      .set({ settings: JSON.stringify({ noindex: true }) })
      .where('id', '=', alice.userId)
      .execute()
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Shy' })
    expect((await page(`/@${alice.username}`)).text).toContain('content="noindex')
    expect((await app.fetch(`/@${alice.username}.rss`)).headers.get('x-robots-tag')).toBe('noindex')
  })

  test('actor addresses lead browsers to the pages', async () => {
    const actor = await page('/users/alice', { accept: 'text/html' })
    expect([actor.status, actor.location]).toEqual([301, '/@alice'])
    const note = await page('/users/alice/statuses/12', { accept: 'text/html' })
    expect([note.status, note.location]).toEqual([301, '/@alice/12'])
  })
})

describe('one post', () => {
  test('stands in its conversation, with what other sites show of it', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const root = await alice.say('the beginning')
    const middle = await bob.say(`@${alice.username} the middle`, { in_reply_to_id: root.id })
    await alice.say(`@${bob.username} the end`, { in_reply_to_id: middle.id })
    const seen = await page(`/@${bob.username}/${middle.id}`)
    expect(seen.status).toBe(200)
    const order = ['the beginning', 'the middle', 'the end'].map((text) => seen.text.lastIndexOf(text))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order.every((index) => index > 0)).toBe(true)
    expect(seen.text).toContain('property="og:description"')
    expect(seen.text).toContain(`href="https://chat.example/users/${bob.username}/statuses/${middle.id}"`)
    expect(seen.text).toContain('name="viewport"')
  })

  test('belongs to its author: another name or no id is 404', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const said = await alice.say('mine')
    expect((await page(`/@${bob.username}/${said.id}`)).status).toBe(404)
    expect((await page(`/@${alice.username}/99999999999999999999999`)).status).toBe(404)
  })

  test('a warning stands in place of the text, in previews too', async () => {
    const alice = await app.person('alice')
    const said = await alice.say('the butler did it', { spoiler_text: 'Ending of the film' })
    const seen = await page(`/@${alice.username}/${said.id}`)
    const head = seen.text.split('</head>')[0]
    expect(head).toContain('Ending of the film')
    expect(head).not.toContain('butler')
    expect(seen.text).toMatch(/<details class="veil">\s*<summary><bdi>Ending of the film/)
  })

  test('a boost leads to what it boosts', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const said = await alice.say('boost me')
    const boost = (await bob.post(`/api/v1/statuses/${said.id}/reblog`)).ok()
    const seen = await page(`/@${bob.username}/${boost.id}`)
    expect([seen.status, seen.location]).toEqual([302, said.url])
  })

  test('a private post is 404 for strangers, blocked and former followers, on page and embed [ACC-1]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const friend = await personWithPassword(app, 'friend')
    const former = await personWithPassword(app, 'former')
    const blocked = await personWithPassword(app, 'blocked')
    for (const person of [friend, former, blocked]) await person.follow(alice)
    const secret = await alice.say('only for friends', { visibility: 'private' })
    await former.post(`/api/v1/accounts/${alice.accountId}/unfollow`)
    await alice.post(`/api/v1/accounts/${blocked.accountId}/block`)
    const path = `/@${alice.username}/${secret.id}`
    const browsers = {
      stranger: newBrowser(app),
      former: await signedIn(app, former),
      blocked: await signedIn(app, blocked),
    }
    for (const [who, browser] of Object.entries(browsers)) {
      for (const address of [path, `${path}/embed`]) {
        const seen = await browser.get(address)
        expect([who, address, seen.status]).toEqual([who, address, 404])
        expect(seen.text).not.toContain('only for friends')
      }
      expect((await browser.get(`/@${alice.username}`)).text).not.toContain('only for friends')
    }
    const inside = await signedIn(app, friend)
    const seen = await inside.get(path)
    expect(seen.status).toBe(200)
    expect(seen.text).toContain('only for friends')
    // ACC-15: what was made for one person is kept by nobody.
    expect(seen.headers.get('cache-control')).toBe('private, no-store')
    expect((await inside.get(`/@${alice.username}`)).text).toContain('only for friends')
    expect((await inside.get(`${path}/embed`)).status).toBe(404)
    expect((await page(path)).status).toBe(404)
  })

  test('a private reply does not show in the public conversation [ACC-1]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const root = await alice.say('open talk')
    await bob.say(`@${alice.username} whispered`, { in_reply_to_id: root.id, visibility: 'direct' })
    expect((await page(`/@${alice.username}/${root.id}`)).text).not.toContain('whispered')
  })
})

describe('headers', () => {
  test('only the embeddable page may be framed [CNT-22]', async () => {
    const alice = await app.person('alice')
    const said = await alice.say('frame me')
    const path = `/@${alice.username}/${said.id}`
    for (const address of ['/', '/about', `/@${alice.username}`, path, '/auth/sign_in']) {
      const { headers } = await page(address)
      expect([address, headers.get('x-frame-options')]).toEqual([address, 'DENY'])
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
    const embed = await page(`${path}/embed`)
    expect(embed.status).toBe(200)
    expect(embed.headers.get('x-frame-options')).toBeNull()
    expect(embed.headers.get('content-security-policy')).toContain('frame-ancestors *')
    expect(embed.forms).toEqual([])
  })

  test('no inline script or style, no foreign host [CNT-23]', async () => {
    const alice = await app.person('alice')
    const said = await alice.say('look at https://elsewhere.test/x.png')
    const path = `/@${alice.username}/${said.id}`
    for (const address of ['/', '/about', `/@${alice.username}`, path, `${path}/embed`, '/tags/x']) {
      const { headers, text } = await page(address)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toMatch(/unsafe-|script-src|https?:(?!\/\/chat\.example)/)
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|javascript:/i)
      const loaded = [
        ...text.matchAll(
          /<(?:img|video|audio|source|link rel="stylesheet")[^>]* (?:src|href|poster)="([^"]+)"/g,
        ),
      ]
      expect(loaded.length).toBeGreaterThan(0)
      for (const [, url = ''] of loaded) expect(url).toMatch(/^(\/(?!\/)|https:\/\/chat\.example\/)/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('same-origin')
    }
  })

  test('strangers get what caches may share, without a cookie or a form that changes something', async () => {
    const alice = await personWithPassword(app, 'alice')
    const seen = await page(`/@${alice.username}`)
    expect(seen.headers.get('cache-control')).toMatch(/^public, max-age=\d+/)
    expect(seen.headers.get('vary')).toContain('Cookie')
    expect(seen.headers.getSetCookie()).toEqual([])
    // One that only asks for a server needs no token.
    expect(seen.forms.map(({ method, action }) => [method, action])).toEqual([['get', '/interact']])
    const inside = await signedIn(app, alice)
    const own = await inside.get(`/@${alice.username}`)
    expect(own.headers.get('cache-control')).toBe('private, no-store')
    const out = await inside.submit((await inside.get('/')).form('/auth/sign_out'))
    expect(out.status).toBe(303)
    expect((await inside.get('/')).text).toContain('href="/auth/sign_in"')
  })
})

describe('feeds', () => {
  test('the feed of an account has its public posts only, no boosts, no answers [ACC-3]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await alice.say('open & <free> #feedtag')
    await alice.say('unlisted words', { visibility: 'unlisted' })
    await alice.say('private words', { visibility: 'private' })
    await alice.say(`@${bob.username} direct words`, { visibility: 'direct' })
    const other = await bob.say('words of bob')
    await alice.post(`/api/v1/statuses/${other.id}/reblog`)
    await alice.say(`@${bob.username} answering words`, { in_reply_to_id: other.id })
    const feed = await xmlOf(`/@${alice.username}.rss`)
    expect(feed.status).toBe(200)
    expect(feed.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
    expect(feed.text.match(/<item>/g)).toHaveLength(1)
    expect(feed.text).toContain('open &amp;amp; &amp;lt;free&amp;gt;')
    expect(feed.text).not.toMatch(/unlisted words|private words|direct words|answering words|words of bob/)
    expect(feed.text).toContain('<category>feedtag</category>')
    expect(feed.text).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT<\/pubDate>/)
  })

  test('the feed and the page of a tag have public posts only [ACC-3]', async () => {
    const alice = await app.person('alice')
    await alice.say('open #heather')
    await alice.say('unlisted #heather', { visibility: 'unlisted' })
    await alice.say('private #heather', { visibility: 'private' })
    for (const path of ['/tags/heather.rss', '/tags/heather', '/tags/Heather']) {
      const { status, text } = await xmlOf(path)
      expect(status).toBe(200)
      expect(text).toContain('open')
      expect(text).not.toMatch(/unlisted |private /)
    }
    expect((await page('/tags/no%20tag')).status).toBe(404)
  })

  test('control characters and broken surrogates do not break the XML', async () => {
    const alice = await app.person('alice')
    await alice.say('a\u0007b\u000Bc ]]> d')
    const { text } = await xmlOf(`/@${alice.username}.rss`)
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(text).not.toMatch(/[\0-\x08\v\f\x0E-\x1F]/)
    expect(text).not.toContain(']]>')
  })

  test('a cookie gets no more out of a feed', async () => {
    const alice = await personWithPassword(app, 'alice')
    await alice.say('for followers', { visibility: 'private' })
    const inside = await signedIn(app, alice)
    expect((await inside.get(`/@${alice.username}.rss`)).text).not.toContain('for followers')
  })
})

describe('servers that show little to strangers', () => {
  async function withEnv(
    env: Record<string, string>,
    work: (closed: TestApp) => Promise<void>,
  ): Promise<void> {
    const closed = await startApp({ env })
    try {
      await work(closed)
    } finally {
      await closed.close()
    }
  }

  test('a closed server sends them to sign in, and keeps feeds and embeds shut', async () => {
    await withEnv({ DISALLOW_UNAUTHENTICATED_API_ACCESS: 'true' }, async (closed) => {
      const alice = await personWithPassword(closed, 'alice')
      const said = await alice.say('inside')
      const path = `/@${alice.username}`
      const stranger = newBrowser(closed)
      for (const address of [path, `${path}/${said.id}`, '/tags/x', '/public/local']) {
        const seen = await stranger.get(address)
        expect(seen.status).toBe(302)
        expect(seen.location).toMatch(/^\/auth\/sign_in\?return_to=/)
      }
      expect((await stranger.get(`${path}.rss`)).status).toBe(401)
      expect((await stranger.get(`${path}/${said.id}/embed`)).status).toBe(404)
      const home = await stranger.get('/')
      expect(home.status).toBe(200)
      expect(home.text).not.toContain('inside')
      expect((await (await signedIn(closed, alice)).get(path)).text).toContain('inside')
    })
  })

  test('with the preview off, home has no posts and tags want a sign-in', async () => {
    await withEnv({ TIMELINE_PREVIEW: 'false' }, async (closed) => {
      const alice = await closed.person('alice')
      await alice.say('not on the front page #quiet')
      const stranger = newBrowser(closed)
      expect((await stranger.get('/')).text).not.toContain('front page')
      expect((await stranger.get('/tags/quiet')).status).toBe(302)
      expect((await stranger.get('/public/local')).status).toBe(302)
      expect((await stranger.get('/tags/quiet.rss')).status).toBe(401)
      expect((await stranger.get(`/@${alice.username}`)).text).toContain('front page')
    })
  })
})
