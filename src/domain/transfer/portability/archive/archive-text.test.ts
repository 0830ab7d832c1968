import { describe, expect, test } from 'vitest'
import type { ArchivedPost } from './archive-post.ts'
import { readItem } from './archive-post.ts'
import { readText } from './archive-text.ts'
import { growsWithLength } from '#test/run/growth.ts'

const settings = { markdown: false, ownDomains: ['new.example'] }

function post(object: object): ArchivedPost {
  const item = readItem({
    type: 'Create',
    actor: 'https://old.example/users/ann',
    published: '2020-01-01T00:00:00Z',
    object: { id: 'https://old.example/1', type: 'Note', ...object },
  })
  if (item.kind !== 'post') throw new Error(JSON.stringify(item))
  return item
}

const textOf = (content: string, more: object = {}) => readText(post({ content, ...more }), settings).text

const mention = (href: string, shown: string, classes = 'u-url mention') =>
  `<span class="h-card"><a href="${href}" class="${classes}">@<span>${shown}</span></a></span>`

describe('the text of a post from elsewhere', () => {
  test('has its paragraphs and lines', () => {
    expect(textOf('<p>one<br>two</p><p>three &lt;b&gt; &amp; so on</p>')).toBe(
      'one\ntwo\n\nthree <b> & so on',
    )
    expect(textOf('<ul><li>a</li><li>b</li></ul><blockquote>c</blockquote>')).toBe('a\nb\n\nc')
    expect(textOf('<script>alert(1)</script><p>x</p>')).toContain('x')
  })

  test('names people with their server, but for people of this one', () => {
    expect(textOf(`<p>${mention('https://far.example/@bob', 'bob')} hi</p>`)).toBe('@bob@far.example hi')
    expect(textOf(`<p>${mention('https://new.example/@bob', 'bob')} hi</p>`)).toBe('@bob hi')
    expect(textOf(`<p>${mention('https://far.example/@bob', 'bob@far.example')}</p>`)).toBe(
      '@bob@far.example',
    )
    expect(textOf('<p>@bob</p>')).toBe('@bob')
    expect(textOf(`<p>${mention('javascript:x', 'bob')}</p>`)).toBe('@bob')
  })

  test('has addresses in place of shortened links, and of links behind words', () => {
    const long = 'https://birds.org/a/very/long/path/indeed'
    expect(
      textOf(
        `<p><a href="${long}"><span class="invisible">https://</span><span class="ellipsis">birds.org/a/very</span><span class="invisible">/long/path/indeed</span></a>!</p>`,
      ),
    ).toBe(`${long}!`)
    expect(textOf(`<a href="${long}">birds.org/a/very…</a>`)).toBe(long)
    expect(textOf(`see <a href="${long}">this <b>page</b></a>.`)).toBe(`see this page (${long}).`)
    expect(textOf('<a href="https://old.example/tags/x" class="mention hashtag">#<span>x</span></a>')).toBe(
      '#x',
    )
    expect(textOf('<a href="javascript:alert(1)">x</a>')).toBe('x')
    expect(textOf('<a href="https://a.org">open')).toBe('open (https://a.org)')
  })

  test('leaves out the line for those who cannot show quotes', () => {
    const html =
      '<p class="quote-inline">RE: <a href="https://x.example/1"><span class="invisible">https://</span>x</a></p><p>mine</p>'
    expect(textOf(html)).toBe('mine')
    expect(textOf('<span class="quote-inline"><span>RE: a</span> b</span>mine')).toBe('mine')
  })

  test('is what was written, where that is told', () => {
    const tag = [
      { type: 'Mention', href: 'https://old.example/users/bob', name: '@bob' },
      { type: 'Mention', href: 'https://far.example/users/eve', name: '@eve@far.example' },
    ]
    const plain = {
      source: { content: '  @bob, @Bob. x@bob @bob@far.example @eve #a  b\n', mediaType: 'text/plain' },
      tag,
    }
    expect(textOf('<p>no</p>', plain)).toBe(
      '@bob@old.example, @Bob@old.example. x@bob @bob@far.example @eve #a  b',
    )
    const markdown = post({
      content: '<p><b>x</b></p>',
      source: { content: '**x**', mediaType: 'text/markdown' },
    })
    expect(readText(markdown, settings)).toEqual({ text: 'x', contentType: 'text/plain' })
    expect(readText(markdown, { ...settings, markdown: true })).toEqual({
      text: '**x**',
      contentType: 'text/markdown',
    })
    expect(textOf('<p>a</p>', { source: { content: '[b]a[/b]', mediaType: 'text/bbcode' } })).toBe('a')
  })

  test('takes linear time, whatever comes', () => {
    for (const piece of [
      '<a href="https://a.org">',
      '<p class="quote-inline">',
      '@bob',
      '&amp',
      '<',
      '@a.',
      '@a-',
    ]) {
      const tag = [{ type: 'Mention', href: 'https://old.example/users/bob', name: '@bob' }]
      const plainTextOf = (content: string) =>
        textOf('', { source: { content, mediaType: 'text/plain' }, tag })
      for (const read of [textOf, plainTextOf])
        expect([piece, growsWithLength((text) => read(text), piece, 200_000)]).toEqual([piece, true])
    }
  })
})
