import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteUnattachedMedia } from '#domain/content/media/delete.ts'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const path = '/api/v1/drafts'
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)

let alice: Person
let bob: Person
beforeEach(async () => {
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
})

const begin = async (posts: object[], more: Record<string, unknown> = {}, who = alice): Promise<Json> =>
  (await who.post(path, { posts, ...more })).ok()
const save = (draft: Json, posts: object[]) =>
  alice.put(`${path}/${draft.id}`, { version: draft.version, posts })
const publish = (draft: Json, more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  alice.post(`${path}/${draft.id}/publish`, more, headers)
const kept = async (who = alice): Promise<Json[]> => (await who.get(path)).ok()
const posted = async (): Promise<Json[]> =>
  (await alice.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok()

const nothing = {
  status: '',
  spoiler_text: '',
  visibility: null,
  sensitive: null,
  language: null,
  media_ids: [],
  media_attachments: [],
  poll: null,
  quoted_status_id: null,
  quote_approval_policy: null,
  reply_approval_policy: null,
  content_type: null,
  local_only: null,
}

describe('a draft', () => {
  test('keeps all that a post is asked for with, and gives it back as it was sent', async () => {
    const parent = await bob.say('parent')
    const media = await attachment(app.ctx, alice, 'a cat')
    const post = {
      status: ' two\n words ',
      spoiler_text: 'careful',
      visibility: 'unlisted',
      sensitive: true,
      language: 'de',
      media_ids: [media],
      poll: { options: ['a', ''], expires_in: 600, multiple: true, hide_totals: false },
      quoted_status_id: parent.id,
      quote_approval_policy: 'followers',
      reply_approval_policy: 'following',
      content_type: 'text/markdown',
      local_only: false,
    }
    const made = await begin([post, {}], { in_reply_to_id: parent.id })
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      version: 1,
      in_reply_to_id: parent.id,
      posts: [
        { ...post, media_attachments: [expect.objectContaining({ id: media, description: 'a cat' })] },
        nothing,
      ],
      created_at: made.created_at,
      updated_at: made.created_at,
    })
    expect(await kept()).toEqual([made])
    expect((await alice.get(`${path}/${made.id}`)).ok()).toEqual(made)
    await app.settle()
    expect(await posted()).toEqual([])
    expect((await bob.get('/api/v1/notifications')).ok()).toEqual([])
  })

  test('may be longer than a post, though not without end', async () => {
    const long = await begin([{ status: 'x'.repeat(5000) }])
    expect(long.posts[0].status).toHaveLength(5000)
    expect((await begin([])).posts).toEqual([nothing])
    const tries: [object[], string][] = [
      [[{ status: 'x'.repeat(5001) }], 'Validation failed: Text character limit of 5000 exceeded'],
      [
        Array.from({ length: 6 }, () => ({ status: 'x'.repeat(4999) })),
        'Validation failed: Text character limit of 25000 exceeded',
      ],
      [Array.from({ length: 26 }, () => ({ status: 'x' })), 'A draft may have 25 posts at most'],
      [[{ media_ids: ['1', '2', '3', '4', '5'] }], 'Cannot attach more than 4 files'],
      [[{ poll: { options: ['1', '2', '3', '4', '5'] } }], 'Poll options can'],
      [[{ media_ids: ['12'] }], 'Media IDS not found or already attached to another post'],
    ]
    for (const [posts, error] of tries) {
      const answer = await alice.post(path, { posts })
      expect([answer.status, answer.body.error]).toEqual([422, expect.stringContaining(error)])
    }
  })

  test('there are 300 at most, also when they come at the same time', async () => {
    await sql`
      insert into drafts (id, account_id, content)
      select nextval('notification_ids') + 900000, ${alice.accountId}, '{"posts":[{"text":"x"}]}'
      from generate_series(1, 299)`.execute(app.ctx.db)
    const answers = await Promise.all([1, 2, 3].map(() => alice.post(path, { posts: [] })))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 422, 422])
    await begin([], {}, bob)
  })

  test('is made once for an Idempotency-Key [ROB-13]', async () => {
    const send = () => alice.post(path, { posts: [{ status: 'x' }] }, { 'idempotency-key': 'k' })
    const answers = await Promise.all([send(), send(), send()])
    expect(new Set(answers.map((answer) => answer.ok().id)).size).toBe(1)
    expect(await kept()).toHaveLength(1)
    const status = await alice.post('/api/v1/statuses', { status: 'other' }, { 'idempotency-key': 'k' })
    expect(status.ok().content).toBe('<p>other</p>')
  })

  test('is its person’s alone, and wants a scope [ACC-7] [AUTH-6]', async () => {
    const made = await begin([{ status: 'mine' }])
    const target = `${path}/${made.id}`
    for (const answer of [
      await bob.get(target),
      await bob.put(target, { version: 1, posts: [] }),
      await bob.delete(target),
      await bob.post(`${target}/publish`),
    ])
      expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }])
    expect(await kept(bob)).toEqual([])
    const [reader, writer] = [
      await app.withScopes(alice, ['read:statuses']),
      await app.withScopes(alice, ['write:statuses']),
    ]
    expect((await reader.get(target)).ok()).toEqual(made)
    expect((await writer.get(path)).status).toBe(403)
    for (const answer of [
      await reader.post(path, { posts: [] }),
      await reader.put(target, { version: 1, posts: [] }),
      await reader.delete(target),
      await reader.post(`${target}/publish`),
    ])
      expect(answer.status).toBe(403)
    expect((await writer.delete(target)).ok()).toEqual({})
    expect((await alice.get(target)).status).toBe(404)
  })

  test('is listed page by page, by as many queries for 20 as for 40', async () => {
    const made: string[] = []
    for (let i = 0; i < 40; i++)
      made.unshift((await begin([{ status: `${i}`, media_ids: [await attachment(app.ctx, alice)] }])).id)
    const first = await alice.get(path)
    expect(idsOf(first.ok())).toEqual(made.slice(0, 20))
    expect(idsOf((await alice.get(first.links['next']!)).ok())).toEqual(made.slice(20))
    const list = (limit: number) => app.countQueries(() => alice.get(`${path}?limit=${limit}`))
    expect(await list(40)).toHaveLength((await list(20)).length)
  })
})

