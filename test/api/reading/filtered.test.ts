import { describe, expect, test } from 'vitest'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { loadHiddenIds } from '#views/content/filtering.ts'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Client, Json, Answer } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const home = '/api/v1/timelines/home'
let made = 0
/** A word that no other test uses. */
const newWord = () => `zebra${++made}`

async function filterBy(client: Client, keyword: string, more: Json = {}): Promise<Json> {
  const body = { title: `no ${keyword}`, context: ['home'], keywords_attributes: [{ keyword }], ...more }
  return (await client.post('/api/v2/filters', body)).ok()
}

const show = async (client: Client, id: string): Promise<Json> =>
  (await client.get(`/api/v1/statuses/${id}`)).ok()
const cursorOf = (link: string | undefined, name: string) =>
  new URL(link ?? '', app.ctx.config.baseUrl).searchParams.get(name)
const idsOf = (statuses: Json): string[] => statuses.map((status: Json) => status.id)

async function followers(...names: string[]): Promise<Person[]> {
  const people = await Promise.all(names.map((name) => app.person(name)))
  const [first, ...others] = people
  for (const other of others) await first?.follow(other)
  await app.settle()
  return people
}

describe('statuses tell which filters they meet', () => {
  test('with what was found [2.2-30]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const [one, two] = [newWord(), newWord()]
    const filter = await filterBy(alice, one, {
      expires_in: 3600,
      context: ['public', 'thread'],
      keywords_attributes: [{ keyword: one }, { keyword: two.slice(0, 4), whole_word: false }],
    })
    const status = await bob.say(`${one.toUpperCase()} and ${two}`)
    const other = await bob.say('harmless')
    const result = {
      filter: {
        id: filter.id,
        title: filter.title,
        context: ['public', 'thread'],
        expires_at: filter.expires_at,
        filter_action: 'warn',
      },
      keyword_matches: [one, two.slice(0, 4)],
      status_matches: null,
    }
    expect(await show(alice, status.id)).toMatchObject({ filtered: [result] })
    expect(await show(alice, other.id)).toMatchObject({ filtered: [] })
    expect(await show(bob, status.id)).toMatchObject({ filtered: [] })
    expect(await show(app.anonymous, status.id)).not.toHaveProperty('filtered')
    const named = (await alice.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: other.id })).ok()
    const byStatus = { ...result, keyword_matches: null, status_matches: [other.id] }
    expect((await show(alice, other.id)).filtered).toEqual([byStatus])
    ;(await alice.delete(`/api/v2/filters/statuses/${named.id}`)).ok()
    expect((await show(alice, other.id)).filtered).toEqual([])
  })

  test('whole words or not, in scripts with and without spaces [1-10] [2.2-31]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const word = newWord()
    const filter = await filterBy(alice, word)
    const [{ id }] = filter.keywords
    const change = async (changed: Json) => (await alice.put(`/api/v2/filters/keywords/${id}`, changed)).ok()
    const statuses = await Promise.all(
      [`a ${word}!`, `${word}s`, '今日は黒猫を見た'].map((text) => bob.say(text)),
    )
    const met = async () => {
      const shown = await Promise.all(statuses.map((status) => show(alice, status.id)))
      return shown.map((status: Json) => status.filtered.length === 1)
    }
    expect(await met()).toEqual([true, false, false])
    await change({ whole_word: false })
    expect(await met()).toEqual([true, true, false])
    await change({ keyword: '猫', whole_word: true })
    expect(await met()).toEqual([false, false, true])
  })

  test('by the warning, the text as it reads, the poll and what the media show', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const word = newWord()
    await filterBy(alice, word)
    const media = await attachment(app.ctx, bob, `a picture of ${word}`)
    const poll = { options: ['yes', `rather ${word}`], expires_in: 3600 }
    const hits = [
      await bob.say('text', { spoiler_text: `beware of ${word}` }),
      await bob.say(`https://site.example/${word}`),
      await bob.say(`#${word}`),
      await bob.say('look', { media_ids: [media] }),
      await bob.say('what?', { poll }),
    ]
    for (const { id } of hits) expect((await show(alice, id)).filtered).toHaveLength(1)
    await filterBy(alice, 'invisible')
    await filterBy(alice, 'span')
    expect((await show(alice, hits[1]!.id)).filtered).toHaveLength(1)
  })

  test('as they are now: after an edit, and after every change of a filter', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const [word, other] = [newWord(), newWord()]
    const { id } = await bob.say(`about ${word}`)
    const count = async () => (await show(alice, id)).filtered.length
    expect(await count()).toBe(0)
    const filter = await filterBy(alice, word)
    const [keyword] = filter.keywords
    expect(await count()).toBe(1)
    ;(await bob.put(`/api/v1/statuses/${id}`, { status: `about ${other}` })).ok()
    expect(await count()).toBe(0)
    ;(await alice.put(`/api/v2/filters/keywords/${keyword.id}`, { keyword: other })).ok()
    expect(await count()).toBe(1)
    ;(await alice.put(`/api/v1/filters/${keyword.id}`, { phrase: other.slice(0, 5) })).ok()
    expect(await count()).toBe(0)
    ;(await alice.put(`/api/v1/filters/${keyword.id}`, { whole_word: false })).ok()
    expect(await count()).toBe(1)
    ;(await alice.delete(`/api/v2/filters/${filter.id}`)).ok()
    expect(await count()).toBe(0)
  })

  test('until a filter expires [2.2-27] [2.2-28]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const word = newWord()
    const filter = await filterBy(alice, word, { expires_in: 60 })
    const { id } = await bob.say(word)
    expect((await show(alice, id)).filtered).toHaveLength(1)
    app.clock.advance(60_000)
    expect((await show(alice, id)).filtered).toEqual([])
    expect((await alice.get(`/api/v2/filters/${filter.id}`)).ok()).toEqual(filter)
    ;(await alice.put(`/api/v2/filters/${filter.id}`, { expires_in: 60 })).ok()
    expect((await show(alice, id)).filtered).toHaveLength(1)
  })

  test('and so do boosts and quotes of them, but not one’s own', async () => {
    const people = [await app.person('alice'), await app.person('bob'), await app.person('carol')] as const
    const [alice, bob, carol] = people
    const word = newWord()
    const filter = await filterBy(alice, word)
    const status = await bob.say(word)
    const boost = (await carol.post(`/api/v1/statuses/${status.id}/reblog`)).ok()
    expect(await show(alice, boost.id)).toMatchObject({
      filtered: [{ filter: { id: filter.id } }],
      reblog: { filtered: [{ filter: { id: filter.id }, keyword_matches: [word] }] },
    })
    const quoting = await carol.say('see', { quoted_status_id: status.id })
    expect(await show(alice, quoting.id)).toMatchObject({
      filtered: [],
      quote: { quoted_status: { filtered: [{ filter: { id: filter.id } }] } },
    })
    const own = await alice.say(word)
    const boostOfOwn = (await carol.post(`/api/v1/statuses/${own.id}/reblog`)).ok()
    const ownBoost = (await alice.post(`/api/v1/statuses/${status.id}/reblog`)).ok()
    expect(await show(alice, own.id)).toMatchObject({ filtered: [] })
    expect(await show(alice, boostOfOwn.id)).toMatchObject({ filtered: [], reblog: { filtered: [] } })
    expect(await show(alice, ownBoost.id)).toMatchObject({
      filtered: [],
      reblog: { filtered: [{ filter: { id: filter.id } }] },
    })
    const path = `/api/v2/filters/${filter.id}/statuses`
    for (const { id } of [boost, status]) (await alice.post(path, { status_id: id })).ok()
    expect(await show(alice, boost.id)).toMatchObject({
      filtered: [{ status_matches: [boost.id, status.id] }],
      reblog: { filtered: [{ status_matches: [status.id] }] },
    })
  })

  test('a word is filtered the same everywhere [ACC-13]', async () => {
    const [alice, bob] = (await followers('alice', 'bob')) as [Person, Person]
    const word = newWord()
    const { id } = await bob.say(`#${word} @${alice.username}`)
    const reply = await alice.say('answer', { in_reply_to_id: id })
    ;(await alice.post(`/api/v1/statuses/${id}/favourite`)).ok()
    ;(await alice.post(`/api/v1/statuses/${id}/bookmark`)).ok()
    await app.settle()
    await filterBy(alice, word)
    const lists = [
      home,
      '/api/v1/timelines/public',
      `/api/v1/timelines/tag/${word}`,
      `/api/v1/accounts/${bob.accountId}/statuses`,
      '/api/v1/favourites',
      '/api/v1/bookmarks',
    ]
    for (const path of lists) {
      const found = (await alice.get(path)).ok().find((status: Json) => status.id === id)
      expect([path, found?.filtered.length]).toEqual([path, 1])
    }
    const { ancestors } = (await alice.get(`/api/v1/statuses/${reply.id}/context`)).ok()
    expect(ancestors).toMatchObject([{ id, filtered: [{ keyword_matches: [word] }] }])
    const [mention] = (await alice.get('/api/v1/notifications')).ok()
    expect(mention).toMatchObject({ type: 'mention', status: { filtered: [{ keyword_matches: [word] }] } })
  })
})

