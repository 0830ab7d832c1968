import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readStrictly, uncleanIn } from '#test/contracts/clean-html.ts'
import { maxDepth, sanitizeHtml, sanitizeOwnHtml } from './sanitize.ts'
import { growsWithLength } from '#test/run/growth.ts'
import { runs } from '#test/run/night.ts'

const link = (href: string, text: string) =>
  `<a href="${href}" rel="nofollow noopener" target="_blank">${text}</a>`

describe('what is kept', () => {
  test.each([
    ['plain text', 'plain text'],
    ['<p>one<br>two</p><p>three</p>', '<p>one<br />two</p><p>three</p>'],
    ['<del>a</del><s>b</s><b>c</b><strong>d</strong><u>e</u><i>f</i><em>g</em>', null],
    ['<pre><code>a &lt; b\n  c</code></pre><blockquote><p>q</p></blockquote>', null],
    ['<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>', null],
    [
      '<ol start="3" reversed><li value="7">a</li></ol>',
      '<ol start="3" reversed="reversed"><li value="7">a</li></ol>',
    ],
    ['<ol start="x"><li value="1e9">a</li></ol>', '<ol><li>a</li></ol>'],
    ['<ruby>明日<rp>(</rp><rt>あした</rt><rp>)</rp></ruby>', null],
    ['<p lang="ja"><em lang="zh-Hant-TW">語</em></p>', null],
    ['<p lang="&quot; onclick">x</p>', '<p>x</p>'],
    [
      '<h1>Title</h1><p>text</p><h6>End</h6>',
      '<p><strong>Title</strong></p><p>text</p><p><strong>End</strong></p>',
    ],
    ['<p class="quote-inline x">RE: y</p>', '<p class="quote-inline">RE: y</p>'],
    [
      '<span class="h-card p-name u-url dt-start e-content evil mention2">x</span>',
      '<span class="h-card p-name u-url dt-start e-content">x</span>',
    ],
    ['<b class="mention" style="color:red" id="x">x</b>', '<b>x</b>'],
    [
      '<span translate="no">x</span><span translate="yes">y</span>',
      '<span translate="no">x</span><span>y</span>',
    ],
    ['&lt;b&gt; &amp;amp; &#x3C;script> &copy; "quoted"', '&lt;b&gt; &amp;amp; &lt;script&gt; © "quoted"'],
  ])('%s', (html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected ?? html)
  })

  test('mentions and hashtags as Mastodon sends them', () => {
    const html =
      '<p><span class="h-card" translate="no"><a href="https://a.example/@bob" class="u-url mention">@<span>bob</span></a></span> ' +
      '<a href="https://a.example/tags/x" class="mention hashtag" rel="tag">#<span>x</span></a></p>'
    expect(sanitizeHtml(html)).toBe(
      '<p><span class="h-card" translate="no"><a href="https://a.example/@bob" rel="nofollow noopener" target="_blank" class="u-url mention">@<span>bob</span></a></span> ' +
        '<a href="https://a.example/tags/x" rel="nofollow noopener" target="_blank" class="mention hashtag">#<span>x</span></a></p>',
    )
  })
})

