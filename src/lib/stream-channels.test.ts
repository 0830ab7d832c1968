import { expect, test } from 'vitest'
import { feedChannel, feedChannels, publicChannels } from './stream-channels.ts'
import { asIds, type AccountId } from '#lib/id.ts'

test('a public post is told where it belongs, a reply only by its hashtags', () => {
  const post = { local: true, media: true, tags: ['cats'], tagsOnly: false }
  const tags = ['stream:tag:cats', 'stream:tag:local:cats']
  const all = ['stream:public', 'stream:public:media', 'stream:public:local', 'stream:public:local:media']
  expect(publicChannels(post)).toEqual([...all, ...tags])
  expect(publicChannels({ ...post, tagsOnly: true })).toEqual(tags)
  expect(publicChannels({ ...post, local: false, media: false })).toEqual([
    'stream:public',
    'stream:public:remote',
    'stream:tag:cats',
  ])
})

test('feeds are found on the channel that they are told on, however many share it', () => {
  const ids = Array.from({ length: 3_000 }, (_, index) =>
    String(117_654_000_000_000_000n + BigInt(index) * 65_536n),
  )
  const channels = feedChannels('home', asIds<AccountId>(ids))
  expect(channels.size).toBeLessThanOrEqual(256)
  expect(channels.size).toBeGreaterThan(200)
  for (const [channel, some] of channels) {
    expect(new Set(some.map((id) => feedChannel('home', id)))).toEqual(new Set([channel]))
  }
})
