import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { countRows } from '#test/app/database.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const hasId = (list: Json[], id: string) => list.some((item) => item.id === id || item.reblog?.id === id)

async function mark(person: Person, column: 'suspended_at' | 'silenced_at', on = true): Promise<void> {
  await sql`update accounts set ${sql.ref(column)} = ${on ? new Date() : null}, version = version + 1
    where id = ${person.accountId}`.execute(app.ctx.db)
}

const act = async (client: Client, path: string) => (await client.post(`/api/v1/${path}`)).ok()

describe('somebody who is blocked [ACC-12]', () => {
  test('has no effect on the blocker by anything they try', async () => {
    const [alice, mallory] = [await app.person('alice'), await app.person('mallory')]
    const [post, hidden] = [await alice.say('hello'), await alice.say('quiet', { visibility: 'unlisted' })]
    await act(alice, `accounts/${mallory.accountId}/block`)
    await app.settle()
    const before = await countRows(app.ctx)
    for (const { id } of [post, hidden]) {
      for (const verb of [
        'favourite',
        'reblog',
        'bookmark',
        'mute',
        'unfavourite',
        'unreblog',
        'unbookmark',
      ]) {
        expect([verb, (await mallory.post(`/api/v1/statuses/${id}/${verb}`)).status]).toEqual([verb, 404])
      }
      expect((await mallory.post('/api/v1/statuses', { status: 'x', in_reply_to_id: id })).status).toBe(404)
      for (const path of ['', '/context', '/favourited_by', '/reblogged_by']) {
        expect((await mallory.get(`/api/v1/statuses/${id}${path}`)).status).toBe(404)
      }
    }
    expect((await mallory.post(`/api/v1/accounts/${alice.accountId}/follow`)).status).toBe(403)
    await app.settle()
    expect(await countRows(app.ctx)).toEqual(before)

    await mallory.say(`@${alice.username} hear me`, { visibility: 'direct' })
    await mallory.say(`@${alice.username} hear me`)
    await app.settle()
    expect((await alice.get('/api/v1/notifications')).ok()).toEqual([])
    expect((await alice.get('/api/v1/notifications/unread_count')).ok().count).toBe(0)
    await act(alice, `accounts/${mallory.accountId}/unblock`)
    expect((await alice.get('/api/v1/notifications')).ok()).toEqual([])
  })

  test('does not see the blocker’s posts anywhere when signed in, strangers do', async () => {
    const [alice, mallory, friend] = [
      await app.person('alice'),
      await app.person('mallory'),
      await app.person('friend'),
    ]
    await mallory.follow(friend)
    const post = await alice.say('hello #garden')
    await act(friend, `statuses/${post.id}/reblog`)
    await act(alice, `accounts/${mallory.accountId}/block`)
    await app.settle()
    const lists = [
      `/api/v1/accounts/${alice.accountId}/statuses`,
      '/api/v1/timelines/public',
      '/api/v1/timelines/tag/garden',
      '/api/v1/timelines/home',
      `/api/v1/accounts/${friend.accountId}/statuses`,
    ]
    for (const path of lists) {
      const list = await mallory.get(path)
      expect([path, list.status === 200 && hasId(list.body, post.id)]).toEqual([path, false])
    }
    expect(hasId((await app.anonymous.get(lists[0]!)).ok(), post.id)).toBe(true)
  })
})

test('a muted account is left out everywhere the same, and comes back [ACC-13]', async () => {
  const [reader, bore, friend] = [await app.person('reader'), await app.person('bore'), await app.person('f')]
  await reader.follow(bore)
  await reader.follow(friend)
  const own = await reader.say('mine #noise')
  const post = await bore.say('blah #noise')
  await act(friend, `statuses/${post.id}/reblog`)
  await app.settle()
  const lists = ['home', 'public', 'tag/noise']
  const places = async () =>
    Promise.all(
      lists.map(async (name) => hasId((await reader.get(`/api/v1/timelines/${name}`)).ok(), post.id)),
    )
  expect(await places()).toEqual([true, true, true])
  await act(reader, `accounts/${bore.accountId}/mute`)
  await bore.say(`@${reader.username} listen`)
  await act(bore, `statuses/${own.id}/favourite`)
  await act(bore, `statuses/${own.id}/reblog`)
  const reply = await bore.say('a reply', { in_reply_to_id: own.id })
  await app.settle()
  expect(await places()).toEqual([false, false, false])
  expect((await reader.get('/api/v1/notifications')).ok()).toEqual([])
  expect((await reader.get(`/api/v1/statuses/${reply.id}`)).status).toBe(200)
  await act(reader, `accounts/${bore.accountId}/unmute`)
  await app.settle()
  expect((await places()).slice(1)).toEqual([true, true])
})

