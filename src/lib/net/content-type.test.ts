import { expect, test } from 'vitest'
import { mediaTypeOf } from './content-type.ts'

test.each([
  ['https://chat.example/media/a/b.png', 'image/png'],
  ['https://chat.example/media/a/b.JPG?x=.mp4', 'image/jpeg'],
  ['https://chat.example/media/a/b.mp4#t', 'video/mp4'],
  ['https://chat.example/media_proxy/12/original', null],
  ['https://chat.example/a.constructor', null],
  ['https://chat.example/a.html', null],
  ['not an address.png', null],
])('%s is %s', (url, type) => {
  expect(mediaTypeOf(url)).toBe(type)
})
