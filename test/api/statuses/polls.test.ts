import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'

const app = useApp()
const people = (count: number) => Promise.all(Array.from({ length: count }, () => app.person('voter')))

async function ask(author: Person, poll: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
  const options = { options: ['tea', 'coffee', 'water'], expires_in: 3600, ...poll }
  return author.say('What shall we drink?', { poll: options, ...more })
}

const vote = (person: Person, pollId: string, ...choices: unknown[]) =>
  person.post(`/api/v1/polls/${pollId}/votes`, { choices })

async function told(person: Person, type = 'poll'): Promise<Json[]> {
  await app.settle()
  return (await person.get('/api/v1/notifications', { types: [type] })).ok()
}

/** The cron job, when `ms` have gone by. */
async function later(ms: number): Promise<void> {
  app.clock.advance(ms)
  await closePolls(app.ctx)
  await app.settle()
}

describe('a poll [1-6] [2.2-16] [4-101]', () => {
  test('is asked with a status and read on its own, with a token or without [2.2-16]', async () => {
    const [author, reader] = [await app.person('author'), await app.person('reader')]
    const status = await ask(author, { options: ['tea', ' ', 'coffee'], multiple: true })
    expect(status.poll).toMatchObject({
      expired: false,
      multiple: true,
      votes_count: 0,
      voters_count: 0,
      options: [
        { title: 'tea', votes_count: 0 },
        { title: 'coffee', votes_count: 0 },
      ],
      emojis: [],
      voted: true,
      own_votes: [],
    })
    const path = `/api/v1/polls/${status.poll.id}`
    expect((await author.get(path)).ok()).toEqual(status.poll)
    expect((await reader.get(path)).ok()).toEqual({ ...status.poll, voted: false })
    const { voted, own_votes, ...rest } = status.poll
    expect([voted, own_votes]).toEqual([true, []])
    expect((await app.anonymous.get(path)).ok()).toEqual(rest)
    expect(Date.parse(status.poll.expires_at) - Date.parse(status.created_at)).toBeCloseTo(3_600_000, -4)
  })

  test('shows the emoji its options name', async () => {
    await app.ctx.db
      .insertInto('custom_emojis')
      .values({ id: app.ctx.newId(), shortcode: 'teapot', image_key: 'e/t.png', static_key: 'e/t.png' })
      .execute()
    const status = await ask(await app.person(), { options: [':teapot:', 'none'] })
    expect(status.poll.emojis.map((emoji: Json) => emoji.shortcode)).toEqual(['teapot'])
    const read = (await app.anonymous.get(`/api/v1/polls/${status.poll.id}`)).ok()
    expect(read.emojis).toEqual(status.poll.emojis)
  })

  test('of a status that is not for everyone wants a token of somebody who may see it [5-12]', async () => {
    const [author, friend, stranger] = [await app.person('author'), await app.person(), await app.person()]
    await friend.follow(author)
    const missing = await app.anonymous.get('/api/v1/polls/1')
    expect([missing.status, missing.body]).toEqual([404, { error: 'Record not found' }])
    const seen = {
      public: [200, 200, 200],
      unlisted: [200, 200, 200],
      private: [404, 404, 200],
      direct: [404, 404, 404],
    }
    for (const [visibility, expected] of Object.entries(seen)) {
      const path = `/api/v1/polls/${(await ask(author, {}, { visibility })).poll.id}`
      const answers = [await app.anonymous.get(path), await stranger.get(path), await friend.get(path)]
      expect([visibility, ...answers.map(({ status }) => status)]).toEqual([visibility, ...expected])
      const refused = answers.filter(({ status }) => status === 404)
      for (const { body } of refused) expect(body).toEqual(missing.body)
      expect((await author.get(path)).status).toBe(200)
    }
  })

  test('costs a page the same number of queries, however many there are', async () => {
    const [author, reader] = [await app.person('author'), await app.person('reader')]
    for (let i = 0; i < 8; i++) await ask(author)
    const read = (limit: number) =>
      app.countQueries(async () =>
        expect(
          (await reader.get(`/api/v1/accounts/${author.accountId}/statuses`, { limit })).ok(),
        ).toHaveLength(limit),
      )
    for (let i = 0; i < 3; i++) await read(8)
    const [few, many] = [await read(2), await read(8)]
    expect(many.length).toBe(few.length)
  })
})

