import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()
const texts = (list: Json[]) => list.map((status) => status.content.replace(/<[^>]+>/g, ''))

test('a thread is told whole: ancestors from the top, descendants below what they answer [4-117]', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const root = await alice.say('root')
  const a = await bob.say('a', { in_reply_to_id: root.id })
  const b = await alice.say('b', { in_reply_to_id: root.id })
  const aa = await alice.say('aa', { in_reply_to_id: a.id })
  await bob.say('aaa', { in_reply_to_id: aa.id })
  await bob.say('ba', { in_reply_to_id: b.id })
  const whole = (await alice.get(`/api/v1/statuses/${root.id}/context`)).ok()
  expect(whole.ancestors).toEqual([])
  expect(texts(whole.descendants)).toEqual(['b', 'ba', 'a', 'aa', 'aaa'])
  const middle = (await app.anonymous.get(`/api/v1/statuses/${aa.id}/context`)).ok()
  expect(texts(middle.ancestors)).toEqual(['root', 'a'])
  expect(texts(middle.descendants)).toEqual(['aaa'])
})

test('a long thread is whole for people and cut for strangers [ROB-11]', async () => {
  const alice = await app.person('alice')
  let parent = (await alice.say('0')).id
  const rootId = parent
  for (let i = 1; i <= 120; i++) parent = (await alice.say(String(i), { in_reply_to_id: parent })).id
  const below = (await alice.get(`/api/v1/statuses/${rootId}/context`)).ok()
  expect(texts(below.descendants)).toEqual(Array.from({ length: 120 }, (_, i) => String(i + 1)))
  expect((await alice.get(`/api/v1/statuses/${parent}/context`)).ok().ancestors).toHaveLength(120)
  expect((await app.anonymous.get(`/api/v1/statuses/${parent}/context`)).ok().ancestors).toHaveLength(40)
  expect((await app.anonymous.get(`/api/v1/statuses/${rootId}/context`)).ok().descendants).toHaveLength(20)
})

test('what the viewer cannot see is left out of the thread, and replies to it keep their place [ACC-1]', async () => {
  const [alice, bob, eve] = [await app.person('alice'), await app.person('bob'), await app.person('eve')]
  const root = await alice.say('root')
  const hidden = await alice.say(`@${bob.username} hidden`, { in_reply_to_id: root.id, visibility: 'direct' })
  await bob.say('open answer', { in_reply_to_id: hidden.id })
  expect(texts((await bob.get(`/api/v1/statuses/${root.id}/context`)).ok().descendants)).toHaveLength(2)
  expect(texts((await eve.get(`/api/v1/statuses/${root.id}/context`)).ok().descendants)).toEqual([
    'open answer',
  ])
  expect((await eve.get(`/api/v1/statuses/${hidden.id}/context`)).status).toBe(404)
})

test('a deleted parent leaves its thread readable', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const root = await alice.say('root')
  const parent = await alice.say('parent', { in_reply_to_id: root.id })
  const child = await bob.say('child', { in_reply_to_id: parent.id })
  ;(await alice.delete(`/api/v1/statuses/${parent.id}`)).ok()
  await app.settle()
  expect(texts((await bob.get(`/api/v1/statuses/${child.id}/context`)).ok().ancestors)).toEqual(['root'])
  expect(texts((await bob.get(`/api/v1/statuses/${root.id}/context`)).ok().descendants)).toEqual(['child'])
})