describe('what browsers run or load is gone [CNT-1]', () => {
  test.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<SCRIPT SRC=//evil.example/x.js></SCRIPT >a', 'a'],
    ['<style>p{color:red}</style>a', 'a'],
    ['<iframe src="https://evil.example/">in</iframe>a', 'a'],
    ['<svg><g onload=alert(1)></g><script>x</script></svg>a', 'a'],
    ['<svg/onload=alert(1)>a</svg>b', 'b'],
    ['<svg/>a', 'a'],
    ['<template><p>x</p></template>a', 'a'],
    ['<noscript><img src=x onerror=alert(1)></noscript>a', 'a'],
    ['<xmp><b>x</b></xmp><noembed>y</noembed><noframes>z</noframes>a', 'a'],
    ['a<plaintext>b</p>', 'a'],
    ['<img src=x onerror=alert(1)>a', 'a'],
    ['<p onclick="alert(1)" style="x" id="y" data-z="1">a</p>', '<p>a</p>'],
    ['<form action=/x><input name=y><button>send</button></form>', 'send'],
    ['<video src=x autoplay>v</video><audio>w</audio><object data=x>o</object><embed src=x>', 'vwo'],
    ['<base href="//evil.example/"><link rel=stylesheet href=x><meta http-equiv=refresh content=0>a', 'a'],
    ['a<!-- <b>x</b> -->b<!doctype html><?php x ?>c<![CDATA[d]]>e', 'abce'],
    ['<scr<script>ipt>alert(1)</script>x', 'ipt&gt;alert(1)x'],
    ['<<b>x</b>', '&lt;<b>x</b>'],
    ['<b <i>x</i>', '<b>x</b>'],
    ['a<b', 'a'],
    ['a < b', 'a &lt; b'],
    ['x\0y\u001bz\u0085', 'xyz'],
    ['<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>a', 'a'],
    ['<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">', ''],
  ])('%s', (html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected)
  })

  test('elements that are dropped but part words leave a space', () => {
    expect(sanitizeHtml('<div>one</div><div>two</div><table><tr><td>a</td><td>b</td></tr></table>')).toBe(
      'one two a b',
    )
    expect(sanitizeHtml('<div><p>one</p></div> <div>two</div>')).toBe('<p>one</p> two')
  })
})

describe('broken nesting is mended [CNT-1]', () => {
  test.each([
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<b><i>a</b>b</i>', '<b><i>a</i></b>b'],
    ['<p>a<ul><li>b<li>c</ul>', '<p>a</p><ul><li>b</li><li>c</li></ul>'],
    ['<ul><li>a<ul><li>b</ul><li>c</ul>', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['</p></div></b>a', 'a'],
    ['<ruby>x<rt>a<rt>b</ruby>', '<ruby>x<rt>a</rt><rt>b</rt></ruby>'],
    [
      '<a href="http://a.co">x<a href="http://b.co">y</a>z</a>',
      `${link('http://a.co', 'x')}${link('http://b.co', 'y')}z`,
    ],
    ['<h1>a<p>b</h1>', '<p><strong>a</strong></p><p>b</p>'],
  ])('%s', (html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected)
  })

  test('deep nesting is cut, its text is not', () => {
    const clean = sanitizeHtml(`${'<b>'.repeat(5000)}x${'</b>'.repeat(5000)}<i>y</i>`)
    expect(clean).toBe(`${'<b>'.repeat(maxDepth)}x${'</b>'.repeat(maxDepth)}<i>y</i>`)
  })
})

describe('addresses that run something [CNT-2]', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'java&#9;script:alert(1)',
    '&#1;javascript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.co/x',
    'ftp://a.co/',
    'mailto:a@b.co',
    '//evil.example/',
    '/settings',
    'x',
    '#x',
    '',
    'http:evil.example',
    'https:/evil.example',
    'http://',
    'https://a b/',
    ':http://a.co',
  ])('%j becomes text', (href) => {
    expect(sanitizeHtml(`<a href="${href}">text</a>`)).toBe('text')
  })

  test.each([
    'http://a.co',
    'HTTPS://a.co/x?y=1&amp;z=2#f',
    'dat://x',
    'dweb:/ipfs/x',
    'ipfs://x',
    'ipns://x',
    'ssb:x',
    'gopher://x',
    'xmpp:a@b.co',
    'magnet:?xt=urn:btih:x',
    'gemini://x',
  ])('%s stays', (href) => {
    expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe(link(href, 'x'))
  })

  test('an anchor without an address is text', () => {
    expect(sanitizeHtml('<a name="x">x</a><a>y</a>')).toBe('xy')
  })

  test('of repeated addresses the first counts, as in browsers', () => {
    expect(sanitizeHtml('<a href="https://a.co" href="javascript:x">x</a>')).toBe(link('https://a.co', 'x'))
    expect(sanitizeHtml('<a href="javascript:x" href="https://a.co">x</a>')).toBe('x')
  })

  test('quotes and angles do not leave the attribute', () => {
    expect(sanitizeHtml(`<a href='https://a.co/"onclick="x'>x</a>`)).toBe(
      link('https://a.co/&quot;onclick=&quot;x', 'x'),
    )
    expect(sanitizeHtml(`<a href='https://a.co/?><script>'>x</a>`)).toBe(
      link('https://a.co/?&gt;&lt;script&gt;', 'x'),
    )
  })
})

