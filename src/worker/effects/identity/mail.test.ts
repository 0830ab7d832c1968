import { expect, test } from 'vitest'
import { bulkQueue, sendMail } from './mail.ts'

const queueOf = (mail: Parameters<typeof sendMail.queue>[0]['mail']) =>
  sendMail.queue({ type: 'mail.requested', mail })

test('what everybody gets at once keeps nobody else’s mail waiting', () => {
  const to = { userId: '1', to: 'a@mail.example' }
  expect(queueOf({ kind: 'terms', termsId: '2', ...to })).toBe(bulkQueue)
  expect(queueOf({ kind: 'reset', tokenId: '2', ...to })).not.toBe(bulkQueue)
})
