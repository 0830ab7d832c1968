import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { uncleanIn } from '#test/contracts/clean-html.ts'
import { extractMarkdownNames, renderMarkdown } from './markdown.ts'
import { renderText, type RenderOptions } from './render-text.ts'
import { growsWithLength } from '#test/run/growth.ts'
import { runs } from '#test/run/night.ts'

const options: RenderOptions = {
  mentionUrl: (username, domain) =>
    username === 'nobody'
      ? null
      : { url: `https://${domain ?? 'here.example'}/@${username}`, label: username },
  tagUrl: (name) => `https://here.example/tags/${encodeURIComponent(name)}`,
}
const render = (text: string) => renderMarkdown(text, options)
/** A text of one paragraph as it is in a post without Markdown, without the paragraph. */
const plain = (text: string) => renderText(text, { ...options, multiline: false })
/** Quotes may be written as references or not. */
const sameQuotes = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&#39;', "'")
const link = (href: string, text: string) =>
  `<a href="${href}" rel="nofollow noopener" target="_blank">${text}</a>`

describe('marks', () => {
  test.each([
    [
      '**bold** _italic_ ~~gone~~ `code`',
      '<p><strong>bold</strong> <em>italic</em> <s>gone</s> <code>code</code></p>',
    ],
    ['one\ntwo  \nthree\n\nfour', '<p>one<br />two<br />three</p><p>four</p>'],
    ['# One\n\nTwo\n---\n', '<p><strong>One</strong></p><p><strong>Two</strong></p>'],
    ['- a\n- b\n  - c', '<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>'],
    ['3. a\n4. b', '<ol start="3"><li>a</li><li>b</li></ol>'],
    ['> a\n> b', '<blockquote><p>a<br />b</p></blockquote>'],
    ['```js\nif (a < b)\n  c\n```', '<pre><code>if (a &lt; b)\n  c\n</code></pre>'],
    ['    indented & code', '<pre><code>indented &amp; code\n</code></pre>'],
    ['a | b\n--|--\n1 | 2', '<p>a | b<br />--|--<br />1 | 2</p>'],
    ['a\n\n***\n\nb', '<p>a</p><p>***</p><p>b</p>'],
    ['[text](https://a.co/x "title")', `<p>${link('https://a.co/x', 'text')}</p>`],
    ['[text][1]\n\n[1]: https://a.co', `<p>${link('https://a.co', 'text')}</p>`],
    ['![a cat](https://a.co/c.png)', `<p>${link('https://a.co/c.png', 'a cat')}</p>`],
    ['![](https://a.co/c.png)', `<p>${link('https://a.co/c.png', 'https://a.co/c.png')}</p>`],
    ['[![a @cat](https://a.co/c.png)](https://b.co)', `<p>${link('https://b.co', 'a @cat')}</p>`],
    [' \n\t', ''],
  ])('%j', (text, html) => {
    expect(render(text)).toBe(html)
  })
})

describe('addresses, mentions and hashtags are linked as in plain text', () => {
  test.each([
    'Hi @alice, @bob@example.com and @nobody: see https://example.com/a?b=c&d#e #Tag #日本',
    'https://example.com/_a_/*b*/~c~',
    '@a_b_c #snake_case_tag https://www.example.com/a/very/long/path/that/goes/on/and/on',
    '(https://example.com/x) "#tag", <3 & more',
  ])('%s', (text) => {
    expect(sameQuotes(render(text))).toBe(sameQuotes(`<p>${plain(text)}</p>`))
  })

  test('any text of these and of words is the same with Markdown and without', () => {
    const word = fc.constantFrom(
      '@alice',
      '@bob@example.com',
      '@nobody',
      '#Tag',
      '#a_b',
      'https://example.com/a_b_c?d=*e*',
      'word',
      ':smile:',
      "it's",
      'é',
      '😀',
      'x=y',
      'a&b',
    )
    const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => `So ${words.join(' ')}`)
    const text = fc.array(
      fc.array(line, { minLength: 1 }).map((lines) => lines.join('\n')),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(
        text.map((paragraphs) => paragraphs.join('\n\n')),
        (written) => {
          expect(sameQuotes(render(written))).toBe(sameQuotes(renderText(written, options)))
        },
      ),
    )
  })

  test.each([
    ['**@alice**', `<p><strong>${plain('@alice')}</strong></p>`],
    ['*https://a.co/x*', `<p><em>${plain('https://a.co/x')}</em></p>`],
    ['<https://a.co/x>', `<p>${plain('https://a.co/x')}</p>`],
    ['[#tag]', `<p>[${plain('#tag')}]</p>`],
    ['# @alice\n- #tag', `<p><strong>${plain('@alice')}</strong></p><ul><li>${plain('#tag')}</li></ul>`],
    ['http://[::1]/x', `<p>${plain('http://[::1]/x')}</p>`],
    [
      '[https://a.co](https://b.co) https://c.co',
      `<p>${link('https://b.co', 'https://a.co')} ${plain('https://c.co')}</p>`,
    ],
    ['[@alice #tag](https://b.co)', `<p>${link('https://b.co', '@alice #tag')}</p>`],
    ['\\@alice \\#tag', '<p>@alice #tag</p>'],
    ['`@alice #tag https://a.co`', '<p><code>@alice #tag https://a.co</code></p>'],
    ['```\n@alice #tag https://a.co\n```', '<pre><code>@alice #tag https://a.co\n</code></pre>'],
  ])('%j', (text, html) => {
    expect(render(text)).toBe(html)
  })

  test('names are those that are linked', () => {
    const names = extractMarkdownNames(
      '@alice `@code` \\@escaped [@linked](https://a.co) ![@shown](https://a.co) > #Tag\n\n```\n#code\n```\n\n- @bob@example.com',
    )
    expect(names.mentions.map(({ username, domain }) => [username, domain])).toEqual([
      ['alice', null],
      ['bob', 'example.com'],
    ])
    expect(names.hashtags.map(({ name, display }) => [name, display])).toEqual([['tag', 'Tag']])
  })
})