test.each(['mute', 'block'])(
  'nobody meets whom they %s in threads and in boosts of others [ACC-13]',
  async (verb) => {
    const [reader, bore, friend] = [
      await app.person('reader'),
      await app.person('bore'),
      await app.person('friend'),
    ]
    const root = await friend.say('root')
    const reply = await bore.say('blah', { in_reply_to_id: root.id })
    const below = await friend.say('well', { in_reply_to_id: reply.id })
    await act(friend, `statuses/${reply.id}/reblog`)
    await app.settle()
    const seen = async (who: Client) => {
      const from = async (path: string) => (await who.get(`/api/v1/${path}`)).ok()
      const [above, whole] = [
        await from(`statuses/${below.id}/context`),
        await from(`statuses/${root.id}/context`),
      ]
      return {
        above: above.ancestors.map((one: Json) => one.id),
        below: whole.descendants.map((one: Json) => one.id),
        isBoosted: hasId(await from(`accounts/${friend.accountId}/statuses`), reply.id),
      }
    }
    const all = { above: [root.id, reply.id], below: [reply.id, below.id], isBoosted: true }
    expect(await seen(reader)).toEqual(all)
    await act(reader, `accounts/${bore.accountId}/${verb}`)
    expect(await seen(reader)).toEqual({ above: [root.id], below: [below.id], isBoosted: false })
    expect((await reader.get(`/api/v1/statuses/${reply.id}`)).status).toBe(200)
    // One's own words, and one's own boosts of them.
    await act(friend, `accounts/${bore.accountId}/mute`)
    expect(await seen(friend)).toMatchObject({ below: [below.id], isBoosted: true })
    expect(await seen(app.anonymous)).toEqual(all)
    expect(await seen(bore)).toEqual(all)
  },
)

test('a silenced account is absent from public places and present for its followers [ACC-14]', async () => {
  const [loud, fan, stranger] = [
    await app.person('loud'),
    await app.person('fan'),
    await app.person('stranger'),
  ]
  await fan.follow(loud)
  const early = await loud.say('before #silence')
  await mark(loud, 'silenced_at')
  const post = await loud.say(`after #silence @${stranger.username}`)
  const asked = await stranger.say('who is there')
  const reply = await loud.say('me', { in_reply_to_id: asked.id })
  await app.settle()
  for (const client of [app.anonymous, stranger]) {
    for (const path of ['public', 'public?local=true', 'tag/silence']) {
      const list = (await client.get(`/api/v1/timelines/${path}`)).ok()
      expect([path, hasId(list, early.id), hasId(list, post.id)]).toEqual([path, false, false])
    }
    expect((await client.get(`/api/v1/statuses/${post.id}`)).status).toBe(200)
    const thread = (await client.get(`/api/v1/statuses/${asked.id}/context`)).ok()
    expect(thread.descendants).toEqual([])
  }
  expect((await app.fetch('/tags/silence.rss').then((page) => page.text())).includes('after')).toBe(false)
  expect((await app.fetch('/tags/silence').then((page) => page.text())).includes('after')).toBe(false)
  expect(hasId((await fan.get(`/api/v1/statuses/${asked.id}/context`)).ok().descendants, reply.id)).toBe(true)
  const home = (await fan.get('/api/v1/timelines/home')).ok()
  expect([hasId(home, early.id), hasId(home, post.id)]).toEqual([true, true])
  await mark(loud, 'silenced_at', false)
  expect(hasId((await app.anonymous.get('/api/v1/timelines/public')).ok(), early.id)).toBe(true)
})

