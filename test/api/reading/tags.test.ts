import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
let made = 0
const newTag = () => `Topic${++made}`

async function homeOf(person: Person): Promise<string[]> {
  await app.settle()
  return (await person.get('/api/v1/timelines/home')).ok().map((status: Json) => status.id)
}

const act = async (person: Person, tag: string, action: string) =>
  (await person.post(`/api/v1/tags/${encodeURIComponent(tag)}/${action}`)).ok()

test('a tag tells its name as written and its use on seven days [4-100]', async () => {
  const tag = newTag()
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  await alice.say(`one #${tag}`)
  await alice.say(`two #${tag.toLowerCase()}`)
  await alice.say(`hidden #${tag}`, { visibility: 'unlisted' })
  const gone = await alice.say(`gone #${tag}`)
  ;(await alice.delete(`/api/v1/statuses/${gone.id}`)).ok()
  app.clock.advance(days(1))
  await bob.say(`three #${tag}`)
  const found = (await app.anonymous.get(`/api/v1/tags/${tag.toUpperCase()}`)).ok()
  expect(found).toMatchObject({ name: tag, url: `https://chat.example/tags/${tag.toLowerCase()}` })
  expect(found).not.toHaveProperty('following')
  expect(found.history.map((day: Json) => [day.uses, day.accounts])).toEqual([
    ['1', '1'],
    ['2', '1'],
    ['0', '0'],
    ['0', '0'],
    ['0', '0'],
    ['0', '0'],
    ['0', '0'],
  ])
  const today = Math.floor(app.clock.now() / days(1)) * 86_400
  expect(found.history[0].day).toBe(String(today))
  expect(found.history.at(6).day).toBe(String(today - 6 * 86_400))
  expect((await bob.get(`/api/v1/tags/${tag}`)).ok()).toMatchObject({ following: false, featuring: false })
})

test('an unknown tag has no history and is not made; a bad name is not found', async () => {
  const tag = newTag()
  const person = await app.person()
  const found = (await person.get(`/api/v1/tags/${tag}`)).ok()
  expect(found).toMatchObject({ name: tag, following: false })
  expect(found.history.every((day: Json) => day.uses === '0')).toBe(true)
  const { rows } = await sql`select 1 from tags where name = ${tag.toLowerCase()}`.execute(app.ctx.db)
  expect(rows).toEqual([])
  for (const bad of ['123', 'a b', 'x'.repeat(300)]) {
    for (const action of ['follow', 'unfollow']) {
      expect((await person.post(`/api/v1/tags/${encodeURIComponent(bad)}/${action}`)).status).toBe(404)
    }
    expect((await app.anonymous.get(`/api/v1/tags/${encodeURIComponent(bad)}`)).status).toBe(404)
  }
})

test('following a tag brings its public posts home, old and new; unfollowing takes them out [4-99]', async () => {
  const [tag, second] = [newTag(), newTag()]
  const [reader, writer, friend] = [
    await app.person('reader'),
    await app.person('writer'),
    await app.person('friend'),
  ]
  await reader.follow(friend)
  const own = await reader.say(`own #${tag}`)
  expect(await homeOf(reader)).toEqual([own.id])
  const old = await writer.say(`old #${tag}`)
  const byFriend = await friend.say(`friend #${tag}`)
  await writer.say(`unlisted #${tag}`, { visibility: 'unlisted' })
  expect(await act(reader, tag, 'follow')).toMatchObject({ name: tag, following: true })
  await act(reader, tag, 'follow')
  await act(reader, second, 'follow')
  const fresh = await writer.say(`new #${tag}`)
  const both = await writer.say(`both #${tag} #${second}`)
  expect(await homeOf(reader)).toEqual([both.id, fresh.id, byFriend.id, old.id, own.id])
  expect(await act(reader, tag, 'unfollow')).toMatchObject({ following: false })
  expect(await homeOf(reader)).toEqual([both.id, byFriend.id, own.id])
  await act(reader, tag, 'unfollow')
})