describe('what a filter hides altogether', () => {
  test('is left out of the home timeline, and of nothing else [2.2-29]', async () => {
    const people = (await followers('alice', 'bob', 'carol')) as [Person, Person, Person]
    const [alice, bob, carol] = people
    const word = newWord()
    const shown = await bob.say('shown')
    const hidden = await bob.say(`a ${word}`)
    await carol.post(`/api/v1/statuses/${(await bob.say(`other ${word}`)).id}/reblog`)
    const own = await alice.say(`my ${word}`)
    await app.settle()
    const filter = (
      await alice.post('/api/v1/filters', { phrase: word, context: ['home'], irreversible: true })
    ).ok()
    expect(idsOf((await alice.get(home)).ok())).toEqual([own.id, shown.id])
    expect(await show(alice, hidden.id)).toMatchObject({ filtered: [{ filter: { filter_action: 'hide' } }] })
    expect(idsOf((await alice.get(`/api/v1/accounts/${bob.accountId}/statuses`)).ok())).toContain(hidden.id)
    ;(await alice.put(`/api/v1/filters/${filter.id}`, { irreversible: false })).ok()
    expect(idsOf((await alice.get(home)).ok())).toContain(hidden.id)
    ;(await alice.put(`/api/v1/filters/${filter.id}`, { irreversible: true, context: ['public'] })).ok()
    expect(idsOf((await alice.get(home)).ok())).toContain(hidden.id)
    ;(await alice.put(`/api/v1/filters/${filter.id}`, { context: ['home'], expires_in: 60 })).ok()
    expect(idsOf((await alice.get(home)).ok())).not.toContain(hidden.id)
    app.clock.advance(60_000)
    expect(idsOf((await alice.get(home)).ok())).toContain(hidden.id)
  })

  test('is left out of lists as well', async () => {
    const [alice, bob] = (await followers('alice', 'bob')) as [Person, Person]
    const word = newWord()
    const { id } = (await alice.post('/api/v1/lists', { title: 'list' })).ok()
    ;(await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids: [bob.accountId] })).ok()
    const [shown] = [await bob.say('shown'), await bob.say(word)]
    await app.settle()
    await filterBy(alice, word, { filter_action: 'hide' })
    expect(idsOf((await alice.get(`/api/v1/timelines/list/${id}`)).ok())).toEqual([shown.id])
  })

  test('leaves pages whole: their links go on past what is hidden', async () => {
    const [alice, bob] = (await followers('alice', 'bob')) as [Person, Person]
    const word = newWord()
    const statuses: Json[] = []
    for (const text of ['1', '2', word, word, '5', '6', word, '8']) statuses.push(await bob.say(text))
    await app.settle()
    await filterBy(alice, word, { filter_action: 'hide' })
    const wanted = statuses.filter((status) => !status.content.includes(word)).map(({ id }) => id)
    const seen: string[] = []
    let path: string | undefined = `${home}?limit=2`
    while (path !== undefined) {
      const page: Answer = await alice.get(path)
      expect(page.ok().length > 0 || page.links['next'] === undefined).toBe(true)
      seen.push(...idsOf(page.ok()))
      path = page.links['next']
    }
    expect(seen).toEqual(wanted.toReversed())
    const upwards = await alice.get(home, { limit: 2, min_id: statuses[1].id })
    expect(idsOf(upwards.ok())).toEqual([statuses[5].id, statuses[4].id])
    expect(cursorOf(upwards.links['prev'], 'min_id')).toBe(statuses[5].id)
    expect(cursorOf(upwards.links['next'], 'max_id')).toBe(statuses[2].id)
  })

  test('is read past for so many pages at most', async () => {
    const [alice, bob] = (await followers('alice', 'bob')) as [Person, Person]
    const word = newWord()
    await bob.say('last')
    for (let n = 0; n < 8; n++) await bob.say(word)
    await app.settle()
    await filterBy(alice, word, { filter_action: 'hide' })
    const page = await alice.get(home, { limit: 1 })
    expect(page.ok()).toEqual([])
    const next = await alice.get(page.links['next'] ?? '')
    expect(next.ok()).toMatchObject([{ content: '<p>last</p>' }])
  })

  test('is left out of notifications, where its filter is for them [ACC-13] [2.2-29]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const word = newWord()
    const status = await alice.say(`mine: ${word}`)
    const mention = await bob.say(`@${alice.username} ${word}`)
    await bob.post(`/api/v1/statuses/${status.id}/favourite`)
    await app.settle()
    const types = async () =>
      (await alice.get('/api/v1/notifications'))
        .ok()
        .map(({ type }: Json) => type as string)
        .toSorted()
    const filter = await filterBy(alice, word, { filter_action: 'hide' })
    expect(await types()).toEqual(['favourite', 'mention'])
    ;(await alice.put(`/api/v2/filters/${filter.id}`, { context: ['notifications'] })).ok()
    expect(await types()).toEqual(['favourite'])
    expect((await alice.get(`/api/v1/statuses/${mention.id}`)).status).toBe(200)
    ;(await alice.put(`/api/v2/filters/${filter.id}`, { filter_action: 'warn' })).ok()
    expect(await types()).toEqual(['favourite', 'mention'])
  })
})

