import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'

const app = useApp()
const v1 = '/api/v1/filters'
const v2 = '/api/v2/filters'

const newFilter = (more: Json = {}) => ({ title: 'Sports', context: ['home', 'public'], ...more })
const withWords = (...words: string[]) =>
  newFilter({ keywords_attributes: words.map((keyword) => ({ keyword })) })
const make = async (client: Client, body: Json): Promise<Json> => (await client.post(v2, body)).ok()
const words = (filter: Json) => filter.keywords.map((one: Json) => [one.keyword, one.whole_word])
/** About so many seconds from now: the clock goes on. */
const expectIn = (time: string, seconds: number) =>
  expect(Math.abs(Date.parse(time) - app.clock.now() - seconds * 1000)).toBeLessThan(10_000)
const changesOf = async (work: () => Promise<unknown>) => {
  const emitted = await app.countQueries(work)
  return emitted.filter((query) => /insert into "?outbox/i.test(query)).length
}

describe('filters', () => {
  test('are made, read, changed and deleted [2.2-25] [2.2-26]', async () => {
    const alice = await app.person('alice')
    const made = await make(
      alice,
      newFilter({
        filter_action: 'blur',
        expires_in: 3600,
        keywords_attributes: [{ keyword: 'football' }, { keyword: 'goal', whole_word: false }],
      }),
    )
    expect(made).toEqual({
      id: expect.any(String),
      title: 'Sports',
      context: ['home', 'public'],
      expires_at: expect.any(String),
      filter_action: 'blur',
      keywords: [
        { id: expect.any(String), keyword: 'football', whole_word: true },
        { id: expect.any(String), keyword: 'goal', whole_word: false },
      ],
      statuses: [],
    })
    expectIn(made.expires_at, 3_600)
    const path = `${v2}/${made.id}`
    expect((await alice.get(path)).ok()).toEqual(made)
    expect((await alice.get(v2)).ok()).toEqual([made])
    const [football, goal] = made.keywords
    const changed = (
      await alice.put(path, {
        title: 'Balls',
        expires_in: '',
        keywords_attributes: [
          { id: football.id, whole_word: false },
          { id: goal.id, _destroy: true },
          { keyword: 'kick' },
          { keyword: '' },
          { keyword: 'never', _destroy: true },
        ],
      })
    ).ok()
    expect(changed).toMatchObject({
      ...made,
      title: 'Balls',
      expires_at: null,
      keywords: [
        { id: football.id, keyword: 'football', whole_word: false },
        { keyword: 'kick', whole_word: true },
      ],
    })
    expect((await alice.put(path, {})).ok()).toEqual(changed)
    expect((await alice.delete(path)).ok()).toEqual({})
    expect((await alice.get(path)).status).toBe(404)
    expect((await alice.get(v2)).ok()).toEqual([])
  })

  test('are taken from forms as apps send them', async () => {
    const alice = await app.person('alice')
    const body = new URLSearchParams([
      ['title', 'Forms'],
      ['context[]', 'home'],
      ['context[]', ' thread '],
      ['expires_in', ''],
      ['keywords_attributes[][keyword]', 'one'],
      ['keywords_attributes[][whole_word]', 'false'],
      ['keywords_attributes[][keyword]', 'two'],
      ['keywords_attributes[][whole_word]', '1'],
    ])
    const headers = { authorization: `Bearer ${alice.token}` }
    const made = await (await app.fetch(v2, { method: 'POST', headers, body })).json()
    expect(made).toMatchObject({ context: ['home', 'thread'], expires_at: null, filter_action: 'warn' })
    expect(words(made)).toEqual([
      ['one', false],
      ['two', true],
    ])
  })

  test.each([
    [{ title: '' }, "Title can't be blank"],
    [{ title: 'x'.repeat(257) }, 'Title is too long (maximum is 256 characters)'],
    [{ context: ['elsewhere'] }, 'Context None or invalid context supplied'],
    [{ context: [] }, "Context can't be blank, Context None or invalid context supplied"],
    [{ filter_action: 'explode' }, 'Action is not included in the list'],
    [{ expires_in: 'soon' }, 'Expires in is invalid'],
    [{ expires_in: 1e300 }, 'Expires at is too far into the future'],
    [{ keywords_attributes: [{ keyword: ' ', whole_word: true }] }, "Keywords keyword can't be blank"],
    [
      { keywords_attributes: [{ keyword: 'x'.repeat(513) }] },
      'Keywords keyword is too long (maximum is 512 characters)',
    ],
    [{ keywords_attributes: [{ keyword: '\u200b' }] }, "Keywords keyword can't be blank"],
  ])('are refused when they are wrong: %2$s', async (wrong, problem) => {
    const alice = await app.person('alice')
    const refused = await alice.post(v2, newFilter(wrong))
    expect([refused.status, refused.body.error]).toEqual([422, `Validation failed: ${problem}`])
    const { id } = await make(alice, newFilter())
    expect((await alice.put(`${v2}/${id}`, wrong)).status).toBe(422)
    expect((await alice.get(v2)).ok()).toHaveLength(1)
  })

  test('are refused without title and context', async () => {
    const alice = await app.person('alice')
    const refused = await alice.post(v2, {})
    expect(refused.body.error).toBe(
      "Validation failed: Title can't be blank, Context can't be blank, Context None or invalid context supplied",
    )
    expect((await alice.post(v2, newFilter({ title: '😀'.repeat(256) }))).status).toBe(200)
  })

  test('are as many as one likes, within what can be kept', async () => {
    const alice = await app.person('alice')
    const words = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ keyword: `${n}`.padEnd(512, 'x') }))
    const filter = await make(alice, newFilter({ keywords_attributes: words(97) }))
    expect(filter.keywords).toHaveLength(97)
    const refused = await alice.post(`${v2}/${filter.id}/keywords`, { keyword: 'x'.repeat(400) })
    expect([refused.status, refused.body.error]).toEqual([
      422,
      'Validation failed: You have exceeded the limit of 50000 characters of keywords',
    ])
    expect((await alice.post(`${v2}/${filter.id}/keywords`, { keyword: 'x' })).status).toBe(200)
    // Eighteen letters each, once they are compiled.
    const wide = await alice.post(`${v2}/${filter.id}/keywords`, { keyword: '\ufdfa'.repeat(30) })
    expect([wide.status, wide.body.error]).toEqual([422, refused.body.error])
  })

  test('every change raises their version and tells of it, whatever it is; a failed one does not', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    const status = await bob.say('hello')
    const version = async () =>
      (
        await app.ctx.db
          .selectFrom('users')
          .select('filters_version')
          .where('id', '=', alice.userId)
          .executeTakeFirstOrThrow()
      ).filters_version
    expect(await version()).toBe(0)
    const filter = await make(alice, withWords('one'))
    const keyword = (await alice.post(`${v2}/${filter.id}/keywords`, { keyword: 'two' })).ok()
    const named = (await alice.post(`${v2}/${filter.id}/statuses`, { status_id: status.id })).ok()
    const old = (await alice.post(v1, { phrase: 'old', context: ['home'] })).ok()
    expect(await version()).toBe(4)
    const changes: (() => Promise<{ status: number }>)[] = [
      () => alice.put(`${v2}/${filter.id}`, { title: 'New' }),
      () => alice.put(`${v2}/keywords/${keyword.id}`, { keyword: 'three' }),
      () => alice.delete(`${v2}/keywords/${keyword.id}`),
      () => alice.delete(`${v2}/statuses/${named.id}`),
      () => alice.put(`${v1}/${old.id}`, { phrase: 'older' }),
      () => alice.delete(`${v1}/${old.id}`),
      () => alice.delete(`${v2}/${filter.id}`),
    ]
    for (const [index, change] of changes.entries()) {
      const told = await changesOf(async () => expect((await change()).status).toBe(200))
      expect([told, await version()]).toEqual([1, 5 + index])
    }
    const told = await changesOf(() => alice.post(v2, newFilter({ title: '' })))
    expect([told, await version()]).toEqual([0, 11])
  })
})

