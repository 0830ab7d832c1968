import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNote } from './read-note.ts'
import { maxCount } from '#federation/kit/json.ts'
import { readVisibility } from './visibility.ts'
import { growsWithLength } from '#test/run/growth.ts'
import { runs } from '#test/run/night.ts'

const now = Date.UTC(2026, 0, 1)
const everyone = 'https://www.w3.org/ns/activitystreams#Public'
const note = (more: Record<string, unknown> = {}) => ({
  id: 'https://away.example/notes/1',
  type: 'Note',
  attributedTo: 'https://away.example/users/bob',
  content: '<p>hello</p>',
  ...more,
})
const read = (more: Record<string, unknown> = {}) => readNote(note(more), now)

const names = [
  'id',
  'type',
  'url',
  'content',
  'contentMap',
  'summary',
  'name',
  'tag',
  'attachment',
  'to',
  'cc',
  'oneOf',
  'anyOf',
  'endTime',
  'closed',
  'votersCount',
  'quote',
  'interactionPolicy',
  'canQuote',
  'automaticApproval',
  'replies',
  'first',
  'items',
  'likes',
  'totalItems',
  'published',
  'updated',
  'inReplyTo',
  'conversation',
  'icon',
  'href',
  'mediaType',
  'focalPoint',
  'blurhash',
  'width',
  'height',
  'attributedTo',
  'rel',
  '__proto__',
  'constructor',
]
const words = [
  'Note',
  'Question',
  'Article',
  'Mention',
  'Hashtag',
  'Emoji',
  'Document',
  'Link',
  ':cat:',
  '#tag',
  everyone,
  'bear:?u=x',
  'https://away.example/notes/1',
  'http://[',
  'https://user:pass@x.example/',
  '\0',
  '\ud800',
  '<p>',
  'image/png',
]
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...words),
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 8 }),
  ),
})).value

const author = 'https://away.example/users/bob'
const nobody = { uri: author, followersUrl: null }

