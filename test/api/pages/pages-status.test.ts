// What a post can carry, as its page, its embeddable page and other sites' previews of it show it.
import { describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { changeStatus, insertCard, insertMedia } from '#test/people/status-parts.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()

const media = (name: string) => `https://chat.example/media/media_attachments/${name}`
const page = (path: string, headers: Record<string, string> = {}) => newBrowser(app).get(path, headers)

/** Page and embed of a post: in both, what hangs on it is the same. */
async function both(author: Person, id: string): Promise<string[]> {
  const path = `/@${author.username}/${id}`
  const seen = [await page(path), await page(`${path}/embed`)]
  expect(seen.map(({ status }) => status)).toEqual([200, 200])
  return seen.map(({ text }) => text)
}

const bodyOf = (text: string) => text.slice(text.indexOf('<body'))
const headOf = (text: string) => text.slice(0, text.indexOf('</head>'))
/** The contents of the elements `<meta property=…>` or `name=…` of this name. */
const metaOf = (text: string, name: string) =>
  [...headOf(text).matchAll(new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`, 'g'))].map(
    ([, content]) => content,
  )

describe('media', () => {
  test('pictures have their description, size and focal point, and lead to the original', async () => {
    const alice = await app.person('alice')
    const ids = [
      await insertMedia(app.ctx, alice, { description: 'A "grey" <heron>', focus: [1, 0.2] }),
      await insertMedia(app.ctx, alice),
    ]
    const { id } = await alice.say('two pictures', { media_ids: ids })
    for (const text of await both(alice, id)) {
      expect(text).toContain('<div class="media media-2">')
      expect(text).toContain(`<a href="${media(`${ids[0]}/original.png`)}"`)
      expect(text).toMatch(
        new RegExp(
          `<img\\s+src="${media(`${ids[0]}/small.webp`)}"\\s+alt="A &quot;grey&quot; &lt;heron&gt;"[^>]*width="200" height="150"`,
        ),
      )
      expect(text).toContain('<figure class="image at-x10 at-y4">')
      expect(text).toContain('<figure class="image">')
      expect(text.match(/<details class="alt">/g)).toHaveLength(1)
    }
  })

  test('every focal point has a rule in the stylesheet', async () => {
    const { text } = await page('/assets/public.css')
    for (const axis of ['x', 'y']) {
      for (const step of [0, 1, 2, 3, 4, 6, 7, 8, 9, 10]) {
        expect(text).toMatch(new RegExp(`\\.at-${axis}${step} [^{]*\\{\\s*--${axis}: ${step * 10}%;`))
      }
    }
  })

  test('videos and sounds wait until somebody plays them; silent ones repeat', async () => {
    const alice = await app.person('alice')
    const facts = { width: 640, height: 360, duration: 2.4 }
    const video = await insertMedia(app.ctx, alice, {
      type: 'video',
      ending: 'mp4',
      facts,
      description: 'Sea',
    })
    const loop = await insertMedia(app.ctx, alice, { type: 'gifv', ending: 'mp4', facts })
    const sound = await insertMedia(app.ctx, alice, {
      type: 'audio',
      ending: 'mp3',
      preview: false,
      description: 'Waves',
    })
    const shown: string[] = []
    for (const one of [video, loop, sound]) {
      const { id } = await alice.say('', { media_ids: [one] })
      shown.push(...(await both(alice, id)))
    }
    const [videoTag = '', , gifv = '', , audio = ''] = shown.map(
      (text) => /<(?:video|audio)\b[^>]*>/.exec(text)?.[0],
    )
    for (const tag of [videoTag, gifv, audio]) {
      expect(tag).toMatch(/\bcontrols\b/)
      expect(tag).toContain('preload="none"')
      expect(tag).not.toContain('autoplay')
    }
    expect(videoTag).toContain(`src="${media(`${video}/original.mp4`)}"`)
    expect(videoTag).toContain(`poster="${media(`${video}/small.webp`)}"`)
    expect(videoTag).toContain('aria-label="Sea"')
    expect(videoTag).toContain('width="640" height="360"')
    expect(videoTag).not.toMatch(/\b(loop|muted)\b/)
    expect(gifv).toMatch(/\bloop muted\b/)
    expect(audio).toContain('aria-label="Waves"')
    expect(shown[4]).toContain('<figcaption dir="auto">Waves</figcaption>')
  })

  test('what cannot be shown is a link to where it is', async () => {
    const alice = await app.person('alice')
    const file = await insertMedia(app.ctx, alice, {
      type: 'unknown',
      ending: null,
      remoteUrl: 'https://far.example/a.bin',
      description: 'A file',
    })
    const { id } = await alice.say('look')
    await app.ctx.db
      .updateTable('statuses')
      .set((eb) => ({ media_ids: [file], version: eb('version', '+', 1) }))
      .where('id', '=', asId<StatusId>(id))
      .execute()
    for (const text of await both(alice, id)) {
      expect(text).toMatch(/<a class="file" href="https:[^"]*" rel="nofollow noopener">A file<\/a>/)
      expect(text).not.toMatch(/<(img|video|audio)[^>]*far\.example/)
    }
  })

  test('sensitive media are folded, and no preview of other sites has them', async () => {
    const alice = await app.person('alice')
    const make = async () => await insertMedia(app.ctx, alice)
    const marked = await alice.say('look away', { media_ids: [await make()], sensitive: true })
    const warned = await alice.say('inside', { media_ids: [await make()], spoiler_text: 'Spiders' })
    for (const { id } of [marked, warned]) {
      const [text = '', embed = ''] = await both(alice, id)
      for (const seen of [text, embed]) {
        expect(seen).toMatch(/<details class="veil">(?:(?!<\/details>).)*<div class="media/s)
        expect(headOf(seen)).not.toContain('media_attachments')
      }
      expect(metaOf(text, 'og:image')).toEqual(['https://chat.example/avatars/original/missing.png'])
      expect(metaOf(text, 'twitter:card')).toEqual(['summary'])
    }
    const [text = ''] = await both(alice, warned.id)
    expect(metaOf(text, 'og:description')).toEqual(['Spiders'])
  })
})

describe('polls', () => {
  const ask = (person: Person, more: object = {}) =>
    person.say('which?', { poll: { options: ['<One>', 'Two'], expires_in: 3600, ...more } })

  test('show the share of each answer, and when they close', async () => {
    const [alice, bob, carol] = [
      await app.person('alice'),
      await app.person('bob'),
      await app.person('carol'),
    ]
    const { id, poll } = await ask(alice, { multiple: true })
    await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [0, 1] })
    await carol.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
    for (const text of await both(alice, id)) {
      expect(text).toContain('<bdi>&lt;One&gt;</bdi>')
      expect(text).toMatch(/<progress max="100" value="50"[^>]*>.*<progress max="100" value="100"/s)
      expect(text).toContain('2 people voted · Several answers allowed · Closes <time')
    }
    const german = await page(`/@${alice.username}/${id}?lang=de`)
    expect(german.text).toContain('2 Menschen haben abgestimmt · Mehrere Antworten möglich · Endet am <time')
    app.clock.advance(3_700_000)
    for (const text of await both(alice, id)) {
      expect(text).toContain('Poll closed')
      expect(text).toContain('<strong><bdi>Two</bdi></strong>')
      expect(text).not.toContain('<strong><bdi>&lt;One')
    }
  })

  test('keep back their numbers until the end where the author wants that', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id, poll } = await ask(alice, { hide_totals: true })
    await bob.post(`/api/v1/polls/${poll.id}/votes`, { choices: [1] })
    for (const text of await both(alice, id)) {
      expect(bodyOf(text)).not.toMatch(/<progress|\d %/)
      expect(text).toContain('Results are shown when it closes')
    }
    app.clock.advance(3_700_000)
    for (const text of await both(alice, id)) expect(text).toContain('100 %')
  })

  test('are told of in the descriptions of other sites', async () => {
    const alice = await app.person('alice')
    const { id } = await ask(alice)
    const [text = ''] = await both(alice, id)
    expect(metaOf(text, 'og:description')[0]).toBe('which?\n○ &lt;One&gt;\n○ Two')
  })
})

describe('quotes', () => {
  test('show the quoted post inside, without the address that stands for it elsewhere', async () => {
    const alice = await app.person('alice')
    const quoted = await alice.say('the first words', { quote_approval_policy: 'public' })
    const { id } = await alice.say('I said', { quoted_status_id: quoted.id })
    for (const text of await both(alice, id)) {
      expect(text).toMatch(/<blockquote class="quoted" cite="[^"]*">\s*<article class="post" [^>]*>/)
      expect(bodyOf(text)).toContain('the first words')
      expect(text).not.toContain('quote-inline')
      expect(text.match(/id="post-/g)).toHaveLength(1)
    }
  })

  test.each([
    ['pending', 'once its author agrees'],
    ['rejected', 'does not want it shown'],
    ['revoked', 'does not want it shown'],
    ['deleted', 'was deleted'],
  ])('a %s one shows nothing of the post and says why', async (state, why) => {
    const alice = await app.person('alice')
    const quoted = await alice.say('unseen words', { quote_approval_policy: 'public' })
    const { id } = await alice.say('I said', { quoted_status_id: quoted.id })
    await app.ctx.db
      .updateTable('quotes')
      .set({ state })
      .where('status_id', '=', asId<StatusId>(id))
      .execute()
    await changeStatus(app.ctx, id, {})
    for (const text of await both(alice, id)) {
      expect(text).toContain(why)
      expect(text).not.toContain('unseen words')
    }
  })

  test('a quoted post is not shown to those who may not see it [ACC-1]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const secret = await alice.say('among friends', { visibility: 'private' })
    const { id } = await alice.say('I said', { quoted_status_id: secret.id, visibility: 'private' })
    // As if it had been public once.
    await changeStatus(app.ctx, id, { visibility: 'public' })
    for (const text of await both(alice, id)) {
      expect(text).not.toContain('among friends')
      expect(text).toContain('cannot be shown to you')
    }
    const own = await (await signedIn(app, alice)).get(`/@${alice.username}/${id}`)
    expect(own.text).toContain('among friends')
  })

  test('words of somebody whom the reader mutes are folded; a quote in a quote is a line', async () => {
    const [alice, bob] = [await personWithPassword(app, 'alice'), await app.person('bob')]
    const root = await bob.say('the root', { quote_approval_policy: 'public' })
    const middle = await bob.say('the middle', { quoted_status_id: root.id, quote_approval_policy: 'public' })
    const { id } = await alice.say('the top', { quoted_status_id: middle.id })
    const path = `/@${alice.username}/${id}`
    const seen = await page(path)
    expect(seen.text).toContain('the middle')
    expect(seen.text).not.toContain('the root')
    expect(seen.text).toContain('Quotes another post')
    await alice.post(`/api/v1/accounts/${bob.accountId}/mute`)
    const own = await (await signedIn(app, alice)).get(path)
    expect(own.text).toMatch(
      /<details class="veil">\s*<summary>Quotes somebody you mute: show<\/summary>\s*<blockquote/,
    )
  })
})

describe('previews of links', () => {
  test('have picture, title, description and source, and lead to the page', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('read this')
    await insertCard(app.ctx, id, {
      title: 'A <b>story</b>',
      description: 'Long ago',
      provider_name: 'News\u202E',
      author_name: 'J. Fell',
      image_key: 'preview_cards/1/original.jpg',
      image_description: 'A "map"',
      width: 800,
      height: 400,
    })
    for (const text of await both(alice, id)) {
      expect(text).toContain(
        '<a class="preview large" href="https://news.example/story" rel="nofollow noopener">',
      )
      expect(text).toMatch(
        /<img\s+src="https:\/\/chat\.example\/media\/preview_cards\/1\/original\.jpg"\s+alt="A &quot;map&quot;"/,
      )
      for (const words of [
        '<bdi>News\u202E</bdi> · <bdi>J. Fell</bdi>',
        'A &lt;b&gt;story&lt;/b&gt;',
        'Long ago',
      ])
        expect(text).toContain(words)
    }
  })

  test('HTML and frames of other sites are never put into a page [CNT-4]', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('watch this')
    await insertCard(app.ctx, id, {
      type: 'video',
      title: 'Film',
      html: '<iframe src="https://evil.example/frame"></iframe><script>alert(1)</script>',
      embed_url: 'https://evil.example/embed.mp4',
      image_key: 'preview_cards/2/original.jpg',
      width: 640,
      height: 360,
    })
    const profile = (await page(`/@${alice.username}`)).text
    const feed = await (await app.fetch(`/@${alice.username}.rss`)).text()
    for (const text of [...(await both(alice, id)), profile, feed]) {
      expect(text).not.toMatch(/evil\.example|<iframe|<script|alert\(1\)/)
    }
    expect(profile).toContain('href="https://news.example/story"')
  })

  test('an address that is none of the web is no link [CNT-2]', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('click this')
    await insertCard(app.ctx, id, { url: 'javascript:alert(1)', title: 'Trap' })
    for (const text of await both(alice, id)) expect(text).not.toMatch(/javascript:|Trap/)
  })
})

describe('further lines', () => {
  test('tell of the last edit', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('first')
    expect((await both(alice, id))[0]).not.toContain('edited')
    app.clock.advance(60_000)
    await alice.put(`/api/v1/statuses/${id}`, { status: 'second' })
    const { edited_at: edited } = (await alice.get(`/api/v1/statuses/${id}`)).ok()
    const [text = '', embed = ''] = await both(alice, id)
    for (const seen of [text, embed]) expect(seen).toMatch(new RegExp(`edited\\s+<time datetime="${edited}"`))
    expect(metaOf(text, 'article:modified_time')).toEqual([edited])
    expect((await page(`/@${alice.username}`)).text).toContain('<span class="edited">edited</span>')
  })

  test('count reactions where the extension is on', async () => {
    await setSetting(app.ctx, 'emoji_reactions', true)
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const { id } = await alice.say('react')
    ;(await bob.put(`/api/v1/pleroma/statuses/${id}/reactions/${encodeURIComponent('🌄')}`)).ok()
    for (const text of await both(alice, id)) {
      expect(text).toMatch(/<ul class="reactions" aria-label="Reactions">\s*<li><span>🌄<\/span> 1<\/li>/)
    }
    await setSetting(app.ctx, 'emoji_reactions', false)
    for (const text of await both(alice, id)) expect(text).not.toContain('class="reactions"')
  })

  test('say that a post is for this server only; strangers do not see it', async () => {
    const alice = await personWithPassword(app, 'alice')
    const { id } = await alice.say('between us')
    await changeStatus(app.ctx, id, { local_only: true })
    const path = `/@${alice.username}/${id}`
    expect((await page(path)).status).toBe(404)
    expect((await page(`${path}/embed`)).status).toBe(404)
    expect((await (await signedIn(app, alice)).get(path)).text).toContain('On this server only')
  })
})

describe('what other sites are told', () => {
  test('pictures come with type, size and description, videos with their still', async () => {
    const alice = await app.person('alice')
    const pictures = [
      await insertMedia(app.ctx, alice, { description: 'First "one"' }),
      await insertMedia(app.ctx, alice, { ending: 'jpg' }),
    ]
    const { id } = await alice.say('', { media_ids: pictures })
    const [text = ''] = await both(alice, id)
    expect(metaOf(text, 'og:image')).toEqual([
      media(`${pictures[0]}/original.png`),
      media(`${pictures[1]}/original.jpg`),
    ])
    expect(metaOf(text, 'og:image:type')).toEqual(['image/png', 'image/jpeg'])
    expect(metaOf(text, 'og:image:width')).toEqual(['400', '400'])
    expect(metaOf(text, 'og:image:alt')).toEqual(['First &quot;one&quot;'])
    expect(metaOf(text, 'og:description')).toEqual(['2 pictures'])
    expect(metaOf(text, 'og:title')).toEqual([`${alice.username}: 2 pictures`])
    expect(metaOf(text, 'twitter:card')).toEqual(['summary_large_image'])

    const facts = { width: 640, height: 360 }
    const video = await insertMedia(app.ctx, alice, { type: 'video', ending: 'mp4', facts })
    const [filmed = ''] = await both(alice, (await alice.say('film', { media_ids: [video] })).id)
    expect(metaOf(filmed, 'og:image')).toEqual([media(`${video}/small.webp`)])
    expect(metaOf(filmed, 'og:video')).toEqual([media(`${video}/original.mp4`)])
    expect(metaOf(filmed, 'og:video:type')).toEqual(['video/mp4'])
    expect(metaOf(filmed, 'og:video:width')).toEqual(['640'])
  })

  test('names and descriptions stay on one line and inside their attribute [CNT-9]', async () => {
    const alice = await app.person('alice')
    await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'A\u202Eb"\nc' })
    const { id } = await alice.say('text with "quotes" <and> more')
    const [text = '', embed = ''] = await both(alice, id)
    expect(metaOf(text, 'og:title')[0]).toMatch(/^A[^\n]*c: text with &quot;quotes&quot; &lt;and&gt; more$/)
    for (const seen of [text, embed]) expect(seen).toMatch(/<strong><bdi>A[^<\n]*c<\/bdi><\/strong>/)
  })
})

describe('a post with everything on it [CNT-23]', () => {
  test('brings no script, no style and nothing of other hosts', async () => {
    const alice = await app.person('alice')
    const ids = [
      await insertMedia(app.ctx, alice, { focus: [-1, -1], description: 'x' }),
      await insertMedia(app.ctx, alice, { type: 'video', ending: 'mp4' }),
    ]
    const quoted = await alice.say('quoted', { quote_approval_policy: 'public' })
    const { id } = await alice.say('everything', { quoted_status_id: quoted.id })
    await app.ctx.db
      .updateTable('statuses')
      .set((eb) => ({ media_ids: ids, version: eb('version', '+', 1) }))
      .where('id', '=', asId<StatusId>(id))
      .execute()
    for (const path of [
      `/@${alice.username}/${id}`,
      `/@${alice.username}/${id}/embed`,
      `/@${alice.username}/media`,
    ]) {
      const { text, headers } = await page(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'; style-src 'self'")
      expect(policy).toContain("media-src 'self' https://chat.example")
      expect(policy).not.toMatch(/unsafe|script-src|frame-src/)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(text).not.toMatch(/<script|<iframe|<object|<embed|\son\w+=|\sstyle=/)
      for (const [, source = ''] of text.matchAll(/\s(?:src|poster)="([^"]*)"/g)) {
        expect(new URL(source, 'https://chat.example').origin).toBe('https://chat.example')
      }
    }
  })

  test('the embed may be framed, shows no private post and looks at no cookie [CNT-22]', async () => {
    const alice = await personWithPassword(app, 'alice')
    const inside = await signedIn(app, alice)
    const picture = await insertMedia(app.ctx, alice)
    const { id } = await alice.say('for friends', { media_ids: [picture], visibility: 'private' })
    const seen = await inside.get(`/@${alice.username}/${id}/embed`)
    expect(seen.status).toBe(404)
    expect(seen.text).not.toMatch(/for friends|media_attachments/)
    expect((await inside.get(`/@${alice.username}/${id}`)).text).toContain('media_attachments')
  })
})
