import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { RequestListener } from 'node:http'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { reviewLink } from '#domain/reading/trends/review.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { asId, type PreviewCardId } from '#lib/id.ts'

const open = '127.0.0.5'
const closed = '127.0.0.6'
const app = useApp({
  env: { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: `${open}/32,127.0.0.7/32` },
})

type Pages = Record<string, { type?: string; status?: number; body?: string | Buffer; location?: string }>

/** A site whose pages are told by their paths. */
function site(pages: () => Pages): RequestListener {
  return (request, response) => {
    const page = pages()[request.url ?? '']
    const headers = {
      'content-type': page?.type ?? 'text/html',
      ...(page?.location && { location: page.location }),
    }
    response.writeHead(page?.status ?? (page ? 200 : 404), headers).end(page?.body ?? '')
  }
}

const picture = (color: string) =>
  sharp({ create: { width: 800, height: 400, channels: 3, background: color } })
    .jpeg()
    .toBuffer()

async function cardOf(person: Person, id: string): Promise<Json> {
  await app.settle()
  return (await person.get(`/api/v1/statuses/${id}`)).ok().card
}

describe('the preview of a link', () => {
  test('shows title, text, picture and author, and is fetched once for all', async () => {
    const image = await picture('#336699')
    const remote = await startRemote(
      open,
      site(() => ({
        '/story?x=1': {
          body: `<html lang="en-GB"><head><meta property="og:title" content="A story"><meta property="og:description" content="of &lt;b&gt;two&lt;/b&gt;">
            <meta property="og:site_name" content="The News"><meta property="og:image" content="/pic.jpg">
            <meta property="og:image:alt" content="Blue"><meta name="author" content="Ada">
            <link rel="canonical" href="/story"></head></html>`,
        },
        '/pic.jpg': { type: 'image/jpeg', body: image },
      })),
    )
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const url = remote.url('/story?x=1')
    const { id, card } = await alice.say(`Read ${url}#part, and https://elsewhere.example/`)
    expect(card).toBeNull()
    const shown = await cardOf(alice, id)
    expect(shown).toMatchObject({
      url: remote.url('/story'),
      type: 'link',
      title: 'A story',
      description: 'of <b>two</b>',
      language: 'en',
      provider_name: 'The News',
      author_name: 'Ada',
      authors: [{ name: 'Ada', url: remote.url('/story'), account: null }],
      html: '',
      embed_url: '',
      width: 678,
      height: 339,
      image_description: 'Blue',
      blurhash: expect.any(String),
      image: expect.stringMatching(/\/media\/preview_cards\/\d+\/[\w-]{20,}\.jpg$/),
    })
    const file = await app.fetch(new URL(shown.image).pathname)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const asked = () => remote.requests.map((request) => [request.url, request.headers['user-agent']])
    expect(asked().map(([page]) => page)).toEqual(['/story?x=1', '/pic.jpg'])
    expect(asked()[0]?.[1]).toMatch(/^Stonechat\/.* Bot$/)
    const again = await bob.say(`me too ${url}`)
    expect(await cardOf(bob, again.id)).toEqual(shown)
    expect(asked()).toHaveLength(2)
    app.clock.advance(days(15))
    const later = await bob.say(`still ${url}`)
    expect((await cardOf(bob, later.id)).title).toBe('A story')
    expect(asked()).toHaveLength(4)
    const files = await readdir(path.join(app.ctx.config.dataDir, 'media', 'preview_cards'), {
      recursive: true,
    })
    expect(files.filter((name) => name.endsWith('.jpg'))).toHaveLength(1)
  })

  test('follows oEmbed; of a video it keeps the address of the frame alone, in a frame of ours [CNT-4]', async () => {
    const remote = await startRemote(
      open,
      site(() => ({
        '/video': {
          body: `<title>Page</title><link rel="alternate" type="application/json+oembed" href="/oembed">`,
        },
        '/oembed': {
          type: 'application/json',
          body: JSON.stringify({
            type: 'video',
            title: 'Film',
            author_name: 'Grace',
            author_url: 'https://films.example/grace',
            provider_name: 'Films',
            html: '<script>alert(1)</script><iframe src="https://films.example/e/1" onload="x()" width=9></iframe>',
            width: 480,
            height: 270,
          }),
        },
        '/rich': {
          body: `<title>Rich</title><link rel="alternate" type="text/xml+oembed" href="/rich.xml">`,
        },
        '/rich.xml': {
          type: 'text/xml',
          body: '<oembed><type>rich</type><title>Evil</title><html>&lt;b&gt;x&lt;/b&gt;</html></oembed>',
        },
      })),
    )
    const alice = await app.person('alice')
    const video = await alice.say(remote.url('/video'))
    expect(await cardOf(alice, video.id)).toMatchObject({
      type: 'video',
      title: 'Film',
      author_name: 'Grace',
      author_url: 'https://films.example/grace',
      provider_name: 'Films',
      embed_url: 'https://films.example/e/1',
      width: 480,
      height: 270,
      html:
        '<iframe src="https://films.example/e/1" width="480" height="270" frameborder="0" scrolling="no" ' +
        'allowfullscreen="" sandbox="allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms"></iframe>',
    })
    const rich = await alice.say(remote.url('/rich'))
    expect(await cardOf(alice, rich.id)).toMatchObject({ type: 'link', title: 'Rich', html: '' })
  })

  test('names the account of an author who writes for the site', async () => {
    const ada = await app.person('ada')
    const remote = await startRemote(
      open,
      site(() => ({
        '/1': {
          body: `<title>1</title><meta name="fediverse:creator" content="@${ada.username}@chat.example">`,
        },
        '/2': {
          body: `<title>2</title><meta name="fediverse:creator" content="@${ada.username}@chat.example">`,
        },
      })),
    )
    const first = await ada.say(remote.url('/1'))
    expect((await cardOf(ada, first.id)).authors).toEqual([])
    ;(await ada.patch('/api/v1/accounts/update_credentials', { attribution_domains: [open] })).ok()
    const second = await ada.say(remote.url('/2'))
    expect((await cardOf(ada, second.id)).authors).toMatchObject([{ account: { id: ada.accountId } }])
  })

  test('shows its author as they are now, and not once they are suspended [ACC-17]', async () => {
    const [ada, bob] = [await app.person('ada'), await app.person('bob')]
    const profile = { attribution_domains: [open], display_name: 'Before' }
    ;(await ada.patch('/api/v1/accounts/update_credentials', profile)).ok()
    const body = `<title>1</title><meta name="fediverse:creator" content="@${ada.username}@chat.example">`
    const remote = await startRemote(
      open,
      site(() => ({ '/': { body } })),
    )
    const { id } = await bob.say(remote.url('/'))
    const authors = async () => (await cardOf(bob, id)).authors
    expect(await authors()).toMatchObject([{ account: { display_name: 'Before' } }])
    ;(await ada.patch('/api/v1/accounts/update_credentials', { display_name: 'After' })).ok()
    expect(await authors()).toMatchObject([{ account: { display_name: 'After' } }])
    await app.ctx.db
      .updateTable('accounts')
      .set((eb) => ({ suspended_at: new Date(), version: eb('version', '+', 1) }))
      .where('id', '=', ada.accountId)
      .execute()
    expect(await authors()).toEqual([])
  })

  test('changes with an edit and gives way to media and quotes', async () => {
    const remote = await startRemote(
      open,
      site(() => ({ '/a': { body: '<title>A</title>' }, '/b': { body: '<title>B</title>' } })),
    )
    const alice = await app.person('alice')
    const { id } = await alice.say(`see ${remote.url('/a')}`)
    expect((await cardOf(alice, id)).title).toBe('A')
    const edit = async (status: string) => {
      ;(await alice.put(`/api/v1/statuses/${id}`, { status })).ok()
      return cardOf(alice, id)
    }
    expect((await edit(`see ${remote.url('/b')}`)).title).toBe('B')
    expect(await edit('nothing to see')).toBeNull()
    const quote = await alice.say(`see ${remote.url('/a')}`, { quoted_status_id: id })
    expect(await cardOf(alice, quote.id)).toBeNull()
  })
})

