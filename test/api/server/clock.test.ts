import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { checkClock } from '#app/doctor/clock.ts'
import { timeToId } from '#lib/ids.ts'
import { RemoteError } from '#ports/http-client.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()
const day = 86_400_000

test('doctor compares the clock with those of other servers: that of a database beside it is as wrong', async () => {
  const app = await network.server()
  const peer = await network.peer()
  await sql`insert into hosts (host) values (${peer.domain}) on conflict do nothing`.execute(app.ctx.db)
  const saying = async (later: number, age: number) => {
    peer.answer('/.well-known/nodeinfo', (_, response) => {
      response.setHeader('date', new Date(app.clock.now() + later).toUTCString())
      response.setHeader('age', String(age))
      response.end('{}')
    })
    return checkClock(app.ctx)
  }
  expect(await saying(0, 0)).toMatchObject({ state: 'ok' })
  expect(await saying(-3_600_000, 3600)).toMatchObject({ state: 'ok' })
  const there = new Date(app.clock.now() - 5 * 365 * day).toISOString().slice(0, 10)
  expect(await saying(-5 * 365 * day, 0)).toMatchObject({
    state: 'problem',
    text: expect.stringContaining(`but by other servers it is ${there}`),
    advice: expect.stringContaining('NTP'),
  })

  const http = { ...app.ctx.http }
  http.send = () =>
    Promise.reject(new RemoteError('unreachable', 'certificate', { code: 'CERT_NOT_YET_VALID' }))
  expect(await checkClock({ ...app.ctx, http })).toMatchObject({
    state: 'problem',
    text: expect.stringContaining(`no certificate of ${peer.domain} is valid`),
  })
})

test('doctor says that ids are ahead, as a clock that was leaves them', async () => {
  const app = await network.server()
  const ann = await app.person('ann')
  const ahead = app.clock.now() + 1800 * day
  await sql`
    insert into statuses (id, account_id, uri, text, content, visibility, conversation_id)
    select ${timeToId(ahead, 0)}, account_id, uri, text, content, visibility, conversation_id
    from statuses where id = ${(await ann.say('late')).id}`.execute(app.ctx.db)
  expect(await checkClock(app.ctx)).toMatchObject({
    state: 'warning',
    text: expect.stringContaining(`up to ${new Date(ahead).toISOString().slice(0, 10)}`),
  })
})