describe('raw HTML is text [CNT-6]', () => {
  test.each([
    ['<b>x</b>', '<p>&lt;b&gt;x&lt;/b&gt;</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['<div>\n*x*\n</div>', '<p>&lt;div&gt;<br /><em>x</em><br />&lt;/div&gt;</p>'],
    ['&lt;img src=x onerror=alert(1)&gt;', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    ['<!-- x -->', '<p>&lt;!-- x --&gt;</p>'],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](<data:text/html,y>)', '<p>[x](&lt;data:text/html,y&gt;)</p>'],
    ['[x](/settings) [y](//evil.example) [z](mailto:a@b.co)', '<p>x y z</p>'],
    ['![x](javascript:alert(1))', '<p>![x](javascript:alert(1))</p>'],
    ['[x](https://a.co/"onmouseover="y)', `<p>${link('https://a.co/%22onmouseover=%22y', 'x')}</p>`],
    ['<javascript:alert(1)>', '<p>&lt;javascript:alert(1)&gt;</p>'],
    ['```"><script>\nx\n```', '<pre><code>x\n</code></pre>'],
  ])('%j', (text, html) => {
    expect(sameQuotes(render(text))).toBe(html)
  })

  test('random Markdown of hostile pieces comes out clean', () => {
    const piece = fc.constantFrom(
      '<script>',
      '</p>',
      '<img src=x onerror=y>',
      '<a href="javascript:x">',
      '[',
      ']',
      '(',
      ')',
      '![',
      '](',
      '](https://a.co "',
      '<https://a.co/"x>',
      '`',
      '```\n',
      '~~~',
      '    ',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '1. ',
      '# ',
      '---\n',
      '***',
      '**',
      '_',
      '~~',
      '\\',
      '"',
      "'",
      '<',
      '>',
      '&',
      '&lt;',
      '&#60;',
      '@alice',
      '@bob@example.com',
      '#tag',
      'https://a.co/x_y',
      'javascript:alert(1)',
      'data:text/html,x',
      ':smile:',
      '[1]: javascript:x\n',
      '[1]',
      ' ',
      'x',
      '😀',
      '\0',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(uncleanIn(render(pieces.join('')), true)).toEqual([])
      }),
      { numRuns: runs(1000) },
    )
  })
})

test('emoji shortcodes stay, in code, addresses and elsewhere [CNT-8]', () => {
  expect(render(':blob_cat: `:blob_cat:` [:blob_cat:](https://a.co/:blob_cat:/)')).toBe(
    `<p>:blob_cat: <code>:blob_cat:</code> ${link('https://a.co/:blob_cat:/', ':blob_cat:')}</p>`,
  )
})

test.each([
  '*',
  '_a',
  '**a ',
  '[',
  '![',
  '](',
  '[a](',
  '`',
  '``` ',
  '> ',
  '- ',
  '1. ',
  '#',
  '~~',
  '<',
  '<a',
  '\\',
  '&',
  '@a@a.co ',
  '#a ',
  'http://a.co/[',
  'http://a.co ',
  '[a]: b\n',
  '\n',
  'a\n',
  '<http://a.co',
  '*a_',
])('50 kB of %j cost what their length costs [CNT-21]', (piece) => {
  expect(growsWithLength(render, piece, 50_000)).toBe(true)
})
