import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stripHtml } from '../html/html.ts'
import { type RenderOptions, renderText } from '../html/render-text.ts'
import {
  cleanText,
  countCharacters,
  extractEntities,
  extractShortcodes,
  previewLine,
  truncatePlain,
} from './text.ts'
import { runs } from '#test/run/night.ts'

const options: RenderOptions = {
  mentionUrl: (username, domain) =>
    username === 'nobody'
      ? null
      : {
          url: `https://${domain ?? 'here.example'}/@${username}`,
          label: domain ? `${username}@${domain}` : username,
        },
  tagUrl: (name) => `https://here.example/tags/${encodeURIComponent(name)}`,
}
const render = (text: string) => renderText(text, options)

/** Texts that mix entities, markup and plain characters. */
const richText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '@alice',
        '@bob@example.com',
        '#Tag',
        '#日本',
        'https://example.com/a?b=c&d',
        'http://www.example.com/x(y)',
        '<b>',
        '</p>',
        '"',
        "'",
        '&amp;',
        '&',
        '<',
        '>',
        '\n',
        '\n\n',
        ' ',
        ':blob:',
        '(',
        ')',
        'é',
        '👩‍👩‍👧',
        '@nobody',
      ),
      fc.string({ maxLength: 4 }),
    ),
  )
  .map((parts) => parts.join(''))

/** The text with each known mention written as its label. */
function withLabels(text: string): string {
  const { mentions } = extractEntities(text)
  return mentions.reduceRight((plain, { username, domain, start, end }) => {
    const label = options.mentionUrl(username, domain)?.label
    return label === undefined ? plain : `${plain.slice(0, start)}@${label}${plain.slice(end)}`
  }, text)
}

describe('countCharacters', () => {
  test.each([
    ['', 0],
    ['hello', 5],
    ['a\r\nb', 3],
    ['é e\u0301', 3],
    ['👩‍👩‍👧🇩🇪', 2],
    ['https://example.com/a/very/long/path/that/goes/on/and/on', 23],
    ['https://a.co', 23],
    ['x https://a.co. y', 28],
    ['example.com', 11],
    ['@alice@example.com', 6],
    ['@alice@127.0.0.1:3000 hi', 9],
    ['https://example.com/@alice@example.org', 23],
    ['@nobody', 7],
  ])('%j counts %d', (text, expected) => expect(countCharacters(text)).toBe(expected))

  test('takes another length for URLs', () => expect(countCharacters('https://a.co', 10)).toBe(10))

  test('lines add up', () => {
    fc.assert(
      fc.property(richText, richText, (a, b) => {
        if (a.endsWith('\r')) return
        expect(countCharacters(`${a}\n${b}`)).toBe(countCharacters(a) + 1 + countCharacters(b))
      }),
    )
  })
})

