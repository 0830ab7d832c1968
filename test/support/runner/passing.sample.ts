// A test that passes although it leaves processes running.
import { expect, inject, test } from 'vitest'
import { startStubborn } from './stubborn.ts'

test('processes of processes are left', async () => {
  await startStubborn()
  expect(inject('runFolder')).not.toBe('')
})