describe('voting [2.2-17] [4-101]', () => {
  test('counts at once, for everybody, and is remembered', async () => {
    const [author, one, two] = [await app.person('author'), await app.person(), await app.person()]
    const { id: statusId, poll } = await ask(author)
    expect((await vote(one, poll.id, 1)).ok()).toMatchObject({
      voted: true,
      own_votes: [1],
      votes_count: 1,
      voters_count: 1,
    })
    expect((await vote(two, poll.id, '1')).ok()).toMatchObject({ own_votes: [1], votes_count: 2 })
    const seen = (await app.anonymous.get(`/api/v1/statuses/${statusId}`)).ok().poll
    expect(seen.options.map((option: Json) => option.votes_count)).toEqual([0, 2, 0])
    expect((await one.get(`/api/v1/statuses/${statusId}`)).ok().poll.own_votes).toEqual([1])
    expect((await author.get(`/api/v1/statuses/${statusId}`)).ok().edited_at).toBeNull()
  })

  test('for several options is one ballot of one voter, where the poll lets one choose several', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author, { multiple: true })
    const after = (await vote(voter, poll.id, 2, 0, 2)).ok()
    expect(after).toMatchObject({ votes_count: 2, voters_count: 1, own_votes: [0, 2] })
    expect(after.options.map((option: Json) => option.votes_count)).toEqual([1, 0, 1])
  })

  test('later adds an option where several can be chosen, by the same voter', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author, { multiple: true })
    ;(await vote(voter, poll.id, 2)).ok()
    const after = (await vote(voter, poll.id, 0)).ok()
    expect(after).toMatchObject({ votes_count: 2, voters_count: 1, own_votes: [0, 2], voted: true })
    expect(after.options.map((option: Json) => option.votes_count)).toEqual([1, 0, 1])
    for (const repeated of [[2], [1, 2], [0, 0]]) {
      const again = await vote(voter, poll.id, ...repeated)
      expect([again.status, again.body.error]).toEqual([
        422,
        'Validation failed: You have already voted on this poll',
      ])
    }
    expect((await voter.get(`/api/v1/polls/${poll.id}`)).ok()).toEqual(after)
  })

  test('choices come as a form too', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author, { multiple: true })
    const form = new URLSearchParams([
      ['choices[]', '0'],
      ['choices[]', '1'],
    ])
    expect((await voter.post(`/api/v1/polls/${poll.id}/votes`, form)).ok().own_votes).toEqual([0, 1])
  })

  test('what is refused says why and is not counted [FED-46]', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author)
    const none = 'The chosen vote option does not exist'
    const tries: [Person, unknown[], string][] = [
      [author, [0], 'You cannot vote in your own polls'],
      [voter, [3], none],
      [voter, [-1], none],
      [voter, ['tea'], none],
      [voter, [0.5], none],
      [voter, ['99999999999999999999'], none],
      [voter, [], none],
      [voter, [0, 1], 'You have already voted on this poll'],
    ]
    for (const [person, choices, error] of tries) {
      const answer = await vote(person, poll.id, ...choices)
      expect([choices, answer.status, answer.body]).toEqual([
        choices,
        422,
        { error: `Validation failed: ${error}` },
      ])
    }
    const missing = await voter.post(`/api/v1/polls/${poll.id}/votes`, {})
    expect([missing.status, missing.body.error]).toEqual([
      400,
      'param is missing or the value is empty or invalid: choices',
    ])
    ;(await vote(voter, poll.id, 0)).ok()
    expect((await vote(voter, poll.id, 1)).body.error).toBe(
      'Validation failed: You have already voted on this poll',
    )
    app.clock.advance(minutes(61))
    expect((await vote(await app.person(), poll.id, 1)).body.error).toBe(
      'Validation failed: The poll has already ended',
    )
    expect((await app.anonymous.get(`/api/v1/polls/${poll.id}`)).ok()).toMatchObject({
      expired: true,
      votes_count: 1,
      voters_count: 1,
    })
  })

  test('wants a user, and the scope to write statuses', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author)
    const path = `/api/v1/polls/${poll.id}`
    expect((await app.anonymous.post(`${path}/votes`, { choices: [0] })).status).toBe(401)
    const narrow = await app.withScopes(voter, ['read', 'write:favourites'])
    expect((await narrow.post(`${path}/votes`, { choices: [0] })).status).toBe(403)
    expect((await (await app.withScopes(voter, ['write'])).get(path)).status).toBe(403)
    expect(
      (await (await app.withScopes(voter, ['write:statuses'])).post(`${path}/votes`, { choices: [0] }))
        .status,
    ).toBe(200)
  })

  test('who is blocked by the author finds no poll [ACC-12]', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author)
    ;(await author.post(`/api/v1/accounts/${voter.accountId}/block`)).ok()
    expect((await vote(voter, poll.id, 0)).status).toBe(404)
    expect((await voter.get(`/api/v1/polls/${poll.id}`)).status).toBe(404)
    expect((await author.get(`/api/v1/polls/${poll.id}`)).ok().votes_count).toBe(0)
  })

  test('goes with its status', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { id, poll } = await ask(author)
    ;(await author.delete(`/api/v1/statuses/${id}`)).ok()
    expect((await vote(voter, poll.id, 0)).status).toBe(404)
  })

  test('voters of another server’s poll stay unknown when they are', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author)
    await sql`update polls set voters_count = null where id = ${poll.id}`.execute(app.ctx.db)
    expect((await vote(voter, poll.id, 0)).ok()).toMatchObject({ voters_count: null, votes_count: 1 })
  })
})

