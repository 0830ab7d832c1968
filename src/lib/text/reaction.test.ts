import { describe, expect, test } from 'vitest'
import { parseReaction } from './reaction.ts'

describe('what somebody reacts with', () => {
  test.each([
    ['👍', '👍'],
    ['👍\uFE0F', '👍'],
    ['❤', '❤\uFE0F'],
    ['❤\uFE0F', '❤\uFE0F'],
  ])('%j is the emoji %j, with the selector that it needs and no other', (text, name) => {
    expect(parseReaction(text)).toEqual({ name, domain: null, unicode: true })
  })

  test('a custom emoji is named with or without colons, and of another server with its name', () => {
    expect(parseReaction(':blob:')).toEqual({ name: 'blob', domain: null, unicode: false })
    expect(parseReaction('blob@Away.example')).toEqual({
      name: 'blob',
      domain: 'away.example',
      unicode: false,
    })
  })

  test.each(['', 'a', '👍👍', 'two words'])('%j is refused', (text) => {
    expect(() => parseReaction(text)).toThrow()
  })
})
