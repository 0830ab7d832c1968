import { expect, test } from 'vitest'
import type { Entry } from '../../data/timeline.ts'
import { createGrouping } from './groups.ts'

const posts = (page: number, ...ids: string[]): Entry[] => ids.map((id) => ({ kind: 'post', id, page }))
const gap: Entry = { kind: 'gap', id: '7-5', above: '7', below: '5', page: 3 }

test('posts that came together are one group, which stays the same while others come above and below it', () => {
  const groupsOf = createGrouping()
  const [first] = groupsOf(posts(1, '5', '4'))
  const [newer, between, same, older] = groupsOf([
    ...posts(4, '8', '7'),
    gap,
    ...posts(1, '5', '4'),
    ...posts(2, '3'),
  ])
  expect([newer, between, older].map((group) => group?.map(({ id }) => id))).toEqual([
    ['8', '7'],
    ['7-5'],
    ['3'],
  ])
  expect(same).toBe(first)
})

test('a group from which a post is gone, or to which one came, is another one', () => {
  const groupsOf = createGrouping()
  const [first] = groupsOf(posts(1, '5', '4'))
  const [grown] = groupsOf(posts(1, '5', '4', '3'))
  expect(grown).not.toBe(first)
  expect(groupsOf(posts(1, '5', '3'))).toEqual([posts(1, '5', '3')])
})
