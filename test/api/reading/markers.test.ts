import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'

const app = useApp()

test('a marker is set, moved and read [4-103]', async () => {
  const person = await app.person()
  expect((await person.get('/api/v1/markers', { timeline: ['home', 'notifications'] })).ok()).toEqual({})
  const first = (await person.post('/api/v1/markers', { home: { last_read_id: '123' } })).ok()
  expect(first).toEqual({ home: { last_read_id: '123', version: 1, updated_at: expect.any(String) } })
  const form = new URLSearchParams({
    'home[last_read_id]': '456',
    'notifications[last_read_id]': '9007199254740993',
  })
  const second = (await person.post('/api/v1/markers', form)).ok()
  expect(second.home).toMatchObject({ last_read_id: '456', version: 2 })
  expect(second.notifications).toMatchObject({ last_read_id: '9007199254740993', version: 1 })
  expect(
    (await person.get('/api/v1/markers', { timeline: ['home', 'notifications', 'nonsense'] })).ok(),
  ).toEqual(second)
  expect((await person.get('/api/v1/markers', { timeline: ['home'] })).ok()).toEqual({ home: second.home })
  expect((await person.get('/api/v1/markers')).ok()).toEqual({})
})

test('other devices can be told of each place that was set', async () => {
  const person = await app.person()
  await app.settle()
  ;(
    await person.post('/api/v1/markers', {
      home: { last_read_id: '1' },
      notifications: { last_read_id: '2' },
    })
  ).ok()
  const { rows } = await sql<{ event: unknown }>`select event from outbox order by id`.execute(app.ctx.db)
  const { accountId } = person
  expect(rows.map((row) => row.event)).toEqual([
    { type: 'marker.updated', accountId, timeline: 'home' },
    { type: 'marker.updated', accountId, timeline: 'notifications' },
  ])
})

test('what names no place changes nothing', async () => {
  const person = await app.person()
  for (const params of [
    {},
    { home: 'x' },
    { home: { last_read_id: 'x' } },
    { public: { last_read_id: '1' } },
  ]) {
    expect((await person.post('/api/v1/markers', params)).ok()).toEqual({})
  }
  expect((await person.get('/api/v1/markers', { timeline: ['home'] })).ok()).toEqual({})
})

test('two devices at once: each gets its version or a conflict [ROB-14]', async () => {
  const person = await app.person()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      person.post('/api/v1/markers', { home: { last_read_id: String(i + 1) } }),
    ),
  )
  const saved = answers.filter((answer) => answer.status === 200)
  const refused = answers.filter((answer) => answer.status !== 200)
  for (const answer of refused) {
    expect([answer.status, answer.body]).toEqual([409, { error: 'Conflict during update, please try again' }])
  }
  const { home } = (await person.get('/api/v1/markers', { timeline: ['home'] })).ok()
  expect(home.version).toBe(saved.length)
  expect(saved.map((answer) => answer.body.home.version).toSorted()).toEqual(saved.map((_, i) => i + 1))
})

test('markers are their owner’s alone and want a scope [ACC-7]', async () => {
  const [person, other] = [await app.person(), await app.person()]
  ;(await person.post('/api/v1/markers', { home: { last_read_id: '5' } })).ok()
  expect((await other.get('/api/v1/markers', { timeline: ['home'] })).ok()).toEqual({})
  const wrong = await app.withScopes(person, ['read:accounts', 'write:accounts'])
  expect((await wrong.get('/api/v1/markers')).status).toBe(403)
  expect((await wrong.post('/api/v1/markers', {})).status).toBe(403)
  expect((await app.anonymous.get('/api/v1/markers')).status).toBe(401)
  expect((await app.anonymous.post('/api/v1/markers', {})).status).toBe(401)
})

test('columns are the same on every device, each once, and those that name nothing are left out', async () => {
  const [wren, robin] = [await app.person(), await app.person()]
  const path = '/api/v1/columns'
  expect((await wren.get(path)).ok()).toEqual({ columns: null })
  const tag = { kind: 'tag', about: 'larks' }
  const wanted = [{ kind: 'local', about: 'x' }, tag, { kind: 'list' }, { kind: 'local' }, tag]
  const kept = { columns: [{ kind: 'local' }, tag] }
  expect((await wren.put(path, { columns: wanted })).ok()).toEqual(kept)
  expect((await wren.get(path)).ok()).toEqual(kept)
  expect((await robin.get(path)).ok()).toEqual({ columns: null })
  expect((await wren.put(path, { columns: [{ kind: 'nonsense' }] })).status).toBe(422)
  expect((await wren.put(path)).status).toBe(400)
  const many = Array.from({ length: 51 }, (_, index) => ({ kind: 'tag', about: `t${index}` }))
  const refused = await wren.put(path, { columns: many })
  expect([refused.status, refused.body]).toEqual([422, { error: 'You may have 50 columns at most' }])
  expect((await wren.get(path)).ok()).toEqual(kept)
  expect((await wren.put(path, { columns: [] })).ok()).toEqual({ columns: [] })
  const reader = await app.withScopes(wren, ['read'])
  expect((await reader.put(path, { columns: [] })).status).toBe(403)
})
