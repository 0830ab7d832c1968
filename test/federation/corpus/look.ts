// What has come of a case, as those see it who live here, in the form of its expectations.
import { expect } from 'vitest'
import type { Client, Json } from '#test/client/client.ts'
import type { Expectation } from './cases.ts'
import type { World } from './world.ts'

type Look = (world: World, asked: Json) => Promise<unknown>

const looks: Record<keyof Expectation, Look> = {
  statuses: (world, asked) => each(asked, (uri) => statusAt(world, uri)),
  async hidden(world, asked: string[]) {
    const hidden = await Promise.all(asked.map((uri) => isHidden(world, uri)))
    return asked.filter((_, index) => hidden[index])
  },
  accounts: (world, asked) => each(asked, (acct) => accountAt(world, acct)),
  relationships: (world, asked) =>
    each(asked, async (acct) => {
      const account = await accountAt(world, acct)
      if (account === null) return null
      return (await world.alice.get('/api/v1/accounts/relationships', { id: [account.id] })).ok()[0]
    }),
  async notifications({ alice }) {
    const found = (await alice.get('/api/v1/notifications', { include_filtered: true })).ok()
    return found.map(({ type, account, status }: Json) => ({
      type,
      account: account.acct,
      status: status?.uri,
    }))
  },
  posts: (world, asked) => each(asked, (name) => statusAt(world, world.names.get(`POST:${name}`)!)),
  boosts: async (world, asked) =>
    each(asked, async (acct) => (await wall(world, acct))?.map(({ reblog }) => reblog?.uri).filter(Boolean)),
  timeline: async (world, asked) =>
    each(asked, async (acct) =>
      (await wall(world, acct))?.filter(({ reblog }) => !reblog).map(({ uri }) => uri),
    ),
  pinned: (world, asked) =>
    each(asked, async (acct) => (await wall(world, acct, { pinned: true }))?.map(({ uri }) => uri)),
  featuredTags: (world, asked) =>
    each(asked, async (acct) => {
      const account = await accountAt(world, acct)
      const tags = (await world.alice.get(`/api/v1/accounts/${account?.id}/featured_tags`)).ok()
      return tags.map(({ name }: Json) => name)
    }),
  async reports({ app, alice }) {
    // Staff see them by an API of their own; what is looked at here is what they are given.
    const rows = await app.ctx.db
      .selectFrom('reports')
      .select(['comment', 'category', 'status_ids'])
      .where('target_account_id', '=', alice.accountId)
      .execute()
    return Promise.all(
      rows.map(async ({ status_ids, ...row }) => ({ ...row, statuses: await urisOf(alice, status_ids) })),
    )
  },
  sent: async ({ peers }) => peers.flatMap(({ inbox }) => inbox.map(({ json, problem }) => problem ?? json)),
}

/** What there is of all that is expected, and more where an object only has to contain something. */
export async function look(world: World, expected: Expectation): Promise<Record<string, unknown>> {
  return each(expected, (part) =>
    looks[part as keyof Expectation](world, expected[part as keyof Expectation]),
  )
}

/** The expectation as a pattern: `{NOW}` is a time of this test, `{ANY}` anything but nothing. */
export function toPattern(expected: unknown, now: number): Json {
  if (expected === '{ANY}') return expect.anything()
  if (expected === '{NOW}')
    return expect.toSatisfy((time: string) => Math.abs(Date.parse(time) - now) < 120_000, 'is about now')
  if (Array.isArray(expected)) return expected.map((item) => toPattern(item, now))
  if (expected === null || typeof expected !== 'object') return expected
  return Object.fromEntries(Object.entries(expected).map(([key, item]) => [key, toPattern(item, now)]))
}

/** An object with the same keys. */
async function each(asked: object, see: (key: string) => Promise<unknown>): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  for (const key of Object.keys(asked)) seen[key] = await see(key)
  return seen
}

async function findId({ app }: World, uri: string): Promise<string | null> {
  if (uri.startsWith(`${app.baseUrl}/`)) return uri.split('/').at(-1) ?? null
  const row = await app.ctx.db.selectFrom('statuses').select('id').where('uri', '=', uri).executeTakeFirst()
  return row?.id ?? null
}

/** As alice sees it, with the URI of what it answers; null when it is not stored or not for her. */
async function statusAt(world: World, uri: string): Promise<Json> {
  const id = await findId(world, uri)
  if (id === null) return null
  const answer = await world.alice.get(`/api/v1/statuses/${id}`)
  if (answer.status === 404) return null
  const status = answer.ok()
  const parentId = status.in_reply_to_id
  if (parentId === null) return status
  return { ...status, in_reply_to: (await world.alice.get(`/api/v1/statuses/${parentId}`)).body.uri }
}

async function urisOf(client: Client, ids: readonly string[]): Promise<string[]> {
  const found = (await client.get('/api/v1/statuses', { id: ids })).ok()
  return found.map(({ uri }: Json) => uri)
}

async function isHidden(world: World, uri: string): Promise<boolean> {
  const id = await findId(world, uri)
  if (id === null) return true
  const clients = [world.stranger, world.app.anonymous]
  const answers = await Promise.all(clients.map((client) => client.get(`/api/v1/statuses/${id}`)))
  return answers.every(({ status }) => status === 404)
}

async function accountAt({ alice }: World, acct: string): Promise<Json> {
  const answer = await alice.get('/api/v1/accounts/lookup', { acct })
  return answer.status === 404 ? null : answer.ok()
}

/** What an account shows, newest first; null when it is not there. */
async function wall(world: World, acct: string, query: Record<string, unknown> = {}): Promise<Json[] | null> {
  const account = await accountAt(world, acct)
  return account && (await world.alice.get(`/api/v1/accounts/${account.id}/statuses`, query)).ok()
}
