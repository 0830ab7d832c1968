import { expect, test } from 'vitest'
import type { Config } from '#ports/ctx.ts'
import { toDocument, type Searchable } from './document.ts'
import { stretches, timeMarks, type Stretch } from './marks.ts'
import { timeToId } from '#lib/ids.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const own = { localDomain: 'chat.example', webDomain: 'chat.example', baseUrl: 'https://chat.example' }
const config = own as Config
const status: Searchable = {
  id: asId<StatusId>('117653665187496960'),
  account_id: asId<AccountId>('7'),
  version: 3,
  local: false,
  text: '',
  content: '',
  spoiler_text: '',
  sensitive: false,
  reply: false,
  language: null,
  has_card: false,
  quotes: false,
  poll_options: null,
  media: [],
  tags: [],
}

const entries = (more: Partial<Searchable>) =>
  toDocument(config, { ...status, ...more })
    .document.split(' ')
    .filter((entry) => !/^':t\d/.test(entry))

test('words have their places, and the parts of a status do not touch', () => {
  const parts = { spoiler_text: 'one two', content: '<p>Two <b>three</b></p>', poll_options: ['four'] }
  expect(entries(parts)).toEqual(["'one':1", "'two':2,4", "'three':5", "'four':7", "':by:7'", "':has:poll'"])
})

test('marks tell what it is', () => {
  const media = [
    { type: 'gifv', description: 'dancing' },
    { type: 'image', description: '' },
  ]
  const more = {
    media,
    sensitive: true,
    reply: true,
    quotes: true,
    has_card: true,
    language: 'zh-TW',
    tags: ['cat'],
  }
  expect(entries(more)).toEqual([
    "'dancing':3",
    ...[':by:7', ':has:media', ':has:image', ':has:video', ':has:link', ':has:quote'].map(
      (mark) => `'${mark}'`,
    ),
    ...[':is:sensitive', ':is:reply', ':in:zh-tw', ':in:zh', ':tag:cat'].map((mark) => `'${mark}'`),
  ])
})

test('the longest texts stay below what the database takes', () => {
  const word = (index: number) => '漢'.repeat(79) + index
  const content = Array.from({ length: 20_000 }, (_, index) => word(index)).join(' ')
  const descriptions = Array.from({ length: 16 }, () => ({ type: 'image', description: content }))
  const { document } = toDocument(config, { ...status, content, media: descriptions })
  expect(Buffer.byteLength(document)).toBeLessThan(1_000_000)
})

const day = 86_400

test.each([0, day])('stretches of time from %i s ahead reach back to the oldest status', (ahead) => {
  const now = Date.UTC(2026, 5, 1)
  const high = timeToId(now + ahead * 1000)
  const found = stretches({ high, low: '0', now })
  expect(found.at(-1)).toEqual({ marks: [], low: '0' })
  for (const age of [-ahead, -ahead / 3, 0, 1, 60, 3_600, day, day * 30, day * 400, day * 4000]) {
    const id = timeToId(now - age * 1000 - 1)
    const marks = new Set(timeMarks(asId<StatusId>(id)))
    const index = found.findIndex((part) => BigInt(part.low) <= BigInt(id))
    // What is of the last hours, or later, is in the first, which is never left out; all else in those after its own, too.
    expect(index === 0 || age > 3_600).toBe(true)
    const readers = index === 0 ? found.slice(0, 1) : found.slice(index)
    const finds = (part: Stretch) => part.marks.length === 0 || part.marks.some((mark) => marks.has(mark))
    expect(readers.map(finds)).toEqual(readers.map(() => true))
  }
  const low = timeToId(now - day * 1000)
  const short = stretches({ high, low, now })
  expect(short.length).toBeLessThan(found.length)
  expect(short.at(-1)?.low).toBe(low)
  expect(short.every((part) => part.marks.length > 0)).toBe(true)
})
