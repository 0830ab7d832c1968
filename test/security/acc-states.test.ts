// What each state of an account means in each public place: one table, by the operations with which staff bring it about.
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Client, Json } from '#test/client/client.ts'
import type { Person, PersonOptions } from '#test/people/people.ts'

const app = useApp()

let moderator: Person
beforeAll(async () => {
  moderator = await app.person('moderator', { role: 'Owner' })
})

interface Scene {
  /** Whose state it is. */
  sam: Person
  follower: Person
  stranger: Person
  statusId: string
  boosted: Json
}

interface State {
  options?: PersonOptions
  bring?(scene: Scene): Promise<unknown>
}

const act = (type: string) => (scene: Scene) =>
  moderator
    .post(`/api/v1/admin/accounts/${scene.sam.accountId}/action`, { type })
    .then((answer) => answer.ok())
const mark = (column: ReturnType<typeof sql>) => (scene: Scene) =>
  sql`update accounts set ${column}, version = version + 1 where id = ${scene.sam.accountId}`.execute(
    app.ctx.db,
  )

const states = {
  normal: {},
  unconfirmed: { options: { confirmed: false } },
  pending: { options: { approved: false } },
  warned: { bring: act('none') },
  sensitized: { bring: act('sensitive') },
  disabled: { bring: act('disable') },
  silenced: { bring: act('silence') },
  suspended: { bring: act('suspend') },
  deleted: {
    async bring(scene: Scene) {
      await act('suspend')(scene)
      ;(await moderator.delete(`/api/v1/admin/accounts/${scene.sam.accountId}`)).ok()
    },
  },
  memorial: { bring: mark(sql`memorial = true`) },
  moved: {
    bring: (scene: Scene) => mark(sql`moved_to_account_id = ${scene.stranger.accountId}`)(scene),
  },
} satisfies Record<string, State>
type StateName = keyof typeof states

const has = (list: Json, id: string) => (Array.isArray(list) ? list.some((one) => one.id === id) : list)
const bodyOr = ({ status, body }: { status: number; body: Json }) => (status === 200 ? body : status)

/** Every public place, with what is looked at there. */
const places: Record<string, (scene: Scene) => Promise<unknown>> = {
  account: async ({ sam }) => (await app.anonymous.get(`/api/v1/accounts/${sam.accountId}`)).status,
  lookup: async ({ sam }) =>
    (await app.anonymous.get('/api/v1/accounts/lookup', { acct: sam.username })).status,
  'account in a batch': async ({ sam }) =>
    has((await app.anonymous.get('/api/v1/accounts', { id: [sam.accountId] })).body, sam.accountId),
  'its statuses': async ({ sam, statusId }) =>
    has(bodyOr(await app.anonymous.get(`/api/v1/accounts/${sam.accountId}/statuses`)), statusId),
  'its followers': async ({ sam, follower }) =>
    has(bodyOr(await app.anonymous.get(`/api/v1/accounts/${sam.accountId}/followers`)), follower.accountId),
  'a status': async ({ statusId }) => (await app.anonymous.get(`/api/v1/statuses/${statusId}`)).status,
  'its boost': async ({ boosted }) => (await app.anonymous.get(`/api/v1/statuses/${boosted.id}`)).status,
  'local timeline of strangers': ({ stranger, statusId }) => inPublic(stranger, statusId),
  'local timeline of followers': ({ follower, statusId }) => inPublic(follower, statusId),
  'hashtag of strangers': ({ stranger, statusId }) => inTag(stranger, statusId),
  'home of followers': async ({ follower, statusId }) =>
    has((await follower.get('/api/v1/timelines/home')).ok(), statusId),
  'search by strangers': async ({ stranger, sam }) => {
    const { accounts } = (
      await stranger.get('/api/v2/search', { q: sam.username.slice(0, -1), type: 'accounts' })
    ).ok()
    return has(accounts, sam.accountId)
  },
  directory: async ({ sam }) =>
    has(
      (await app.anonymous.get('/api/v1/directory', { local: true, order: 'new', limit: 80 })).ok(),
      sam.accountId,
    ),
  'profile page': ({ sam }) => statusOf(`/@${sam.username}`),
  'status page': ({ sam, statusId }) => statusOf(`/@${sam.username}/${statusId}`),
  feed: ({ sam }) => statusOf(`/@${sam.username}.rss`),
  oembed: ({ sam, statusId }) =>
    statusOf(`/api/oembed?url=${encodeURIComponent(`${app.baseUrl}/@${sam.username}/${statusId}`)}`),
  webfinger: ({ sam }) => statusOf(`/.well-known/webfinger?resource=acct:${sam.username}@chat.example`),
  actor: ({ sam }) => statusOf(`/users/${sam.username}`, 'application/activity+json'),
  note: ({ sam, statusId }) =>
    statusOf(`/users/${sam.username}/statuses/${statusId}`, 'application/activity+json'),
  'a follow': async ({ stranger, sam }) => {
    const answer = await stranger.post(`/api/v1/accounts/${sam.accountId}/follow`)
    if (answer.status !== 200) return answer.status
    return answer.body.following ? 'following' : answer.body.requested ? 'requested' : 'nothing'
  },
  'own token': async ({ sam }) => (await sam.get('/api/v1/timelines/home')).status,
  'own post': async ({ sam }) => {
    const answer = await sam.post('/api/v1/statuses', { status: 'once more' })
    return answer.status === 200 ? answer.body.visibility : answer.status
  },
}

