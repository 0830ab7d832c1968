import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { publishDue } from '#domain/content/statuses/publish/publish-scheduled.ts'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Json } from '#test/client/client.ts'
import { days, hours, minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { readReason } from '#lib/messages/keep-reason.ts'
import { describeReason } from '#lib/messages/describe-error.ts'

const app = useApp()
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)
const path = '/api/v1/scheduled_statuses'
const tooSoon = 'Validation failed: Scheduled at The scheduled date must be in the future'

let alice: Person
let bob: Person

beforeEach(async () => {
  // Some of what other tests leave is due at noon, whenever that comes; the numbers here are of all that is due.
  await sql`delete from scheduled_statuses`.execute(app.ctx.db)
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
})

const inTime = (milliseconds: number) => new Date(app.clock.now() + milliseconds).toISOString()
const later = (who: Person, status: string, more: Record<string, unknown> = {}): Promise<Json> =>
  who.say(status, { scheduled_at: inTime(hours(1)), ...more })
const waiting = async (who: Person): Promise<Json[]> => (await who.get(path)).ok()
const posted = async (who: Person): Promise<Json[]> =>
  (await who.get(`/api/v1/accounts/${who.accountId}/statuses`)).ok()

/** Has the time come, and the job of the minute run. */
async function whenDue(): Promise<void> {
  app.clock.advance(hours(1) + minutes(1))
  await app.ctx.jobs.add('publish-scheduled', {})
  await app.settle()
}

test('is published when its time comes, not when the next minute begins', async () => {
  const run = async () => {
    await app.ctx.jobs.add('publish-scheduled', {})
    await app.settle()
  }
  const { scheduled_at: due } = await later(alice, 'at half past')
  await run()
  expect(await app.ctx.jobs.isPending('publish-scheduled')).toBe(false)
  app.clock.advance(minutes(59.5))
  await run()
  expect(await posted(alice)).toEqual([])
  const { rows } = await sql<{ run_at: Date }>`
    select run_at from graphile_worker.jobs where key = 'publish-scheduled'`.execute(app.ctx.db)
  expect(rows).toEqual([{ run_at: new Date(due) }])
})

