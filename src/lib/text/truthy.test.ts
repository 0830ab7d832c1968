import { describe, expect, test } from 'vitest'
import { parseInteger, parseTruthy } from './truthy.ts'

describe('parseTruthy', () => {
  test.each([false, 0, '0', 'f', 'F', 'false', 'FALSE', 'False', 'off', 'OFF', ' false '])(
    '%j is false',
    (value) => {
      expect(parseTruthy(value)).toBe(false)
    },
  )

  test.each([true, 1, '1', 't', 'true', 'TRUE', 'on', 'yes', 'no', 'n', '00', 'anything', {}, ['0']])(
    '%j is true',
    (value) => expect(parseTruthy(value)).toBe(true),
  )

  test.each([null, undefined, '', '  ', 'null', 'undefined'])('%j is not given', (value) => {
    expect(parseTruthy(value)).toBeNull()
  })
})

describe('parseInteger', () => {
  test.each<[unknown, number | null]>([
    ['20', 20],
    ['20abc', 20],
    ['-5', 5],
    [' 7', 7],
    ['+3', 3],
    ['0', 0],
    ['1.9', 1],
    [-4.7, 4],
    [12, 12],
    ['abc', null],
    ['', null],
    ['-', null],
    [null, null],
    [undefined, null],
    [Number.NaN, null],
    [['20'], null],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    [Infinity, Number.MAX_SAFE_INTEGER],
  ])('%j is %j', (value, expected) => expect(parseInteger(value)).toBe(expected))
})