describe('links vouch for nothing and open elsewhere [CNT-3]', () => {
  test.each([
    'rel="me opener"',
    'rel="author" target="_top"',
    'target=_self ping="https://spy.example"',
    'download',
  ])('%s', (attributes) => {
    expect(sanitizeHtml(`<a ${attributes} href="https://a.co">x</a>`)).toBe(link('https://a.co', 'x'))
  })

  test.each([
    '<a href="https://a.co/tags/x" class="mention hashtag" rel="tag">#<span>x</span></a>',
    '<span class="h-card" translate="no"><a href="https://a.co/@b" class="u-url mention">@<span>b</span></a></span>',
    '<a href="https://a.co" target="_blank" rel="nofollow noopener" translate="no"><span class="">a.co</span></a>',
  ])("this server's own links stay: %s", (own) => {
    expect(sanitizeOwnHtml(own)).toBe(own)
  })

  test.each([
    [
      '<a href="https://a.co" rel="tag evil" target="x" onclick="y">x</a>',
      '<a href="https://a.co" rel="tag">x</a>',
    ],
    ['<a href="https://a.co">x</a>', link('https://a.co', 'x')],
    ['<a href="javascript:x" rel="tag">x</a>', 'x'],
    ['<script>x</script><img src=x onerror=y>', ''],
  ])('but nothing else gets in with them: %s', (own, expected) => {
    expect(sanitizeOwnHtml(own)).toBe(expected)
  })
})

describe('MathML (FEP-dc88)', () => {
  const math = (attributes: string, ...annotations: string[]) =>
    `<p>so <math${attributes}><semantics><mrow><mi>x</mi><mo>&lt;</mo><mspace/></mrow>${annotations.join('')}</semantics></math>!</p>`
  const tex = '<annotation encoding="application/x-tex">x &lt; \\sqrt{2}</annotation>'
  const plain = '<annotation encoding="text/plain">x less than root of 2</annotation>'

  test.each([
    ['TeX in a line', math('', tex), '<p>so $x &lt; \\sqrt{2}$!</p>'],
    ['TeX as a block', math(' display="block"', tex), '<p>so $$x &lt; \\sqrt{2}$$!</p>'],
    ['TeX before text', math('', plain, tex), '<p>so $x &lt; \\sqrt{2}$!</p>'],
    ['text', math(' display="block"', plain), '<p>so x less than root of 2!</p>'],
    ['neither', math('', '<annotation encoding="x">y</annotation>'), '<p>so !</p>'],
    ['no semantics', '<p><math><mi>x</mi><semantics>' + tex + '</semantics></math></p>', '<p></p>'],
    [
      'markup in it',
      '<math><semantics><annotation encoding="text/plain">a<script>b</script>c</annotation></semantics></math>',
      'ac',
    ],
  ])('%s', (_, html, expected) => {
    expect(sanitizeHtml(html)).toBe(expected)
  })
})

const fragments = [
  ...'p br span a b i u s em del pre code ul ol li ruby rt blockquote h1 h4 div table td font center'.split(
    ' ',
  ),
  ...'script style iframe svg math template noscript xmp plaintext textarea title object form select annotation semantics'.split(
    ' ',
  ),
].flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `<${name}/>`])