describe('scheduling', () => {
  test('keeps what was asked for, and publishes nothing [4-102]', async () => {
    const parent = await bob.say('parent')
    const at = inTime(hours(1))
    const made = await alice.say('later', {
      scheduled_at: at,
      in_reply_to_id: parent.id,
      quoted_status_id: parent.id,
      quote_approval_policy: 'followers',
      visibility: 'unlisted',
      spoiler_text: 'soon',
      sensitive: true,
      language: 'de',
      allowed_mentions: [bob.accountId],
      poll: { options: ['a', 'b'], expires_in: 3600, multiple: true },
    })
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      scheduled_at: at,
      media_attachments: [],
      params: {
        text: 'later',
        poll: { options: ['a', 'b'], expires_in: 3600, multiple: true, hide_totals: false },
        media_ids: null,
        sensitive: true,
        spoiler_text: 'soon',
        visibility: 'unlisted',
        in_reply_to_id: parent.id,
        language: 'de',
        application_id: null,
        quoted_status_id: parent.id,
        quote_approval_policy: 'followers',
        allowed_mentions: [bob.accountId],
        scheduled_at: null,
        idempotency: null,
        with_rate_limit: false,
      },
    })
    expect(await waiting(alice)).toEqual([made])
    await app.settle()
    expect(await posted(alice)).toEqual([])
    expect((await bob.get('/api/v1/notifications')).ok()).toEqual([])
  })

  test('a time in the past is now, one too near is refused, and one that is none is invalid', async () => {
    expect((await alice.say('past', { scheduled_at: inTime(-1000) })).content).toBe('<p>past</p>')
    expect((await alice.say('blank', { scheduled_at: '' })).content).toBe('<p>blank</p>')
    for (const [time, error] of [
      [inTime(minutes(4)), tooSoon],
      ['tomorrow', 'Record invalid'],
      ['2031-02-30T10:00:00Z', 'Record invalid'],
    ]) {
      const answer = await alice.post('/api/v1/statuses', { status: 'x', scheduled_at: time })
      expect([answer.status, answer.body]).toEqual([422, { error }])
    }
    expect(await waiting(alice)).toEqual([])
    const mail = new Date(app.clock.now() + hours(1)).toUTCString()
    const form = new URLSearchParams({ status: 'x', scheduled_at: mail })
    expect(Date.parse((await alice.post('/api/v1/statuses', form)).ok().scheduled_at)).toBe(Date.parse(mail))
  })

  test('what could not be published now is not scheduled', async () => {
    const hidden = await bob.say('hidden', { visibility: 'private' })
    const theirs = await attachment(app.ctx, bob)
    const tries: [Record<string, unknown>, number][] = [
      [{ status: ' ' }, 422],
      [{ status: 'x'.repeat(501) }, 422],
      [{ status: 'x', in_reply_to_id: hidden.id }, 404],
      [{ status: 'x', quoted_status_id: hidden.id }, 404],
      [{ status: 'x', media_ids: [theirs] }, 422],
      [{ status: 'x', poll: { options: ['a'], expires_in: 3600 } }, 422],
      [{ status: `@${bob.username} x`, allowed_mentions: [alice.accountId] }, 422],
    ]
    for (const [params, status] of tries) {
      const answer = await alice.post('/api/v1/statuses', { ...params, scheduled_at: inTime(hours(1)) })
      expect([params, answer.status]).toEqual([params, status])
    }
    expect(await waiting(alice)).toEqual([])
  })

  test('25 on one day and 300 in all, also at the same time', async () => {
    const noon = Math.ceil((app.clock.now() + days(2)) / days(1)) * days(1) + hours(12)
    const on = (time: number) =>
      alice.post('/api/v1/statuses', { status: 'x', scheduled_at: new Date(time).toISOString() })
    const fill = (count: number, from: number, step: number) =>
      sql`
      insert into scheduled_statuses (id, account_id, scheduled_at, params)
      select nextval('notification_ids') + ${from}::bigint, ${alice.accountId},
        ${new Date(from)}::timestamptz + i * ${step}::bigint * interval '1 ms', '{"text":"x","visibility":"public","quotePolicy":"public"}'
      from generate_series(1, ${count}) i`.execute(app.ctx.db)
    await fill(23, noon, 1)
    const answers = await Promise.all([noon, noon + hours(1), noon + hours(11), noon - hours(12)].map(on))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 200, 422, 422])
    const refused = answers.find((answer) => answer.status === 422)
    expect(refused?.body.error).toBe(
      'Validation failed: You have exceeded the limit of 25 scheduled posts for today',
    )
    const next = (await on(noon + days(1))).ok()
    const moved = await alice.put(`${path}/${next.id}`, { scheduled_at: new Date(noon).toISOString() })
    expect(moved.status).toBe(422)
    const same = await alice.put(`${path}/${answers.find((one) => one.status === 200)?.body.id}`, {
      scheduled_at: new Date(noon + 5).toISOString(),
    })
    expect(same.status).toBe(200)
    await fill(274, noon + days(2), days(1))
    const last = await on(noon + days(900))
    expect([last.status, last.body.error]).toEqual([
      422,
      'Validation failed: You have exceeded the limit of 300 scheduled posts',
    ])
    expect((await bob.say('x', { scheduled_at: new Date(noon).toISOString() })).params.text).toBe('x')
  })

  test('media are kept for it, and free again when it is cancelled', async () => {
    const id = await attachment(app.ctx, alice, 'a cat')
    const made = await later(alice, '', { media_ids: [id] })
    expect(made.media_attachments).toMatchObject([{ id, description: 'a cat' }])
    expect(made.params.media_ids).toEqual([id])
    const again = { status: 'x', media_ids: [id] }
    for (const params of [again, { ...again, scheduled_at: inTime(hours(2)) }]) {
      const taken = await alice.post('/api/v1/statuses', params)
      expect([taken.status, taken.body.error]).toEqual([
        422,
        'Media IDS not found or already attached to another post',
      ])
    }
    expect((await alice.delete(`${path}/${made.id}`)).ok()).toEqual({})
    expect((await alice.say('now', { media_ids: [id] })).media_attachments).toMatchObject([{ id }])
  })
})

