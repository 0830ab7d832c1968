import { describe, expect, test } from 'vitest'
import { setSetting, type SettingKey } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()

async function withSetting(key: SettingKey, fn: () => Promise<void>): Promise<void> {
  await setSetting(app.ctx, key, true)
  try {
    await fn()
  } finally {
    await setSetting(app.ctx, key, false)
  }
}

const configuration = async () => (await app.anonymous.get('/api/v2/instance')).ok().configuration
const reactions = (id: string, emoji = '') =>
  `/api/v1/pleroma/statuses/${id}/reactions${emoji && `/${encodeURIComponent(emoji)}`}`

describe('emoji reactions', () => {
  test('are not there unless turned on', async () => {
    const alice = await app.person('alice')
    const { id } = await alice.say('hello')
    expect((await configuration()).reactions).toEqual({ max_reactions: 0 })
    expect((await alice.get(`/api/v1/statuses/${id}`)).ok()).not.toHaveProperty('reactions')
    expect((await alice.put(reactions(id, '👍'))).status).toBe(404)
    expect((await alice.get(reactions(id))).status).toBe(404)
  })

  test('are counted, shown to everyone and taken back', () =>
    withSetting('emoji_reactions', async () => {
      expect((await configuration()).reactions).toEqual({ max_reactions: 8 })
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      const { id } = await alice.say('hello')
      expect((await bob.put(reactions(id, '👍'))).ok().reactions).toEqual([
        { name: '👍', count: 1, me: true },
      ])
      expect((await bob.put(reactions(id, '👍'))).ok().reactions).toEqual([
        { name: '👍', count: 1, me: true },
      ])
      ;(await alice.put(reactions(id, '👍'))).ok()
      ;(await alice.put(reactions(id, '❤'))).ok()
      const shown = async () => (await app.anonymous.get(`/api/v1/statuses/${id}`)).ok().reactions
      expect(await shown()).toEqual([
        { name: '👍', count: 2 },
        { name: '❤️', count: 1 },
      ])
      const who = (await bob.get(reactions(id, '👍'))).ok()
      expect(who).toMatchObject([{ name: '👍', count: 2, me: true }])
      expect(who[0].accounts.map((account: Json) => account.id)).toEqual([bob.accountId, alice.accountId])
      expect((await bob.get(reactions(id))).ok()).toHaveLength(2)
      ;(await bob.delete(reactions(id, '👍'))).ok()
      ;(await bob.delete(reactions(id, '👍'))).ok()
      expect(await shown()).toEqual([
        { name: '👍', count: 1 },
        { name: '❤️', count: 1 },
      ])
    }))

  test('with custom emoji of this server, by a boost too', () =>
    withSetting('emoji_reactions', async () => {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      await app.ctx.db
        .insertInto('custom_emojis')
        .values({ id: app.ctx.newId(), shortcode: 'blob', image_key: 'emojis/1/a.png' })
        .execute()
      const { id } = await alice.say('hello')
      const boost = (await bob.post(`/api/v1/statuses/${id}/reblog`)).ok()
      const reacted = (await bob.put(reactions(boost.id, ':blob:'))).ok()
      const url = 'https://chat.example/media/emojis/1/a.png'
      expect(reacted).toMatchObject({
        id,
        reactions: [{ name: 'blob', count: 1, me: true, url, static_url: url }],
      })
      const again = (await bob.get(`/api/v1/statuses/${boost.id}`)).ok()
      expect(again.reblog.reactions).toEqual(reacted.reactions)
      ;(await bob.delete(reactions(id, 'blob'))).ok()
      expect((await bob.get(`/api/v1/statuses/${id}`)).ok().reactions).toEqual([])
    }))

  test('what is no emoji, too many, or out of sight is refused [ACC-2]', () =>
    withSetting('emoji_reactions', async () => {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      const { id } = await alice.say('hello')
      for (const bad of ['no_such_emoji', 'x', '👍👍', 'blob@away.example', '<b>']) {
        expect([bad, (await bob.put(reactions(id, bad))).status]).toEqual([bad, 422])
      }
      const eight = ['😀', '😁', '😂', '😃', '😄', '😅', '😆', '😇']
      for (const emoji of eight) (await bob.put(reactions(id, emoji))).ok()
      expect((await bob.put(reactions(id, '😈'))).body.error).toBe(
        'Validation failed: Limit of different reactions reached',
      )
      const hidden = await alice.say('hidden', { visibility: 'private' })
      expect((await bob.put(reactions(hidden.id, '👍'))).status).toBe(404)
      expect((await bob.get(reactions(hidden.id))).status).toBe(404)
      expect((await bob.delete(reactions(hidden.id, '👍'))).status).toBe(404)
      ;(await alice.post(`/api/v1/accounts/${bob.accountId}/block`)).ok()
      expect((await alice.get(`/api/v1/statuses/${id}`)).ok().reactions).toEqual([])
      expect((await bob.put(reactions(id, '👍'))).status).toBe(404)
    }))

  test('are eight at most, also when they come at the same time [ROB-14]', () =>
    withSetting('emoji_reactions', async () => {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      const { id } = await alice.say('hello')
      const many = [...'😀😁😂😃😄😅😆😇😈😉😊😋']
      const answers = await Promise.all(many.map((emoji) => bob.put(reactions(id, emoji))))
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(8)
      expect((await alice.get(reactions(id))).ok()).toHaveLength(8)
    }))

  test('tell the author, as long as they stand', () =>
    withSetting('emoji_reactions', async () => {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      await app.ctx.db
        .insertInto('custom_emojis')
        .values({ id: app.ctx.newId(), shortcode: 'tell', image_key: 'emojis/2/a.png' })
        .execute()
      const { id } = await alice.say('hello')
      for (const emoji of ['👍', 'tell', '👍']) {
        ;(await bob.put(reactions(id, emoji))).ok()
        // Events that wait together are run together, in no order.
        await app.settle()
      }
      ;(await alice.put(reactions(id, '👍'))).ok()
      const told = async (query: Json = {}) => {
        await app.settle()
        return (await alice.get('/api/v1/notifications', query)).ok()
      }
      const kind = 'pleroma:emoji_reaction'
      const about = { type: kind, account: { id: bob.accountId }, status: { id } }
      const [custom, unicode, ...more] = await told()
      expect(custom).toMatchObject({
        ...about,
        emoji: ':tell:',
        emoji_url: 'https://chat.example/media/emojis/2/a.png',
        group_key: `ungrouped-${custom.id}`,
      })
      expect(unicode).toMatchObject({ ...about, emoji: '👍', emoji_url: null })
      expect(more).toEqual([])
      expect((await alice.get(`/api/v1/notifications/${custom.id}`)).ok()).toEqual(custom)
      expect(await told({ types: [kind] })).toHaveLength(2)
      expect(await told({ exclude_types: [kind] })).toEqual([])
      ;(await bob.delete(reactions(id, '👍'))).ok()
      expect((await told()).map((one: Json) => one.id)).toEqual([custom.id])
      // Nothing is heard of an extension that is off.
      await setSetting(app.ctx, 'emoji_reactions', false)
      expect(await told()).toEqual([])
      expect((await alice.get('/api/v1/notifications/unread_count')).ok()).toEqual({ count: 0 })
      expect((await alice.get(`/api/v1/notifications/${custom.id}`)).status).toBe(404)
      await setSetting(app.ctx, 'emoji_reactions', true)
      ;(await alice.delete(`/api/v1/statuses/${id}`)).ok()
      expect(await told()).toEqual([])
    }))

  test('do not tell those who have muted the person or the conversation', () =>
    withSetting('emoji_reactions', async () => {
      const [alice, bob, carol] = [
        await app.person('alice'),
        await app.person('bob'),
        await app.person('carol'),
      ]
      const [quiet, heard] = [await alice.say('quiet'), await alice.say('heard')]
      ;(await alice.post(`/api/v1/statuses/${quiet.id}/mute`)).ok()
      ;(await alice.post(`/api/v1/accounts/${carol.accountId}/mute`)).ok()
      ;(await bob.put(reactions(quiet.id, '👍'))).ok()
      ;(await carol.put(reactions(heard.id, '👍'))).ok()
      ;(await bob.put(reactions(heard.id, '👍'))).ok()
      await app.settle()
      const told = (await alice.get('/api/v1/notifications')).ok()
      expect(told.map((one: Json) => [one.account.id, one.status.id])).toEqual([[bob.accountId, heard.id]])
    }))

  test('take as many queries to be told, however many there are', () =>
    withSetting('emoji_reactions', async () => {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      const { id } = await alice.say('hello')
      const count = async () => {
        await app.settle()
        await alice.get('/api/v1/notifications')
        return (await app.countQueries(() => alice.get('/api/v1/notifications'))).length
      }
      ;(await bob.put(reactions(id, '👍'))).ok()
      const one = await count()
      for (const emoji of ['😀', '😁', '😂']) (await bob.put(reactions(id, emoji))).ok()
      expect(await count()).toBe(one)
    }))

  test('parallel reactions and their undo leave the right count [ROB-14]', () =>
    withSetting('emoji_reactions', async () => {
      const alice = await app.person('alice')
      const people = await Promise.all(Array.from({ length: 6 }, () => app.person('p')))
      const { id } = await alice.say('hello')
      await Promise.all(people.flatMap((one) => [one.put(reactions(id, '👍')), one.put(reactions(id, '👍'))]))
      await Promise.all(people.slice(0, 3).map((one) => one.delete(reactions(id, '👍'))))
      expect((await alice.get(`/api/v1/statuses/${id}`)).ok().reactions).toEqual([
        { name: '👍', count: 3, me: false },
      ])
      const stats = await app.ctx.db
        .selectFrom('status_stats')
        .select('reactions_count')
        .where('status_id', '=', asId<StatusId>(id))
        .executeTakeFirst()
      expect(stats?.reactions_count).toBe(3)
    }))
})

