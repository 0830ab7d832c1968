import { beforeEach, describe, expect, test } from 'vitest'
import { deleteUnattachedMedia } from '#domain/content/media/delete.ts'
import { purgeHeldPosts } from '#domain/content/spam/held-posts.ts'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const path = '/api/v1/admin/held_posts'
const waits = { error: 'Your post waits until a moderator has looked at it' }

let admin: Person
let moderator: Person
let alice: Person
let bob: Person
let rule: Json
beforeEach(async () => {
  await app.ctx.db.deleteFrom('spam_rules').execute()
  await app.ctx.db.deleteFrom('held_posts').execute()
  ;[admin, moderator] = [
    await app.person('admin', { role: 'Admin' }),
    await app.person('moderator', { role: 'Moderator' }),
  ]
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
  const wanted = { name: 'Casinos', conditions: { keywords: ['casino'] }, action: 'hold' }
  rule = (await admin.post('/api/v1/admin/spam_rules', wanted)).ok()
})

const held = async (): Promise<Json[]> => (await moderator.get(path)).ok()
const posted = async (): Promise<Json[]> =>
  (await bob.get(`/api/v1/accounts/${alice.accountId}/statuses`)).ok()
const send = (status: string, more: object = {}, headers?: Record<string, string>) =>
  alice.post('/api/v1/statuses', { status, ...more }, headers)

/** Keeps a post and answers it as staff see it. */
async function hold(status = 'casino', more: object = {}): Promise<Json> {
  expect((await send(status, more)).status).toBe(422)
  return (await held())[0]
}

