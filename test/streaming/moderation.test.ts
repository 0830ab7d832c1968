// What becomes of open streams when staff act on whoever opened them.
import { expect, test } from 'vitest'
import { useStreamingApp } from '#test/app/streaming-app.ts'

// A day apart: only being told ends streams.
const app = useStreamingApp({ heartbeat: { access: 86_400_000 } })

test.each(['disable', 'suspend'])('streams end within five seconds after staff %s [ACC-5]', async (type) => {
  const [admin, alice, bob] = [
    await app.person('admin', { role: 'Admin' }),
    await app.person('alice'),
    await app.person('bob'),
  ]
  const [hers, his] = [
    await app.listen(alice.token, { stream: 'user' }),
    await app.listen(bob.token, { stream: 'user' }),
  ]
  ;(await admin.post(`/api/v1/admin/accounts/${alice.accountId}/action`, { type })).ok()
  await hers.closed
  const again = await app.fetch('/api/v1/streaming/user', {
    headers: { authorization: `Bearer ${alice.token}` },
  })
  expect(again.status).toBe(401)
  await app.fence(his, bob)
})

test('streams of whom staff only limit go on', async () => {
  const [admin, alice] = [await app.person('admin', { role: 'Admin' }), await app.person('alice')]
  const hers = await app.listen(alice.token, { stream: 'user' })
  for (const type of ['silence', 'sensitive'])
    (await admin.post(`/api/v1/admin/accounts/${alice.accountId}/action`, { type })).ok()
  await app.fence(hers, alice)
  expect(hers.socket.readyState).toBe(hers.socket.OPEN)
})
