import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()
const ask = (url: string, more: Record<string, unknown> = {}) =>
  app.anonymous.get('/api/oembed', { url, ...more })
/** The path of the page in the answer's frame. */
const framed = (body: Json) => /^<iframe src="https:\/\/chat\.example([^"]+)" /.exec(body.html)?.[1]

describe('oEmbed', () => {
  test('tells how to embed a public or unlisted post, by each of its addresses', async () => {
    const alice = await app.person('alice')
    for (const visibility of ['public', 'unlisted']) {
      const said = await alice.say('Hello <b> & "all"', { visibility })
      const addresses = [said.url, said.uri, `${said.url}/embed`, `${said.url}?x=1#y`]
      for (const address of addresses) {
        const body = (await ask(address)).ok()
        expect(body).toEqual({
          type: 'rich',
          version: '1.0',
          title: `${alice.username}: Hello <b> & "all"`,
          author_name: alice.username,
          author_url: `https://chat.example/@${alice.username}`,
          provider_name: 'chat.example',
          provider_url: 'https://chat.example/',
          cache_age: 86_400,
          html: expect.stringMatching(/^<iframe [^<]* width="400" [^<]*><\/iframe>$/),
          width: 400,
          height: null,
        })
        expect(body.html).toContain('Hello &lt;b&gt; &amp; &quot;all&quot;')
        const page = await app.fetch(framed(body) as string)
        expect(page.status).toBe(200)
        expect(page.headers.get('content-security-policy')).toContain('frame-ancestors *')
      }
    }
  })

  test('keeps to the room that the other site has', async () => {
    const alice = await app.person('alice')
    const { url } = await alice.say('hello')
    const narrow = (await ask(url, { maxwidth: 250, maxheight: 300 })).ok()
    expect(narrow).toMatchObject({ width: 250, height: 300 })
    expect(narrow.html).toContain(' width="250" height="300" ')
    for (const odd of [0, -5, 'x', ''])
      expect((await ask(url, { maxwidth: odd })).ok().width).toBeGreaterThan(0)
  })

  test('is open to scripts of other sites, and may be cached for a short time', async () => {
    const alice = await app.person('alice')
    const { url } = await alice.say('hello')
    const { headers } = await ask(url)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toMatch(/^public, max-age=15/)
  })

  test('shows the warning in place of what it warns of', async () => {
    const alice = await app.person('alice')
    const { url } = await alice.say('the murderer', { spoiler_text: 'The end' })
    const body = (await ask(url)).ok()
    expect(body.title).toBe(`${alice.username}: The end`)
    expect(JSON.stringify(body)).not.toContain('murderer')
  })

  test('knows no XML', async () => {
    const { url } = await (await app.person('alice')).say('hello')
    expect((await ask(url, { format: 'json' })).status).toBe(200)
    expect((await ask(url, { format: 'xml' })).status).toBe(501)
  })

  test('a private or direct post is as if it did not exist, whoever asks [ACC-1]', async () => {
    const [alice, friend] = [await app.person('alice'), await app.person('friend')]
    await friend.follow(alice)
    for (const visibility of ['private', 'direct']) {
      const hidden = await alice.say(`hidden @${friend.username}`, { visibility })
      const missing = await ask(`https://chat.example/@${alice.username}/1`)
      for (const address of [hidden.url, hidden.uri, `${hidden.url}/embed`]) {
        for (const client of [app.anonymous, friend, alice]) {
          const answer = await client.get('/api/oembed', { url: address })
          expect([answer.status, answer.body]).toEqual([404, missing.body])
        }
      }
    }
  })

  test('other addresses are not found', async () => {
    const alice = await app.person('alice')
    const said = await alice.say('hello')
    const gone = await alice.say('gone')
    await alice.delete(`/api/v1/statuses/${gone.id}`)
    const boost = (await alice.post(`/api/v1/statuses/${said.id}/reblog`)).ok()
    const addresses = [
      gone.url,
      `https://chat.example/@${alice.username}/${boost.id}`,
      `https://elsewhere.example/@${alice.username}/${said.id}`,
      `https://chat.example.evil.example/@${alice.username}/${said.id}`,
      `https://chat.example@evil.example/@${alice.username}/${said.id}`,
      `https://chat.example/@${alice.username}`,
      `https://chat.example/@${alice.username}/99999999999999999999999`,
      `/@${alice.username}/${said.id}`,
      'javascript:alert(1)',
      'x',
      '',
    ]
    for (const address of addresses) expect([address, (await ask(address)).status]).toEqual([address, 404])
    expect((await app.anonymous.get('/api/oembed')).status).toBe(404)
  })
})

describe('the page of a post', () => {
  const linkOf = (text: string) =>
    /<link rel="alternate" type="application\/json\+oembed" href="([^"]+)"/
      .exec(text)?.[1]
      ?.replaceAll('&amp;', '&')

  test('leads to its oEmbed', async () => {
    const alice = await app.person('alice')
    const said = await alice.say('hello')
    const link = linkOf(await (await app.fetch(`/@${alice.username}/${said.id}`)).text())
    expect(link).toMatch(/^https:\/\/chat\.example\/api\/oembed\?format=json&url=/)
    const body = await (await app.fetch(link?.slice('https://chat.example'.length) as string)).json()
    expect(body).toMatchObject({ type: 'rich', author_name: alice.username })
  })
})