test('tags bring nothing from people one blocks or mutes', async () => {
  const tag = newTag()
  const [reader, blocked, muted] = [
    await app.person('reader'),
    await app.person('blocked'),
    await app.person('muted'),
  ]
  ;(await reader.post(`/api/v1/accounts/${blocked.accountId}/block`)).ok()
  ;(await reader.post(`/api/v1/accounts/${muted.accountId}/mute`)).ok()
  await blocked.say(`old #${tag}`)
  await muted.say(`old #${tag}`)
  expect(await homeOf(reader)).toEqual([])
  await act(reader, tag, 'follow')
  await blocked.say(`new #${tag}`)
  await muted.say(`new #${tag}`)
  expect(await homeOf(reader)).toEqual([])
})

test('a deleted post leaves home feeds, and a removed boost makes room for another', async () => {
  const [reader, author, one, two] = [
    await app.person(),
    await app.person(),
    await app.person(),
    await app.person(),
  ]
  await reader.follow(one)
  await reader.follow(two)
  expect(await homeOf(reader)).toEqual([])
  const post = await author.say('boosted')
  const first = (await one.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
  await app.settle()
  const other = (await two.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
  expect(await homeOf(reader)).toEqual([first.id])
  ;(await one.post(`/api/v1/statuses/${post.id}/unreblog`)).ok()
  expect(await homeOf(reader)).toEqual([other.id])
  ;(await author.delete(`/api/v1/statuses/${post.id}`)).ok()
  await app.settle()
  const { rows } = await sql`select 1 from home_entries where account_id = ${reader.accountId}`.execute(
    app.ctx.db,
  )
  expect(rows).toEqual([])
})

test('followed tags are listed newest first, in pages, by the same number of queries', async () => {
  const person = await app.person()
  const names = Array.from({ length: 5 }, newTag)
  for (const name of names) await act(person, name, 'follow')
  const newest = names.toReversed()
  const all = (await person.get('/api/v1/followed_tags')).ok()
  expect(all.map((tag: Json) => tag.name)).toEqual(newest)
  expect(all.every((tag: Json) => tag.following && tag.history.length === 7)).toBe(true)
  const first = await person.get('/api/v1/followed_tags', { limit: 2 })
  expect(first.ok().map((tag: Json) => tag.name)).toEqual(newest.slice(0, 2))
  const second = await person.get(first.links['next'] as string)
  expect(second.ok().map((tag: Json) => tag.name)).toEqual(newest.slice(2, 4))
  const back = await person.get(second.links['prev'] as string)
  expect(back.ok().map((tag: Json) => tag.name)).toEqual(newest.slice(0, 2))
  expect(back.links['prev']).toContain('since_id=')
  const count = (limit: number) => app.countQueries(() => person.get('/api/v1/followed_tags', { limit }))
  expect((await count(5)).length).toBe((await count(1)).length)
})

test('tags and followed tags want the right scopes', async () => {
  const [tag, person] = [newTag(), await app.person()]
  const follows = await app.withScopes(person, ['write:follows'])
  expect((await follows.post(`/api/v1/tags/${tag}/follow`)).status).toBe(200)
  const wrong = await app.withScopes(person, ['write:statuses', 'read:statuses'])
  expect((await wrong.get(`/api/v1/tags/${tag}`)).ok().following).toBe(true)
  expect((await wrong.get('/api/v1/followed_tags')).status).toBe(403)
  expect((await app.anonymous.get('/api/v1/followed_tags')).status).toBe(401)
  for (const action of ['follow', 'unfollow']) {
    expect((await wrong.post(`/api/v1/tags/${tag}/${action}`)).status).toBe(403)
    expect((await app.anonymous.post(`/api/v1/tags/${tag}/${action}`)).status).toBe(401)
  }
})

test('a person follows at most 1,000 tags, whoever asks how fast', async () => {
  const person = await app.person('collector')
  await sql`
    with made as (
      insert into tags (id, name, display_name, created_at)
      select 7000000 + n, 'many' || n, 'many' || n, now() from generate_series(1, 998) n returning id)
    insert into tag_follows (id, account_id, tag_id, created_at)
    select id, ${person.accountId}, id, now() from made`.execute(app.ctx.db)
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => person.post(`/api/v1/tags/${newTag()}/follow`)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 422, 422, 422, 422])
  expect(answers.find(({ status }) => status === 422)?.body.error).toBe(
    'Validation failed: You can follow at most 1000 hashtags',
  )
  expect((await act(person, 'many1', 'follow')).following).toBe(true)
  await act(person, 'many1', 'unfollow')
  await act(person, newTag(), 'follow')
})