describe('keywords of a filter', () => {
  test('are added, read, changed and deleted', async () => {
    const alice = await app.person('alice')
    const { id } = await make(alice, withWords('one'))
    const path = `${v2}/${id}/keywords`
    const two = (await alice.post(path, { keyword: 'two', whole_word: 'false' })).ok()
    expect(two).toEqual({ id: expect.any(String), keyword: 'two', whole_word: false })
    expect((await alice.get(path)).ok()).toMatchObject([{ keyword: 'one', whole_word: true }, two])
    expect((await alice.get(`${v2}/keywords/${two.id}`)).ok()).toEqual(two)
    const changed = (await alice.put(`${v2}/keywords/${two.id}`, { keyword: 'zwei' })).ok()
    expect(changed).toEqual({ ...two, keyword: 'zwei' })
    expect((await alice.delete(`${v2}/keywords/${two.id}`)).ok()).toEqual({})
    expect((await alice.get(`${v2}/keywords/${two.id}`)).status).toBe(404)
    for (const [keyword, problem] of [
      ['', "Keyword can't be blank"],
      ['x'.repeat(513), 'Keyword is too long (maximum is 512 characters)'],
    ]) {
      const refused = await alice.post(path, { keyword })
      expect([refused.status, refused.body.error]).toEqual([422, `Validation failed: ${problem}`])
    }
    expect((await alice.post(path, {})).status).toBe(422)
  })

  test('of another filter are not found with this one', async () => {
    const alice = await app.person('alice')
    const one = await make(alice, withWords('one'))
    const two = await make(alice, withWords('two'))
    const [{ id }] = two.keywords
    for (const change of [
      { id, keyword: 'taken' },
      { id, _destroy: true },
    ]) {
      expect((await alice.put(`${v2}/${one.id}`, { keywords_attributes: [change] })).status).toBe(404)
    }
    expect((await alice.get(`${v2}/${two.id}`)).ok()).toEqual(two)
  })
})

