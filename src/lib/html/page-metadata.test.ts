import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPage } from './page-metadata.ts'
import { growsWithLength } from '#test/run/growth.ts'
import { runs } from '#test/run/night.ts'

const url = 'https://news.example/a/page?x=1'

describe('what a page tells of itself', () => {
  test('OpenGraph comes before plain HTML', () => {
    const page = readPage(
      `<!doctype html><html lang="de"><head><title>Plain</title>
      <meta name="description" content="plain words">
      <meta property="og:title" content="Open &amp; graph"><meta property="og:title" content="Second">
      <meta property="og:description" content="  graph
 words "><meta property="og:site_name" content="The News">
      <meta property="og:image" content="/pic.jpg"><meta property="og:image:alt" content="A picture">
      <meta name="author" content="Ada"><meta name="fediverse:creator" content="@ada@away.example">
      <meta property="article:published_time" content="2026-01-02T03:04:05+01:00">
      <link rel="canonical" href="/a/page"></head></html>`,
      url,
    )
    expect(page).toEqual({
      title: 'Open & graph',
      description: 'graph words',
      language: 'de',
      canonical: 'https://news.example/a/page',
      siteName: 'The News',
      author: { name: 'Ada', url: null },
      creator: '@ada@away.example',
      publishedAt: new Date('2026-01-02T02:04:05Z'),
      image: { url: 'https://news.example/pic.jpg', alt: 'A picture' },
      player: null,
      oembed: null,
    })
  })

  test('linked data comes before OpenGraph', () => {
    const data = {
      '@graph': [
        { '@type': 'WebPage', name: 'The page' },
        {
          '@type': ['Thing', 'NewsArticle'],
          headline: 'Headline',
          description: 'Said',
          inLanguage: 'fr',
          datePublished: '2026-02-03',
          image: [{ '@type': 'ImageObject', url: 'https://pics.example/1.jpg' }],
          author: [{ name: 'Grace', url: 'https://news.example/grace' }],
          publisher: { name: 'Gazette' },
        },
      ],
    }
    const page = readPage(
      `<script type="application/ld+json">broken{</script><meta property="og:title" content="Open">
       <script type="application/ld+json">${JSON.stringify(data)}</script>`,
      url,
    )
    expect(page).toMatchObject({
      title: 'Headline',
      description: 'Said',
      language: 'fr',
      siteName: 'Gazette',
      author: { name: 'Grace', url: 'https://news.example/grace' },
      publishedAt: new Date('2026-02-03'),
      image: { url: 'https://pics.example/1.jpg' },
    })
  })

  test('a player and oEmbed are found, with addresses relative to the base', () => {
    const page = readPage(
      `<base href="https://news.example/base/"><title>T</title><svg><title>drawing</title></svg>
       <meta name="twitter:player" content="player.html"><meta name="twitter:player:width" content="640px">
       <meta name="twitter:player:height" content="-5">
       <link rel="alternate stylesheet" type="application/json+oembed" href="oembed?u=1&amp;v=2">`,
      url,
    )
    expect(page).toMatchObject({
      title: 'T',
      player: { url: 'https://news.example/base/player.html', width: 640, height: 0 },
      oembed: { url: 'https://news.example/base/oembed?u=1&v=2', format: 'json' },
    })
  })

  test('addresses of other schemes, other hosts as canonical, and markup are not taken over [CNT-2] [CNT-4]', () => {
    const page = readPage(
      `<title>&lt;script&gt;x&lt;/script&gt;</title><meta property="og:image" content="javascript:alert(1)">
       <meta name="twitter:player" content="data:text/html,x"><link rel="canonical" href="https://bank.example/">
       <link rel="alternate" type="application/json+oembed" href="file:///etc/passwd">
       <meta property="article:published_time" content="soon">`,
      url,
    )
    expect(page).toMatchObject({
      title: '<script>x</script>',
      image: null,
      player: null,
      canonical: null,
      oembed: null,
      publishedAt: null,
    })
  })

  test('any document is read [CNT-1]', () => {
    const piece = fc.constantFrom(
      '<meta property="og:title" content="',
      '">',
      '<script type="application/ld+json">',
      '{"@type":"NewsArticle","author":[[]],"image":{"url":{}}}',
      '</script>',
      '<link rel=canonical href=//',
      '<title>',
      '<svg>',
      '\u0000',
      '&#x110000;',
      'javascript:',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
        const page = readPage(pieces.join(''), url)
        expect(page.title).toBe(page.title.trim())
        for (const found of [page.image?.url, page.canonical, page.player?.url, page.oembed?.url]) {
          expect(found ?? 'https://').toMatch(/^https?:\/\//)
        }
      }),
      { numRuns: runs(2000) },
    )
  })

  test('half a megabyte of hostile markup costs what its length costs [CNT-21]', () => {
    const parts = ['<meta ', '<a b="', '<script>', '<!--', '<svg><title>', '<link rel=alternate ']
    const read = (html: string) => readPage(html, url)
    expect(parts.filter((part) => !growsWithLength(read, part, 500_000))).toEqual([])
  })
})
