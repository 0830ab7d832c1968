// Who may answer a post, as its author chose: an extension.
import { beforeEach, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { prepareEdit } from '#domain/content/statuses/edits/prepare-edit.ts'
import { saveEdit } from '#domain/content/statuses/edits/save-edit.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
let alice: Person, fan: Person, friend: Person, named: Person, stranger: Person

beforeEach(async () => {
  ;[alice, fan, friend, named, stranger] = [
    await app.person('alice'),
    await app.person('fan'),
    await app.person('friend'),
    await app.person('named'),
    await app.person('stranger'),
  ]
  ;(await fan.post(`/api/v1/accounts/${alice.accountId}/follow`)).ok()
  ;(await alice.post(`/api/v1/accounts/${friend.accountId}/follow`)).ok()
  await app.settle()
})

const answer = (who: Person, id: string) =>
  who.post('/api/v1/statuses', { status: 'an answer', in_reply_to_id: id })
const repliersOf = async (id: string) => {
  const people = { alice, fan, friend, named, stranger }
  const all = await Promise.all(
    Object.entries(people).map(async ([name, who]) => [name, (await answer(who, id)).status] as const),
  )
  return all.filter(([, status]) => status === 200).map(([name]) => name)
}
const read = async (who: Person, id: string) => (await who.get(`/api/v1/statuses/${id}`)).ok()
const say = (policy: string, more: Record<string, unknown> = {}) =>
  alice.say(`for @${named.username}`, { reply_approval_policy: policy, ...more })

describe('replies to a post', () => {
  test.each([
    ['public', ['alice', 'fan', 'friend', 'named', 'stranger']],
    ['followers', ['alice', 'fan', 'named']],
    ['following', ['alice', 'friend', 'named']],
    ['mentioned', ['alice', 'named']],
    ['nobody', ['alice', 'named']],
  ])(
    'of the policy %s come from those alone whom it lets, its author and those it names',
    async (policy, who) => {
      expect(await repliersOf((await say(policy)).id)).toEqual(who)
    },
  )

  test('of those who may not are refused with who may', async () => {
    const words = async (policy: string) => {
      const refused = await answer(stranger, (await say(policy)).id)
      expect(refused.status).toBe(403)
      return refused.body.error
    }
    expect(await words('followers')).toBe('Only people who follow the author may reply to this post.')
    expect(await words('following')).toBe('Only people whom the author follows may reply to this post.')
    expect(await words('mentioned')).toBe('The author lets only those whom the post mentions reply to it.')
  })

  test('leave nothing behind where they are refused, also through a boost, a draft or the clock', async () => {
    const closed = await say('mentioned')
    const boost = (await fan.post(`/api/v1/statuses/${closed.id}/reblog`)).ok()
    expect((await answer(stranger, boost.id)).status).toBe(403)
    const draft = (
      await stranger.post('/api/v1/drafts', { in_reply_to_id: closed.id, posts: [{ status: 'x' }] })
    ).ok()
    expect((await stranger.post(`/api/v1/drafts/${draft.id}/publish`)).status).toBe(403)
    const later = new Date(app.ctx.clock.now() + 3_600_000).toISOString()
    const scheduled = { status: 'x', in_reply_to_id: closed.id, scheduled_at: later }
    expect((await stranger.post('/api/v1/statuses', scheduled)).status).toBe(403)
    expect((await read(alice, closed.id)).replies_count).toBe(0)
  })

  test('to somebody’s answer may be answered by whom it answers', async () => {
    const post = await stranger.say('a question')
    const reply = (
      await alice.post('/api/v1/statuses', {
        status: 'my answer',
        in_reply_to_id: post.id,
        reply_approval_policy: 'nobody',
      })
    ).ok()
    expect((await answer(stranger, reply.id)).status).toBe(200)
    expect((await answer(fan, reply.id)).status).toBe(403)
  })
})

describe('the policy', () => {
  test('shows in the post, with what becomes of one’s own reply; an open post shows none', async () => {
    const open = await say('public')
    expect(open).not.toHaveProperty('interaction_policy')
    const { id } = await say('followers')
    const policyOf = async (who: Person) => (await read(who, id)).interaction_policy
    expect(await policyOf(fan)).toEqual({
      can_favourite: { always: ['public'], with_approval: [] },
      can_reply: {
        always: ['author', 'mentioned', 'followers'],
        with_approval: [],
        current_user: 'automatic',
      },
      can_reblog: { always: ['public'], with_approval: [] },
    })
    expect((await policyOf(stranger))?.can_reply.current_user).toBe('denied')
    expect((await policyOf(named))?.can_reply.current_user).toBe('automatic')
    const boost = (await fan.post(`/api/v1/statuses/${id}/reblog`)).ok()
    expect((await read(stranger, boost.id)).interaction_policy?.can_reply.current_user).toBe('denied')
    const seen = (await app.anonymous.get(`/api/v1/statuses/${id}`)).ok()
    expect(seen.interaction_policy?.can_reply).toEqual({
      always: ['author', 'mentioned', 'followers'],
      with_approval: [],
    })
  })

  test('is by default the usual one of its author, which a post for some people alone does not have', async () => {
    const body = (
      await alice.patch('/api/v1/accounts/update_credentials', { source: { reply_policy: 'nobody' } })
    ).ok()
    expect(body.source.reply_policy).toBe('mentioned')
    expect((await alice.get('/api/v1/preferences')).ok()['posting:default:reply_policy']).toBe('mentioned')
    expect((await alice.say('as usual')).interaction_policy?.can_reply.always).toEqual([
      'author',
      'mentioned',
    ])
    expect(await alice.say('open', { reply_approval_policy: 'public' })).not.toHaveProperty(
      'interaction_policy',
    )
    const direct = await alice.say(`@${named.username}`, { visibility: 'direct' })
    expect(direct).not.toHaveProperty('interaction_policy')
    const odd = await alice.post('/api/v1/statuses', { status: 'x', reply_approval_policy: 'friends' })
    expect(odd.status).toBe(422)
  })

  test('is changed by an edit and by itself, for replies from then on', async () => {
    const { id } = await say('public')
    const early = (await answer(stranger, id)).ok()
    const edit = { status: `for @${named.username}`, reply_approval_policy: 'followers' }
    const edited = (await alice.put(`/api/v1/statuses/${id}`, edit)).ok()
    expect(edited).toMatchObject({
      edited_at: null,
      interaction_policy: { can_reply: { always: expect.arrayContaining(['followers']) } },
    })
    expect((await answer(stranger, id)).status).toBe(403)
    const thread = (await alice.get(`/api/v1/statuses/${id}/context`)).ok()
    expect(thread.descendants.map((one) => one.id)).toEqual([early.id])
    const path = `/api/v1/statuses/${id}/interaction_policy`
    const before = edited.quote_approval.automatic
    const opened = (await alice.put(path, { reply_approval_policy: 'public' })).ok()
    expect(opened).not.toHaveProperty('interaction_policy')
    expect(opened.quote_approval.automatic).toEqual(before)
    const closed = (
      await alice.put(path, { quote_approval_policy: 'nobody', reply_approval_policy: 'nobody' })
    ).ok()
    expect(closed.quote_approval.automatic).toEqual([])
    expect(closed.interaction_policy?.can_reply.always).toEqual(['author', 'mentioned'])
    expect((await stranger.put(path, { reply_approval_policy: 'public' })).status).toBe(403)
  })

  test('that was chosen while an edit was looked at stays, unless the edit says another', async () => {
    const { id } = await say('public')
    const viewer = (await findViewer(app.ctx, alice.accountId))!
    const statusId = asId<StatusId>(id)
    const edit = (await prepareEdit(app.ctx, viewer, statusId, { text: 'in other words' }))!
    const closing = { quote_approval_policy: 'nobody', reply_approval_policy: 'nobody' }
    ;(await alice.put(`/api/v1/statuses/${id}/interaction_policy`, closing)).ok()
    await saveEdit(app.ctx, edit)
    const edited = await read(alice, id)
    expect(edited.content).toContain('in other words')
    expect(edited.quote_approval.automatic).toEqual([])
    expect(edited.interaction_policy?.can_reply.always).toEqual(['author', 'mentioned'])
  })

  test('is kept by drafts and by what waits for its time', async () => {
    const posts = [{ status: 'later', reply_approval_policy: 'following' }]
    const draft = (await alice.post('/api/v1/drafts', { posts })).ok()
    expect(draft.posts[0]?.reply_approval_policy).toBe('following')
    const made = (await alice.post(`/api/v1/drafts/${draft.id}/publish`)).ok() as Json
    expect(made[0]?.interaction_policy?.can_reply.always).toEqual(['author', 'mentioned', 'following'])
    const scheduled_at = new Date(app.ctx.clock.now() + 3_600_000).toISOString()
    const waiting = { status: 'later', reply_approval_policy: 'followers', scheduled_at }
    const { params } = (await alice.post('/api/v1/statuses', waiting)).ok()
    expect(params.reply_approval_policy).toBe('followers')
  })
})