describe('votes at the same time [ROB-14]', () => {
  test('of many people are all counted', async () => {
    const author = await app.person('author')
    const { poll } = await ask(author, { multiple: true })
    const voters = await people(16)
    const answers = await Promise.all(voters.map((voter, i) => vote(voter, poll.id, i % 3, (i + 1) % 3)))
    expect(answers.map(({ status }) => status)).toEqual(voters.map(() => 200))
    const after = (await app.anonymous.get(`/api/v1/polls/${poll.id}`)).ok()
    expect(after).toMatchObject({ votes_count: 32, voters_count: 16 })
    expect(after.options.map((option: Json) => option.votes_count)).toEqual([11, 11, 10])
  })

  test('of one person for several options are one voter, and each option counts once', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author, { multiple: true })
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((choice) => vote(voter, poll.id, choice)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const after = (await voter.get(`/api/v1/polls/${poll.id}`)).ok()
    expect(after).toMatchObject({ votes_count: 3, voters_count: 1, own_votes: [0, 1, 2] })
    expect(after.options.map((option: Json) => option.votes_count)).toEqual([1, 1, 1])
  })

  test('of one person are one', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author)
    const answers = await Promise.all([0, 1, 2, 0, 1, 2].map((choice) => vote(voter, poll.id, choice)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await app.anonymous.get(`/api/v1/polls/${poll.id}`)).ok()).toMatchObject({
      votes_count: 1,
      voters_count: 1,
    })
  })

  test('whatever ballots come, counters equal rows', async () => {
    const author = await app.person('author')
    const voters = await people(4)
    const ballot = fc.record({
      voter: fc.nat(voters.length - 1),
      choices: fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(ballot, { maxLength: 8 }), async (multiple, ballots) => {
        const { poll } = await ask(author, { multiple })
        await Promise.all(
          ballots.map(({ voter, choices }) => vote(voters[voter] as Person, poll.id, ...choices)),
        )
        const { rows } = await sql<Json>`
          select votes_count, voters_count, tallies, (select count(*)::int from poll_votes where poll_id = p.id) as votes,
            (select count(distinct account_id)::int from poll_votes where poll_id = p.id) as voters,
            array(select count(v.poll_id)::int from generate_series(0, 2) o left join poll_votes v
              on v.poll_id = p.id and v.choice = o group by o order by o) as counted
          from polls p where id = ${poll.id}`.execute(app.ctx.db)
        const [row] = rows
        expect([row.votes_count, row.voters_count, row.tallies]).toEqual([row.votes, row.voters, row.counted])
        expect(multiple || row.votes === row.voters).toBe(true)
      }),
      { numRuns: 12 },
    )
  })
})

