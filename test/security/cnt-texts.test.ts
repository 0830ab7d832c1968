import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { costsItsLength } from '#test/client/growth-of-requests.ts'
import type { Person } from '#test/people/people.ts'
import type { Json } from '#test/client/client.ts'
import { countRows } from '#test/app/database.ts'
import { isNight } from '#test/run/night.ts'

const app = useApp()

/** Attributes and tags that local texts may turn into. */
const allowedTags = new Set(['p', 'br', 'a', 'span'])
const allowedAttributes = new Set(['href', 'class', 'rel', 'target', 'translate'])

function assertHarmless(html: string): void {
  for (const [, tag = '', inside = ''] of html.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)) {
    expect([html, allowedTags.has(tag)]).toEqual([html, true])
    for (const [, name = '', value = ''] of inside.matchAll(/([^\s=]+)="([^"]*)"/g)) {
      expect([html, name, allowedAttributes.has(name)]).toEqual([html, name, true])
      expect([name, name !== 'href' || /^https?:\/\//.test(value)]).toEqual([name, true])
    }
  }
}

const addresses = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript://example.org/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'file:///etc/passwd',
  'blob:https://example.org/1',
  'https://example.org/"onmouseover="alert(1)',
  'https://example.org/><script>alert(1)</script>',
  "https://example.org/'><img src=x onerror=alert(1)>",
  'https://user:pass@example.org/',
  '<a href="javascript:alert(1)">x</a>',
  '@alice"onclick="alert(1)',
  '#tag"><script>alert(1)</script>',
]

