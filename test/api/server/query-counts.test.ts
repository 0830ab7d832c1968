// What a page costs in SQL statements, whatever its statuses carry: the same for 20 as for 40.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { invalidateRenderCache } from '#domain/content/statuses/invalidate-render-cache.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { insertCard, insertMedia } from '#test/people/status-parts.ts'

const app = useApp()
let reader: Person
let authors: Person[]
/** What is quoted and boosted. Nobody follows its author, and it is older than all pages that are looked at. */
let originals: Json[]

type Say = (author: Person, words: string, more?: Record<string, unknown>) => Promise<Json>

const withMedia: Say = async (author, words, more) =>
  author.say(words, {
    media_ids: [await insertMedia(app.ctx, author), await insertMedia(app.ctx, author)],
    ...more,
  })

const withPoll: Say = (author, words, more) =>
  author.say(words, { poll: { options: ['tea', ':bird:'], expires_in: 3600 }, ...more })

const withCard: Say = async (author, words, more) => {
  const status = await author.say(words, more)
  await insertCard(app.ctx, status.id, { url: `https://news.example/${status.id}`, title: 'News' })
  return status
}

const withReaction: Say = async (author, words, more) => {
  const status = await author.say(words, more)
  ;(await author.put(`/api/v1/pleroma/statuses/${status.id}/reactions/${encodeURIComponent('👍')}`)).ok()
  return status
}

const kinds = [withMedia, withPoll, withCard, withReaction]
const quoting =
  (quoted: Json): Say =>
  (author, words, more) =>
    author.say(words, { quoted_status_id: quoted.id, ...more })
const boosting =
  (boosted: Json): Say =>
  async (author) =>
    (await author.post(`/api/v1/statuses/${boosted.id}/reblog`)).ok()

const times = (count: number, work: (index: number) => Promise<unknown>) =>
  Array.from({ length: count }, (_, index) => index).reduce<Promise<unknown>>(
    (before, index) => before.then(() => work(index)),
    Promise.resolve(),
  )

/** One of each kind by turns, quotes of each kind and of quotes, and boosts, which no thread has. */
async function sayAll(
  count: number,
  options: { more?: Record<string, unknown>; boosts: boolean; first?: number },
) {
  const { more, boosts, first = 0 } = options
  await times(count, async (n) => {
    const i = first + n
    const [media, poll, quote] = originals as [Json, Json, Json]
    const quotes = [media, poll, quote].map(quoting)
    const turns = [...kinds, ...quotes, ...(boosts ? [boosting(originals[i % 45] as Json)] : [])]
    const say = turns[i % turns.length] as Say
    await say(authors[i % authors.length] as Person, `@${reader.username} :bird: #tag${i} number ${i}`, more)
  })
}

/** The first have media, a poll and a card, and a quote. */
async function insertOriginals(author: Person): Promise<Json[]> {
  const made: Json[] = []
  await times(45, async (i) => {
    const turns = [withMedia, withPoll, quoting(made[0])]
    const status = await (turns[i % 3] as Say)(author, `original ${i} :bird:`)
    if (i % 3 === 1)
      await insertCard(app.ctx, status.id, { url: `https://news.example/${i}`, title: 'Old news' })
    made.push(status)
  })
  return made
}

beforeAll(async () => {
  await setSetting(app.ctx, 'emoji_reactions', true)
  await sql`insert into custom_emojis (id, shortcode, image_key) values (1, 'bird', 'bird.png')`.execute(
    app.ctx.db,
  )
  reader = await app.person('reader')
  authors = await Promise.all(['ann', 'ben', 'cat'].map((name) => app.person(name)))
  for (const author of authors) await reader.follow(author)
  originals = await insertOriginals(await app.person('outsider'))
  const own: Json[] = []
  await times(45, async (i) => own.push(await reader.say(`mine ${i}`)))
  await times(9, async (round) => {
    await sayAll(15, { boosts: true, first: 15 * round })
    await times(3, async (i) => {
      const { id } = own[3 * round + i]
      ;(await authors[i]!.post(`/api/v1/statuses/${id}/${round % 2 ? 'favourite' : 'reblog'}`)).ok()
    })
  })
  await app.settle()
})

/** Statements of a request. The settings are read once a second and are left out. */
async function count(client: Client, path: string): Promise<number> {
  return countWithoutSettings(await app.countQueries(async () => (await client.get(path)).ok()))
}

const countWithoutSettings = (statements: readonly string[]) =>
  statements.filter((text) => !/^\s*select key, value from settings/i.test(text)).length

/** With nothing in the caches of renderings and lines, and with all there. */
async function costOf(client: Client, path: string): Promise<{ cold: number; warm: number }> {
  await invalidateRenderCache(app.ctx)
  const cold = await count(client, path)
  return { cold, warm: await count(client, path) }
}