describe('an Idempotency-Key [ROB-13]', () => {
  const post = (key: string, params: Record<string, unknown>) =>
    alice.post('/api/v1/statuses', params, { 'idempotency-key': key })

  test('makes one scheduled status, with its media too, and leads to the status once there is one', async () => {
    const params = { media_ids: [await attachment(app.ctx, alice)], scheduled_at: inTime(minutes(30)) }
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('k', params)))
    const [{ id }] = answers.map((answer) => answer.ok()) as [Json]
    expect(new Set(answers.map((answer) => answer.body.id))).toEqual(new Set([id]))
    expect(idsOf(await waiting(alice))).toEqual([id])
    expect((await post('k', params)).ok().id).toBe(id)
    // Without the time it is still a repeat.
    expect((await post('k', { status: 'x' })).ok()).toMatchObject({ id, params: { text: '' } })
    app.clock.advance(minutes(31))
    await publishDue(app.ctx)
    const [status] = await posted(alice)
    expect((await post('k', params)).ok()).toMatchObject({ id: status.id, content: '' })
    expect(await posted(alice)).toHaveLength(1)
  })

  test('repeats a status with media, though its media are taken', async () => {
    const params = { media_ids: [await attachment(app.ctx, alice)] }
    const answers = await Promise.all(Array.from({ length: 5 }, () => post('m', params)))
    expect(new Set(answers.map((answer) => answer.ok().id)).size).toBe(1)
    expect((await post('m', { ...params, scheduled_at: inTime(hours(1)) })).ok().id).toBe(answers[0]!.body.id)
  })
})

describe('what one has scheduled', () => {
  test('is listed page by page', async () => {
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await later(alice, `${i}`)).id)
    await later(bob, 'of somebody else')
    expect(idsOf(await waiting(alice))).toEqual(made)
    const first = await alice.get(`${path}?limit=2`)
    expect(idsOf(first.ok())).toEqual(made.slice(0, 2))
    const second = await alice.get(first.links['next']!)
    expect(idsOf(second.ok())).toEqual(made.slice(2, 4))
    expect(second.links['prev']).toContain('min_id=')
    expect(idsOf((await alice.get(second.links['prev']!)).ok())).toEqual(made.slice(0, 2))
  })

  test('takes as many queries for 20 as for 40', async () => {
    for (let i = 0; i < 20; i++) {
      const media = await attachment(app.ctx, alice)
      await later(alice, `${i}`, { media_ids: [media], scheduled_at: inTime(days(1)) })
      await later(alice, `${i}`, { scheduled_at: inTime(days(2)) })
    }
    const list = (limit: number) => app.countQueries(() => alice.get(`${path}?limit=${limit}`))
    const [twenty, forty] = [await list(20), await list(40)]
    expect(forty).toHaveLength(twenty.length)
  })

  test('gets another time, and is cancelled', async () => {
    const made = await later(alice, 'later')
    const at = inTime(hours(3))
    expect((await alice.put(`${path}/${made.id}`, { scheduled_at: at })).ok()).toEqual({
      ...made,
      scheduled_at: at,
    })
    expect((await alice.put(`${path}/${made.id}`)).ok().scheduled_at).toBe(at)
    for (const [time, error] of [
      [inTime(minutes(4)), tooSoon],
      [inTime(-minutes(4)), tooSoon],
      ['soon', 'Record invalid'],
    ]) {
      const answer = await alice.put(`${path}/${made.id}`, { scheduled_at: time })
      expect([answer.status, answer.body]).toEqual([422, { error }])
    }
    await whenDue()
    expect(await posted(alice)).toEqual([])
    expect((await alice.delete(`${path}/${made.id}`)).ok()).toEqual({})
    expect((await alice.delete(`${path}/${made.id}`)).status).toBe(404)
    app.clock.advance(hours(3))
    expect(await publishDue(app.ctx)).toBe(0)
  })

  test('is as missing to everybody else [ACC-7]', async () => {
    const made = await later(alice, 'mine')
    for (const id of [made.id, '1', 'x']) {
      const target = `${path}/${id}`
      for (const answer of [
        await bob.get(target),
        await bob.put(target, { scheduled_at: inTime(hours(2)) }),
        await bob.put(target, { scheduled_at: 'nonsense' }),
        await bob.delete(target),
      ])
        expect([answer.status, answer.body]).toEqual([404, { error: 'Record not found' }])
    }
    expect((await bob.get(`/api/v1/statuses/${made.id}`)).status).toBe(404)
    expect(await waiting(alice)).toEqual([made])
  })

  test('needs a token, a user and its scope [AUTH-6]', async () => {
    const made = await later(alice, 'mine')
    const reader = await app.withScopes(alice, ['read:statuses'])
    const writer = await app.withScopes(alice, ['write:statuses'])
    const program = await app.application(['read', 'write'])
    const target = `${path}/${made.id}`
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.get(target)).status).toBe(200)
    expect((await reader.put(target)).status).toBe(403)
    expect((await reader.delete(target)).status).toBe(403)
    expect((await writer.get(path)).status).toBe(403)
    expect((await writer.get(target)).status).toBe(403)
    for (const [who, status] of [
      [app.anonymous, 401],
      [program, 422],
    ] as const) {
      for (const answer of [
        await who.get(path),
        await who.get(target),
        await who.put(target),
        await who.delete(target),
      ])
        expect(answer.status).toBe(status)
    }
    expect((await writer.delete(target)).status).toBe(200)
  })
})

