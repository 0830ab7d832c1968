import { insertEvents } from '#db/outbox.ts'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { mailsTo } from '#test/app/mails.ts'
import { allEffects } from './index.ts'
import { externalEffects } from '../external-effects.ts'
import { formerEffects } from './former-names.ts'

const app = useApp()

test('an event and a job that an earlier version wrote still send their mails', async () => {
  const alice = await app.person('alice')
  await app.settle()
  app.mails.length = 0
  const event = {
    type: 'mail.wanted',
    mail: { kind: 'password-changed', userId: alice.userId, to: alice.email },
  }
  await insertEvents(app.ctx.db, [event], null)
  await app.settle()
  expect(mailsTo(app, alice)).toHaveLength(1)
  await app.ctx.jobs.add('effect', { event, effect: 'mail' })
  await app.settle()
  expect(mailsTo(app, alice)).toHaveLength(2)
})

test('every former name of an effect leads to one of now, and a restore knows those that reach others', () => {
  const names = new Set(allEffects.map(({ name }) => name))
  for (const [former, now] of Object.entries(formerEffects)) {
    expect([former, names.has(now), names.has(former)]).toEqual([former, true, false])
    expect([former, externalEffects.includes(former)]).toEqual([former, externalEffects.includes(now)])
  }
})