describe('a change', () => {
  test('raises the version; what is there already changes nothing, so that it can be sent again', async () => {
    const made = await begin([{ status: 'a' }])
    app.clock.advance(1000)
    const second = (await save(made, [{ status: 'b' }, { status: 'c' }])).ok()
    expect(second).toMatchObject({ version: 2, posts: [{ status: 'b' }, { status: 'c' }] })
    expect(Date.parse(second.updated_at)).toBeGreaterThan(Date.parse(made.updated_at))
    expect((await save(made, [{ status: 'b' }, { status: 'c' }])).ok()).toEqual(second)
  })

  test('of an older version is refused with the draft as it is, and loses nothing [ROB-14]', async () => {
    const made = await begin([{ status: 'a' }])
    const answers = await Promise.all(['phone', 'desk', 'tablet'].map((status) => save(made, [{ status }])))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409])
    const now = answers.find((answer) => answer.status === 200)?.body
    const refused = answers.find((answer) => answer.status === 409)
    expect(refused?.body).toEqual({ error: 'The draft has been changed meanwhile', draft: now })
    for (const answer of [
      await alice.delete(`${path}/${made.id}?version=1`),
      await publish(made, { version: 1 }),
    ])
      expect([answer.status, answer.body.draft]).toEqual([409, now])
    expect(await kept()).toEqual([now])
    const blind = await alice.put(`${path}/${made.id}`, { posts: [] })
    expect([blind.status, blind.body.error]).toEqual([400, expect.stringContaining('version')])
  })

  test('holds media as long as the draft has them: nothing sweeps or takes them', async () => {
    const [first, second, theirs] = [
      await attachment(app.ctx, alice),
      await attachment(app.ctx, alice),
      await attachment(app.ctx, bob),
    ]
    const made = await begin([{ media_ids: [first] }, { media_ids: [second] }])
    app.clock.advance(days(3))
    await deleteUnattachedMedia(app.ctx)
    const taken = 'Media IDS not found or already attached to another post'
    for (const answer of [
      await alice.post('/api/v1/statuses', { status: 'x', media_ids: [first] }),
      await alice.post(path, { posts: [{ media_ids: [first] }] }),
      await save(made, [{ media_ids: [first, first] }]),
      await save(made, [{ media_ids: [theirs] }]),
    ])
      expect([answer.status, answer.body.error]).toEqual([422, taken])
    expect((await alice.delete(`/api/v1/media/${first}`)).status).toBe(422)
    ;(await alice.put(`/api/v1/media/${first}`, { description: 'described' })).ok()
    const without = (await save(made, [{ media_ids: [first] }])).ok()
    expect(without.posts[0].media_attachments).toMatchObject([{ id: first, description: 'described' }])
    app.clock.advance(days(2))
    await deleteUnattachedMedia(app.ctx)
    expect((await alice.get(`/api/v1/media/${second}`)).status).toBe(404)
    await alice.delete(`${path}/${made.id}`)
    expect((await alice.say('', { media_ids: [first] })).media_attachments).toMatchObject([{ id: first }])
  })
})

