// Many statuses that go at once: as many statements as for few, and everything as if they had gone one by one.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { removeStatuses } from '#domain/content/statuses/delete-status.ts'
import { purgeAccount } from '#domain/maintenance/deletion/purge-account.ts'
import { removeFromHomes } from '#domain/reading/timelines/remove-status.ts'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { drainOutbox } from '#worker/outbox.ts'
import type { StatusId } from '#lib/id.ts'
import { asId } from '#lib/id.ts'

const app = useApp()

const idsOf = (statuses: readonly { id: string }[]) => statuses.map(({ id }) => asId<StatusId>(id))

async function endOf(person: Person): Promise<string[]> {
  await app.settle()
  await sql`update accounts set deleted_at = now() where id = ${person.accountId}`.execute(app.ctx.db)
  return app.countQueries(async () => {
    await purgeAccount(app.ctx, person.accountId)
    await drainOutbox(app.ctx)
  })
}

async function authorOf(count: number): Promise<Person> {
  const [author, other] = [await app.person('author'), await app.person('other')]
  for (let i = 0; i < count; i++) {
    const { id } = await other.say('Hello')
    ;(await author.post(`/api/v1/statuses/${id}/reblog`)).ok()
    await author.say(`Hello #greetings${i}`, { in_reply_to_id: id })
  }
  return author
}

test('the posts and boosts of a deleted account go by as many statements, however many they are', async () => {
  const [few, many] = [await endOf(await authorOf(3)), await endOf(await authorOf(8))]
  expect(many.toSorted()).toEqual(few.toSorted())
  await app.settle()
})

test('statuses that go together leave the counters of others as if they had gone one by one', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const { id } = await bob.say('Hello')
  const tag = `together${alice.accountId}`
  ;(await alice.post(`/api/v1/tags/${tag}/feature`)).ok()
  const answers = [
    await alice.say(`One #${tag}`, { in_reply_to_id: id }),
    await alice.say(`Two #${tag}`, { in_reply_to_id: id }),
    await alice.say(`Three #${tag}`, { in_reply_to_id: id }),
  ]
  const boost = (await alice.post(`/api/v1/statuses/${id}/reblog`)).ok()
  ;(await bob.post(`/api/v1/statuses/${answers[0]!.id}/reblog`)).ok()
  await app.ctx.transaction((tx) => removeStatuses(tx, idsOf([answers[0]!, answers[1]!, boost])))
  await app.settle()
  expect((await bob.get(`/api/v1/statuses/${id}`)).ok()).toMatchObject({
    replies_count: 1,
    reblogs_count: 0,
  })
  expect((await alice.get('/api/v1/featured_tags')).ok()).toMatchObject([{ statuses_count: '1' }])
  const counts = [alice, bob].map(async (one) => (await one.get('/api/v1/accounts/verify_credentials')).ok())
  expect(await Promise.all(counts)).toMatchObject([{ statuses_count: 1 }, { statuses_count: 1 }])
  await app.ctx.transaction((tx) => removeStatuses(tx, idsOf(answers)))
  expect((await alice.get('/api/v1/featured_tags')).ok()).toMatchObject([
    { statuses_count: '0', last_status_at: null },
  ])
})

test('where boosts of one post go together, another one of it takes their place in the home feed', async () => {
  const reader = await app.person('reader')
  const [author, ...boosters] = [
    await app.person('author'),
    await app.person('first'),
    await app.person('second'),
    await app.person('third'),
  ]
  for (const one of boosters) await reader.follow(one)
  await app.settle()
  const { id } = await author.say('Hello')
  const boosts = []
  for (const one of boosters) {
    boosts.push((await one.post(`/api/v1/statuses/${id}/reblog`)).ok())
    await app.settle()
  }
  const home = async () => (await reader.get('/api/v1/timelines/home')).ok().map((one) => one.id)
  expect(await home()).toEqual([boosts[0]!.id])
  const gone = idsOf(boosts.slice(0, 2))
  await sql`update statuses set deleted_at = now() where id = any(${gone}::bigint[])`.execute(app.ctx.db)
  await removeFromHomes(app.ctx, gone)
  expect(await home()).toEqual([boosts[2]!.id])
})
