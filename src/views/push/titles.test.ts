import { expect, test } from 'vitest'
import { alertKinds } from '#domain/reading/push/rules.ts'
import { pushTitle } from './titles.ts'

const subject = {
  collection: { name: 'Birds' },
  annual_report: { year: '2025' },
  event: { target_name: 'lost.example' },
  emoji: '👍',
}

test.each(alertKinds)('%s has a title in each language', (kind) => {
  const told = { name: 'Bob', own: false, subject }
  const [english, german, other] = ['en-GB', 'de', 'nl'].map((locale) => pushTitle(kind, locale, told))
  expect(english).toMatch(/^\p{Lu}.{8,}$/u)
  expect(german).toMatch(/^\p{Lu}.{8,}$/u)
  expect(german).not.toBe(english)
  expect(other).toBe(english)
  expect(`${english}${german}`).not.toContain('undefined')
})

test('a poll of one’s own is not that of somebody', () => {
  expect(pushTitle('poll', 'en', { name: 'Bob', own: true, subject })).toBe('Your poll has ended')
  expect(pushTitle('poll', 'en', { name: 'Bob', own: false, subject })).toBe('A poll by Bob has ended')
})

test('a kind without a title still has the name', () => {
  expect(pushTitle('unheard-of', 'en', { name: 'Bob', own: false, subject })).toBe('Bob')
})