describe('renderText', () => {
  test('paragraphs and line breaks', () => {
    expect(render('a\nb\r\n\r\nc\n\n\nd')).toBe('<p>a<br />b</p><p>c</p><p>d</p>')
    expect(render('\n\n a \n')).toBe('<p>a</p>')
    expect(render(' \n ')).toBe('')
    expect(renderText('a\nb', { ...options, multiline: false })).toBe('a\nb')
  })

  test('markup is text', () => {
    expect(render('<b>x</b> & "y"')).toBe('<p>&lt;b&gt;x&lt;/b&gt; &amp; &quot;y&quot;</p>')
    expect(render('javascript:alert(1)')).toBe('<p>javascript:alert(1)</p>')
  })

  test('a short link', () => {
    expect(render('https://example.com/?a=1&b')).toBe(
      '<p><a href="https://example.com/?a=1&amp;b" target="_blank" rel="nofollow noopener" translate="no">' +
        '<span class="invisible">https://</span><span class="">example.com/?a=1&amp;b</span>' +
        '<span class="invisible"></span></a></p>',
    )
  })

  test('a long link is cut after 30 characters behind www., and may say me', () => {
    const html = renderText('https://www.example.com/abcdefghijklmnopqrstuvwxyz', {
      ...options,
      withMe: true,
      multiline: false,
    })
    expect(html).toBe(
      '<a href="https://www.example.com/abcdefghijklmnopqrstuvwxyz" target="_blank" rel="nofollow noopener me" ' +
        'translate="no"><span class="invisible">https://www.</span>' +
        '<span class="ellipsis">example.com/abcdefghijklmnopqr</span><span class="invisible">stuvwxyz</span></a>',
    )
  })

  test('the cut never halves a character', () => {
    const html = render(`https://example.com/${'😀'.repeat(40)}`)
    expect(html).toContain(`<span class="ellipsis">example.com/${'😀'.repeat(18)}</span>`)
  })

  test('mentions and hashtags', () => {
    expect(render('@alice @bob@example.com #Grüße')).toBe(
      '<p><span class="h-card" translate="no"><a href="https://here.example/@alice" class="u-url mention">' +
        '@<span>alice</span></a></span> ' +
        '<span class="h-card" translate="no"><a href="https://example.com/@bob" class="u-url mention">' +
        '@<span>bob@example.com</span></a></span> ' +
        '<a href="https://here.example/tags/gru%C3%9Fe" class="mention hashtag" rel="tag">#<span>Grüße</span></a></p>',
    )
  })

  test('unknown accounts and unsafe profile addresses stay text', () => {
    expect(render('@nobody')).toBe('<p>@nobody</p>')
    const unsafe = { ...options, mentionUrl: () => ({ url: 'javascript:alert(1)', label: 'x' }) }
    expect(renderText('@x', unsafe)).toBe('<p>@x</p>')
    const quoted = { ...options, mentionUrl: () => ({ url: 'https://e.com/"><script>', label: '<i>' }) }
    expect(renderText('@x', quoted)).not.toMatch(/<script>|<i>|"">/)
  })

  test('inside a link nothing else is linked, and shortcodes stay', () => {
    const html = render('https://example.com/,@alice?#tag :blob:')
    expect(html).not.toMatch(/mention|hashtag/)
    expect(html).toContain(' :blob:</p>')
  })

  test('holds only our own markup, and the text that was written', () => {
    const ownTag =
      /<\/?p>|<br \/>|<\/?span>|<\/a>|<span class="(?:invisible|ellipsis|)">|<span class="h-card" translate="no">|<a href="https?:\/\/[^"<>]*" (?:target="_blank" rel="nofollow noopener" translate="no"|class="u-url mention"|class="mention hashtag" rel="tag")>/g
    fc.assert(
      fc.property(richText, (text) => {
        const html = render(text)
        expect(html.replace(ownTag, '')).not.toMatch(/[<>"']/)
        expect(html.split('<a ').length).toBe(html.split('</a>').length)
        expect(html.split('<span').length).toBe(html.split('</span>').length)
        const words = (plain: string) => plain.replace(/\s+/g, '')
        expect(words(stripHtml(html))).toBe(words(withLabels(text)))
      }),
      { numRuns: runs(1000) },
    )
  })
})

test('entities never overlap', () => {
  fc.assert(
    fc.property(richText, (text) => {
      const { links, mentions, hashtags } = extractEntities(text)
      const spans = [...links, ...mentions, ...hashtags].toSorted((a, b) => a.start - b.start)
      for (const [index, span] of spans.entries()) {
        expect(span.end).toBeGreaterThan(span.start)
        expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0)
      }
    }),
  )
})

test.each([
  [':blob: x :blob_2: :blob:', ['blob', 'blob_2']],
  ['a:blob: :blob:b _:blob: :a: ::blob:: :ab::cd: :ab:cd:', []],
  ['(:ab:), é:cd: 日:ef:', ['ab']],
  ['❤️:blob:', ['blob']],
  ['12:30:45', []],
  ['https://example.com/:ab:/x', []],
  [':a-b: :é2:', []],
])('shortcodes of %j', (text, expected) => expect(extractShortcodes(text)).toEqual(expected))

describe('short forms', () => {
  test('truncatePlain counts characters as people do', () => {
    expect(truncatePlain('hello', 5)).toBe('hello')
    expect(truncatePlain('hello world', 7)).toBe('hello…')
    expect(truncatePlain('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧…')
    expect(truncatePlain('👩‍👩‍👧👩‍👩‍👧', 2)).toBe('👩‍👩‍👧👩‍👩‍👧')
    expect(truncatePlain('ab', 1)).toBe('…')
    expect(truncatePlain('ab', 0)).toBe('')
  })

  test('truncatePlain is never longer than asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
        const short = truncatePlain(text, max)
        const clusters = (value: string) => [...new Intl.Segmenter('en').segment(value)].length
        expect(clusters(short)).toBeLessThanOrEqual(max)
        expect(short === text).toBe(clusters(text) <= max)
      }),
    )
  })

  test('previewLine is one line', () => {
    expect(previewLine(' a\n\n b\tc ')).toBe('a b c')
    expect(previewLine('abc def', 5)).toBe('abc…')
  })

  test('cleanText keeps what can be stored', () => {
    expect(cleanText('a\r\nb\rc\td\u0000\u001b\ud800')).toBe('a\nb\nc\td\ufffd')
  })
})
