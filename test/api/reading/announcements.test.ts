import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import {
  createAnnouncement,
  deleteAnnouncement,
  updateAnnouncement,
} from '#domain/reading/announcements/edit-announcement.ts'
import type { AnnouncementInput } from '#domain/reading/announcements/prepare.ts'
import { publishDueAnnouncements } from '#domain/reading/announcements/publish-due.ts'
import type { Event } from '#ports/events.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type CustomEmojiId } from '#lib/id.ts'

const app = useApp()
const hour = 3_600_000
const at = (ms: number) => new Date(app.clock.now() + ms).toISOString()
/** Matches a time of the last minute. */
const recently = expect.toSatisfy((text: string) => {
  const ago = app.clock.now() - Date.parse(text)
  return ago >= 0 && ago < 60_000
})

const announce = (text: string, more: AnnouncementInput = {}) =>
  createAnnouncement(app.ctx, 'operator', { text, ...more })
const list = async (client: Client, query = {}): Promise<Json[]> =>
  (await client.get('/api/v1/announcements', query)).ok()
const find = async (client: Client, id: string): Promise<Json> =>
  (await list(client, { with_dismissed: true })).find((one) => one.id === id)

/** What waits to be worked on, of these kinds. */
async function waiting(...types: Event['type'][]): Promise<Event[]> {
  const { rows } = await sql<{ event: Event }>`select event from outbox order by id`.execute(app.ctx.db)
  return rows.map((row) => row.event).filter((event) => types.includes(event.type))
}

async function customEmoji(
  shortcode: string,
  domain: string | null = null,
  disabled = false,
): Promise<string> {
  const id = app.ctx.newId<CustomEmojiId>()
  const image_key = `custom_emojis/${id}/original.png`
  await app.ctx.db
    .insertInto('custom_emojis')
    .values({ id, shortcode, domain, image_key, disabled })
    .execute()
  return id
}

describe('the list', () => {
  test('shows what is announced, with all that the text names [1-11] [3-3]', async () => {
    const alice = await app.person('alice')
    const away = await remoteAccount(app.ctx)
    await customEmoji('party')
    const post = await alice.say('rules have changed')
    const hidden = await alice.say('not for all', { visibility: 'private' })
    const text = `Hello @${alice.username} and @${away.acct}, see ${post.url} and ${hidden.url} #News :party:\n\nBye <3`
    const id = await announce(text)
    const shown = await find(alice, id)
    expect(shown).toMatchObject({
      id,
      starts_at: null,
      ends_at: null,
      all_day: false,
      published_at: recently,
      updated_at: recently,
      read: false,
      reactions: [],
      tags: [{ name: 'news', url: 'https://chat.example/tags/news' }],
      statuses: [{ id: post.id, url: post.url }],
      emojis: [{ shortcode: 'party' }],
    })
    expect(shown.mentions.map((one: Json) => one.acct).toSorted()).toEqual(
      [alice.username, away.acct].toSorted(),
    )
    expect(shown.content).toContain(
      `<a href="https://chat.example/@${alice.username}" class="u-url mention">`,
    )
    expect(shown.content).toContain(
      '<a href="https://chat.example/tags/news" class="mention hashtag" rel="tag">',
    )
    expect(shown.content).toContain('</p><p>Bye &lt;3</p>')
    await deleteAnnouncement(app.ctx, 'operator', id)
    expect(await find(alice, id)).toBeUndefined()
  })

  test('is ordered by start, schedule and publication', async () => {
    const alice = await app.person('alice')
    const later = await announce('later', { startsAt: at(3 * hour) })
    const now = await announce('now')
    const before = await announce('before', { scheduledAt: at(-2 * hour) })
    const [starts_at, ends_at] = [at(hour), at(2 * hour)]
    const soon = await announce('soon', { startsAt: starts_at, endsAt: ends_at, allDay: true })
    const wanted = [before, now, soon, later]
    const shown = (await list(alice)).map((one) => one.id).filter((id) => wanted.includes(id))
    expect(shown).toEqual(wanted)
    expect(await find(alice, soon)).toMatchObject({ all_day: true, starts_at, ends_at })
  })

  test('wants a user, and any scope', async () => {
    const alice = await app.person('alice')
    expect((await (await app.withScopes(alice, ['push'])).get('/api/v1/announcements')).status).toBe(200)
    expect((await app.anonymous.get('/api/v1/announcements')).status).toBe(401)
    expect((await (await app.application(['read'])).get('/api/v1/announcements')).status).toBe(422)
  })

  test('costs the same number of queries for one and for many', async () => {
    const alice = await app.person('alice')
    const text = `@${alice.username} #tag :party: ${(await alice.say('x')).url}`
    await announce(text)
    const few = (await app.countQueries(() => list(alice))).length
    for (let i = 0; i < 10; i++) await announce(`${text} ${i}`)
    expect((await app.countQueries(() => list(alice))).length).toBe(few)
  })
})

