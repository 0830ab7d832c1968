import { expect, test } from 'vitest'
import { growsWithLength } from './growth.ts'

test('work that grows with the length is told from work that grows with its square', () => {
  const sum = (text: string) => [...text].reduce((total, one) => total + one.length, 0)
  const quadratic = (text: string) => {
    let found = 0
    for (let i = 0; i < text.length; i++) for (let j = i; j < text.length; j += 8) found += text.charCodeAt(j)
    return found
  }
  expect(growsWithLength(sum, 'ab', 500_000)).toBe(true)
  expect(growsWithLength(quadratic, 'ab', 40_000)).toBe(false)
})