describe('statuses of a filter', () => {
  test('are added, read and taken out', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const status = await bob.say('hello')
    const { id } = await make(alice, newFilter())
    const path = `${v2}/${id}/statuses`
    const added = (await alice.post(path, { status_id: status.id })).ok()
    expect(added).toEqual({ id: expect.any(String), status_id: status.id })
    expect((await alice.get(path)).ok()).toEqual([added])
    expect((await alice.get(`${v2}/${id}`)).ok()).toMatchObject({ statuses: [added], keywords: [] })
    expect((await alice.get(`${v2}/statuses/${added.id}`)).ok()).toEqual(added)
    const again = await alice.post(path, { status_id: status.id })
    expect([again.status, again.body.error]).toEqual([
      422,
      'Validation failed: Status has already been taken',
    ])
    ;(await alice.delete(`${v2}/statuses/${added.id}`)).ok()
    expect((await alice.get(`${v2}/statuses/${added.id}`)).status).toBe(404)
    expect((await alice.get(path)).ok()).toEqual([])
  })

  test('are only those that one may see [ACC-7]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const hidden = await bob.say('for followers', { visibility: 'private' })
    const { id } = await make(alice, newFilter())
    for (const status_id of [hidden.id, '1', 'none', undefined]) {
      expect((await alice.post(`${v2}/${id}/statuses`, { status_id })).status).toBe(404)
    }
    expect((await alice.get(`${v2}/${id}/statuses`)).ok()).toEqual([])
  })
})