describe('dismissing', () => {
  test('takes it out of the list unless it is asked for, for one person [2.2-36] [4-64] [4-65]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const id = await announce('read me')
    expect((await alice.post(`/api/v1/announcements/${id}/dismiss`)).ok()).toEqual({})
    expect((await list(alice)).map((one) => one.id)).not.toContain(id)
    expect((await list(alice, { with_dismissed: false })).map((one) => one.id)).not.toContain(id)
    expect(await find(alice, id)).toMatchObject({ id, read: true })
    expect((await list(bob)).find((one) => one.id === id)).toMatchObject({ read: false })
  })

  test('twice is fine [7-7]', async () => {
    const alice = await app.person('alice')
    const id = await announce('read me')
    for (const _ of [1, 2]) {
      const answer = await alice.post(`/api/v1/announcements/${id}/dismiss`)
      expect([answer.status, answer.body]).toEqual([200, {}])
    }
  })

  test('wants one that is there, and a scope', async () => {
    const alice = await app.person('alice')
    const draft = await announce('draft', { published: false })
    for (const id of ['1', 'x', draft]) {
      const answer = await alice.post(`/api/v1/announcements/${id}/dismiss`)
      expect([id, answer.status, answer.body]).toEqual([id, 404, { error: 'Record not found' }])
    }
    const reader = await app.withScopes(alice, ['read', 'write:favourites'])
    expect((await reader.post('/api/v1/announcements/1/dismiss')).status).toBe(403)
    expect((await app.anonymous.post('/api/v1/announcements/1/dismiss')).status).toBe(401)
  })
})

describe('reactions', () => {
  const path = (id: string, name: string) =>
    `/api/v1/announcements/${id}/reactions/${encodeURIComponent(name)}`

  test('are counted, once for each person, and can be taken back [2.2-35] [4-66]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const id = await announce('react')
    await customEmoji('wave')
    for (const client of [alice, alice, bob]) expect((await client.put(path(id, '👍'))).ok()).toEqual({})
    ;(await bob.put(path(id, 'wave'))).ok()
    const picture = expect.stringContaining('/media/custom_emojis/')
    expect((await find(alice, id)).reactions).toEqual([
      { name: '👍', count: 2, me: true },
      { name: 'wave', count: 1, me: false, url: picture, static_url: picture },
    ])
    expect((await find(bob, id)).reactions.map((one: Json) => one.me)).toEqual([true, true])
    for (const _ of [1, 2]) expect((await bob.delete(path(id, '👍'))).ok()).toEqual({})
    ;(await bob.delete(path(id, 'wave'))).ok()
    expect((await find(alice, id)).reactions).toEqual([{ name: '👍', count: 1, me: true }])
  })

  test('are emoji of this server', async () => {
    const alice = await app.person('alice')
    const id = await announce('react')
    await customEmoji('elsewhere', 'away.example')
    await customEmoji('switchedoff', null, true)
    for (const name of ['nonsense', 'a b', '👍👍', 'elsewhere', 'elsewhere@away.example', 'switchedoff']) {
      const answer = await alice.put(path(id, name))
      expect([name, answer.status, answer.body]).toEqual([
        name,
        422,
        { error: 'Validation failed: Name is not a recognized emoji' },
      ])
    }
    expect((await find(alice, id)).reactions).toEqual([])
  })

  test('are of at most eight kinds, whoever they are from', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => app.person('fan')))
    const id = await announce('react')
    const names = ['👍', '👎', '🎉', '❤️', '😂', '😮', '😢', '🚀', '👀', '🔥']
    const answers = await Promise.all(names.map((name, i) => people[i % 3]!.put(path(id, name))))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(8)
    for (const answer of answers.filter((one) => one.status !== 200)) {
      expect([answer.status, answer.body]).toEqual([
        422,
        { error: 'Validation failed: Limit of different reactions reached' },
      ])
    }
    const [first] = (await find(people[0]!, id)).reactions
    for (const person of people) expect((await person.put(path(id, first.name))).status).toBe(200)
    expect((await find(people[0]!, id)).reactions[0]).toMatchObject({ name: first.name, count: 3 })
  })

  test('go with the person or the emoji', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const id = await announce('react')
    const emojiId = await customEmoji('gone')
    ;(await alice.put(path(id, '👍'))).ok()
    ;(await bob.put(path(id, '👍'))).ok()
    ;(await bob.put(path(id, 'gone'))).ok()
    await app.ctx.db.deleteFrom('accounts').where('id', '=', bob.accountId).execute()
    expect((await find(alice, id)).reactions).toEqual([{ name: '👍', count: 1, me: true }])
    ;(await alice.put(path(id, 'gone'))).ok()
    await app.ctx.db.deleteFrom('custom_emojis').where('id', '=', asId<CustomEmojiId>(emojiId)).execute()
    expect((await find(alice, id)).reactions).toEqual([{ name: '👍', count: 1, me: true }])
  })

  test('are told one by one, but not when the announcement is deleted', async () => {
    const alice = await app.person('alice')
    await app.settle()
    const id = await announce('react')
    for (const _ of [1, 2]) (await alice.put(path(id, '👍'))).ok()
    ;(await alice.put(path(id, '🎉'))).ok()
    for (const _ of [1, 2]) (await alice.delete(path(id, '👍'))).ok()
    const fact = { announcementId: id, accountId: alice.accountId }
    const told = () => waiting('announcement-reaction.created', 'announcement-reaction.deleted')
    const events = [
      { type: 'announcement-reaction.created', ...fact, name: '👍' },
      { type: 'announcement-reaction.created', ...fact, name: '🎉' },
      { type: 'announcement-reaction.deleted', ...fact, name: '👍' },
    ]
    expect(await told()).toEqual(events)
    await deleteAnnouncement(app.ctx, 'operator', id)
    expect(await told()).toEqual(events)
    expect(await waiting('announcement.deleted')).toEqual([
      { type: 'announcement.deleted', announcementId: id },
    ])
  })

  test('want an announcement that is there, and a scope', async () => {
    const alice = await app.person('alice')
    const draft = await announce('draft', { published: false })
    for (const id of ['1', 'x', draft]) {
      expect((await alice.put(path(id, '👍'))).status).toBe(404)
      expect((await alice.put(path(id, 'nonsense'))).status).toBe(404)
      expect((await alice.delete(path(id, '👍'))).status).toBe(404)
    }
    const other = await app.withScopes(alice, ['read', 'write:accounts'])
    expect((await other.put(path('1', '👍'))).status).toBe(403)
    expect((await app.anonymous.put(path('1', '👍'))).status).toBe(401)
    expect((await app.anonymous.delete(path('1', '👍'))).status).toBe(401)
  })
})

