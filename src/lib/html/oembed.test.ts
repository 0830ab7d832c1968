import { expect, test } from 'vitest'
import { parseOembed } from './oembed.ts'
import { growsWithLength } from '#test/run/growth.ts'

const url = 'https://films.example/oembed'

test('a video keeps the address of its frame', () => {
  const body = JSON.stringify({
    type: 'video',
    title: 'A <b>film</b>',
    html: '<p><iframe src="/e/1?a=1&amp;b=2" width=9></iframe><iframe src="/e/2">',
    thumbnail_url: 'thumb.jpg',
    width: '480',
    height: 270,
  })
  expect(parseOembed(body, 'json', url)).toEqual({
    type: 'video',
    title: 'A <b>film</b>',
    author: { name: '', url: null },
    provider: { name: '', url: null },
    thumbnail: 'https://films.example/thumb.jpg',
    photo: null,
    player: 'https://films.example/e/1?a=1&b=2',
    width: 480,
    height: 270,
  })
})

test('a photo in XML', () => {
  const body = `<?xml version="1.0"?><oembed><type>photo</type><title>Sea &amp; sand</title>
    <url>https://films.example/sea.jpg</url><width>800</width><height>600</height>
    <author_name>Ada</author_name><author_url>javascript:alert(1)</author_url></oembed>`
  expect(parseOembed(body, 'xml', url)).toMatchObject({
    type: 'photo',
    title: 'Sea & sand',
    author: { name: 'Ada', url: null },
    photo: 'https://films.example/sea.jpg',
    player: null,
    width: 800,
    height: 600,
  })
})

test.each(['', 'null', '[]', '{"type":"rich","html":"<b>x</b>"}', '{"type":7}', '<oembed>'])(
  '%j is nothing',
  (body) => {
    expect(parseOembed(body, 'json', url)).toBeNull()
    expect(parseOembed(body, 'xml', url)).toBeNull()
  },
)

test('endless nesting costs what its length costs [CNT-21]', () => {
  const xml = (text: string) => parseOembed(text, 'xml', url)
  const json = (html: string) => parseOembed(JSON.stringify({ type: 'video', html }), 'json', url)
  for (const work of [xml, json]) expect(growsWithLength(work, '<a>', 500_000)).toBe(true)
})