describe('the end of a poll [3-4]', () => {
  test('is told to its author and to those who voted, once each', async () => {
    const [author, voter, reader] = [await app.person('author'), await app.person(), await app.person()]
    await reader.follow(author)
    const { id, poll } = await ask(author, { multiple: true })
    ;(await vote(voter, poll.id, 0, 1)).ok()
    await later(minutes(59))
    expect(await told(voter)).toEqual([])
    await later(minutes(2))
    for (const person of [author, voter]) {
      const [one, ...more] = await told(person)
      expect(more).toEqual([])
      expect(one).toMatchObject({ type: 'poll', account: { id: author.accountId }, status: { id } })
      expect(one.status.poll.expired).toBe(true)
    }
    expect(await told(reader)).toEqual([])
    ;(await voter.post('/api/v1/notifications/clear')).ok()
    await later(minutes(1))
    expect(await told(voter)).toEqual([])
  })

  test('is found once by several who look at the same time, however many polls end', async () => {
    const author = await app.person('author')
    const { poll } = await ask(author)
    await sql`
      with copies as (
        insert into statuses (id, account_id, visibility, conversation_id)
        select ${app.ctx.newId()}::bigint + i, account_id, visibility, conversation_id
        from statuses, generate_series(1, 250) i where id = (select status_id from polls where id = ${poll.id})
        returning id)
      insert into polls (id, status_id, account_id, options, tallies, expires_at)
      select c.id, c.id, p.account_id, p.options, p.tallies, p.expires_at from polls p, copies c where p.id = ${poll.id}`.execute(
      app.ctx.db,
    )
    await closePolls(app.ctx)
    app.clock.advance(minutes(61))
    const counts = await Promise.all([closePolls(app.ctx), closePolls(app.ctx), closePolls(app.ctx)])
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(251)
    const { rows } = await sql<{ n: number }>`
      select count(distinct event->>'pollId')::int as n from outbox where event->>'type' = 'poll.ended'`.execute(
      app.ctx.db,
    )
    expect(rows[0]?.n).toBe(251)
    await app.settle()
    const { rows: notified } = await sql<{ n: number }>`
      select count(*)::int as n from notifications where account_id = ${author.accountId} and type = 'poll'`.execute(
      app.ctx.db,
    )
    expect(notified[0]?.n).toBe(251)
  })

  test('is told to voters of another server’s poll, and to nobody who lives elsewhere', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const [away, otherPlace] = [await remoteAccount(app.ctx), await remoteAccount(app.ctx)]
    const { id, poll } = await ask(author)
    await sql`update statuses set account_id = ${away.accountId}, local = false where id = ${id}`.execute(
      app.ctx.db,
    )
    await sql`update polls set account_id = ${away.accountId} where id = ${poll.id}`.execute(app.ctx.db)
    ;(await vote(voter, poll.id, 0)).ok()
    await sql`
      insert into poll_votes (poll_id, account_id, choice) values (${poll.id}, ${otherPlace.accountId}, 1)`.execute(
      app.ctx.db,
    )
    await later(minutes(61))
    expect(await told(voter)).toHaveLength(1)
    const { rows } = await sql<{ account_id: string }>`
      select account_id from notifications where status_id = ${id} and type = 'poll'`.execute(app.ctx.db)
    expect(rows).toEqual([{ account_id: voter.accountId }])
  })

  test('is not told of a deleted status', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { id, poll } = await ask(author)
    ;(await vote(voter, poll.id, 0)).ok()
    ;(await author.delete(`/api/v1/statuses/${id}`)).ok()
    await later(minutes(61))
    expect([await told(author), await told(voter)]).toEqual([[], []])
  })

  test('shows totals that were hidden until then', async () => {
    const [author, voter] = [await app.person('author'), await app.person()]
    const { poll } = await ask(author, { hide_totals: true })
    const open = (await vote(voter, poll.id, 1)).ok()
    expect(open.options.map((option: Json) => option.votes_count)).toEqual([null, null, null])
    expect(open).toMatchObject({ votes_count: 1, voters_count: 1, own_votes: [1] })
    app.clock.advance(minutes(61))
    const closed = (await app.anonymous.get(`/api/v1/polls/${poll.id}`)).ok()
    expect(closed.options.map((option: Json) => option.votes_count)).toEqual([0, 1, 0])
  })
})