describe('the first version of the API', () => {
  test('reads and writes the same filters, keyword by keyword [4-24] [4-25] [4-26] [4-27] [4-28]', async () => {
    const alice = await app.person('alice')
    const made = (
      await alice.post(v1, {
        phrase: 'football',
        context: ['home'],
        irreversible: true,
        whole_word: false,
        expires_in: 60,
      })
    ).ok()
    expect(made).toEqual({
      id: expect.any(String),
      phrase: 'football',
      context: ['home'],
      whole_word: false,
      expires_at: expect.any(String),
      irreversible: true,
    })
    expectIn(made.expires_at, 60)
    const [group] = (await alice.get(v2)).ok()
    expect(group).toMatchObject({ title: 'football', filter_action: 'hide', keywords: [{ id: made.id }] })
    expect((await alice.get(`${v1}/${made.id}`)).ok()).toEqual(made)
    const changed = (
      await alice.put(`${v1}/${made.id}`, {
        phrase: 'soccer',
        context: ['home', 'thread'],
        irreversible: false,
        whole_word: true,
        expires_in: '',
      })
    ).ok()
    expect(changed).toEqual({
      id: made.id,
      phrase: 'soccer',
      context: ['home', 'thread'],
      whole_word: true,
      expires_at: null,
      irreversible: false,
    })
    expect((await alice.get(`${v2}/${group.id}`)).ok()).toMatchObject({
      title: 'soccer',
      filter_action: 'warn',
      context: ['home', 'thread'],
    })
    const several = await make(alice, withWords('one', 'two'))
    expect((await alice.get(v1)).ok()).toEqual([
      changed,
      ...several.keywords.map((one: Json) =>
        expect.objectContaining({ id: one.id, phrase: one.keyword, irreversible: false }),
      ),
    ])
    expect((await alice.delete(`${v1}/${made.id}`)).ok()).toEqual({})
    expect((await alice.get(`${v1}/${made.id}`)).status).toBe(404)
    expect((await alice.get(`${v2}/${group.id}`)).ok()).toMatchObject({ title: 'soccer', keywords: [] })
  })

  test('what is not given stays: a title of its own and a blur too', async () => {
    const alice = await app.person('alice')
    const filter = await make(alice, { ...withWords('one'), filter_action: 'blur', expires_in: 60 })
    const path = `${v1}/${filter.keywords[0].id}`
    ;(await alice.put(path, { phrase: 'uno', irreversible: false })).ok()
    expect((await alice.get(`${v2}/${filter.id}`)).ok()).toEqual({
      ...filter,
      keywords: [{ ...filter.keywords[0], keyword: 'uno' }],
    })
  })

  test('changes nothing for keywords that it does not show', async () => {
    const alice = await app.person('alice')
    const filter = await make(alice, withWords('one', 'two'))
    const path = `${v1}/${filter.keywords[0].id}`
    const same = { context: ['public', 'home'], irreversible: false, expires_in: '' }
    expect((await alice.put(path, { phrase: 'uno', whole_word: false, ...same })).ok()).toMatchObject({
      phrase: 'uno',
      whole_word: false,
    })
    for (const change of [{ context: ['home'] }, { irreversible: true }, { expires_in: 60 }]) {
      const refused = await alice.put(path, { phrase: 'eins', ...change })
      expect([refused.status, refused.body.error]).toEqual([
        422,
        'These parameters cannot be changed from this application because they apply to more than one filter ' +
          'keyword. Use a more recent application or the web interface.',
      ])
    }
    expect(words((await alice.get(`${v2}/${filter.id}`)).ok())).toEqual([
      ['uno', false],
      ['two', true],
    ])
    expect((await alice.get(`${v2}/${filter.id}`)).ok()).toMatchObject({ title: 'Sports' })
  })

  test('refuses what is wrong', async () => {
    const alice = await app.person('alice')
    for (const wrong of [{ phrase: '' }, { context: ['elsewhere'] }, { context: undefined }]) {
      expect((await alice.post(v1, { phrase: 'x', context: ['home'], ...wrong })).status).toBe(422)
    }
    expect((await alice.get(v2)).ok()).toEqual([])
  })
})