async function inPublic(client: Client, id: string) {
  return has((await client.get('/api/v1/timelines/public', { local: true })).ok(), id)
}
async function inTag(client: Client, id: string) {
  return has((await client.get('/api/v1/timelines/tag/states')).ok(), id)
}
async function statusOf(path: string, accept = 'text/html') {
  return (await app.fetch(path, { headers: { accept }, redirect: 'manual' })).status
}

const usual = {
  account: 200,
  lookup: 200,
  'account in a batch': true,
  'its statuses': true,
  'its followers': true,
  'a status': 200,
  'its boost': 200,
  'local timeline of strangers': true,
  'local timeline of followers': true,
  'hashtag of strangers': true,
  'home of followers': true,
  'search by strangers': true,
  directory: true,
  'profile page': 200,
  'status page': 200,
  feed: 200,
  oembed: 200,
  webfinger: 200,
  actor: 200,
  note: 200,
  'a follow': 'following',
  'own token': 200,
  'own post': 'public',
}

/** Nothing of them is seen, as if they were not there yet. */
const unseen = {
  account: 404,
  lookup: 404,
  'account in a batch': false,
  'its statuses': 404,
  'its followers': 404,
  'a status': 404,
  'its boost': 404,
  'local timeline of strangers': false,
  'local timeline of followers': false,
  'hashtag of strangers': false,
  'home of followers': false,
  'search by strangers': false,
  directory: false,
  'profile page': 404,
  'status page': 404,
  feed: 404,
  oembed: 404,
  webfinger: 404,
  actor: 404,
  note: 404,
  'a follow': 404,
  'own token': 403,
  'own post': 403,
}

/** What is other than usual. */
const differences: Record<StateName, Record<string, unknown>> = {
  normal: {},
  warned: {},
  sensitized: {},
  unconfirmed: unseen,
  pending: unseen,
  disabled: { 'own token': 403, 'own post': 403 },
  silenced: {
    'local timeline of strangers': false,
    'local timeline of followers': false,
    'hashtag of strangers': false,
    'search by strangers': false,
    directory: false,
    'own post': 'unlisted',
  },
  suspended: {
    ...unseen,
    account: 410,
    'account in a batch': true,
    'its statuses': false,
    'its followers': false,
    'profile page': 410,
    feed: 410,
    lookup: 200,
    webfinger: 200,
    actor: 200,
    note: 403,
    'a follow': 403,
  },
  deleted: {
    ...unseen,
    'profile page': 410,
    feed: 410,
    webfinger: 410,
    actor: 410,
    note: 410,
    'own token': 401,
    'own post': 401,
  },
  memorial: { 'own token': 403, 'own post': 403 },
  moved: {
    'search by strangers': false,
    directory: false,
    'a follow': 403,
    'own token': 403,
    'own post': 403,
  },
}

async function scene(state: State): Promise<Scene> {
  const sam = await app.person('sam', state.options)
  const [follower, stranger] = [await app.person('follower'), await app.person('stranger')]
  const early = state.options !== undefined
  // Who never got in has written nothing and is followed by nobody.
  if (early) return { sam, follower, stranger, statusId: '1', boosted: { id: '1' } }
  await sam.patch('/api/v1/accounts/update_credentials', { discoverable: true, indexable: true })
  await follower.follow(sam)
  const media = await attachment(app.ctx, sam)
  const { id: statusId } = await sam.say('seen #states', { media_ids: [media] })
  const boosted = (await follower.post(`/api/v1/statuses/${statusId}/reblog`)).ok()
  await app.settle()
  return { sam, follower, stranger, statusId, boosted }
}

test.each(Object.keys(states) as StateName[])(
  'an account that is %s [ACC-10] [ACC-14] [ACC-17]',
  async (name) => {
    const state: State = states[name]
    const made = await scene(state)
    await state.bring?.(made)
    await app.settle()
    app.clock.advance(20_000)
    const found: Record<string, unknown> = {}
    for (const [place, look] of Object.entries(places)) found[place] = await look(made)
    expect(found).toEqual({ ...usual, ...differences[name] })
  },
)

test('what staff say of an account is told with it, and ends with it [ACC-14]', async () => {
  const made = await scene({})
  const account = async () => (await app.anonymous.get(`/api/v1/accounts/${made.sam.accountId}`)).ok()
  const status = async () => (await app.anonymous.get(`/api/v1/statuses/${made.statusId}`)).ok()
  expect(await account()).not.toHaveProperty('limited')
  expect((await status()).sensitive).toBe(false)
  await act('silence')(made)
  await act('sensitive')(made)
  app.clock.advance(20_000)
  expect(await account()).toMatchObject({ limited: true })
  expect((await status()).sensitive).toBe(true)
  for (const word of ['unsilence', 'unsensitive'])
    (await moderator.post(`/api/v1/admin/accounts/${made.sam.accountId}/${word}`)).ok()
  app.clock.advance(20_000)
  expect(await account()).not.toHaveProperty('limited')
  expect((await status()).sensitive).toBe(false)
})
