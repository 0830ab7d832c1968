// What hangs on a status is as hidden as the status itself.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import { attachment } from '#test/people/attachment.ts'
import { useApp } from '#test/app/app.ts'
import type { Answer, Client, Json } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import { countRows } from '#test/app/database.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const poll = { options: ['secret one', 'secret two'], expires_in: 600 }

/** Everyone but the author and those the status is for. */
async function outsiders(author: Person): Promise<Record<string, Client>> {
  const [stranger, blocked, former] = [
    await app.person('stranger'),
    await app.person('blocked'),
    await app.person('former'),
  ]
  for (const person of [blocked, former]) await person.follow(author)
  ;(await author.post(`/api/v1/accounts/${blocked.accountId}/block`)).ok()
  ;(await former.post(`/api/v1/accounts/${author.accountId}/unfollow`)).ok()
  return {
    stranger,
    blocked,
    former,
    anonymous: app.anonymous,
    application: await app.application(['read', 'write']),
  }
}

const readings = (post: Json) => [
  `/api/v1/polls/${post.poll.id}`,
  `/api/v1/statuses/${post.id}/history`,
  `/api/v1/statuses/${post.id}/source`,
]

const missing: Record<string, (client: Client) => Promise<Answer>> = {
  polls: (client) => client.get('/api/v1/polls/1'),
  history: (client) => client.get('/api/v1/statuses/1/history'),
  source: (client) => client.get('/api/v1/statuses/1/source'),
}
const missingLike = (path: string) =>
  missing[['history', 'source'].find((part) => path.endsWith(part)) ?? 'polls'] as (
    client: Client,
  ) => Promise<Answer>

/** What tells two answers apart, but for the name of the request. */
const seen = ({ status, body, headers }: Answer) => {
  const rest = Object.fromEntries(headers)
  delete rest['x-request-id']
  return { status, body, headers: rest }
}

describe('poll, history and source of a status', () => {
  test.each(['private', 'direct'])('that is %s are there for nobody else [ACC-1]', async (visibility) => {
    const author = await app.person('author')
    const others = await outsiders(author)
    const post = await author.say('secret text', { visibility, poll })
    ;(await author.put(`/api/v1/statuses/${post.id}`, { status: 'other secret', poll })).ok()
    for (const [name, client] of Object.entries(others)) {
      for (const path of readings(post)) {
        const answer = await client.get(path)
        expect([name, path, seen(answer)]).toEqual([name, path, seen(await missingLike(path)(client))])
        expect([401, 404]).toContain(answer.status)
      }
    }
    for (const path of readings(post)) expect((await author.get(path)).status).toBe(200)
  })

  test('are there for those who follow, and go when they follow no more [ACC-1]', async () => {
    const [author, friend] = [await app.person('author'), await app.person('friend')]
    await friend.follow(author)
    const post = await author.say('for friends', { visibility: 'private', poll })
    for (const path of readings(post)) expect((await friend.get(path)).status).toBe(200)
    ;(await friend.post(`/api/v1/polls/${post.poll.id}/votes`, { choices: [0] })).ok()
    ;(await friend.post(`/api/v1/accounts/${author.accountId}/unfollow`)).ok()
    for (const path of readings(post)) expect((await friend.get(path)).status).toBe(404)
    app.clock.advance(minutes(11))
    await closePolls(app.ctx)
    await app.settle()
    expect((await friend.get('/api/v1/notifications')).ok()).toEqual([])
  })

  test('of a suspended author are gone [ACC-1]', async () => {
    const author = await app.person('author')
    const post = await author.say('was public', { poll })
    await sql`update accounts set suspended_at = now(), version = version + 1 where id = ${author.accountId}`.execute(
      app.ctx.db,
    )
    const stranger = await app.person('stranger')
    for (const path of readings(post)) expect((await stranger.get(path)).status).toBe(404)
  })

  test('what one cannot see one can neither vote in nor edit, and nothing is written [ACC-2]', async () => {
    const author = await app.person('author')
    const others = await outsiders(author)
    const post = await author.say('secret text', { visibility: 'private', poll })
    await app.settle()
    const before = await countRows(app.ctx)
    for (const name of ['stranger', 'blocked', 'former', 'anonymous', 'application']) {
      const client = others[name] as Client
      const votes = await client.post(`/api/v1/polls/${post.poll.id}/votes`, { choices: [0] })
      expect([name, seen(votes)]).toEqual([
        name,
        seen(await client.post('/api/v1/polls/1/votes', { choices: [0] })),
      ])
      const edit = await client.put(`/api/v1/statuses/${post.id}`, { status: 'mine now' })
      expect([name, seen(edit)]).toEqual([
        name,
        seen(await client.put('/api/v1/statuses/1', { status: 'mine now' })),
      ])
      expect(votes.status).toBeGreaterThanOrEqual(401)
      expect(edit.status).toBeGreaterThanOrEqual(401)
    }
    await app.settle()
    expect(await countRows(app.ctx)).toEqual(before)
  })

  test('a public status is edited by its author alone [ACC-7]', async () => {
    const [author, other] = [await app.person('author'), await app.person('other')]
    const picture = await attachment(app.ctx, author, 'mine')
    const post = await author.say('mine', { media_ids: [picture] })
    await app.settle()
    const before = await countRows(app.ctx)
    for (const params of [
      { status: 'not yours' },
      {},
      { status: 'x'.repeat(1000) },
      { status: 'mine', media_ids: [picture], media_attributes: [{ id: picture, description: 'changed' }] },
    ])
      expect((await other.put(`/api/v1/statuses/${post.id}`, params)).body).toEqual({
        error: 'Record not found',
      })
    const stolen = await other.say('theirs')
    const answer = await other.put(`/api/v1/statuses/${stolen.id}`, {
      status: 'theirs',
      media_ids: [picture],
    })
    expect(answer.status).toBe(422)
    await app.settle()
    const after = await countRows(app.ctx)
    expect({
      ...after,
      statuses: after['statuses']! - 1,
      conversations: after['conversations']! - 1,
      status_search: after['status_search']! - 1,
      home_entries: after['home_entries']! - 1,
    }).toEqual(before)
    expect((await app.anonymous.get(`/api/v1/statuses/${post.id}`)).ok()).toMatchObject({
      content: '<p>mine</p>',
      media_attachments: [{ description: 'mine' }],
    })
  })
})