/** Every operation on one filter, of `owner`'s. */
async function operations(owner: Client & { say: (text: string) => Promise<Json> }) {
  const filter = await make(owner, withWords('one'))
  const status = await owner.say('a status')
  const named = (await owner.post(`${v2}/${filter.id}/statuses`, { status_id: status.id })).ok()
  const keyword = filter.keywords[0].id
  const reads = [
    `${v2}/${filter.id}`,
    `${v2}/${filter.id}/keywords`,
    `${v2}/${filter.id}/statuses`,
    `${v2}/keywords/${keyword}`,
    `${v2}/statuses/${named.id}`,
    `${v1}/${keyword}`,
  ]
  const writes: ((client: Client) => Promise<{ status: number }>)[] = [
    (client) => client.put(`${v2}/${filter.id}`, { title: 'x' }),
    (client) => client.post(`${v2}/${filter.id}/keywords`, { keyword: 'x' }),
    (client) => client.put(`${v2}/keywords/${keyword}`, { keyword: 'x' }),
    (client) => client.post(`${v2}/${filter.id}/statuses`, { status_id: status.id }),
    (client) => client.put(`${v1}/${keyword}`, { phrase: 'x' }),
    (client) => client.delete(`${v2}/keywords/${keyword}`),
    (client) => client.delete(`${v2}/statuses/${named.id}`),
    (client) => client.delete(`${v1}/${keyword}`),
    (client) => client.delete(`${v2}/${filter.id}`),
  ]
  return { filter, reads, writes }
}

test('filters, their keywords and statuses are their owner’s alone [ACC-7]', async () => {
  const [alice, eve] = [await app.person('alice'), await app.person('eve')]
  const { filter, reads, writes } = await operations(alice)
  const before = (await alice.get(`${v2}/${filter.id}`)).ok()
  for (const path of reads) expect([path, (await eve.get(path)).status]).toEqual([path, 404])
  for (const write of writes) expect((await write(eve)).status).toBe(404)
  for (const path of [v1, v2]) expect((await eve.get(path)).ok()).toEqual([])
  expect((await alice.get(`${v2}/${filter.id}`)).ok()).toEqual(before)
})

test('filters want their scopes', async () => {
  const alice = await app.person('alice')
  const { filter, reads, writes } = await operations(alice)
  const creations: typeof writes = [
    (client) => client.post(v2, newFilter()),
    (client) => client.post(v1, { phrase: 'x', context: ['home'] }),
  ]
  const wrong = await app.withScopes(alice, ['read:lists', 'write:lists', 'read:statuses', 'follow'])
  const reader = await app.withScopes(alice, ['read:filters'])
  const writer = await app.withScopes(alice, ['write:filters'])
  for (const path of [...reads, v1, v2]) {
    const answers = await Promise.all(
      [reader, writer, wrong, app.anonymous].map((client) => client.get(path)),
    )
    expect([path, ...answers.map(({ status }) => status)]).toEqual([path, 200, 403, 403, 401])
  }
  for (const write of [...creations, ...writes]) {
    for (const [client, status] of [
      [reader, 403],
      [wrong, 403],
      [app.anonymous, 401],
    ] as const) {
      expect((await write(client)).status).toBe(status)
    }
  }
  expect((await alice.get(v2)).ok()).toMatchObject([{ id: filter.id, keywords: filter.keywords }])
  for (const write of creations) expect((await write(writer)).status).toBe(200)
})

test('the lists take the same queries, however many there are', async () => {
  const alice = await app.person('alice')
  const count = async (path: string) => (await app.countQueries(() => alice.get(path))).length
  await make(alice, withWords('one'))
  const few = [await count(v1), await count(v2)]
  for (const word of ['two', 'three']) await make(alice, withWords(word, 'more'))
  expect([await count(v1), await count(v2)]).toEqual(few)
})
