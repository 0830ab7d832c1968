import { describe, expect, test } from 'vitest'
import { findStream, streamOfPath } from './streams.ts'
import { asId, type AccountId } from '#lib/id.ts'

const reader = { accountId: asId<AccountId>('7'), scopes: ['read'] }

describe('a stream', () => {
  test('of a hashtag is one however the tag is spelt, and keeps the spelling as its label', () => {
    const [one, other] = ['Café', '#cafe'].map((tag) => findStream(reader, { stream: 'hashtag', tag }))
    expect(one).toMatchObject({ topic: 'stream:tag:cafe', label: '["hashtag","Café"]' })
    expect(other).toMatchObject({ topic: 'stream:tag:cafe', label: '["hashtag","#cafe"]' })
  })

  test('of a tag that begins like another name is no other stream', () => {
    const local = findStream(reader, { stream: 'hashtag:local', tag: 'x' })
    const odd = findStream(reader, { stream: 'hashtag', tag: 'local:x' })
    expect(local).not.toMatchObject({ topic: (odd as { topic: string }).topic })
  })

  test('needs its scope', () => {
    const scoped = (scope: string, stream: string) =>
      'error' in findStream({ accountId: asId<AccountId>('7'), scopes: [scope] }, { stream })
    expect(scoped('read:statuses', 'user')).toBe(false)
    expect(scoped('read:notifications', 'user')).toBe(true)
    expect(scoped('read:notifications', 'user:notification')).toBe(false)
    expect(scoped('write', 'public')).toBe(true)
  })
})

test('paths name streams', () => {
  expect(streamOfPath('public/local', false)).toBe('public:local')
  expect(streamOfPath('public', true)).toBe('public:media')
  expect(streamOfPath('user/notification', true)).toBe('user:notification')
  for (const path of ['public/media', 'public:local', '', 'health', 'user/', 'constructor']) {
    expect(streamOfPath(path, false)).toBe(null)
  }
})