describe('addresses that run something [CNT-2]', () => {
  test.each(addresses)('%j is text in a post, a bio and a field', async (address) => {
    const eve = await app.person('eve')
    const status = await eve.say(`see ${address} now`)
    const profile = (
      await eve.patch('/api/v1/accounts/update_credentials', {
        note: address,
        display_name: 'eve',
        fields_attributes: [{ name: address.slice(0, 30), value: address }],
      })
    ).ok()
    assertHarmless(status.content)
    assertHarmless(profile.note)
    for (const field of profile.fields) assertHarmless(field.value)
    for (const path of [
      `/@${eve.username}`,
      `/@${eve.username}/${status.id}`,
      `/@${eve.username}/${status.id}/embed`,
    ]) {
      const page = await (await app.fetch(path)).text()
      expect(page).not.toMatch(
        /<script>|<img[^>]*onerror|(href|src)="\s*(javascript|data:text|vbscript|file|blob)/i,
      )
      expect(page.replaceAll(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\son\w+/i)
    }
  })
})

test('links carry the words that clients and searchers expect [CNT-3]', async () => {
  const eve = await app.person('eve')
  const { content } = await eve.say('see https://example.org/a and #tag')
  const [link, tag] = [...content.matchAll(/<a [^>]*>/g)].map(([start]) => start)
  expect(link).toBe('<a href="https://example.org/a" target="_blank" rel="nofollow noopener" translate="no">')
  expect(tag).toMatch(/class="mention hashtag" rel="tag"/)
})

describe('markup that somebody types [CNT-6]', () => {
  test('is shown as it was typed, in posts, warnings, names and fields, on pages and in feeds', async () => {
    const eve = await app.person('eve')
    const typed = '<b>bold</b> & <script>alert(1)</script> <!-- c --> <![CDATA[x]]> &lt;i&gt;'
    const status = await eve.say(typed, { spoiler_text: '<b>warning</b>' })
    const escaped = '&lt;b&gt;bold&lt;/b&gt; &amp; &lt;script&gt;alert(1)&lt;/script&gt;'
    expect(status.content).toContain(escaped)
    expect(status.content).toContain('&amp;lt;i&amp;gt;')
    expect(status.spoiler_text).toBe('<b>warning</b>')
    ;(
      await eve.patch('/api/v1/accounts/update_credentials', { display_name: '<i>eve</i>', note: typed })
    ).ok()
    for (const path of [`/@${eve.username}`, `/@${eve.username}/${status.id}`]) {
      const page = await (await app.fetch(path)).text()
      expect(page).not.toMatch(/<script>|<b>bold|<i>eve|<b>warning/)
      expect(page).toContain('&lt;i&gt;eve&lt;/i&gt;')
    }
    const feed = await (await app.fetch(`/@${eve.username}.rss`)).text()
    expect(feed).not.toMatch(/<script>|<b>|<i>/)
  })
})

describe('names of signs that are not seen [CNT-9]', () => {
  test('stay on one line and turn nothing around, wherever they are shown', async () => {
    const eve = await app.person('eve')
    const odd = 'a\u202eb\u2066c\nd\u2028e\u0000f\u0007g\u200fh'
    ;(await eve.patch('/api/v1/accounts/update_credentials', { display_name: odd })).ok()
    const { display_name: name } = (await app.anonymous.get(`/api/v1/accounts/${eve.accountId}`)).ok()
    expect(name).not.toMatch(/[\u202a-\u202e\n\r\u2028\u2029\p{Cc}]/u)
    expect(name.match(/[\u2066-\u2068]/g)?.length).toBe(name.match(/\u2069/g)?.length)
    for (const letter of 'abcdefgh') expect(name).toContain(letter)
    const page = await (await app.fetch(`/@${eve.username}`)).text()
    expect(page).toContain(`<bdi>${name}</bdi>`)
  })
})

describe('texts beyond their limit [CNT-20]', () => {
  test('are refused with the limit of the instance document, and nothing is kept', async () => {
    const eve = await app.person('eve')
    const { configuration } = (await app.anonymous.get('/api/v2/instance')).ok()
    const max = configuration.statuses.max_characters
    const x = (count: number) => 'x'.repeat(count)
    expect((await eve.say(x(max))).content).toContain(x(max))
    await app.settle()
    const before = await countRows(app.ctx)
    const over: Json[] = [
      { status: x(max + 1) },
      { status: 'short', spoiler_text: x(max) },
      { status: 'e\u0301'.repeat(max + 1) },
      { status: `${'👩‍👩‍👧‍👦'.repeat(max)}!` },
    ]
    for (const params of over) {
      const answer = await eve.post('/api/v1/statuses', params)
      expect([answer.status, String(answer.body.error)]).toEqual([422, expect.stringContaining(String(max))])
    }
    for (const params of [
      { note: x(501) },
      { display_name: x(31) },
      { avatar_description: x(1501) },
      {
        fields_attributes: Array.from({ length: configuration.accounts.max_profile_fields + 1 }, () => ({
          name: 'n',
          value: 'v',
        })),
      },
    ]) {
      expect([params, (await eve.patch('/api/v1/accounts/update_credentials', params)).status]).toEqual([
        params,
        422,
      ])
    }
    await app.settle()
    expect(await countRows(app.ctx)).toEqual(before)
  })
})

const size = 200_000
const fill = (unit: string) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
const hostile: Record<string, string> = {
  mentions: fill('@a'),
  'mentions of servers': fill('@a@a.example'),
  hashes: fill('#'),
  hashtags: fill('#a'),
  brackets: fill('('),
  'closed brackets': `${fill('(').slice(0, size / 2)}${fill(')').slice(0, size / 2)}`,
  addresses: fill('http://'),
  'addresses with brackets': `https://example.org/${fill('(')}`,
  'addresses with dots': fill('https://a.'),
  'mail addresses': fill('a@a.'),
  colons: fill(':a'),
  dots: fill('a.'),
  blanks: fill(' '),
  lines: fill('\n'),
  'zero-width joiners': fill('\u200d'),
  accents: fill('\u0301'),
  marks: fill('<a'),
  entities: fill('&#x'),
  quotes: fill('"'),
}

const short = (value: string) => new URLSearchParams({ q: value, acct: value, name: value })

/** Each place where a text can be put. */
const requests: Record<string, (eve: Person, text: string) => Promise<{ status: number }>> = {
  post: (eve, text) => eve.post('/api/v1/statuses', { status: text }),
  warning: (eve, text) => eve.post('/api/v1/statuses', { status: 'x', spoiler_text: text }),
  bio: (eve, text) => eve.patch('/api/v1/accounts/update_credentials', { note: text }),
  name: (eve, text) => eve.patch('/api/v1/accounts/update_credentials', { display_name: text }),
  field: (eve, text) =>
    eve.patch('/api/v1/accounts/update_credentials', {
      fields_attributes: [{ name: text, value: text }],
    }),
  note: (eve, text) => eve.post('/api/v1/accounts/1/note', { comment: text }),
  domains: (eve, text) => eve.patch('/api/v1/accounts/update_credentials', { attribution_domains: [text] }),
  search: (eve, text) =>
    app.fetch(`/api/v1/accounts/search?${short(text)}`, {
      headers: { authorization: `Bearer ${eve.token}` },
    }),
  lookup: (_, text) => app.fetch(`/api/v1/accounts/lookup?${short(text)}`),
  webfinger: (_, text) => app.fetch(`/.well-known/webfinger?${new URLSearchParams({ resource: text })}`),
  tag: (_, text) => app.fetch(`/api/v1/timelines/tag/${encodeURIComponent(text)}`),
  page: (_, text) => app.fetch(`/@${encodeURIComponent(text)}`),
  domain: (eve, text) => eve.post('/api/v1/domain_blocks', { domain: text }),
  app: (_, text) =>
    app.anonymous.post('/api/v1/apps', { client_name: text, redirect_uris: text, website: text }),
  follow: (eve, text) => eve.post('/api/v1/follows', { uri: text }),
}

describe('200 kB made to be slow [CNT-21]', () => {
  // By day every third: text-speed.test.ts holds what reads texts to all of them.
  test.each(Object.entries(hostile).filter((_, index) => isNight || index % 3 === 0))(
    '%s in a post, a warning, a bio, a field, a search, a name',
    async (_, text) => {
      const eve = await app.person('eve')
      const wrong: unknown[] = []
      for (const [name, request] of Object.entries(requests)) {
        const statuses = new Set<number>()
        const ask = async (part: string) => statuses.add((await request(eve, part)).status)
        if (!(await costsItsLength(text, ask))) wrong.push([name, 'costs more than its length'])
        for (const status of statuses) if (status >= 500) wrong.push([name, status])
      }
      expect(wrong).toEqual([])
    },
  )
})
