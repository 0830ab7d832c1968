import { expect, test } from 'vitest'
import { linkHeader } from './paging.ts'

const page = { full: true, oldest: '5', newest: '9' }
const link = (query: string) => linkHeader(`https://a.example/api/v1/x${query}`, { page, prev: 'min_id' })

test.each([
  ['', 'x?max_id=5', 'x?min_id=9'],
  ['?limit=2', 'x?limit=2&max_id=5', 'x?limit=2&min_id=9'],
  ['?max_id=7', 'x?max_id=5', 'x?min_id=9'],
  ['?limit=2&since_id=7&min_id=3&offset=4', 'x?limit=2&max_id=5', 'x?limit=2&min_id=9'],
  ['?access_token=secret&q=min', 'x?q=min&max_id=5', 'x?q=min&min_id=9'],
  ['?access%5ftoken=secret', 'x?max_id=5', 'x?min_id=9'],
  ['?q=%23tag', 'x?q=%23tag&max_id=5', 'x?q=%23tag&min_id=9'],
])('links to pages beside %s keep all that asks for no page and opens nothing', (query, next, prev) => {
  const at = (to: string, rel: string) => `<https://a.example/api/v1/${to}>; rel="${rel}"`
  expect(link(query)).toBe(`${at(next, 'next')}, ${at(prev, 'prev')}`)
})

test('a page that was not full has none behind it, an empty one none beside it', () => {
  const url = 'https://a.example/x?limit=2'
  expect(linkHeader(url, { page: { ...page, full: false }, prev: 'since_id' })).toBe(
    '<https://a.example/x?limit=2&since_id=9>; rel="prev"',
  )
  const none = { full: false, oldest: null, newest: null }
  expect(linkHeader(url, { page: none, prev: 'min_id' })).toBeNull()
})