describe('publishing', () => {
  test('makes posts of all, each answering the one before, and the draft is gone', async () => {
    const parent = await bob.say('parent')
    const [one, two] = [await attachment(app.ctx, alice), await attachment(app.ctx, alice)]
    const made = await begin(
      [
        { status: `@${bob.username} first`, media_ids: [one] },
        { status: 'second', spoiler_text: 'cw', media_ids: [two] },
        { status: 'third', poll: { options: ['a', 'b'], expires_in: 600 }, visibility: 'unlisted' },
      ],
      { in_reply_to_id: parent.id },
    )
    const [first, second, third] = (await publish(made)).ok() as unknown as Json[]
    expect(first).toMatchObject({ in_reply_to_id: parent.id, media_attachments: [{ id: one }] })
    expect(second).toMatchObject({
      in_reply_to_id: first.id,
      in_reply_to_account_id: bob.accountId,
      spoiler_text: 'cw',
      media_attachments: [{ id: two }],
    })
    expect(third).toMatchObject({
      in_reply_to_id: second.id,
      visibility: 'unlisted',
      poll: { votes_count: 0 },
    })
    expect(await kept()).toEqual([])
    await app.settle()
    const context = (await bob.get(`/api/v1/statuses/${parent.id}/context`)).ok()
    expect(idsOf(context.descendants)).toEqual(idsOf([first, second, third]))
    expect((await bob.get(`/api/v1/statuses/${second.id}`)).ok().replies_count).toBe(1)
  })

  test('again answers what was published, with a key or without [ROB-13]', async () => {
    const made = await begin([{ status: 'one' }, { status: 'two' }])
    const answers = await Promise.all([publish(made), publish(made), publish(made)])
    const ids = answers.map((answer) => idsOf(answer.ok() as unknown as Json[]))
    expect(ids[1]).toEqual(ids[0])
    expect(ids[2]).toEqual(ids[0])
    const keyed = await begin([{ status: 'three' }])
    const key = { 'idempotency-key': 'published' }
    const [first, again] = [(await publish(keyed, {}, key)).ok(), (await publish(keyed, {}, key)).ok()]
    expect(again).toEqual(first)
    expect(await posted()).toHaveLength(3)
  })

  test('is all or nothing, and says which post cannot be', async () => {
    const hidden = await bob.say('hidden', { visibility: 'private' })
    const tries: [object, number][] = [
      [{ status: ' ' }, 422],
      [{ status: 'x'.repeat(501) }, 422],
      [{ status: 'x', quoted_status_id: hidden.id }, 404],
      [{ status: 'x', poll: { options: ['a'], expires_in: 600 } }, 422],
    ]
    for (const [post, status] of tries) {
      const made = await begin([{ status: 'fine' }, post])
      const answer = await publish(made)
      expect([post, answer.status, answer.body.post_index]).toEqual([post, status, 1])
      expect((await alice.get(`${path}/${made.id}`)).ok()).toEqual(made)
    }
    const answering = await begin([{ status: 'x' }], { in_reply_to_id: hidden.id })
    expect((await publish(answering)).status).toBe(404)
    expect(await posted()).toEqual([])
  })

  test('with a time schedules a single post', async () => {
    const media = await attachment(app.ctx, alice)
    const at = new Date(app.clock.now() + hours(1)).toISOString()
    const thread = await publish(await begin([{ status: 'a' }, { status: 'b' }]), { scheduled_at: at })
    expect([thread.status, thread.body.error]).toEqual([422, 'A thread of several posts cannot be scheduled'])
    const made = await begin([{ status: 'later', media_ids: [media] }])
    const scheduled = (await publish(made, { scheduled_at: at })).ok()
    expect(scheduled).toMatchObject({ scheduled_at: at, params: { text: 'later', media_ids: [media] } })
    expect((await publish(made, { scheduled_at: at })).ok()).toEqual(scheduled)
    expect((await alice.get(`${path}/${made.id}`)).status).toBe(404)
    app.clock.advance(hours(2))
    await app.ctx.jobs.add('publish-scheduled', {})
    await app.settle()
    expect((await posted())[0].media_attachments).toMatchObject([{ id: media }])
  })

  test('a rule against spam keeps a single post for staff, and refuses a thread as a whole', async () => {
    const admin = await app.person('admin', { role: 'Admin' })
    const rule = { name: 'Casinos', conditions: { keywords: ['casino'] }, action: 'hold' }
    const { id } = (await admin.post('/api/v1/admin/spam_rules', rule)).ok()
    const thread = await begin([{ status: 'fine' }, { status: 'casino' }])
    const refused = await publish(thread)
    expect([refused.status, refused.body.post_index]).toEqual([422, 1])
    expect(idsOf(await kept())).toEqual([thread.id])
    const media = await attachment(app.ctx, alice)
    const single = await begin([{ status: 'casino', media_ids: [media] }])
    const waits = 'Your post waits until a moderator has looked at it'
    for (const answer of [await publish(single), await publish(single)])
      expect([answer.status, answer.body.error]).toEqual([422, waits])
    expect(idsOf(await kept())).toEqual([thread.id])
    expect(await posted()).toEqual([])
    const [held] = (await admin.get('/api/v1/admin/held_posts')).ok() as Json[]
    ;(await admin.post(`/api/v1/admin/held_posts/${held.id}/release`)).ok()
    expect((await posted())[0].media_attachments).toMatchObject([{ id: media }])
    await admin.delete(`/api/v1/admin/spam_rules/${id}`)
  })
})