test('who is to be told of statuses is not told of hidden ones, and costs nothing without such filters', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const word = newWord()
  const [plain, hidden] = [await bob.say('plain'), await bob.say(word)]
  const secret = await bob.say(word, { visibility: 'private' })
  const ask = async () => {
    const viewer = await findViewer(app.ctx, alice.accountId)
    if (!viewer) throw new Error('alice is gone')
    return loadHiddenIds(
      app.ctx,
      viewer,
      [asId<StatusId>(plain.id), asId<StatusId>(hidden.id), asId<StatusId>(secret.id)],
      'notifications',
    )
  }
  const cost = async () => (await app.countQueries(ask)).length
  expect([[...(await ask())], await cost()]).toEqual([[], 1])
  const filter = await filterBy(alice, word, { filter_action: 'hide' })
  expect([[...(await ask())], await cost()]).toEqual([[], 1])
  ;(await alice.put(`/api/v2/filters/${filter.id}`, { context: ['notifications'] })).ok()
  expect([...(await ask())]).toEqual([hidden.id])
})

test('filters cost one query when they have changed, then none', async () => {
  const [alice, bob] = (await followers('alice', 'bob')) as [Person, Person]
  for (let n = 0; n < 5; n++) await bob.say(`post ${n}`)
  await app.settle()
  const count = async (limit: number) => {
    const queries = await app.countQueries(() => alice.get(home, { limit }))
    return queries.filter((query) => /\bfrom filter/.test(query)).length
  }
  expect(await count(5)).toBe(0)
  for (let n = 0; n < 3; n++) {
    await filterBy(alice, newWord(), { keywords_attributes: [{ keyword: 'post' }, { keyword: newWord() }] })
  }
  expect([await count(5), await count(5), await count(2)]).toEqual([1, 0, 0])
  expect((await alice.get(home)).ok()[0].filtered).toHaveLength(3)
})