describe('a page whose statuses carry all kinds of things', () => {
  const pages: [string, () => [Client, string], { cold: number; warm: number }][] = [
    ['home', () => [reader, '/api/v1/timelines/home'], { cold: 24, warm: 5 }],
    ['public', () => [app.anonymous, '/api/v1/timelines/public'], { cold: 24, warm: 4 }],
    [
      'an account',
      () => [reader, `/api/v1/accounts/${authors[0]!.accountId}/statuses`],
      { cold: 24, warm: 5 },
    ],
    ['notifications', () => [reader, '/api/v1/notifications'], { cold: 27, warm: 5 }],
  ]
  test.for(pages)('%s takes as many statements for 20 as for 40', async ([, page, expected]) => {
    const [client, path] = page()
    expect((await client.get(`${path}?limit=40`)).ok()).toHaveLength(40)
    const twenty = await costOf(client, `${path}?limit=20`)
    const forty = await costOf(client, `${path}?limit=40`)
    expect([twenty.warm, forty.warm]).toEqual([expected.warm, expected.warm])
    // One less where no status of the page happens to have what one of them loads.
    for (const { cold } of [twenty, forty]) expect(expected.cold - cold).toBeOneOf([0, 1])
  })

  test('a thread takes as many statements with 20 replies as with 40', async () => {
    const costs = []
    for (const length of [20, 40]) {
      const root = await authors[0]!.say('the root')
      await sayAll(length, { more: { in_reply_to_id: root.id }, boosts: false })
      const path = `/api/v1/statuses/${root.id}/context`
      expect((await reader.get(path)).ok().descendants).toHaveLength(length)
      costs.push(await costOf(reader, path))
    }
    expect(costs[1]).toEqual(costs[0])
    expect(costs[0]).toEqual({ cold: 27, warm: 5 })
  })
})

describe('a page of plain statuses that are known already', () => {
  test('takes its list alone, and none for one of them, of who looks at one page after the other', async () => {
    const writer = await app.person('writer')
    const statuses: Json[] = []
    await times(22, async (i) =>
      statuses.push(await writer.say(`@${reader.username} #plain${i} :bird: ${i}`)),
    )
    const costs = []
    for (const path of [
      '/api/v1/timelines/home?limit=20',
      '/api/v1/timelines/public?limit=20',
      `/api/v1/accounts/${writer.accountId}/statuses?limit=20`,
      `/api/v1/statuses/${statuses[0].id}`,
    ]) {
      await writer.get(path)
      costs.push(await count(writer, path))
    }
    expect(costs).toEqual([1, 1, 1, 0])
  })
})

describe('a command', () => {
  /** Statements of an edit, a vote and a favourite, answer included. */
  async function commandCosts(text: string): Promise<number[]> {
    const [author, other] = [await app.person('author'), await app.person('other')]
    const plain = await author.say('before')
    const asked = await withPoll(author, 'which?')
    const edit = await app.countQueries(async () =>
      (await author.put(`/api/v1/statuses/${plain.id}`, { status: text })).ok(),
    )
    const vote = await app.countQueries(async () =>
      (await other.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [1] })).ok(),
    )
    const favourite = await app.countQueries(async () =>
      (await other.post(`/api/v1/statuses/${asked.id}/favourite`)).ok(),
    )
    return [edit, vote, favourite].map(countWithoutSettings)
  }

  test('takes the same number of statements, however many hashtags and emoji a text has', async () => {
    const name = `@${authors[0]!.username}`
    const few = await commandCosts(`${name} #one :bird:`)
    expect(await commandCosts(`${name} #one #two #three #four :bird: :owl:`)).toEqual(few)
    expect(few).toEqual([22, 12, 6])
  })
})

describe('what follows', () => {
  /** Statements after as many people have done something, with none that only looks for further work. */
  async function costOfAll(count: number, deed: (person: Person, i: number) => Promise<unknown>) {
    const crowd = await Promise.all(Array.from({ length: count }, () => app.person('somebody')))
    await app.settle()
    await Promise.all(crowd.map(deed))
    const statements = await app.countQueries(() => app.settle())
    const looking =
      /^\s*(update outbox|delete from outbox|with before as materialized|with healthy as|select e\.event|select id, event from outbox|select pg_advisory_xact_lock\(hashtext\('stonechat:incoming'|begin|commit)/
    return statements.filter((text) => !looking.test(text)).length
  }

  test('takes as many statements for eight favourites as for one', async () => {
    const { id } = await authors[0]!.say('liked')
    const favourite = async (person: Person) => (await person.post(`/api/v1/statuses/${id}/favourite`)).ok()
    const [one, eight] = [await costOfAll(1, favourite), await costOfAll(8, favourite)]
    // The notifications, whether one of the statuses is another server's, and whom to push and to mail to.
    expect([one, eight]).toEqual([4, 4])
  })

  test('takes as many statements for eight posts with a mention and a hashtag as for one', async () => {
    const post = (person: Person, i: number) => person.say(`@${reader.username} has to hear of #what${i}`)
    const [one, eight] = [await costOfAll(1, post), await costOfAll(8, post)]
    // Audience, notifications, two of the search, inboxes, relays; and whom to push and to mail to.
    expect([one, eight]).toEqual([8, 8])
  })
})