describe('what is read of a note', () => {
  test('any document at all is read without failing', () => {
    const documents = fc.dictionary(fc.constantFrom(...names), anything)
    const property = fc.property(documents, (document) => {
      const [plain, whole] = [readNote(document, now), readNote(note(document), now)]
      return [plain, whole].every((one) => one === null || one.uri.startsWith('http'))
    })
    expect(fc.check(property, { numRuns: runs(2_000) })).toMatchObject({ failed: false })
  })

  test('every spelling of the public, single or listed, counts as the usual one [FED-33]', () => {
    for (const spelling of [everyone, 'as:Public', 'Public', { id: everyone }]) {
      for (const to of [spelling, [spelling], ['https://x.example/u', spelling]]) {
        const audience = read({ to })?.audience ?? { to: [], cc: [] }
        expect(readVisibility(audience, nobody, [])).toBe('public')
        const asCopy = read({ cc: to })?.audience ?? { to: [], cc: [] }
        expect(readVisibility(asCopy, nobody, [])).toBe('unlisted')
      }
    }
    for (const spelling of [
      'as:public',
      'public',
      `${everyone}#`,
      'https://www.w3.org/ns/activitystreams',
      `${everyone} `,
    ]) {
      const audience = read({ to: [spelling] })?.audience ?? { to: [], cc: [] }
      expect(readVisibility(audience, nobody, [])).toBe('limited')
    }
  })

  test('a note is never seen by more than it is addressed to [FED-33]', () => {
    const followersUrl = 'https://away.example/users/bob/followers'
    const actor = fc.constantFrom(
      'https://a.example/1',
      'https://a.example/2',
      followersUrl,
      everyone,
      'x',
      'as:Public',
    )
    const lists = fc.record({ to: fc.array(actor), cc: fc.array(actor) })
    fc.assert(
      fc.property(lists, fc.array(actor), (audience, tagged) => {
        const visibility = readVisibility(audience, { uri: author, followersUrl }, tagged)
        const all = [...audience.to, ...audience.cc]
        const isPublic = all.includes(everyone) || all.includes('as:Public')
        expect(visibility === 'public' || visibility === 'unlisted').toBe(isPublic)
        const isTo = audience.to.some((one) => one === everyone || one === 'as:Public')
        expect(visibility === 'public').toBe(isTo)
        expect(visibility !== 'private' || all.includes(followersUrl)).toBe(true)
      }),
    )
  })

  test('what is addressed to its own author too is not for more than those it names', () => {
    const audience = { to: ['https://a.example/1', author], cc: [] }
    expect(readVisibility(audience, nobody, ['https://a.example/1'])).toBe('direct')
  })

  test('a page counts only on the host of the note [FED-17]', () => {
    expect(read({ url: 'https://away.example/@bob/1' })?.url).toBe('https://away.example/@bob/1')
    expect(read({ url: 'https://bank.example/@bob/1' })?.url).toBeNull()
    expect(read({ url: 'javascript:alert(1)' })?.url).toBeNull()
    const links = [
      { type: 'Link', mediaType: 'video/mp4', href: 'https://away.example/1.mp4' },
      { type: 'Link', mediaType: 'text/html', href: 'https://away.example/w/1' },
    ]
    expect(read({ url: links })?.url).toBe('https://away.example/w/1')
  })

  test('what is no status is none', () => {
    for (const type of ['Person', 'Like', 'ChatMessage', 'Tombstone', undefined, 'note', ['x']]) {
      expect(read({ type })).toBeNull()
    }
    for (const id of [undefined, null, '', 'tag:x', 'ap://did:key:z/1', 7, {}])
      expect(read({ id })).toBeNull()
    expect(read({ id: 'bear:?t=abc&u=https://away.example/notes/9' })?.uri).toBe(
      'https://away.example/notes/9',
    )
  })

  test('text, warning and language are taken from where they are', () => {
    expect(read({ content: '<p onclick="x()">a<script>b</script></p>' })?.content).toBe('<p>a</p>')
    const inLanguages = read({ content: null, contentMap: { 'de-AT': '<p>Servus</p>', en: '<p>Hi</p>' } })
    expect(inLanguages).toMatchObject({ content: '<p>Servus</p>', language: 'de' })
    expect(read({ summary: ' careful\u0007 ' })?.spoilerText).toBe('careful')
  })

  test.each(['Article', 'Page', 'Video', 'Audio', 'Image', 'Event'])(
    'of %s title, summary and link are shown',
    (type) => {
      const shown = read({ type, name: 'A <b>title</b>', summary: 'Short', url: 'https://away.example/w/1' })
      expect(shown?.spoilerText).toBe('')
      expect(shown?.content).toContain('A &lt;b&gt;title&lt;/b&gt;')
      expect(shown?.content).toContain('Short')
      expect(shown?.content).toContain('href="https://away.example/w/1"')
      expect(shown?.content).not.toContain('hello')
    },
  )

  test('odd attachments are left out, and four of the others are kept [FED-51]', () => {
    const picture = (n: number) => ({
      type: 'Document',
      mediaType: 'image/png',
      url: `https://away.example/${n}.png`,
    })
    const attachment = [
      null,
      7,
      'x',
      {},
      { type: 'Note', url: 'https://away.example/x.png' },
      { type: 'Document', url: null },
      { url: 'https://away.example/no-type.png' },
      { type: 'Image', url: 'data:image/png;base64,x' },
      { type: 'Document', mediaType: 'application/pdf', url: 'https://away.example/a.pdf' },
      {
        type: 'Image',
        url: [{ type: 'Link', href: 'https://away.example/0.png' }],
        width: 0,
        height: 0,
        focalPoint: [2, 0],
      },
      ...[1, 2, 3, 4].map(picture),
    ]
    const media = read({ attachment })?.media
    expect(media?.map((one) => one.url)).toEqual([0, 1, 2, 3].map((n) => `https://away.example/${n}.png`))
    expect(media?.[0]).toMatchObject({ type: 'image', focus: null, facts: {} })
  })

  test('what an attachment says of itself is kept when it can be true', () => {
    const attachment = {
      type: 'Document',
      mediaType: 'image/jpeg',
      url: 'https://away.example/1.jpg',
      name: 'A cat',
      blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
      focalPoint: [-0.5, 0.25],
      width: 640,
      height: 480,
      icon: { type: 'Image', url: 'https://away.example/1s.jpg' },
    }
    expect(read({ attachment })?.media).toEqual([
      {
        type: 'image',
        url: 'https://away.example/1.jpg',
        previewUrl: 'https://away.example/1s.jpg',
        description: 'A cat',
        blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
        focus: { x: -0.5, y: 0.25 },
        facts: { width: 640, height: 480 },
      },
    ])
    expect(read({ attachment: { ...attachment, blurhash: 'UBL_:rOp' } })?.media[0]?.blurhash).toBeNull()
  })

  test('polls are cut to what can be shown, at the cost of their length [FED-43]', () => {
    const oneOf = Array.from({ length: 100_000 }, (_, n) => ({
      name: `${n} ${'x'.repeat(2_000)}`,
      replies: { totalItems: n },
    }))
    const poll = read({ type: 'Question', oneOf, votersCount: 1e12 })?.poll
    const ofLength = ({ length }: string) => read({ type: 'Question', oneOf: oneOf.slice(0, length) })
    expect(growsWithLength(ofLength, 'x', oneOf.length)).toBe(true)
    expect(poll?.options).toHaveLength(500)
    expect(Math.max(...(poll?.options ?? []).map((option) => option.length))).toBeLessThanOrEqual(500)
    expect(poll?.votersCount).toBe(maxCount)
  })

  test('a poll says when it ends in several ways', () => {
    const oneOf = [
      { type: 'Note', name: 'a' },
      { type: 'Note', name: 'b', replies: { totalItems: 3 } },
    ]
    const question = (more: Record<string, unknown>) => read({ type: 'Question', oneOf, ...more })?.poll
    expect(question({})).toMatchObject({
      options: ['a', 'b'],
      tallies: [0, 3],
      multiple: false,
      expiresAt: null,
    })
    expect(question({ endTime: '2027-01-01T00:00:00Z' })?.expiresAt).toEqual(new Date('2027-01-01T00:00:00Z'))
    expect(question({ closed: '2025-01-01T00:00:00Z' })?.expiresAt).toEqual(new Date('2025-01-01T00:00:00Z'))
    expect(question({ closed: true })?.expiresAt).toEqual(new Date(now))
    expect(read({ type: 'Question', anyOf: oneOf })?.poll?.multiple).toBe(true)
    expect(read({ type: 'Question' })?.poll).toBeNull()
  })

  test('quotes are read in all dialects, the standard first', () => {
    const [one, other] = ['https://q.example/1', 'https://q.example/2']
    for (const name of ['quote', 'quoteUri', 'quoteUrl', '_misskey_quote']) {
      expect(read({ [name]: one })?.quote).toEqual({ uri: one, approvalUri: null })
    }
    expect(read({ quote: one, quoteUri: other, quoteAuthorization: 'https://q.example/s' })?.quote).toEqual({
      uri: one,
      approvalUri: 'https://q.example/s',
    })
    const link = (more: object) => read({ tag: [{ type: 'Link', href: one, ...more }] })?.quote?.uri
    expect(link({ rel: 'https://misskey-hub.net/ns#_misskey_quote' })).toBe(one)
    expect(link({ mediaType: 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"' })).toBe(
      one,
    )
    expect(link({ mediaType: 'text/html' })).toBeUndefined()
  })

  test('names are read, each once, and not without end', () => {
    const tag = [
      { type: 'Mention', href: 'https://a.example/u' },
      { type: 'Mention', href: 'https://a.example/u' },
      { type: 'Hashtag', name: '#Cats' },
      { type: 'Hashtag', name: 'cats' },
      { type: 'Hashtag', name: '#12' },
      { type: 'Hashtag', name: '#a b' },
      {
        type: 'Emoji',
        name: ':blob:',
        icon: { url: 'https://a.example/b.png' },
        updated: '2025-01-01T00:00:00Z',
      },
      { type: 'Emoji', name: ':no icon:', icon: {} },
      ...Array.from({ length: 10_000 }, (_, n) => ({ type: 'Mention', href: `https://a.example/${n}` })),
    ]
    const named = read({ tag })
    expect(named?.hashtags).toEqual([{ name: 'cats', display: 'Cats' }])
    expect(named?.mentions).toHaveLength(100)
    expect(named?.emojis).toMatchObject([{ shortcode: 'blob', imageUrl: 'https://a.example/b.png' }])
  })

  test('of replies only what the host of the note says of itself is believed', () => {
    const items = [
      'https://away.example/notes/2',
      'https://b.example/3',
      { id: 'https://away.example/notes/4' },
    ]
    const replies = { id: 'https://away.example/notes/1/replies', type: 'Collection', first: { items } }
    expect(read({ replies })).toMatchObject({
      repliesUrl: 'https://away.example/notes/1/replies',
      replyUris: ['https://away.example/notes/2', 'https://away.example/notes/4'],
    })
    expect(read({ replies: 'https://b.example/replies' })?.repliesUrl).toBeNull()
  })
})
