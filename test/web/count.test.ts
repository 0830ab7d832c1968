import { expect, test } from 'vitest'
import { countCharacters as countHere } from '../../client/src/data/writing/count.ts'
import { countCharacters, urlCharacters } from '#lib/text/text.ts'

const texts = [
  'plain, with ä, 👨‍👩‍👧 and e\u0301',
  'https://example.com',
  'see https://example.com/a/very/long/path?with=query#part.',
  '(https://example.com/a_(b)) and (https://example.com)',
  'http://localhost:3000/x, http://192.0.2.1/y and nothttp://example.com',
  'https://example and example.com are none',
  'https://例え.jp/道、次',
  '@wren @wren@example.com @wren@example.com: mail wren@example.com',
  'https://example.com/@wren@remote.example',
  '@wren@example.com. #tag :emoji: ',
]

test.each(texts)('the composer counts %s as the server does', (text) => {
  expect(countHere(text, urlCharacters)).toBe(countCharacters(text))
})
