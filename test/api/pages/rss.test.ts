// Feeds: which posts stand in which, and what a post brings along there.
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { changeStatus, insertCard, insertMedia } from '#test/people/status-parts.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()

async function feedOf(path: string): Promise<string> {
  const response = await app.fetch(path)
  expect([path, response.status]).toEqual([path, 200])
  expect(response.headers.get('content-type')).toBe('application/rss+xml; charset=utf-8')
  return response.text()
}

const itemsOf = (feed: string) => [...feed.matchAll(/<item>(.*?)<\/item>/gs)].map(([, item = '']) => item)

/** The words `w-…` of a feed's posts, in their order. */
const wordsOf = (feed: string) =>
  itemsOf(feed).map((item) => /w-\w+/.exec(item.split('<description>')[1] ?? '')?.[0])

describe('the feeds of an account', () => {
  let alice: Person

  beforeAll(async () => {
    alice = await personWithPassword(app, 'alice')
    const bob = await app.person('bob')
    const other = await bob.say('w-bob')
    await alice.say('w-plain #Heath')
    await alice.say(`@${bob.username} w-reply #heath`, { in_reply_to_id: other.id })
    await alice.say('w-picture', { media_ids: [await insertMedia(app.ctx, alice)] })
    await alice.say(`@${bob.username} w-answer`, {
      in_reply_to_id: other.id,
      media_ids: [await insertMedia(app.ctx, alice)],
    })
    for (const visibility of ['unlisted', 'private', 'direct']) {
      const media_ids = [await insertMedia(app.ctx, alice)]
      await alice.say(`w-${visibility} #heath`, { visibility, media_ids })
    }
    const local = await alice.say('w-local #heath')
    await changeStatus(app.ctx, local.id, { local_only: true })
    await alice.post(`/api/v1/statuses/${other.id}/reblog`)
  })

  test.each([
    ['.rss', ['w-picture', 'w-plain']],
    ['/with_replies.rss', ['w-answer', 'w-picture', 'w-reply', 'w-plain']],
    ['/media.rss', ['w-answer', 'w-picture']],
    ['/tagged/heath.rss', ['w-reply', 'w-plain']],
    ['/tagged/HEATH.rss', ['w-reply', 'w-plain']],
    ['/tagged/nothing.rss', []],
  ])('%s has public posts of its kind only, newest first [ACC-3]', async (path, words) => {
    expect(wordsOf(await feedOf(`/@${alice.username}${path}`))).toEqual(words)
  })

  test('name themselves and the page they belong to', async () => {
    for (const path of ['', '/with_replies', '/media', '/tagged/heath']) {
      const feed = await feedOf(`/@${alice.username}${path}.rss`)
      const url = `https://chat.example/@${alice.username}${path}`
      expect(feed).toContain(`<link>${url}</link>`)
      expect(feed).toContain(`<atom:link rel="self" type="application/rss+xml" href="${url}.rss"/>`)
      const page = await (await app.fetch(`/@${alice.username}${path}`)).text()
      expect(page).toMatch(
        new RegExp(`<link rel="alternate" type="application/rss\\+xml"[^>]*href="${url}.rss"`),
      )
    }
    expect(await feedOf(`/@${alice.username}/tagged/heath.rss`)).toContain(
      `<title>#heath · ${alice.username}</title>`,
    )
  })

  test('are not there for nobody, and show no more to who is signed in', async () => {
    for (const path of [
      '/@nobody.rss',
      '/@nobody/media.rss',
      '/@nobody/with_replies.rss',
      '/@nobody/tagged/x.rss',
    ]) {
      expect([path, (await app.fetch(path)).status]).toEqual([path, 404])
    }
    const own = await (await signedIn(app, alice)).get(`/@${alice.username}/media.rss`)
    expect(own.text).not.toMatch(/w-(unlisted|private|direct)/)
    expect((await app.fetch(`/@${alice.username}/tagged/no%20tag.rss`)).status).toBe(404)
  })

  test('have the latest twenty', async () => {
    const writer = await app.person('writer')
    for (let n = 1; n <= 22; n++) await writer.say(`w-${n}`)
    const words = wordsOf(await feedOf(`/@${writer.username}.rss`))
    expect(words).toHaveLength(20)
    expect([words[0], words[19]]).toEqual(['w-22', 'w-3'])
  })

  test('take as many queries for many posts with media as for few', async () => {
    const [few, many] = [await app.person('few'), await app.person('many')]
    const fill = async (person: Person, count: number) => {
      for (let n = 0; n < count; n++) {
        await person.say(`${n}`, { media_ids: [await insertMedia(app.ctx, person)] })
      }
    }
    await fill(few, 2)
    await fill(many, 15)
    const read = (person: Person) => () => feedOf(`/@${person.username}.rss`)
    await read(few)()
    await read(many)()
    const [small, large] = [await app.countQueries(read(few)), await app.countQueries(read(many))]
    expect(large.length).toBe(small.length)
  })
})

