import { describe, expect, test } from 'vitest'
import { parseRange } from './range.ts'

describe('parseRange', () => {
  test.each([
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=100-', 'outside'],
    ['bytes=-0', 'outside'],
    ['Bytes=0-9', { start: 0, end: 9 }],
    ['bytes= 0-9 ,', { start: 0, end: 9 }],
    ['bytes=0-9,100-', { start: 0, end: 9 }],
    ['bytes=200-300, -10', { start: 90, end: 99 }],
    ['bytes=100-,200-', 'outside'],
    ['bytes=99999999999999999999999-', 'outside'],
    ['bytes=-99999999999999999999999', { start: 0, end: 99 }],
  ])('%s of 100 bytes', (header, expected) => {
    expect(parseRange(header, 100)).toEqual(expected)
  })

  test.each([
    null,
    '',
    'bytes=',
    'bytes=-',
    'bytes=9-2',
    'bytes=0-1,5-6',
    'bytes=0-0,-1',
    'bytes=0-1, 5-6, 200-',
    'bytes=0-1,x',
    'bytes=0 -1',
    `bytes=${'0-1,'.repeat(5000)}`,
    'lines=0-1',
    'bytes=a-b',
    'bytes=1e3-',
  ])('%s means the whole file', (header) => {
    expect(parseRange(header, 100)).toBeNull()
  })

  test('an empty file has no ranges', () => {
    expect(parseRange('bytes=0-', 0)).toBe('outside')
    expect(parseRange('bytes=-0', 0)).toBe('outside')
    expect(parseRange('bytes=-5', 0)).toBeNull()
  })
})