describe('an edit [ACC-19]', () => {
  test.each(['unlisted', 'private', 'direct'])(
    'leaves a %s status as it was addressed',
    async (visibility) => {
      const [author, stranger] = [await app.person('author'), await app.person('stranger')]
      const [parent, quoted] = [await stranger.say('a parent'), await stranger.say('to be quoted')]
      const post = await author.say('secret', { visibility })
      const more = {
        visibility: 'public',
        in_reply_to_id: parent.id,
        quoted_status_id: quoted.id,
        local_only: false,
      }
      const after = (
        await author.put(`/api/v1/statuses/${post.id}`, { status: 'secret still', ...more })
      ).ok()
      expect(after).toMatchObject({ visibility, in_reply_to_id: null, quote: null })
      await app.settle()
      const status = visibility === 'unlisted' ? 200 : 404
      expect((await stranger.get(`/api/v1/statuses/${post.id}`)).status).toBe(status)
      expect((await stranger.get('/api/v1/timelines/public')).ok().map((one: Json) => one.id)).not.toContain(
        post.id,
      )
    },
  )

  test.each(['private', 'direct'])('opens a %s status to nobody’s quotes', async (visibility) => {
    const author = await app.person('author')
    const post = await author.say('secret', { visibility })
    const after = (
      await author.put(`/api/v1/statuses/${post.id}`, { status: 'secret', quote_approval_policy: 'public' })
    ).ok()
    expect(after.quote_approval.automatic).toEqual([])
  })

  test('that names somebody no more leaves them what they could see, and tells them nothing', async () => {
    const [author, named] = [await app.person('author'), await app.person('named')]
    const post = await author.say(`@${named.username} between us`, { visibility: 'direct' })
    await app.settle()
    ;(await named.post('/api/v1/notifications/clear')).ok()
    const after = (await author.put(`/api/v1/statuses/${post.id}`, { status: 'between us' })).ok()
    expect(after.mentions).toEqual([])
    await app.settle()
    expect((await named.get(`/api/v1/statuses/${post.id}`)).ok().content).toBe('<p>between us</p>')
    expect((await named.get('/api/v1/notifications')).ok()).toEqual([])
    for (const client of [app.anonymous, await app.person('stranger')])
      expect((await client.get(`/api/v1/statuses/${post.id}`)).status).toBe(404)
  })

  test('keeps its earlier words from whoever the author has blocked since', async () => {
    const [author, reader] = [await app.person('author'), await app.person('reader')]
    const post = await author.say('said too much')
    ;(await author.put(`/api/v1/statuses/${post.id}`, { status: 'said less' })).ok()
    const path = `/api/v1/statuses/${post.id}/history`
    expect((await reader.get(path)).ok()).toHaveLength(2)
    ;(await author.post(`/api/v1/accounts/${reader.accountId}/block`)).ok()
    expect((await reader.get(path)).status).toBe(404)
  })

  test('is told only to those who may still see it', async () => {
    const [author, quoter, booster] = [
      await app.person('author'),
      await app.person('quoter'),
      await app.person('b'),
    ]
    const post = await author.say('v1')
    ;(await booster.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    await quoter.say('see', { quoted_status_id: post.id })
    await app.settle()
    for (const person of [quoter, booster])
      (await author.post(`/api/v1/accounts/${person.accountId}/block`)).ok()
    ;(await author.put(`/api/v1/statuses/${post.id}`, { status: 'v2' })).ok()
    await app.settle()
    for (const person of [quoter, booster])
      expect((await person.get('/api/v1/notifications')).ok()).toEqual([])
  })
})