describe('posts in Markdown', () => {
  const text = '**bold** <b>x</b> #Tag and `code #no`'

  test('are plain text unless turned on', async () => {
    const alice = await app.person('alice')
    expect((await configuration()).statuses.supported_mime_types).toEqual(['text/plain'])
    const shown = await alice.say('**bold**', { content_type: 'text/markdown' })
    expect(shown.content).toBe('<p>**bold**</p>')
  })

  test('are rendered and cleaned [CNT-6]', () =>
    withSetting('markdown_statuses', async () => {
      const alice = await app.person('alice')
      expect((await configuration()).statuses.supported_mime_types).toEqual(['text/plain', 'text/markdown'])
      const shown = await alice.say(text, { content_type: 'text/markdown' })
      expect(shown.content).toContain('<strong>bold</strong> &lt;b&gt;x&lt;/b&gt;')
      expect(shown.content).toContain('<code>code #no</code>')
      expect(shown.tags.map((tag: Json) => tag.name)).toEqual(['tag'])
      expect((await alice.get(`/api/v1/statuses/${shown.id}/source`)).ok()).toMatchObject({ text })
      const edited = (await alice.put(`/api/v1/statuses/${shown.id}`, { status: '_still_' })).ok()
      expect(edited.content).toBe('<p><em>still</em></p>')
    }))
})

