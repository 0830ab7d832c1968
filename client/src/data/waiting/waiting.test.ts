import { expect, test } from 'vitest'
import { createWaiting } from './waiting.ts'

test('of more than may wait the newest are kept, and it is known above which post the others are missing', () => {
  const waiting = createWaiting(3)
  waiting.add(['12', '11'], '9')
  waiting.add(['13'], '9')
  expect(waiting.take()).toEqual({ ids: ['13', '12', '11'], cut: null })
  waiting.add(['16', '15', '14'], '13')
  waiting.add(['17'], '13')
  // What is shown meanwhile is nearer than what is missing.
  waiting.add(['18'], '14')
  expect(waiting.ids.value).toEqual(['18', '17', '16'])
  expect(waiting.take()).toEqual({ ids: ['18', '17', '16'], cut: '13' })
  expect(waiting.take()).toEqual({ ids: [], cut: null })
})

test('where nothing was shown all is missing', () => {
  const waiting = createWaiting(1)
  waiting.add(['2', '1'], undefined)
  expect(waiting.take()).toEqual({ ids: ['2'], cut: '0' })
})

test('what is shown elsewhere waits no more', () => {
  const waiting = createWaiting(3)
  waiting.add(['2', '1'], undefined)
  waiting.drop('2')
  expect(waiting.take()).toEqual({ ids: ['1'], cut: null })
})
