import { expect, test } from 'vitest'
import { askAnew } from './ask-anew.ts'

test('who asks while a question is under way gets the answer to the next one, which all of them share', async () => {
  const questions: PromiseWithResolvers<number>[] = []
  const ask = askAnew(() => {
    const question = Promise.withResolvers<number>()
    questions.push(question)
    return question.promise
  })
  const first = [ask(), ask()]
  await Promise.resolve()
  await Promise.resolve()
  const later = [ask(), ask()]
  expect(questions).toHaveLength(1)
  questions[0]?.reject(new Error('lost'))
  expect(await Promise.allSettled(first)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  expect(questions).toHaveLength(2)
  questions[1]?.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2])
})
