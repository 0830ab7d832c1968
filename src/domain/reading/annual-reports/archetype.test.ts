import { expect, test } from 'vitest'
import { chooseArchetype } from './archetype.ts'

const activity = (standalone: number, replies: number, boosts: number, polls = 0) =>
  chooseArchetype({ standalone, replies, boosts, polls })

test('few statuses are those of a reader, whatever they are', () => {
  expect(activity(0, 0, 0)).toBe('lurker')
  expect(activity(12, 0, 100, 12)).toBe('lurker')
})

test('else what outweighs the rest tells, boosts before polls before answers', () => {
  expect(activity(37, 1, 75)).toBe('booster')
  expect(activity(38, 0, 76)).toBe('oracle')
  expect(activity(113, 0, 0, 12)).toBe('pollster')
  expect(activity(120, 0, 0, 12)).toBe('oracle')
  expect(activity(37, 76, 0)).toBe('replier')
  expect(activity(37, 76, 75, 37)).toBe('booster')
  expect(activity(37, 76, 74, 37)).toBe('pollster')
})
