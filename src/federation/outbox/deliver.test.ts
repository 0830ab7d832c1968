import { expect, test } from 'vitest'
import { asId, type AccountId } from '#lib/id.ts'
import { toSignedActivity } from './deliver.ts'

test('an activity that is kept while it is sent takes no more memory than it is long', () => {
  const { body } = toSignedActivity({
    senderId: asId<AccountId>('1'),
    senderGone: false,
    body: '{"type":"Note","content":"grün"}',
    synchronise: false,
    severing: false,
    traceparent: null,
  })
  expect(body.toString()).toBe('{"type":"Note","content":"grün"}')
  expect(body.buffer.byteLength).toBe(body.length)
})
