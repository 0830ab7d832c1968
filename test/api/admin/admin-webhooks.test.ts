import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createWebhook } from '#domain/maintenance/webhooks/edit-webhook.ts'
import { webhookEvents } from '#domain/maintenance/webhooks/queries.ts'
import { RemoteError } from '#ports/http-client.ts'
import { useApp, type TestApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { startReceiver, type WebhookReceiver } from '#test/servers/webhook-receiver.ts'
import { deliverWebhook, notifyWebhooks } from '#worker/jobs/deliver-webhook.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

const env = { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
const app = useApp({ env })
const path = '/api/v1/admin/webhooks'

const staff = (role: 'Owner' | 'Admin' = 'Owner') => app.person('staff', { role })

/** A receiver and its webhook, alone. */
async function listenTo(...events: string[]): Promise<{ hook: Json; receiver: WebhookReceiver }> {
  await sql`delete from webhooks`.execute(app.ctx.db)
  const receiver = await startReceiver()
  const hook = (await (await staff()).post(path, { url: receiver.url, events })).ok()
  await app.settle()
  receiver.received.length = 0
  return { hook, receiver }
}

const told = ({ received }: WebhookReceiver) => received.map(({ body }) => [body.event, body.object.id])

describe('webhooks', () => {
  test('are made, shown, changed and deleted; their secret is shown when it is made', async () => {
    const owner = await staff()
    const url = 'http://hooks.example/path?key=1'
    const made = (await owner.post(path, { url, events: ['report.created'] })).ok()
    expect(made).toMatchObject({ url, events: ['report.created'], enabled: true, last_status: null })
    expect(made.secret).toMatch(/^\S{40,}$/)
    const { secret, ...rest } = made
    expect((await owner.get(`${path}/${made.id}`)).ok()).toEqual(rest)
    const changed = (
      await owner.put(`${path}/${made.id}`, { events: ['status.created', 'account.created'] })
    ).ok()
    expect(changed.events).toEqual(['account.created', 'status.created'])
    expect((await owner.post(`${path}/${made.id}/disable`)).ok().enabled).toBe(false)
    expect((await owner.post(`${path}/${made.id}/enable`)).ok().enabled).toBe(true)
    const rotated = (await owner.post(`${path}/${made.id}/rotate_secret`)).ok()
    expect(rotated.secret).not.toBe(secret)
    expect((await owner.delete(`${path}/${made.id}`)).ok()).toEqual({})
    expect((await owner.get(`${path}/${made.id}`)).status).toBe(404)
    const { rows } = await sql<{ action: string; kept: string }>`
      select action, target_label || details::text as kept from audit_log
      where target_type = 'webhook' and target_id = ${made.id} order by id`.execute(app.ctx.db)
    const actions = ['create', 'update', 'disable', 'enable', 'rotate_secret', 'destroy']
    expect(rows.map((row) => row.action)).toEqual(actions)
    for (const { kept } of rows)
      for (const hidden of [secret, rotated.secret, 'key=1']) expect(kept).not.toContain(hidden)
  })

  test.each([
    [{ events: ['report.created'] }, 'Url is not one to send to (malformed)'],
    [{ url: 'ftp://hooks.example', events: ['report.created'] }, 'Url is not one to send to (scheme)'],
    [
      { url: 'http://a:b@hooks.example', events: ['report.created'] },
      'Url is not one to send to (user-info)',
    ],
    [
      { url: 'http://chat.example/inbox', events: ['report.created'] },
      'Url is not one to send to (own-host)',
    ],
    [{ url: 'http://hooks.example' }, "Events can't be blank"],
    [{ url: 'http://hooks.example', events: ['all'] }, 'Events is invalid (there is no "all")'],
  ])('cannot be %j', async (params, problem) => {
    const answer = await (await staff()).post(path, params)
    expect([answer.status, answer.body.error]).toEqual([422, `Validation failed: ${problem}`])
  })

  test('tell only what their makers may see [ACC-9]', async () => {
    const admin = await staff('Admin')
    const url = 'http://seen.example/'
    expect((await admin.post(path, { url, events: ['status.created'] })).status).toBe(422)
    const made = (await admin.post(path, { url, events: ['report.created'] })).ok()
    expect((await admin.post(path, { url, events: ['report.created'] })).status).toBe(422)
    await sql`update webhooks set events = '{status.created}' where id = ${made.id}`.execute(app.ctx.db)
    expect((await admin.put(`${path}/${made.id}`, { url: 'http://mine.example/' })).status).toBe(422)
    expect((await (await staff()).put(`${path}/${made.id}`, { url: 'http://ours.example/' })).status).toBe(
      200,
    )
  })

  test('are for those who may manage them [ACC-9]', async () => {
    const calls = [
      ['get', path],
      ['get', `${path}/1`],
      ['post', path],
      ['put', `${path}/1`],
      ['post', `${path}/1/enable`],
      ['post', `${path}/1/disable`],
      ['post', `${path}/1/rotate_secret`],
      ['post', `${path}/1/test`],
      ['delete', `${path}/1`],
    ] as const
    expect(await findIntruders(app, calls, 'webhooks')).toEqual([])
  })
})

describe('a webhook is told', () => {
  test('of accounts, signed', async () => {
    const { hook, receiver } = await listenTo('account.created', 'account.approved', 'account.updated')
    const alice = await app.person('alice')
    await app.ctx.transaction((tx) => tx.emit({ type: 'user.created', userId: alice.userId }))
    await app.ctx.transaction((tx) => tx.emit({ type: 'user.confirmed', userId: alice.userId }))
    await app.settle()
    expect(told(receiver).toSorted()).toEqual([
      ['account.approved', alice.accountId],
      ['account.created', alice.accountId],
    ])
    const [first] = receiver.received
    expect(first?.method).toBe('POST')
    expect(first?.headers['content-type']).toBe('application/json')
    const signature = createHmac('sha256', hook.secret)
      .update(first?.text ?? '')
      .digest('hex')
    expect(first?.headers['x-hub-signature']).toBe(`sha256=${signature}`)
    expect(first?.body.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(first?.body.object).toMatchObject({
      username: alice.username,
      email: alice.email,
      confirmed: true,
    })
    receiver.received.length = 0
    ;(await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'A' })).ok()
    const { accountId } = await remoteAccount(app.ctx)
    await app.ctx.transaction((tx) => tx.emit({ type: 'account.updated', accountId: accountId }))
    await app.settle()
    expect(told(receiver)).toEqual([['account.updated', alice.accountId]])
    expect((await (await staff()).get(`${path}/${hook.id}`)).ok()).toMatchObject({
      last_status: 200,
      last_error: null,
    })
  })

  test('not of accounts that still wait', async () => {
    const { receiver } = await listenTo('account.approved')
    const pending = await app.person('pending', { approved: false })
    await app.ctx.transaction((tx) => tx.emit({ type: 'user.confirmed', userId: pending.userId }))
    await app.settle()
    expect(told(receiver)).toEqual([])
  })

  test('of public statuses of this server, and of their edits', async () => {
    const { receiver } = await listenTo('status.created', 'status.updated')
    const bob = await app.person('bob')
    const { id } = await bob.say('hello')
    await bob.say('secret', { visibility: 'private' })
    await bob.say('@nobody psst', { visibility: 'direct' })
    await app.settle()
    expect(told(receiver)).toEqual([['status.created', id]])
    expect(receiver.received[0]?.body.object).toMatchObject({
      content: '<p>hello</p>',
      account: { id: bob.accountId },
    })
    ;(await bob.put(`/api/v1/statuses/${id}`, { status: 'hello again' })).ok()
    await app.settle()
    expect(told(receiver)[1]).toEqual(['status.updated', id])
    await sql`update statuses set local = false where id = ${id}`.execute(app.ctx.db)
    await app.ctx.transaction((tx) => tx.emit({ type: 'status.created', statusId: asId<StatusId>(id) }))
    await app.settle()
    expect(receiver.received).toHaveLength(2)
  })

  test('of what another process changed as it is, before this one has heard of it', async () => {
    const { receiver } = await listenTo('status.updated', 'account.updated')
    const { id, account } = await (await app.person('bob')).say('As it was')
    await app.ctx.transaction(async ({ db }) => {
      // No trigger tells this process.
      await sql`set local session_replication_role = replica`.execute(db)
      await sql`update statuses set content = 'As it is', version = version + 1 where id = ${id}`.execute(db)
      await sql`update accounts set display_name = 'New', version = version + 1 where id = ${account.id}`.execute(
        db,
      )
    })
    await notifyWebhooks(app.ctx, 'status.updated', asId<StatusId>(id))
    await app.settle()
    await notifyWebhooks(app.ctx, 'account.updated', asId<AccountId>(account.id))
    await app.settle()
    const objects = receiver.received.map(({ body }) => body.object)
    expect(objects[0].content).toBe('As it is')
    expect(objects[1].account.display_name).toBe('New')
  })

  test('of reports, with what they name', async () => {
    const { receiver } = await listenTo('report.created', 'report.updated')
    const [alice, mallory] = [await app.person('alice'), await app.person('mallory')]
    const { id } = await mallory.say('buy')
    const report = { account_id: mallory.accountId, status_ids: [id], comment: 'spam', category: 'spam' }
    const made = (await alice.post('/api/v1/reports', report)).ok()
    await app.settle()
    expect(told(receiver)).toEqual([['report.created', made.id]])
    expect(receiver.received[0]?.body.object).toMatchObject({
      category: 'spam',
      comment: 'spam',
      account: { id: alice.accountId },
      target_account: { id: mallory.accountId },
      statuses: [{ id }],
    })
    ;(await (await staff()).post(`/api/v1/admin/reports/${made.id}/resolve`)).ok()
    await app.settle()
    expect(told(receiver)[1]).toEqual(['report.updated', made.id])
    expect(receiver.received[1]?.body.object.action_taken).toBe(true)
  })

  test('nothing while it is disabled, and nothing that it did not ask for', async () => {
    const { hook, receiver } = await listenTo('status.created')
    const owner = await staff()
    ;(await owner.post(`${path}/${hook.id}/disable`)).ok()
    await owner.say('unheard')
    await app.settle()
    ;(await owner.post(`${path}/${hook.id}/enable`)).ok()
    const { id } = await owner.say('heard')
    ;(await owner.patch('/api/v1/accounts/update_credentials', { display_name: 'O' })).ok()
    await app.settle()
    expect(told(receiver)).toEqual([['status.created', id]])
  })

  test('again and later each time, until it takes the message, and follows nobody elsewhere [SSRF-3]', async () => {
    const { hook, receiver } = await listenTo('status.created')
    const otherPlace = await startReceiver('127.0.0.2')
    receiver.answer = { status: 307, headers: { location: otherPlace.url } }
    const owner = await staff()
    await owner.say('hello')
    await app.settle()
    const waits = async () =>
      (
        await sql<{ seconds: number }>`
          select extract(epoch from run_at)::float8 - ${app.clock.now() / 1000}::float8 as seconds
          from graphile_worker.jobs where task_identifier = 'deliver-webhook'`.execute(app.ctx.db)
      ).rows.map((row) => row.seconds)
    expect(receiver.received).toHaveLength(1)
    expect(otherPlace.received).toEqual([])
    expect((await owner.get(`${path}/${hook.id}`)).ok()).toMatchObject({
      last_status: 307,
      last_error: 'answered 307',
    })
    const [first] = await waits()
    expect(first).toBeGreaterThanOrEqual(14)
    expect(first).toBeLessThan(30)
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.ctx.db)
    receiver.answer = { status: 500 }
    await app.settle()
    const [second] = await waits()
    expect(second).toBeGreaterThanOrEqual(44)
    receiver.answer = { status: 204 }
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.ctx.db)
    await app.settle()
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map((one) => one.text)).size).toBe(1)
    expect(await waits()).toEqual([])
  })

  test('nothing for a while when it keeps us waiting, so that others are told', async () => {
    const { hook } = await listenTo('status.created')
    const { id: subjectId } = await (await staff()).say('hello')
    let tries = 0
    const send = () => {
      tries += 1
      return Promise.reject(new RemoteError('timeout', 'no answer'))
    }
    const ctx = { ...app.ctx, http: { ...app.ctx.http, send } }
    const job = { webhookId: hook.id, event: 'status.created', subjectId, createdAt: 0, failures: 8 } as const
    for (let i = 0; i < 5; i++) await deliverWebhook(ctx, job)
    expect(tries).toBe(3)
    app.clock.advance(61_000)
    await deliverWebhook(ctx, job)
    expect(tries).toBe(4)
  })

  test('that somebody tries it', async () => {
    const { hook, receiver } = await listenTo('report.created')
    const owner = await staff()
    const attempt = () => owner.post(`${path}/${hook.id}/test`)
    expect((await attempt()).ok()).toEqual({ status: 200, error: null, delivered: true })
    expect(receiver.received[0]?.body).toMatchObject({ event: 'test', object: {} })
    receiver.answer = { status: 404 }
    expect((await attempt()).ok()).toEqual({ status: 404, error: 'answered 404', delivered: false })
    for (let i = 0; i < 3; i++) await attempt()
    expect((await attempt()).status).toBe(429)
  })
})