describe('a post in a feed', () => {
  const itemOf = async (person: Person) => itemsOf(await feedOf(`/@${person.username}.rss`))[0] ?? ''

  test('brings its media with type, size and description', async () => {
    const alice = await app.person('alice')
    const picture = await insertMedia(app.ctx, alice, { description: 'A "b" & c', bytes: 1234 })
    const facts = { width: 640, height: 360, duration: 12.6 }
    const video = await insertMedia(app.ctx, alice, { type: 'gifv', ending: 'mp4', facts, bytes: 99_999 })
    await alice.say('look')
    const { id } = await alice.say('more', { media_ids: [picture] })
    await app.ctx.db
      .updateTable('statuses')
      .set((eb) => ({ media_ids: [picture, video], version: eb('version', '+', 1) }))
      .where('id', '=', asId<StatusId>(id))
      .execute()
    const item = await itemOf(alice)
    const base = 'https://chat.example/media/media_attachments'
    expect(item).toContain(
      `<enclosure url="${base}/${picture}/original.png" length="1234" type="image/png"/>`,
    )
    expect(item).toContain(`<enclosure url="${base}/${video}/original.mp4" length="99999" type="video/mp4"/>`)
    expect(item).toContain(
      `<media:content url="${base}/${picture}/original.png" type="image/png" fileSize="1234" medium="image" width="400" height="300">`,
    )
    expect(item).toContain('medium="video" width="640" height="360" duration="13"')
    expect(item).toContain('<media:description type="plain">A &quot;b&quot; &amp; c</media:description>')
    expect(item).toContain(`<media:thumbnail url="${base}/${picture}/small.webp"/>`)
    expect(item).toContain('<media:rating scheme="urn:simple">nonadult</media:rating>')
  })

  test('of which the size is not known has no enclosure, which would have to tell it', async () => {
    const alice = await app.person('alice')
    await alice.say('x', { media_ids: [await insertMedia(app.ctx, alice)] })
    const item = await itemOf(alice)
    expect(item).not.toContain('<enclosure')
    expect(item).toMatch(/<media:content url="[^"]*" type="image\/png" medium="image"/)
  })

  test('has its warning first, and its media rated', async () => {
    const alice = await app.person('alice')
    await alice.say('inside', {
      spoiler_text: 'Spoilers & <more>',
      media_ids: [await insertMedia(app.ctx, alice)],
    })
    const item = await itemOf(alice)
    expect(item).toMatch(
      /<description>&lt;p&gt;&lt;strong&gt;Content warning:&lt;\/strong&gt; Spoilers &amp;amp; &amp;lt;more&amp;gt;.*inside/,
    )
    expect(item).toContain('<media:rating scheme="urn:simple">adult</media:rating>')
  })

  test('lists the answers of its poll', async () => {
    const alice = await app.person('alice')
    await alice.say('which?', { poll: { options: ['<One>', 'Two'], expires_in: 3600 } })
    expect(await itemOf(alice)).toContain(
      '&lt;ul&gt;&lt;li&gt;&amp;lt;One&amp;gt;&lt;/li&gt;&lt;li&gt;Two&lt;/li&gt;&lt;/ul&gt;',
    )
  })

  test('has no HTML of other sites [CNT-4]', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('watch')
    await insertCard(app.ctx, id, {
      type: 'video',
      title: 'Film',
      html: '<iframe src="https://evil.example"></iframe>',
    })
    expect(await itemOf(alice)).not.toMatch(/evil\.example|iframe/)
  })

  test('stands in the feed of its tag too', async () => {
    const alice = await app.person('alice')
    const picture = await insertMedia(app.ctx, alice, { bytes: 5 })
    await alice.say('w-tagged #rssmedia', { media_ids: [picture] })
    const feed = await feedOf('/tags/rssmedia.rss')
    expect(wordsOf(feed)).toEqual(['w-tagged'])
    expect(feed).toContain(`/${picture}/original.png" length="5"`)
    expect(feed).toContain('<category>rssmedia</category>')
  })
})

test('feeds are shown as nothing but data, and may be kept as long as pages [CNT-23]', async () => {
  const alice = await app.person('alice')
  for (const path of ['.rss', '/media.rss', '/with_replies.rss', '/tagged/x.rss']) {
    const { headers } = await app.fetch(`/@${alice.username}${path}`)
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+/)
    expect(headers.getSetCookie()).toEqual([])
  }
})
