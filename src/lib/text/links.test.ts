import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { extractLinks } from './links.ts'
import { runs } from '#test/run/night.ts'

const urls = (text: string) => extractLinks(text).map(({ url }) => url)

describe('extractLinks', () => {
  test.each([
    'https://example.com',
    'HTTP://Example.COM/Path',
    'https://www.example.co.uk:8443/a/b.html?c=d&e[]=f#g',
    'https://en.wikipedia.org/wiki/Foo_(bar)',
    'https://example.com/a(b(c)d)e',
    'https://example.com/?q=(x)',
    'https://räksmörgås.josefsson.org/ä?ö#ü',
    'https://ドメイン.みんな/パス',
    'https://xn--p1ai.xn--p1ai/',
    'http://127.0.0.1:3000/@alice/1',
    'http://localhost:3000',
    'http://[::1]:3000/x',
    'https://medium.com/@user/#tag',
    'https://web.archive.org/web/2020/https://example.com/',
    'dat://example.com/',
    'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/a',
    'gemini://gemini.circumlunar.space/docs',
    'gopher://gopher.floodgap.com/1/world',
    'xmpp:room@conference.example.com?join',
    'magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a&dn=x',
    'https://example.com/-_=+',
    'https://example.com/#',
  ])('%s is a link as a whole, in a sentence too', (url) => {
    expect(extractLinks(url)).toEqual([{ url, start: 0, end: url.length }])
    expect(urls(`See (${url}), "${url}". And ${url}!\n${url}。「${url}」`)).toEqual(Array(5).fill(url))
  })

  test.each([
    ['example.com www.example.com', []],
    ['https://nowhere.invalidtld/ https://example', []],
    ['https://com/ https://-a.com https://a..com https://1.2.3.4.5', []],
    ['javascript:alert(1) data:text/html,x vbscript://example.com ftp://example.com', []],
    ['xhttps://example.com @https://example.com #https://example.com', []],
    ['日本語https://example.com/日本です', ['https://example.com/日本です']],
    ['https://example.comです', ['https://example.com']],
    ['https://user:pass@example.com https://example.com@evil.example.org/', ['https://example.com']],
    ['http://http://example.com', ['http://example.com']],
    ['https://example.com/a)b', ['https://example.com/a']],
    ['https://example.com/a(b', ['https://example.com/a']],
    ['https://example.com/(http://example.org/(x)', ['https://example.com/', 'http://example.org/(x)']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['https://example.com/a?! https://example.com?', ['https://example.com/a', 'https://example.com']],
    ['https://example.com.', ['https://example.com']],
    ['https://example.com:999999/x', ['https://example.com']],
    ['<https://example.com/a>b "https://example.com/c"d', ['https://example.com/a', 'https://example.com/c']],
    ['https://example.com/a\u202Etxt', ['https://example.com/a']],
    ['https://example.com\\@evil.example.org', ['https://example.com']],
    ['magnet:? magnet:x xmpp: xmpp:example.com ssb://', []],
    ['http://[::g] http://[1] http://[', []],
  ])('%j', (text, expected) => expect(urls(text)).toEqual(expected))

  test('offsets are those of the text, without overlaps, and no URL holds a space or a quote', () => {
    const part = fc.constantFrom(
      'http://',
      'https://',
      'a.com',
      'é.org',
      '/',
      '(',
      ')',
      '.',
      ' ',
      '?',
      '#',
      '@',
      ':',
      '80',
      '日',
      '"',
      '😀',
      'x',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const text = parts.join('')
        let last = 0
        for (const { url, start, end } of extractLinks(text)) {
          expect(text.slice(start, end)).toBe(url)
          expect(start).toBeGreaterThanOrEqual(last)
          expect(url).toMatch(/^https?:\/\/[^\s"<>]+$/)
          expect(URL.canParse(url)).toBe(true)
          expect(url.split('(').length).toBe(url.split(')').length)
          last = end
        }
      }),
      { numRuns: runs(1000) },
    )
  })
})