describe('posts for this server alone', () => {
  test('are refused unless turned on: they must not go out by mistake', async () => {
    const alice = await app.person('alice')
    expect((await configuration()).statuses.local_only).toBe(false)
    const refused = await alice.post('/api/v1/statuses', { status: 'psst', local_only: true })
    expect(refused.status).toBe(422)
  })

  test('are there for its people and nobody else [ACC-23]', () =>
    withSetting('local_only_statuses', async () => {
      const [alice, bob] = [await app.person('alice'), await app.person('bob')]
      const shown = await alice.say('psst', { local_only: true })
      expect(shown.local_only).toBe(true)
      const { id } = shown
      expect((await bob.get(`/api/v1/statuses/${id}`)).ok().content).toContain('psst')
      const answer = await bob.post('/api/v1/statuses', { status: 'what?', in_reply_to_id: id })
      expect(answer.ok().local_only).toBe(true)
      for (const path of ['', '/context', '/history', '/favourited_by']) {
        expect([path, (await app.anonymous.get(`/api/v1/statuses/${id}${path}`)).status]).toEqual([path, 404])
      }
      for (const list of [`/api/v1/accounts/${alice.accountId}/statuses`, '/api/v1/timelines/public']) {
        const ids = async (client: { get: typeof bob.get }) =>
          (await client.get(list)).ok().map((one: Json) => one.id)
        expect(await ids(bob)).toContain(id)
        expect(await ids(app.anonymous)).not.toContain(id)
      }
      for (const page of [`/@${alice.username}/${id}`, `/@${alice.username}/${id}/embed`]) {
        expect((await app.fetch(page)).status).toBe(404)
      }
      expect(await (await app.fetch(`/@${alice.username}.rss`)).text()).not.toContain('psst')
    }))
})