/** Every place where a post and its author can be met. */
async function places(author: Person, readers: { fan: Person; thread: string; tag: string }) {
  const { fan, thread, tag } = readers
  const json = (client: Client, path: string) =>
    client.get(`/api/v1/${path}`).then(({ body }) => JSON.stringify(body))
  const page = (path: string) => app.fetch(path).then((answer) => answer.text())
  return {
    home: await json(fan, 'timelines/home'),
    public: await json(app.anonymous, 'timelines/public'),
    tag: await json(app.anonymous, `timelines/tag/${tag}`),
    context: await json(app.anonymous, `statuses/${thread}/context`),
    favourites: await json(fan, 'favourites'),
    bookmarks: await json(fan, 'bookmarks'),
    boosts: await json(fan, `accounts/${fan.accountId}/statuses`),
    notifications: await json(fan, 'notifications'),
    profile: await page(`/@${author.username}`),
    feed: await page(`/@${author.username}.rss`),
    tagPage: await page(`/tags/${tag}`),
    tagFeed: await page(`/tags/${tag}.rss`),
  }
}

const without = (seen: Record<string, string>, text: string) =>
  Object.entries(seen).flatMap(([name, value]) => (value.includes(text) ? [name] : []))

async function metEverywhere(tag: string) {
  const [author, fan] = [await app.person('author'), await app.person('fan')]
  await fan.follow(author)
  const start = await fan.say('a start')
  const text = `vanishing-${tag}`
  const post = await author.say(`${text} #${tag} @${fan.username}`, { in_reply_to_id: start.id })
  const shown = await author.say(`${text} #${tag}`)
  for (const { id } of [post, shown]) {
    for (const verb of ['favourite', 'bookmark', 'reblog']) await act(fan, `statuses/${id}/${verb}`)
  }
  await app.settle()
  const readers = { fan, thread: start.id, tag }
  const before = without(await places(author, readers), text)
  expect(before).toEqual(expect.arrayContaining(['home', 'public', 'tag', 'context', 'favourites', 'boosts']))
  expect(before.length).toBeGreaterThan(9)
  return { author, fan, readers, text, ids: [post.id, shown.id] }
}

test('a suspended account and its posts are gone from every place at once [ACC-17]', async () => {
  const { author, fan, readers, text, ids } = await metEverywhere('suspension')
  await mark(author, 'suspended_at')
  expect(without(await places(author, readers), text)).toEqual([])
  for (const id of ids) {
    for (const client of [app.anonymous, fan]) {
      expect((await client.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    }
    expect((await app.fetch(`/@${author.username}/${id}`)).status).not.toBe(200)
    expect((await app.fetch(`/@${author.username}/${id}/embed`)).status).not.toBe(200)
  }
  expect([404, 410]).toContain((await app.fetch(`/@${author.username}`)).status)
  expect([404, 410]).toContain((await app.fetch(`/@${author.username}.rss`)).status)
  const found = (await fan.get('/api/v1/accounts/search', { q: author.username })).ok()
  expect(hasId(found, author.accountId)).toBe(false)
  const following = (await fan.get(`/api/v1/accounts/${fan.accountId}/following`)).ok()
  expect(hasId(following, author.accountId)).toBe(false)
})

test('a deleted post is gone from every place [ACC-20]', async () => {
  const { author, fan, readers, text, ids } = await metEverywhere('deletion')
  for (const id of ids) (await author.delete(`/api/v1/statuses/${id}`)).ok()
  await app.settle()
  expect(without(await places(author, readers), text)).toEqual([])
  for (const id of ids) {
    expect((await fan.get(`/api/v1/statuses/${id}`)).status).toBe(404)
    expect([404, 410]).toContain((await app.fetch(`/@${author.username}/${id}`)).status)
    expect((await fan.post(`/api/v1/statuses/${id}/favourite`)).status).toBe(404)
  }
})

test('a hidden network is empty for others by every way to it, full for its owner [ACC-11]', async () => {
  const [shy, fan, idol] = [await app.person('shy'), await app.person('fan'), await app.person('idol')]
  await fan.follow(shy)
  await shy.follow(idol)
  ;(await shy.patch('/api/v1/accounts/update_credentials', { hide_collections: true })).ok()
  for (const list of ['followers', 'following']) {
    const path = `/api/v1/accounts/${shy.accountId}/${list}`
    for (const client of [app.anonymous, fan, idol]) expect((await client.get(path)).ok()).toEqual([])
    expect((await shy.get(path)).ok()).toHaveLength(1)
  }
  // Through the people that a third one knows too.
  await idol.follow(fan)
  const [{ accounts }] = (await idol.get('/api/v1/accounts/familiar_followers', { id: [shy.accountId] })).ok()
  expect(accounts).toEqual([])
})
