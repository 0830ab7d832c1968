import { expect, test } from 'vitest'
import { bulkQueue, sendMail } from './mail.ts'
import { asId, type TermsOfServiceId, type UserId, type UserTokenId } from '#lib/id.ts'

const queueOf = (mail: Parameters<typeof sendMail.queue>[0]['mail']) =>
  sendMail.queue({ type: 'mail.requested', mail })

test('what everybody gets at once keeps nobody else’s mail waiting', () => {
  const to = { userId: asId<UserId>('1'), to: 'a@mail.example' }
  expect(queueOf({ kind: 'terms', termsId: asId<TermsOfServiceId>('2'), ...to })).toBe(bulkQueue)
  expect(queueOf({ kind: 'reset', tokenId: asId<UserTokenId>('2'), ...to })).not.toBe(bulkQueue)
})