describe('when the time comes', () => {
  test('all that was asked for is published', async () => {
    const [parent, media] = [await bob.say('parent'), await attachment(app.ctx, alice)]
    const made = await later(alice, `@${bob.username} hello #later`, {
      in_reply_to_id: parent.id,
      quoted_status_id: parent.id,
      spoiler_text: 'cw',
      media_ids: [media],
    })
    await later(alice, 'which?', { poll: { options: ['a', 'b'], expires_in: 600 } })
    await whenDue()
    expect(await waiting(alice)).toEqual([])
    expect((await alice.get(`${path}/${made.id}`)).status).toBe(404)
    const [asking, answering] = (await posted(alice)) as [Json, Json]
    expect(answering).toMatchObject({
      in_reply_to_id: parent.id,
      spoiler_text: 'cw',
      sensitive: true,
      quote: { state: 'accepted', quoted_status: { id: parent.id } },
      media_attachments: [{ id: media }],
      tags: [{ name: 'later' }],
    })
    expect(app.clock.now() - Date.parse(answering.created_at)).toBeLessThan(minutes(1))
    expect(Date.parse(asking.poll.expires_at) - app.clock.now()).toBeGreaterThan(minutes(9))
    const told = (await bob.get('/api/v1/notifications')).ok()
    expect(told.map((one: Json) => [one.type, one.status.id]).toSorted()).toEqual([
      ['mention', answering.id],
      ['quote', answering.id],
    ])
  })

  test('the audience is the one chosen when it was scheduled [ACC-19]', async () => {
    ;(await alice.patch('/api/v1/accounts/update_credentials', { source: { privacy: 'private' } })).ok()
    const made = await later(alice, 'for followers')
    expect(made.params.visibility).toBe('private')
    ;(await alice.patch('/api/v1/accounts/update_credentials', { source: { privacy: 'public' } })).ok()
    await whenDue()
    expect((await posted(alice))[0].visibility).toBe('private')
  })

  test('what has become impossible leaves the list, its author is told why, and nothing else waits for it', async () => {
    const [parent, quoted, closed] = [
      await bob.say('parent'),
      await bob.say('quoted'),
      await bob.say('closed'),
    ]
    const media = await attachment(app.ctx, alice)
    const failing = [
      await later(alice, 'reply', { in_reply_to_id: parent.id }),
      await later(alice, 'quote', { quoted_status_id: quoted.id }),
      await later(alice, 'no more', { quoted_status_id: closed.id }),
      await later(alice, 'media', { media_ids: [media] }),
    ]
    await later(alice, 'fine')
    for (const { id } of [parent, quoted]) (await bob.delete(`/api/v1/statuses/${id}`)).ok()
    ;(
      await bob.put(`/api/v1/statuses/${closed.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
    ).ok()
    await sql`delete from media_attachments where id = ${media}`.execute(app.ctx.db)
    await whenDue()
    expect((await posted(alice)).map((one) => one.content)).toEqual(['<p>fine</p>'])
    expect(await waiting(alice)).toEqual([])
    const mails = app.mails.filter(({ to }) => to === alice.email).map(({ text }) => text)
    expect(mails).toHaveLength(4)
    for (const [text, reason] of [
      ['> reply', 'The post you are trying to reply to does not appear to exist.'],
      ['> quote', 'The post you are trying to quote does not appear to exist.'],
      ['> no more', 'The post you are trying to quote does not appear to exist.'],
      ['> media', 'Media IDS not found or already attached to another post'],
    ] as const)
      expect(mails.find((mail) => mail.includes(text))).toContain(reason)
    ;(
      await bob.put(`/api/v1/statuses/${closed.id}/interaction_policy`, { quote_approval_policy: 'public' })
    ).ok()
    await whenDue()
    expect(app.mails.filter(({ to }) => to === alice.email)).toHaveLength(4)
    const refused = (await alice.get(`${path}/${failing[2].id}`)).ok()
    expect(refused).toMatchObject({ error: 'The post you are trying to quote does not appear to exist.' })
    expect(refused.failed_at).toMatch(/Z$/)
    const retried = await alice.put(`${path}/${failing[2].id}`, { scheduled_at: inTime(hours(1)) })
    expect(retried.ok()).not.toHaveProperty('error')
    expect(await waiting(alice)).toHaveLength(1)
    await whenDue()
    expect((await posted(alice))[0].quote.quoted_status.id).toBe(closed.id)
  })

  test('what was refused is told in the language of its author, and forgotten after a week', async () => {
    const parent = await bob.say('parent')
    const media = await attachment(app.ctx, alice)
    const made = await later(alice, 'zu spät', { in_reply_to_id: parent.id, media_ids: [media] })
    await sql`update users set locale = 'de' where id = ${alice.userId}`.execute(app.ctx.db)
    ;(await bob.delete(`/api/v1/statuses/${parent.id}`)).ok()
    await whenDue()
    expect(app.mails.findLast(({ to }) => to === alice.email)?.text).toContain('nicht mehr geplant')
    app.clock.advance(days(6))
    await whenDue()
    expect((await alice.get(`${path}/${made.id}`)).status).toBe(200)
    app.clock.advance(days(1))
    await whenDue()
    expect((await alice.get(`${path}/${made.id}`)).status).toBe(404)
    expect((await alice.post('/api/v1/statuses', { status: 'again', media_ids: [media] })).status).toBe(200)
  })

  test.each([
    ['suspended', 'Your login is currently disabled'],
    ['disabled', 'Your login is currently disabled'],
    ['deleted', 'Your login is currently disabled'],
    ['unconfirmed', 'Your login is missing a confirmed e-mail address'],
  ])('nothing of a %s author is published [ACC-17]', async (state, reason) => {
    const made = await later(alice, 'too late')
    const changes = {
      suspended: sql`update accounts set suspended_at = now() where id = ${alice.accountId}`,
      disabled: sql`update users set disabled = true where id = ${alice.userId}`,
      deleted: sql`update accounts set deleted_at = now() where id = ${alice.accountId}`,
      unconfirmed: sql`update users set confirmed_at = null where id = ${alice.userId}`,
    }
    await changes[state as keyof typeof changes].execute(app.ctx.db)
    await whenDue()
    const { rows } = await sql<{ error: string; n: number }>`
      select error, (select count(*)::int from statuses where account_id = ${alice.accountId}) as n
      from scheduled_statuses where id = ${made.id}`.execute(app.ctx.db)
    const told = rows.map(({ error, n }) => ({ error: describeReason(readReason(error), 'en'), n }))
    expect(told).toEqual([{ error: reason, n: 0 }])
  })

  test('the author of the parent has blocked the author since [ACC-12]', async () => {
    const parent = await bob.say('parent')
    await later(alice, 'reply', { in_reply_to_id: parent.id })
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    await whenDue()
    expect(await posted(alice)).toEqual([])
    expect(app.mails.findLast(({ to }) => to === alice.email)?.text).toContain('does not appear to exist')
  })
})

describe('exactly once', () => {
  test('several workers at the same time [ROB-8]', async () => {
    for (let i = 0; i < 20; i++) await later(alice, `number ${i}`)
    const media = await attachment(app.ctx, alice)
    await later(alice, 'number 20', { media_ids: [media] })
    app.clock.advance(hours(2))
    const counts = await Promise.all(Array.from({ length: 4 }, () => publishDue(app.ctx)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(21)
    const texts = (await alice.get(`/api/v1/accounts/${alice.accountId}/statuses?limit=40`)).ok()
    expect(new Set(texts.map((one: Json) => one.content)).size).toBe(21)
    expect(texts).toHaveLength(21)
    expect(await waiting(alice)).toEqual([])
    expect((await alice.get('/api/v1/accounts/verify_credentials')).ok().statuses_count).toBe(21)
  })

  test('a worker that dies in the middle of it [ROB-1]', async () => {
    await later(alice, 'survives', { media_ids: [await attachment(app.ctx, alice)] })
    app.clock.advance(hours(2))
    // Held up between the end of the scheduled status and the end of the transaction.
    const holder = await app.ctx.db.startTransaction().execute()
    await sql`select 1 from account_stats where account_id = ${alice.accountId} for update`.execute(holder)
    const run = publishDue(app.ctx)
    const killed = async () => {
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.ctx.db)
      return rows.length
    }
    await expect.poll(killed, { interval: 10 }).toBe(1)
    expect(await run).toBe(0)
    await holder.rollback().execute()
    expect(await posted(alice)).toEqual([])
    expect(await waiting(alice)).toMatchObject([{ media_attachments: [{ type: 'image' }] }])
    expect(await publishDue(app.ctx)).toBe(1)
    expect(await publishDue(app.ctx)).toBe(0)
    expect(await posted(alice)).toMatchObject([{ content: '<p>survives</p>' }])
  })

  test('one that ends the process each time is set aside after some attempts [ROB-20]', async () => {
    const made = await later(alice, 'poison')
    await sql`update scheduled_statuses set attempts = 10 where id = ${made.id}`.execute(app.ctx.db)
    await later(alice, 'fine')
    await whenDue()
    expect((await posted(alice)).map((one) => one.content)).toEqual(['<p>fine</p>'])
    expect(await waiting(alice)).toEqual([])
    expect((await alice.get(`${path}/${made.id}`)).ok().error).toContain('attempts')
  })

  test('a cancelled or moved one that is being published at that moment is one or the other', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, (_, i) => later(alice, `${i}`)))
    app.clock.advance(hours(2))
    const [count, ...answers] = await Promise.all([
      publishDue(app.ctx),
      ...made.map(({ id }, i) =>
        i % 2
          ? alice.delete(`${path}/${id}`)
          : alice.put(`${path}/${id}`, { scheduled_at: inTime(hours(5)) }),
      ),
    ])
    const done = answers.filter((answer) => answer.status === 200).length
    expect(count + done).toBe(10)
    expect(await posted(alice)).toHaveLength(count)
  })
})

describe('limits', () => {
  const limited = useApp({ env: { RATE_LIMITS: 'on' } })

  test('scheduled statuses and repeats do not count', async () => {
    const person = await limited.person()
    const post = (params: object, key = '') =>
      person.post('/api/v1/statuses', { status: 'x', ...params }, key ? { 'idempotency-key': key } : {})
    const remaining = async (answer: ReturnType<typeof post>) =>
      Number((await answer).headers.get('x-ratelimit-remaining'))
    expect(await remaining(post({}, 'one'))).toBe(299)
    ;(await post({}, 'one')).ok()
    ;(await post({ scheduled_at: new Date(limited.clock.now() + hours(1)).toISOString() })).ok()
    expect(await remaining(post({}))).toBe(298)
  })
})
