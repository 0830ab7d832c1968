import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()

async function notificationsOf(person: Person, query: Record<string, unknown> = {}): Promise<Json[]> {
  await app.settle()
  return (await person.get('/api/v1/notifications', query)).ok()
}

const kindsOf = async (person: Person, query: Record<string, unknown> = {}): Promise<string[]> =>
  (await notificationsOf(person, query)).map((one) => one.type)

async function pair(): Promise<[Person, Person]> {
  return [await app.person('reader'), await app.person('sender')]
}

async function lock(person: Person): Promise<void> {
  await sql`update accounts set locked = true, version = version + 1 where id = ${person.accountId}`.execute(
    app.ctx.db,
  )
}

const on = (person: Person, action: string, params?: Record<string, unknown>) => (reader: Person) =>
  reader.post(`/api/v1/accounts/${person.accountId}/${action}`, params)

/** The sender's account as one of another server. */
async function moveAway(sender: Person): Promise<string> {
  const domain = `${sender.username}.example`
  await sql`update accounts set domain = ${domain}, version = version + 1 where id = ${sender.accountId}`.execute(
    app.ctx.db,
  )
  return domain
}

describe('who is told of what, further [1-12] [2.2-7] [ACC-12] [ACC-13]', () => {
  test('someone of a blocked domain whom the recipient follows is heard', async () => {
    const [reader, sender] = await pair()
    ;(await reader.post('/api/v1/domain_blocks', { domain: await moveAway(sender) })).ok()
    await app.settle()
    const post = await reader.say('like me')
    ;(await sender.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
    await sql`insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${reader.accountId}, ${sender.accountId})`.execute(app.ctx.db)
    expect(await kindsOf(reader)).toEqual(['favourite'])
  })

  test('nobody hears of themselves, and a named person only once', async () => {
    const [reader, sender] = await pair()
    const own = await reader.say(`@${reader.username} to myself`)
    ;(await reader.post(`/api/v1/statuses/${own.id}/favourite`)).ok()
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/follow`, { notify: true })).ok()
    await sender.say(`@${reader.username} hello`)
    expect(await kindsOf(reader)).toEqual(['mention'])
  })

  test('followers with notify hear of new posts and self-replies, not of replies to others or boosts [2.2-12] [4-92]', async () => {
    const [reader, sender] = await pair()
    const other = await app.person('other')
    const quiet = await app.person('quiet')
    await quiet.follow(sender)
    await reader.follow(other)
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/follow`, { notify: true })).ok()
    const post = await other.say('by somebody else')
    await sender.say('a reply', { in_reply_to_id: post.id })
    ;(await sender.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    const first = await sender.say('first', { visibility: 'private' })
    await app.settle()
    const second = await sender.say('second', { in_reply_to_id: first.id })
    await sender.say(`@${other.username} in private`, { visibility: 'direct' })
    const found = await notificationsOf(reader)
    expect(found.map((one) => [one.type, one.status.id])).toEqual([
      ['status', second.id],
      ['status', first.id],
    ])
    expect(await kindsOf(quiet)).toEqual([])
  })

  test('a thread with somebody blocked or muted stays quiet', async () => {
    const [reader, sender] = await pair()
    const [blocked, muted] = [await app.person('blocked'), await app.person('muted')]
    ;(await on(blocked, 'block')(reader)).ok()
    ;(await on(muted, 'mute')(reader)).ok()
    const post = await blocked.say('a thread')
    await sender.say(`@${reader.username} look`, { in_reply_to_id: post.id })
    await sender.say(`@${reader.username} and @${muted.username}`)
    await sender.say(`@${reader.username} alone`)
    expect((await notificationsOf(reader)).map((one) => one.status.content)).toEqual([
      expect.stringContaining('alone'),
    ])
  })

  test('staff with a higher role reach people who block them, by mention only', async () => {
    const reader = await app.person('reader')
    const staff = await app.person('staff', { role: 'Moderator' })
    await staff.follow(reader)
    await app.settle()
    ;(await on(staff, 'block')(reader)).ok()
    await staff.say(`@${reader.username} about your report`)
    expect(await kindsOf(reader)).toEqual(['mention'])
    ;(await on(reader, 'block')(staff)).ok()
    await reader.say(`@${staff.username} no`)
    expect(await kindsOf(staff)).toEqual([])
  })

  test('suspended people cause nothing, and what they caused is hidden', async () => {
    const [reader, sender] = await pair()
    const post = await reader.say('mine')
    await sender.follow(reader)
    expect(await kindsOf(reader)).toEqual(['follow'])
    await sender.say(`@${reader.username} hi`)
    ;(await sender.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
    await sql`update accounts set suspended_at = now(), version = version + 1 where id = ${sender.accountId}`.execute(
      app.ctx.db,
    )
    expect(await kindsOf(reader)).toEqual([])
    await sql`update accounts set suspended_at = null, version = version + 1 where id = ${sender.accountId}`.execute(
      app.ctx.db,
    )
    expect(await kindsOf(reader)).toEqual(['follow'])
  })

  test('a mute with an end hides until then [2.2-13] [4-16]', async () => {
    const [reader, sender] = await pair()
    await sender.say(`@${reader.username} hi`)
    expect(await kindsOf(reader)).toEqual(['mention'])
    ;(await on(sender, 'mute', { duration: 3600 })(reader)).ok()
    expect(await kindsOf(reader)).toEqual([])
    app.clock.advance(hours(2))
    expect(await kindsOf(reader)).toEqual(['mention'])
  })
})

describe('taking back', () => {
  test('an unfavourite, an unreblog and an unfollow remove their notification; again makes one', async () => {
    const [reader, sender] = await pair()
    const post = await reader.say('mine')
    for (const [does, undoes, kind] of [
      [`statuses/${post.id}/favourite`, `statuses/${post.id}/unfavourite`, 'favourite'],
      [`statuses/${post.id}/reblog`, `statuses/${post.id}/unreblog`, 'reblog'],
      [`accounts/${reader.accountId}/follow`, `accounts/${reader.accountId}/unfollow`, 'follow'],
    ]) {
      ;(await sender.post(`/api/v1/${does}`)).ok()
      ;(await sender.post(`/api/v1/${does}`)).ok()
      expect(await kindsOf(reader)).toEqual([kind])
      ;(await sender.post(`/api/v1/${undoes}`)).ok()
      expect(await kindsOf(reader)).toEqual([])
      ;(await sender.post(`/api/v1/${does}`)).ok()
      ;(await sender.post(`/api/v1/${undoes}`)).ok()
      expect(await kindsOf(reader)).toEqual([])
    }
  })

  test('likes and their undo side by side leave a notification exactly when they leave a like [ROB-14]', async () => {
    const [reader, sender] = await pair()
    const post = await reader.say('mine')
    const toggles = Array.from({ length: 12 }, (_, i) =>
      sender.post(`/api/v1/statuses/${post.id}/${i % 2 ? 'unfavourite' : 'favourite'}`),
    )
    await Promise.all([...toggles, app.settle(), app.settle()])
    const { favourited } = (await sender.get(`/api/v1/statuses/${post.id}`)).ok()
    expect(await kindsOf(reader)).toEqual(favourited ? ['favourite'] : [])
  })

  test('a deleted post takes its notifications along', async () => {
    const [reader, sender] = await pair()
    const post = await sender.say(`@${reader.username} oops`)
    expect(await kindsOf(reader)).toEqual(['mention'])
    ;(await sender.delete(`/api/v1/statuses/${post.id}`)).ok()
    expect(await kindsOf(reader)).toEqual([])
    const { rows } = await sql`select 1 from notifications where account_id = ${reader.accountId}`.execute(
      app.ctx.db,
    )
    expect(rows).toEqual([])
  })

  test('a request: cancelled it vanishes, accepted it becomes a follow [2.2-44]', async () => {
    const [reader, sender] = await pair()
    await lock(reader)
    await sender.follow(reader)
    expect(await kindsOf(reader)).toEqual(['follow_request'])
    ;(await on(reader, 'unfollow')(sender)).ok()
    expect(await kindsOf(reader)).toEqual([])
    await sender.follow(reader)
    ;(await reader.post(`/api/v1/follow_requests/${sender.accountId}/authorize`)).ok()
    expect(await kindsOf(reader)).toEqual(['follow'])
  })
})

describe('reading [4-67] [4-68] [4-69]', () => {
  /** A reader with one notification of each of five kinds, oldest first. */
  async function varied() {
    const [reader, sender] = await pair()
    const post = await reader.say('mine')
    for (const act of [
      () => sender.follow(reader),
      () => sender.post(`/api/v1/statuses/${post.id}/favourite`),
      () => sender.post(`/api/v1/statuses/${post.id}/reblog`),
      () => sender.say(`@${reader.username} hi`),
    ]) {
      await act()
      await app.settle()
    }
    return { reader, sender, post }
  }

  test('newest first, with account, status and group key', async () => {
    const { reader, sender, post } = await varied()
    const found = await notificationsOf(reader)
    expect(found.map((one) => one.type)).toEqual(['mention', 'reblog', 'favourite', 'follow'])
    expect(found.map((one) => one.status?.id)).toEqual([expect.any(String), post.id, post.id, undefined])
    expect(found.every((one) => one.account.id === sender.accountId)).toBe(true)
    const hour = Math.floor(app.clock.now() / 3_600_000)
    expect(found[0].group_key).toBe(`ungrouped-${found[0].id}`)
    expect([`reblog-${post.id}-${hour}`, `reblog-${post.id}-${hour - 1}`]).toContain(found[1].group_key)
    expect(found[3].group_key).toMatch(/^follow-\d+$/)
  })

  test('a group goes on for twelve hours', async () => {
    const reader = await app.person('reader')
    const post = await reader.say('mine')
    const keys: string[] = []
    for (const wait of [0, 11, 2]) {
      app.clock.advance(hours(wait))
      ;(await (await app.person('fan')).post(`/api/v1/statuses/${post.id}/favourite`)).ok()
      keys.push((await notificationsOf(reader))[0].group_key)
    }
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('types, exclude_types and account_id choose; unknown kinds do not break [4-38] [4-39] [4-40]', async () => {
    const { reader, sender } = await varied()
    expect(await kindsOf(reader, { types: ['mention', 'follow'] })).toEqual(['mention', 'follow'])
    expect(await kindsOf(reader, { types: ['favourite'] })).toEqual(['favourite'])
    expect(await kindsOf(reader, { types: ['nonsense'] })).toEqual([])
    expect(
      await kindsOf(reader, { types: ['mention', 'reblog'], exclude_types: ['reblog', 'nonsense'] }),
    ).toEqual(['mention'])
    expect(await kindsOf(reader, { account_id: sender.accountId })).toHaveLength(4)
    for (const nobody of [reader.accountId, '42', 'nobody']) {
      expect(await kindsOf(reader, { account_id: nobody })).toEqual([])
    }
  })

  test('pages by max_id, min_id and since_id; 40 by default, 80 at most [4-41] [4-114] [8-3]', async () => {
    const [reader, sender] = await pair()
    for (let i = 0; i < 82; i++) await sender.say(`@${reader.username} ${i}`)
    const all = (await notificationsOf(reader, { limit: 100 })).map((one) => one.id)
    expect(all).toHaveLength(80)
    const first = await reader.get('/api/v1/notifications')
    expect(first.body).toHaveLength(40)
    const second = await reader.get(first.links['next'] as string)
    expect(second.body.map((one: Json) => one.id)).toEqual(all.slice(40))
    const back = await reader.get(second.links['prev'] as string)
    expect(back.body.map((one: Json) => one.id)).toEqual(all.slice(0, 40))
    const since = await notificationsOf(reader, { since_id: all[20], limit: 5 })
    expect(since.map((one) => one.id)).toEqual(all.slice(0, 5))
  })

  test('takes the same number of queries for 20 and for 40', async () => {
    const reader = await app.person('reader')
    const senders = await Promise.all(Array.from({ length: 5 }, () => app.person('sender')))
    const posts: Json[] = []
    for (let i = 0; i < 10; i++) posts.push(await reader.say(`post ${i}`))
    for (const sender of senders) {
      await sender.follow(reader)
      for (const post of posts) (await sender.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
    }
    await app.settle()
    const count = (limit: number) => async () => {
      const page = (await reader.get('/api/v1/notifications', { limit })).ok()
      expect(page).toHaveLength(limit)
    }
    await count(40)()
    const few = await app.countQueries(count(20))
    const many = await app.countQueries(count(40))
    expect(many.length).toBe(few.length)
    expect(many.length).toBeLessThanOrEqual(6)
  })

  test('a post the reader lost access to is left out', async () => {
    const [reader, sender] = await pair()
    ;(await reader.post(`/api/v1/accounts/${sender.accountId}/follow`, { notify: true })).ok()
    await sender.say('for followers', { visibility: 'private' })
    const [one] = await notificationsOf(reader)
    ;(await on(sender, 'unfollow')(reader)).ok()
    expect(await kindsOf(reader)).toEqual([])
    expect((await reader.get(`/api/v1/notifications/${one.id}`)).status).toBe(404)
  })

  test('one is shown and dismissed, all are cleared, those of others are not found [ACC-7] [ACC-8]', async () => {
    const { reader, sender } = await varied()
    const [one] = await notificationsOf(reader)
    expect((await reader.get(`/api/v1/notifications/${one.id}`)).ok()).toEqual(one)
    const missing = await sender.get('/api/v1/notifications/1')
    for (const answer of [
      await sender.get(`/api/v1/notifications/${one.id}`),
      await sender.post(`/api/v1/notifications/${one.id}/dismiss`),
      await reader.get('/api/v1/notifications/nonsense'),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    }
    expect((await reader.post(`/api/v1/notifications/${one.id}/dismiss`)).ok()).toEqual({})
    expect((await reader.post(`/api/v1/notifications/${one.id}/dismiss`)).status).toBe(404)
    expect(await kindsOf(reader)).toEqual(['reblog', 'favourite', 'follow'])
    ;(await sender.post('/api/v1/notifications/clear')).ok()
    expect(await kindsOf(reader)).toHaveLength(3)
    expect((await reader.post('/api/v1/notifications/clear')).ok()).toEqual({})
    expect(await kindsOf(reader)).toEqual([])
  })

  test('unread_count counts what is newer than the marker, up to a limit', async () => {
    const { reader } = await varied()
    const found = await notificationsOf(reader)
    const count = async (query = {}) =>
      (await reader.get('/api/v1/notifications/unread_count', query)).ok().count
    expect([await count(), await count({ limit: 2 }), await count({ types: ['follow'] })]).toEqual([4, 2, 1])
    ;(await reader.post('/api/v1/markers', { notifications: { last_read_id: found[1].id } })).ok()
    expect(await count()).toBe(1)
  })

  test('wants a token with the right scope', async () => {
    const person = await app.person()
    const wrong = await app.withScopes(person, ['read:statuses', 'write:statuses', 'follow'])
    for (const path of ['', '/1', '/unread_count']) {
      expect((await app.anonymous.get(`/api/v1/notifications${path}`)).status).toBe(401)
      expect((await wrong.get(`/api/v1/notifications${path}`)).status).toBe(403)
    }
    for (const path of ['/clear', '/1/dismiss']) {
      expect((await app.anonymous.post(`/api/v1/notifications${path}`)).status).toBe(401)
      expect((await wrong.post(`/api/v1/notifications${path}`)).status).toBe(403)
    }
  })
})
