import { expect, test } from 'vitest'
import { failure } from './finding.ts'

test('a disk that is full is called that, whatever was written to it', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    syscall: 'write',
  })
  expect(failure(full, 'see that the user may write there')).toEqual({
    state: 'problem',
    text: 'The disk is full',
    advice: 'make room, or give another place',
  })
})