const pieces = [
  '<',
  '>',
  '/',
  '"',
  "'",
  '=',
  '&',
  ';',
  '`',
  '\0',
  '\u202e',
  '\n',
  '\t',
  ' ',
  '-->',
  '<!--',
  '<!',
  '<?',
  ']]>',
  '<![CDATA[',
  'x',
  'onclick=alert(1)',
  ' onerror="alert(1)"',
  ' style="x:expression(1)"',
  ' href=',
  ' href="javascript:alert(1)"',
  ' href="https://a.co/"',
  " href='data:text/html,<script>'",
  ' href="&#106;avascript:x"',
  ' class="mention evil h-x"',
  ' lang="en"',
  " lang='\"><script>'",
  ' translate=no',
  ' translate="yes"',
  ' rel="me"',
  ' target=_top',
  ' start=1',
  ' value="1 onclick=x"',
  ' encoding="application/x-tex"',
  '&lt;script&gt;',
  '&#60;',
  '&quot;',
  '&#x0;',
  '&#xD800;',
  '&amp',
  '\ud800',
  '😀',
  '<img src=x onerror=alert(1)>',
  '<a href="https://a.co">',
  '<math><semantics><annotation encoding="text/plain">',
] as const

test('2,000 random documents of hostile pieces come out clean, balanced and stable [CNT-1] [CNT-2] [CNT-3]', () => {
  const document = fc
    .array(fc.constantFrom(...fragments, ...pieces), { maxLength: 60 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(document, (html) => {
      const clean = sanitizeHtml(html)
      expect(uncleanIn(clean)).toEqual([])
      expect(readStrictly(clean).depth).toBeLessThanOrEqual(maxDepth * 2)
      expect(/(?![\n\t])\p{Cc}/u.test(clean)).toBe(false)
      expect(clean.isWellFormed()).toBe(true)
      expect(sanitizeHtml(clean)).toBe(clean)
    }),
    { numRuns: runs(2000) },
  )
})

test('arbitrary text comes out as text [CNT-1]', () => {
  const decode = (html: string) =>
    html.replace(/&(?:lt|gt|amp);/g, (name) => ({ '&lt;': '<', '&gt;': '>', '&amp;': '&' })[name]!)
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replace(/[<&]/g, '')),
      (text) => {
        expect(decode(sanitizeHtml(text))).toBe(text)
      },
    ),
  )
})

test.each([
  '<a href="…x"',
  '<a href="…x">',
  '<a href="http://…x">',
  '<p class="…x" lang="…x">',
  '<li value="…x">…x',
])('half a megabyte of spaces in %s costs what its length costs [CNT-21]', (html) => {
  const work = (spaces: string) => sanitizeHtml(html.replaceAll('…', spaces))
  expect(growsWithLength(work, ' ', 200_000)).toBe(true)
})

test.each([
  '<i>',
  '</i>',
  '<i></b>',
  '<p><b>',
  '<ul><li>',
  '<a href="http://a.co/">',
  '<a href=http://a.co/ ',
  '<a ',
  '<a b=',
  '<a b="',
  '<a href="x',
  ' ',
  '<p lang=x class=mention ',
  '<svg>',
  '<math><semantics>',
  '<math><semantics><annotation encoding=text/plain>',
  '<!--',
  '<!',
  '<![CDATA[',
  '<script>',
  '</script',
  '<template>',
  '<textarea>',
  '<plaintext>',
  '&',
  '&#',
  '&a',
  '&NotEqualTilde',
  '&#x0;',
  '<',
  '<div>a',
  '<h1>',
  '<ruby><rt>',
  '\0',
])('half a megabyte of %s costs what its length costs [CNT-21]', (piece) => {
  expect(growsWithLength(sanitizeHtml, piece, 200_000)).toBe(true)
  const html = piece.repeat(Math.ceil(100_000 / piece.length))
  expect(sanitizeHtml(html).length).toBeLessThan(html.length * 7)
})

test('nothing is written backwards, and nothing in a link is turned round [CNT-9]', () => {
  expect(sanitizeHtml('<p>a\u202Eb\u202Dc \u2067d\u2069</p>')).toBe('<p>abc \u2067d\u2069</p>')
  const link =
    '<a href="https://evil.example"><span>\u202E\u202A\u2066https://knab.example\u2069\u202C</span></a>'
  expect(sanitizeHtml(link)).toContain('><span>https://knab.example</span></a>')
})
