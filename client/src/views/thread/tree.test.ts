import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildThread, rowsOf, step, type Folds } from './tree.ts'

const post = (id: string, in_reply_to_id: string | null, author = 'robin') => ({
  id,
  in_reply_to_id,
  account: { id: author },
})
const open: Folds = { folded: new Set(), shown: new Map() }
const main = post('0', null, 'wren')

/** `depth:id` for posts, `+count` for more, `>count` for what is deeper. */
const drawn = (folds: Folds, thread = buildThread(main, [])) =>
  rowsOf(thread, folds).map((row) =>
    row.kind === 'post' ? `${row.depth}:${row.id}` : `${row.kind === 'more' ? '+' : '>'}${row.count}`,
  )

describe('a thread as rows', () => {
  test('branches stand below what they answer, and what answers an unknown post stands below the main one', () => {
    const thread = buildThread(main, [post('1', '0'), post('2', '1'), post('3', '0'), post('4', 'lost')])
    expect(drawn(open, thread)).toEqual(['0:1', '1:2', '0:3', '0:4'])
    expect(thread.sizes.get('0')).toBe(4)
  })

  test("the author's continuation is apart, and answers to it say that what they answer is not right above", () => {
    const answers = [post('1', '0', 'wren'), post('2', '1', 'wren'), post('3', '0'), post('4', '2')]
    const thread = buildThread(main, answers)
    expect(thread.own).toEqual(['1', '2'])
    const rows = rowsOf(thread, open)
    expect(rows).toMatchObject([
      { id: '3', parent: '0', isAway: true },
      { id: '4', parent: '2', isAway: true },
    ])
  })

  test('a folded branch is one row, and what is too deep is told by its number', () => {
    const chain = Array.from({ length: 9 }, (_, index) => post(String(index + 1), String(index)))
    const thread = buildThread(main, chain)
    expect(drawn(open, thread)).toEqual(['0:1', '1:2', '2:3', '3:4', '4:5', '>4'])
    expect(drawn({ ...open, folded: new Set(['2']) }, thread)).toEqual(['0:1', '1:2'])
  })

  test('many answers to one post are shown a step at a time', () => {
    const thread = buildThread(main, [
      post('1', '0'),
      ...Array.from({ length: 60 }, (_, i) => post(`a${i}`, '1')),
    ])
    expect(drawn(open, thread).at(-1)).toBe('+56')
    const more = drawn({ ...open, shown: new Map([['1', 4 + step]]) }, thread)
    expect(more.at(-1)).toBe('+16')
    expect(more).toHaveLength(1 + 4 + step + 1)
  })

  test('a chain of five thousand is measured and laid out', () => {
    const chain = Array.from({ length: 5_000 }, (_, index) => post(String(index + 1), String(index)))
    const thread = buildThread(main, chain)
    expect(thread.sizes.get('0')).toBe(5_000)
    expect(drawn(open, thread).at(-1)).toBe(`>${5_000 - 5}`)
  })

  test('with everything opened, every post is shown once or counted once', () => {
    const parents = fc.array(fc.nat({ max: 1_000 }), { maxLength: 120 })
    fc.assert(
      fc.property(parents, (seeds) => {
        const posts = seeds.map((seed, index) => post(String(index + 1), String(seed % (index + 1))))
        const rows = rowsOf(buildThread(main, posts), open)
        const ids = rows.flatMap((row) => (row.kind === 'post' ? [row.id] : []))
        expect(new Set(ids).size).toBe(ids.length)
        const all = { ...open, shown: new Map(['0', ...posts.map(({ id }) => id)].map((id) => [id, 500])) }
        const counted = rowsOf(buildThread(main, posts), all).reduce(
          (sum, row) => sum + (row.kind === 'post' ? 1 : row.count),
          0,
        )
        expect(counted).toBe(posts.length)
      }),
    )
  })
})
