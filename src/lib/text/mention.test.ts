import { describe, expect, test } from 'vitest'
import { extractMentions } from './mention.ts'

const handles = (text: string) =>
  extractMentions(text).map(({ username, domain }) => (domain === null ? username : `${username}@${domain}`))

describe('extractMentions', () => {
  test.each([
    ['@alice', ['alice']],
    ['hi @Alice, @bob@Example.COM!', ['Alice', 'bob@example.com']],
    ['(@alice) "@bob" \n@carol', ['alice', 'bob', 'carol']],
    ['@alice. @bob-. @a.b-c', ['alice', 'bob', 'a.b-c']],
    ['@bob@example.com. @bob@example.com: x', ['bob@example.com', 'bob@example.com']],
    ['@name@127.0.0.1:3000 @name@localhost:3000/', ['name@127.0.0.1:3000', 'name@localhost:3000']],
    ['@bob@例え.jp', ['bob@xn--r8jz45g.jp']],
    ['a@b.com x@alice =@bob /@carol _@dan é@eve 日@fay 𝒜@gus', []],
    ['😀@alice ❤️@bob', ['alice', 'bob']],
    ['@ @@ @-a @.b', []],
    ['@@alice', ['alice']],
    ['@alice@ @bob@', ['alice', 'bob']],
    ['@a@b@c', ['a@b']],
    ['@bob@a..b', []],
    ['https://example.com/a,@alice https://medium.com/@bob xmpp:c@example.com', []],
  ])('%j', (text, expected) => expect(handles(text)).toEqual(expected))

  test('tells where they are', () => {
    const text = '😀 @alice and @bob@example.com.'
    expect(extractMentions(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      '@alice',
      '@bob@example.com',
    ])
  })
})
