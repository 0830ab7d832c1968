import { describe, expect, test } from 'vitest'
import { emojify } from './emojify.ts'

const emojis = [{ shortcode: 'bird', static_url: 'https://chat.example/media/b.png?a=1&b="2"' }]

describe('emojify', () => {
  test('puts a picture in the place of a shortcode', () => {
    const html = emojify('<p>a :bird: sings</p>', emojis)
    expect(html).toContain(
      '<p>a <img class="emoji" src="https://chat.example/media/b.png?a=1&amp;b=&quot;2&quot;"',
    )
    expect(html).toContain('alt=":bird:"')
  })

  test('leaves attributes, addresses and code alone [CNT-8]', () => {
    const html =
      '<a href="https://x.example/:bird:" title=":bird:">x</a><code>:bird:</code><pre>a<b>:bird:</b></pre>'
    expect(emojify(html, emojis)).toBe(html)
  })

  test('goes on after code, and leaves unknown names', () => {
    expect(emojify('<code>x</code> :bird:', emojis)).toContain('<img')
    expect(emojify(':cat:', emojis)).toBe(':cat:')
  })
})