describe('the schedule', () => {
  const told = async (id: string) =>
    (await waiting('announcement.published', 'announcement.unpublished')).filter(
      (event) => 'announcementId' in event && event.announcementId === id,
    )

  test('publishes when the time has come, and unpublishes at the end, each once [2.2-33] [2.2-34]', async () => {
    const alice = await app.person('alice')
    await app.settle()
    const ends_at = at(2 * hour)
    const id = await announce('a sale', { scheduledAt: at(hour), endsAt: ends_at })
    await publishDueAnnouncements(app.ctx)
    expect([await find(alice, id), await told(id)]).toEqual([undefined, []])
    app.clock.advance(hour)
    await Promise.all([publishDueAnnouncements(app.ctx), publishDueAnnouncements(app.ctx)])
    expect(await find(alice, id)).toMatchObject({ published_at: recently, ends_at })
    const published = { type: 'announcement.published', announcementId: id }
    expect(await told(id)).toEqual([published])
    app.clock.advance(hour)
    expect(await find(alice, id)).toBeUndefined()
    await Promise.all([publishDueAnnouncements(app.ctx), publishDueAnnouncements(app.ctx)])
    await publishDueAnnouncements(app.ctx)
    expect(await told(id)).toEqual([published, { type: 'announcement.unpublished', announcementId: id }])
    expect(await find(alice, id)).toBeUndefined()
  })

  test('that is over is now; one without is at once, unless it is not to be published', async () => {
    const alice = await app.person('alice')
    await app.settle()
    const past = await announce('past', { scheduledAt: at(-hour) })
    const draft = await announce('draft', { published: false })
    await publishDueAnnouncements(app.ctx)
    expect(await told(past)).toEqual([{ type: 'announcement.published', announcementId: past }])
    expect(await told(draft)).toEqual([])
    expect([(await find(alice, past)).id, await find(alice, draft)]).toEqual([past, undefined])
  })

  test('ends when staff say what is to be', async () => {
    const alice = await app.person('alice')
    const id = await announce('early', { scheduledAt: at(hour) })
    await updateAnnouncement(app.ctx, 'operator', id, { text: 'still waiting' })
    expect(await find(alice, id)).toBeUndefined()
    await updateAnnouncement(app.ctx, 'operator', id, { published: true })
    expect(await find(alice, id)).toMatchObject({ content: '<p>still waiting</p>' })
    await updateAnnouncement(app.ctx, 'operator', id, { published: false })
    await updateAnnouncement(app.ctx, 'operator', id, { text: 'taken back' })
    app.clock.advance(hour)
    await publishDueAnnouncements(app.ctx)
    expect(await find(alice, id)).toBeUndefined()
  })

  test('can be set anew', async () => {
    const alice = await app.person('alice')
    await app.settle()
    const id = await announce('first')
    await updateAnnouncement(app.ctx, 'operator', id, { published: false })
    expect(await find(alice, id)).toBeUndefined()
    await updateAnnouncement(app.ctx, 'operator', id, { scheduledAt: at(hour), text: 'second' })
    app.clock.advance(hour)
    await publishDueAnnouncements(app.ctx)
    expect(await find(alice, id)).toMatchObject({ content: '<p>second</p>', published_at: recently })
    await updateAnnouncement(app.ctx, 'operator', id, { text: 'third' })
    expect(await find(alice, id)).toMatchObject({ content: '<p>third</p>' })
    expect((await told(id)).map((event) => event.type)).toEqual([
      'announcement.published',
      'announcement.unpublished',
      'announcement.published',
    ])
    expect(await waiting('announcement.updated')).toHaveLength(1)
  })
})
