import { expect, test } from 'vitest'
import { arrivalPath, createArrivalTicket } from '#domain/server/instance/arrival-ticket.ts'
import { useApp } from '#test/app/app.ts'

const app = useApp()

test('how a request arrives is told once for each ticket, for a minute', async () => {
  const ask = (ticket: string) =>
    app.fetch(arrivalPath, {
      headers: { authorization: `Bearer ${ticket}`, 'x-forwarded-for': '198.51.100.7' },
    })
  const ticket = createArrivalTicket(app.ctx)
  const answer = await ask(ticket)
  expect(await answer.json()).toMatchObject({ forwardedFor: '198.51.100.7' })
  expect((await ask(ticket)).status).toBe(404)
  const old = createArrivalTicket(app.ctx)
  app.clock.advance(61_000)
  expect((await ask(old)).status).toBe(404)
})
