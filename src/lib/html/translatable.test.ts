import { expect, test } from 'vitest'
import { acceptHtml, acceptPlain, protectHtml, protectPlain } from './translatable.ts'

const cat = '<span translate="no">:cat:</span>'

test.each([
  ['<p>a :cat: b</p>', `<p>a ${cat} b</p>`],
  ['<p>:cat:</p>:cat:', `<p>${cat}</p>${cat}`],
  ['<a href="https://a.co/:cat:/">x</a>', '<a href="https://a.co/:cat:/">x</a>'],
  ['a:cat: :cat:b ::cat:: :c: 12:30:45', 'a:cat: :cat:b ::cat:: :c: 12:30:45'],
  [
    '<a href="https://a.co/@b" class="u-url mention">@b</a>',
    '<a translate="no" href="https://a.co/@b" class="u-url mention">@b</a>',
  ],
  [
    '<a href="x" class="mention hashtag" translate="no">#b</a><a class="mentions">c</a>',
    '<a href="x" class="mention hashtag" translate="no">#b</a><a class="mentions">c</a>',
  ],
])('shortcodes and mentions in %s are held back', (html, held) => {
  expect(protectHtml(html)).toBe(held)
})

test('plain texts are escaped and keep their lines', () => {
  expect(protectPlain('a < b\n:cat:')).toBe(`a &lt; b<br>${cat}`)
  expect(acceptPlain(protectPlain('a < b & "c"\n:cat: d'))).toBe('a < b & "c"\n:cat: d')
})

test('what comes back is clean [CNT-5]', () => {
  expect(acceptHtml(`<p onclick=x>Eine ${cat}<script>alert(1)</script><img src=x onerror=y></p>`)).toBe(
    '<p>Eine :cat:</p>',
  )
  expect(acceptPlain(`<b>Eine</b> ${cat}<script>alert(1)</script> &lt;i&gt;`)).toBe('Eine :cat: <i>')
})