describe('a post that is held', () => {
  test('is nowhere but with staff', async () => {
    const answer = await send(`@${bob.username} casino`, { spoiler_text: 'hear me' })
    expect([answer.status, answer.body]).toEqual([422, waits])
    await app.settle()
    expect(await posted()).toEqual([])
    expect((await bob.get('/api/v1/notifications')).ok()).toEqual([])
    const [post] = await held()
    expect(post).toEqual({
      id: expect.stringMatching(/^\d+$/),
      account: expect.objectContaining({ id: alice.accountId }),
      rule: { id: rule.id, name: 'Casinos' },
      content: `hear me\n\n@${bob.username} casino`,
      uri: null,
      created_at: expect.any(String),
    })
    expect((await moderator.get(`${path}/${post.id}`)).ok()).toEqual(post)
    expect((await alice.get(`/api/v1/statuses/${post.id}`)).status).toBe(404)
  })

  test('is published when staff release it, with all that it had', async () => {
    const parent = await bob.say('parent')
    const media = await attachment(app.ctx, alice)
    const post = await hold('casino', {
      in_reply_to_id: parent.id,
      visibility: 'unlisted',
      spoiler_text: 'soon',
      language: 'de',
      media_ids: [media],
    })
    app.clock.advance(days(3))
    await deleteUnattachedMedia(app.ctx)
    expect((await moderator.post(`${path}/${post.id}/release`)).ok()).toEqual({})
    await app.settle()
    expect(await posted()).toMatchObject([
      {
        content: '<p>casino</p>',
        visibility: 'unlisted',
        spoiler_text: 'soon',
        language: 'de',
        in_reply_to_id: parent.id,
        media_attachments: [{ id: media }],
      },
    ])
    const [status] = await posted()
    expect(Date.parse(status.created_at)).toBeGreaterThan(app.clock.now() - hours(1))
    expect(await held()).toEqual([])
    expect((await moderator.post(`${path}/${post.id}/release`)).status).toBe(404)
    const log: Json[] = (await admin.get('/api/v1/admin/audit_log')).ok()
    expect(log[0]).toMatchObject({ action: 'release', target_type: 'held_post', target_id: post.id })
  })

  test('is answered for its idempotency key with the same, and then with the status', async () => {
    const key = { 'idempotency-key': 'once' }
    const first = await send('casino', {}, key)
    const second = await send('casino', {}, key)
    expect([first.body, second.status, second.body]).toEqual([waits, 422, waits])
    const [post, ...others] = await held()
    expect(others).toEqual([])
    ;(await moderator.post(`${path}/${post.id}/release`)).ok()
    const third = (await send('casino', {}, key)).ok()
    expect((await posted()).map((status) => status.id)).toEqual([third.id])
  })

  test('goes for good when staff reject it, and its media a day later', async () => {
    const media = await attachment(app.ctx, alice)
    const post = await hold('casino', { media_ids: [media] })
    expect((await moderator.post(`${path}/${post.id}/reject`)).ok()).toEqual({})
    expect((await moderator.post(`${path}/${post.id}/reject`)).status).toBe(404)
    await app.settle()
    expect([await held(), await posted()]).toEqual([[], []])
    expect((await alice.get(`/api/v1/media/${media}`)).status).toBe(200)
    app.clock.advance(days(1) + 1)
    await deleteUnattachedMedia(app.ctx)
    expect((await alice.get(`/api/v1/media/${media}`)).status).toBe(404)
  })

  test('is not published in the name of somebody who may not write now', async () => {
    const post = await hold()
    const action = { type: 'disable' }
    ;(await admin.post(`/api/v1/admin/accounts/${alice.accountId}/action`, action)).ok()
    expect((await moderator.post(`${path}/${post.id}/release`)).status).toBe(403)
    expect(await held()).toHaveLength(1)
  })

  test('says why it cannot be published any more', async () => {
    const parent = await bob.say('parent')
    const post = await hold('casino', { in_reply_to_id: parent.id })
    ;(await bob.delete(`/api/v1/statuses/${parent.id}`)).ok()
    const answer = await moderator.post(`${path}/${post.id}/release`)
    const problem = 'The post you are trying to reply to does not appear to exist.'
    expect([answer.status, answer.body]).toEqual([404, { error: problem }])
    expect(await held()).toHaveLength(1)
  })

  test('may have been scheduled', async () => {
    await admin.put(`/api/v1/admin/spam_rules/${rule.id}`, { enabled: false })
    const media = await attachment(app.ctx, alice)
    const at = new Date(app.clock.now() + hours(1)).toISOString()
    await alice.say('casino', { scheduled_at: at, media_ids: [media] })
    await admin.put(`/api/v1/admin/spam_rules/${rule.id}`, { enabled: true })
    app.clock.advance(hours(1) + 1)
    await app.ctx.jobs.add('publish-scheduled', {})
    await app.settle()
    expect((await alice.get('/api/v1/scheduled_statuses')).ok()).toEqual([])
    const [post] = await held()
    ;(await moderator.post(`${path}/${post.id}/release`)).ok()
    expect(await posted()).toMatchObject([{ media_attachments: [{ id: media }] }])
  })

  test('outlives its rule, but not a month', async () => {
    await hold()
    ;(await admin.delete(`/api/v1/admin/spam_rules/${rule.id}`)).ok()
    expect(await held()).toMatchObject([{ rule: null }])
    app.clock.advance(days(29))
    expect(await purgeHeldPosts(app.ctx)).toBe(0)
    app.clock.advance(days(2))
    await app.ctx.jobs.add('purge-held-posts', {})
    await app.settle()
    expect(await held()).toEqual([])
  })

  test('is one of a hundred of its author at most', async () => {
    for (let index = 0; index < 100; index++) expect((await send(`casino ${index}`)).body).toEqual(waits)
    expect((await send('casino 100')).body.error).toContain('refused')
    const first = await moderator.get(path, { limit: 60 })
    expect(first.ok()).toHaveLength(60)
    expect((await moderator.get(first.links['next'] as string)).ok()).toHaveLength(40)
    expect((await moderator.get(path, { rule_id: rule.id, limit: 5 })).ok()).toHaveLength(5)
    expect((await moderator.get(path, { rule_id: '1' })).ok()).toEqual([])
    const page = (size: number) => app.countQueries(() => moderator.get(path, { limit: size }))
    expect((await page(40)).length).toBe((await page(20)).length)
  })

  test('is for those who manage reports alone [ACC-9]', async () => {
    const post = await hold()
    const calls = [
      ['get', path],
      ['get', `${path}/${post.id}`],
      ['post', `${path}/${post.id}/release`],
      ['post', `${path}/${post.id}/reject`],
    ] as const
    const reader = await app.withScopes(moderator, ['admin:read'])
    for (const [verb, target] of calls) {
      expect((await app.anonymous[verb](target)).status).toBe(401)
      expect((await alice[verb](target)).status).toBe(403)
      expect((await reader[verb](target)).status).toBe(verb === 'get' ? 200 : 403)
    }
    expect(await held()).toHaveLength(1)
  })
})