test('costs no query where there is none', async () => {
  await sql`delete from webhooks`.execute(app.ctx.db)
  app.clock.advance(5_000)
  const owner = await staff()
  await owner.say('first')
  await app.settle()
  const statements = await app.countQueries(async () => {
    await owner.say('second')
    await app.settle()
  })
  expect(statements.filter((statement) => statement.includes('webhooks'))).toEqual([])
})

describe('addresses inside', () => {
  const guarded: TestApp = useApp({ env: { LOCAL_HTTPS: 'false' } })

  test.each(['http://127.0.0.1/hook', 'http://[::1]/', 'http://169.254.169.254/', 'http://2130706433/'])(
    'are refused when they are saved: %s [SSRF-15]',
    async (url) => {
      const owner = await guarded.person('staff', { role: 'Owner' })
      const answer = await owner.post(path, { url, events: ['report.created'] })
      expect([answer.status, answer.body.error]).toEqual([
        422,
        'Validation failed: Url is not one to send to (private-address)',
      ])
    },
  )

  test('and looked at again when they are used [SSRF-15]', async () => {
    const receiver = await startReceiver()
    const owner = await guarded.person('staff', { role: 'Owner' })
    const url = 'http://hooks.example/'
    const id = await createWebhook(guarded.ctx, 'operator', { url, events: webhookEvents })
    // Saved while the configuration allowed it.
    await sql`update webhooks set url = ${receiver.url} where id = ${id}`.execute(guarded.ctx.db)
    await owner.say('hello')
    await guarded.settle()
    expect(receiver.received).toEqual([])
    const shown = (await owner.get(`${path}/${id}`)).ok()
    expect(shown).toMatchObject({ last_status: null, last_error: 'forbidden' })
    expect((await owner.post(`${path}/${id}/test`)).ok()).toEqual({
      status: null,
      error: 'forbidden',
      delivered: false,
    })
  })
})
