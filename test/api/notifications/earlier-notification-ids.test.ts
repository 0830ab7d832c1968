// Apps go on from the newest notification that they have seen, also where its id is of a version that had longer ones.
import { expect, test } from 'vitest'
import { timeToId } from '#lib/ids.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { hours } from '#test/app/clock.ts'

const app = useApp()

test('an id that was a time stands for the notifications up to then', async () => {
  const [ann, bob] = [await app.person('ann'), await app.person('bob')]
  const mention = async (text: string) => {
    await bob.say(`@${ann.username} ${text}`)
    await app.settle()
    app.clock.advance(hours(1))
  }
  await mention('first')
  const kept = timeToId(app.clock.now(), 77)
  await mention('second')
  await mention('third')
  const texts = (list: Json[]) =>
    list.map((one) => /first|second|third/.exec(one.content ?? one.status.content)?.[0])
  const list = async (query: object) => texts((await ann.get('/api/v1/notifications', { ...query })).ok())
  const groups = async (query: object) =>
    texts((await ann.get('/api/v2/notifications', { ...query })).ok().statuses)
  expect(await list({ since_id: kept })).toEqual(['third', 'second'])
  expect(await list({ min_id: kept, limit: 1 })).toEqual(['second'])
  expect(await list({ max_id: kept })).toEqual(['first'])
  expect((await groups({ since_id: kept })).toSorted()).toEqual(['second', 'third'])
  expect(await list({ max_id: '9223372036854775807' })).toHaveLength(3)
  const all = (await ann.get('/api/v1/notifications')).ok()
  const saved = await ann.post('/api/v1/markers', { notifications: { last_read_id: kept } })
  expect(saved.ok().notifications.last_read_id).toBe(all[2].id)
  expect((await ann.get('/api/v1/notifications/unread_count')).ok()).toEqual({ count: 2 })
})