describe('no preview', () => {
  test('of pages without a title, of other types, of missing ones and of this server’s own', async () => {
    const remote = await startRemote(
      open,
      site(() => ({
        '/untitled': { body: '<p>hello' },
        '/text': { type: 'text/plain', body: '<title>no</title>' },
        '/gone': { status: 410, body: '<title>Gone</title>' },
      })),
    )
    const alice = await app.person('alice')
    for (const page of ['/untitled', '/text', '/gone', '/missing']) {
      const { id } = await alice.say(remote.url(page))
      expect([page, await cardOf(alice, id)]).toEqual([page, null])
    }
    const own = await alice.say(`http://chat.example/@${alice.username}`)
    expect(await cardOf(alice, own.id)).toBeNull()
    const plain = await alice.say('no link at all')
    expect(await cardOf(alice, plain.id)).toBeNull()
  })

  test('of pages, pictures, oEmbed and redirects on inner addresses: nobody there is asked [SSRF-11]', async () => {
    const inner = await startRemote(
      closed,
      site(() => ({ '/': { body: '<title>secret</title>' } })),
    )
    const outer = await startRemote(
      open,
      site(() => ({
        '/redirect': { status: 302, location: inner.url('/') },
        '/picture': {
          body: `<title>Picture</title><meta property="og:image" content="${inner.url('/pic.jpg')}">`,
        },
        '/oembed': {
          body: `<title>Outer</title><link rel=alternate type=application/json+oembed href="${inner.url('/o')}">`,
        },
      })),
    )
    const alice = await app.person('alice')
    const show = async (url: string) => cardOf(alice, (await alice.say(url)).id)
    expect(await show(inner.url('/'))).toBeNull()
    expect(await show(outer.url('/redirect'))).toBeNull()
    expect(await show(outer.url('/picture'))).toMatchObject({ title: 'Picture', image: null, blurhash: null })
    expect(await show(outer.url('/oembed'))).toMatchObject({ title: 'Outer' })
    expect(inner.connections).toBe(0)
  })

  test('of an endless page its beginning is read, and of a bomb of a picture nothing [SSRF-8] [CNT-16]', async () => {
    const bomb = Buffer.from(
      await sharp({ create: { width: 10, height: 10, channels: 3, background: '#000' } })
        .png()
        .toBuffer(),
    )
    bomb.writeUInt32BE(50_000, 16)
    bomb.writeUInt32BE(50_000, 20)
    const remote = await startRemote(open, (request, response) => {
      if (request.url === '/bomb.png') return void response.setHeader('content-type', 'image/png').end(bomb)
      response.writeHead(200, { 'content-type': 'text/html' })
      response.write('<title>Endless</title><meta property="og:image" content="/bomb.png">')
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    const alice = await app.person('alice')
    const { id } = await alice.say(remote.url('/'))
    expect(await cardOf(alice, id)).toMatchObject({ title: 'Endless', image: null })
  })

  test('a page that could not be fetched is tried again by a later post', async () => {
    let up = false
    const remote = await startRemote(open, (_, response) => {
      if (!up) return void response.destroy()
      response.setHeader('content-type', 'text/html').end('<title>Back</title>')
    })
    const alice = await app.person('alice')
    const first = await alice.say(remote.url('/'))
    expect(await cardOf(alice, first.id)).toBeNull()
    up = true
    const second = await alice.say(remote.url('/'))
    expect(await cardOf(alice, second.id)).toBeNull()
    app.clock.advance(3_700_000)
    const third = await alice.say(remote.url('/'))
    expect(await cardOf(alice, third.id)).toMatchObject({ title: 'Back' })
    expect((await cardOf(alice, first.id)).title).toBe('Back')
  })

  test.each([429, 503])('a page answered with %i is tried again too', async (status) => {
    let up = false
    const remote = await startRemote(
      open,
      site(() => ({ '/': { status: up ? 200 : status, body: '<title>Back</title>' } })),
    )
    const alice = await app.person('alice')
    expect(await cardOf(alice, (await alice.say(remote.url('/'))).id)).toBeNull()
    up = true
    app.clock.advance(3_700_000)
    expect(await cardOf(alice, (await alice.say(remote.url('/'))).id)).toMatchObject({ title: 'Back' })
  })

  test('control characters in a title are left out', async () => {
    const remote = await startRemote(
      open,
      site(() => ({ '/': { body: '<title>a\0b\u0001c</title>' } })),
    )
    const alice = await app.person('alice')
    const card = await cardOf(alice, (await alice.say(remote.url('/'))).id)
    expect(card.title).toMatch(/^a.?bc$/)
  })

  test('blocked hosts are asked for nothing, neither at once nor by way of another [SSRF-20]', async () => {
    const [blocked, other] = ['127.0.0.7', open]
    const bad = await startRemote(
      blocked,
      site(() => ({ '/': { body: '<title>bad</title>' } })),
    )
    const good = await startRemote(
      other,
      site(() => ({ '/': { status: 302, location: bad.url('/') } })),
    )
    await app.ctx.db
      .insertInto('domain_blocks')
      .values({ id: app.ctx.newId(), domain: blocked, severity: 'suspend' })
      .execute()
    const alice = await app.person('alice')
    expect(await cardOf(alice, (await alice.say(bad.url('/'))).id)).toBeNull()
    expect(await cardOf(alice, (await alice.say(good.url('/'))).id)).toBeNull()
    expect([good.requests.length, bad.connections]).toEqual([1, 0])
    await app.ctx.db.deleteFrom('domain_blocks').execute()
    app.clock.advance(3_700_000)
    expect(await cardOf(alice, (await alice.say(good.url('/'))).id)).toMatchObject({ title: 'bad' })
  })
})

test('cards that nothing shows are removed after a month, with their pictures', async () => {
  const { purgeCards } = await import('#domain/content/cards/purge.ts')
  const image = await picture('#993366')
  const remote = await startRemote(
    open,
    site(() => ({
      '/kept': { body: '<title>Kept</title>' },
      '/left': { body: '<title>Left</title><meta property="og:image" content="/pic.jpg">' },
      '/pic.jpg': { type: 'image/jpeg', body: image },
    })),
  )
  const alice = await app.person('alice')
  const kept = await alice.say(remote.url('/kept'))
  const left = await alice.say(remote.url('/left'))
  const shown = await cardOf(alice, left.id)
  ;(await alice.put(`/api/v1/statuses/${left.id}`, { status: 'no more' })).ok()
  await app.settle()
  app.clock.advance(days(31))
  expect(await purgeCards(app.ctx)).toBeGreaterThanOrEqual(1)
  await app.settle()
  expect((await app.fetch(new URL(shown.image).pathname)).status).toBe(404)
  expect((await cardOf(alice, kept.id)).title).toBe('Kept')
})

test('a card knows who publishes its page, and what staff decided about the page holds for it', async () => {
  const body = '<title>Same</title><link rel="canonical" href="/same">'
  const remote = await startRemote(
    open,
    site(() => ({ '/same?a': { body }, '/same?b': { body } })),
  )
  const alice = await app.person('alice')
  const first = await alice.say(remote.url('/same?a'))
  await app.settle()
  const read = async (url: string) => {
    const { rows } = await sql<{ id: string; trendable: boolean | null; domain: string }>`
      select c.id, c.trendable, p.domain from preview_cards c join preview_card_providers p on p.id = c.provider_id
      where c.url = ${url}`.execute(app.ctx.db)
    return rows[0]
  }
  const known = await read(remote.url('/same?a'))
  expect(known).toMatchObject({ trendable: null, domain: open })
  await reviewLink(app.ctx, 'operator', asId<PreviewCardId>(known?.id as string), false)
  expect(await cardOf(alice, (await alice.say(remote.url('/same?b'))).id)).toMatchObject({ title: 'Same' })
  expect(await read(remote.url('/same?b'))).toMatchObject({ trendable: false, domain: open })
  expect((await cardOf(alice, first.id)).title).toBe('Same')
})
