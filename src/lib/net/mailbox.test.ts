import { expect, test } from 'vitest'
import { isMailbox, isNamedMailbox } from './mailbox.ts'

test.each([
  'alice@example.org',
  "o'brien+tag_1@mail.example.co.uk",
  'admin@localhost',
  'üser@bücher.example',
  '{weird}~$#&*=?^/@example.org',
  `${'a'.repeat(64)}@example.org`,
  'a@127.0.0.1',
])('%s is an address', (text) => {
  expect([text, isMailbox(text), isNamedMailbox(text)]).toEqual([text, true, true])
})

/** What a relay, a header or an envelope might take for more than one address. */
const refused = [
  '',
  'alice',
  '@example.org',
  'alice@',
  'alice%other.example@example.org',
  'other.example!alice@example.org',
  '"alice"@example.org',
  '"a b"@example.org',
  'alice"@example.org',
  'alice,bob@example.org',
  'alice@example.org,bob@example.org',
  'alice@example.org;bob@example.org',
  'alice(comment)@example.org',
  'alice@example.org(comment)',
  '@relay.example:alice@example.org',
  'a@b@example.org',
  'alice@[127.0.0.1]',
  'alice@-example.org',
  'alice@example..org',
  'alice@example.org.',
  '.alice@example.org',
  'ali..ce@example.org',
  'alice.@example.org',
  'ali ce@example.org',
  ' alice@example.org',
  'alice@example.org\r\nBcc: bob@example.org',
  'alice\0@example.org',
  'alice@exam\tple.org',
  'alice\\@example.org',
  '<alice@example.org>',
  'a:b@example.org',
  '|cat@example.org',
  '`id`@example.org',
  'alice@example.org\u2028',
  `${'a'.repeat(65)}@example.org`,
]

test.each(refused)('%j is none', (text) => {
  expect(isMailbox(text)).toBe(false)
})

test('an address after a name', () => {
  for (const text of ['Chat <a@example.org>', '"Chat, Inc." <a@example.org>', '<a@example.org>']) {
    expect([text, isNamedMailbox(text)]).toEqual([text, true])
  }
  for (const text of [
    'Chat, Inc. <a@example.org>',
    'b@example.org, Chat <a@example.org>',
    'Chat <a%b@example.org>',
    'Chat <a@example.org> <b@example.org>',
    '"Chat\r\nBcc: b@example.org" <a@example.org>',
    'Team: <a@example.org>',
    'a b@example.org',
  ]) {
    expect([text, isNamedMailbox(text)]).toEqual([text, false])
  }
})
