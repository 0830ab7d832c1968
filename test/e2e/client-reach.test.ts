// Lists, filters, notifications, conversations and search through a client that others wrote: the masto package.
import { createRestAPIClient, type mastodon } from 'masto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { isNight } from '#test/run/night.ts'

let server: ServerProcess
let alice: mastodon.rest.Client
let bob: mastodon.rest.Client
let aliceId: string
let bobId: string

/** What the worker does with an event takes a moment. */
const soon = { interval: 200 }

beforeAll(async () => {
  server = await createServerProcess({ prepared: true })
  await server.start()
  alice = await signIn('alice')
  bob = await signIn('bob')
  aliceId = (await alice.v1.accounts.verifyCredentials()).id
  bobId = (await bob.v1.accounts.verifyCredentials()).id
  await alice.v1.accounts.$select(bobId).follow()
  await bob.v1.accounts.$select(aliceId).follow()
})
afterAll(() => server?.remove())

async function signIn(name: string): Promise<mastodon.rest.Client> {
  await server.command('accounts', 'create', name, '--email', `${name}@mail.example`, '--confirmed')
  const accessToken = (await server.command('tokens', 'create', name)).stdout.trim()
  return createRestAPIClient({ url: server.url, accessToken })
}

test.runIf(isNight)('a list and its timeline', async () => {
  const list = await alice.v1.lists.create({ title: 'Near' })
  await alice.v1.lists.$select(list.id).accounts.create({ accountIds: [bobId] })
  const { id } = await bob.v1.statuses.create({ status: 'for the list' })
  const timeline = await alice.v1.timelines.list.$select(list.id).list()
  expect(timeline[0]?.id).toBe(id)
  expect((await alice.v1.accounts.$select(bobId).lists.list()).map((one) => one.id)).toEqual([list.id])
  await alice.v1.lists.$select(list.id).remove()
  expect(await alice.v1.lists.list()).toEqual([])
})

test.runIf(isNight)('a filter marks what it matches, and one that hides keeps it out of home', async () => {
  const filter = await alice.v2.filters.create({
    title: 'Games',
    context: ['home'],
    filterAction: 'warn',
    keywordsAttributes: [{ keyword: 'cricket', wholeWord: true }],
  })
  const { id } = await bob.v1.statuses.create({ status: 'Nothing but Cricket today' })
  const shown = await alice.v1.statuses.$select(id).fetch()
  expect(shown.filtered).toMatchObject([{ filter: { id: filter.id }, keywordMatches: ['cricket'] }])
  const home = async () => (await alice.v1.timelines.home.list()).map((status) => status.id)
  await expect.poll(home, soon).toContain(id)
  await alice.v2.filters.$select(filter.id).update({ filterAction: 'hide' })
  expect(await home()).not.toContain(id)
  await alice.v2.filters.$select(filter.id).remove()
  expect(await home()).toContain(id)
})

test.runIf(isNight)('notifications in groups, their policy, and a private conversation', async () => {
  const { id } = await alice.v1.statuses.create({ status: 'Like this' })
  await bob.v1.statuses.$select(id).favourite()
  const groups = async () => (await alice.v2.notifications.list()).notificationGroups.map((one) => one.type)
  await expect.poll(groups, soon).toContain('favourite')
  expect(await alice.v2.notifications.policy.fetch()).toMatchObject({ forPrivateMentions: 'filter' })
  const direct = await bob.v1.statuses.create({ status: '@alice between us', visibility: 'direct' })
  const conversations = async () =>
    (await alice.v1.conversations.list()).map((one) => [one.lastStatus?.id, one.unread])
  await expect.poll(conversations, soon).toContainEqual([direct.id, true])
  const [first] = await alice.v1.conversations.list()
  expect(await alice.v1.conversations.$select(first?.id as string).read()).toMatchObject({ unread: false })
})

test.runIf(isNight)('search for people, hashtags and posts', async () => {
  const { id } = await alice.v1.statuses.create({ status: 'Marmalade on toast #breakfast' })
  const found = async () => {
    const result = await alice.v2.search.list({ q: 'marmalade toast' })
    return result.statuses.map((status) => status.id)
  }
  await expect.poll(found, soon).toContain(id)
  const people = await alice.v2.search.list({ q: 'bob', type: 'accounts' })
  expect(people.accounts.map((account) => account.id)).toEqual([bobId])
  const tags = await alice.v2.search.list({ q: 'breakf', type: 'hashtags' })
  expect(tags.hashtags.map((tag) => tag.name)).toEqual(['breakfast'])
})

test.runIf(isNight)('what apps ask for at their start', async () => {
  expect(await alice.v1.announcements.list()).toEqual([])
  expect(await alice.v1.trends.tags.list()).toEqual([])
  expect(await alice.v2.suggestions.list()).toEqual([])
  expect(await alice.v1.followedTags.list()).toEqual([])
  const marker = await alice.v1.markers.create({ home: { lastReadId: '1' } })
  expect(marker.home).toMatchObject({ lastReadId: '1' })
})
