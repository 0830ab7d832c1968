// Notifications on their way to devices, through a push service that checks and decrypts all it gets.
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { takeAction } from '#domain/trust/moderation/take-action.ts'
import { revokeTokens } from '#domain/identity/oauth/revoke.ts'
import { endOwnPushSubscription, listPushSubscriptions } from '#domain/reading/push/subscriptions.ts'
import { useApp } from '#test/app/app.ts'
import { createClient } from '#test/client/client.ts'
import { hours } from '#test/app/clock.ts'
import type { Person, PersonOptions } from '#test/people/people.ts'
import { startPushService, type PushDevice, type PushService } from '#test/servers/push-receiver.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { asId, type NotificationId } from '#lib/id.ts'

const app = useApp({ env: { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' } })
const path = '/api/v1/push/subscription'
const kinds = 'mention quote status reblog follow follow_request favourite poll update quoted_update'.split(
  ' ',
)
const all = Object.fromEntries([...kinds, 'admin.sign_up', 'admin.report'].map((kind) => [kind, true]))

interface Subscribing {
  data?: { policy?: string; alerts?: object }
  standard?: boolean
}

async function subscribe(
  client: Pick<Person, 'post'>,
  service: PushService,
  { data, standard = true }: Subscribing = {},
): Promise<PushDevice> {
  const device = service.device()
  const subscription = { ...device.subscription, standard }
  ;(await client.post(path, { subscription, data: { alerts: all, ...data } })).ok()
  return device
}

/** Somebody with a device that is told of everything. */
async function listener(options: Subscribing = {}, person: PersonOptions = {}) {
  const service = await startPushService(app.ctx.secrets.vapid.publicKey)
  const alice = await app.person('alice', person)
  return { service, alice, device: await subscribe(alice, service, options), bob: await app.person('bob') }
}

const mention = (by: Person, whom: Person, words = 'hello', more = {}) =>
  by.say(`@${whom.username} ${words}`, more)
const typesOf = ({ messages }: PushDevice) => messages.map((one) => one.notification_type)
/** Lets waiting jobs run now. */
const hurry = () => sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.ctx.db)
interface Waiting {
  /** Seconds, by the clock of the test. */
  wait: number
  payload: { failures: number }
}
const waiting = async (): Promise<Waiting[]> =>
  (
    await sql<Waiting>`
      select extract(epoch from j.run_at - ${new Date(app.clock.now())})::float8 as wait, j.payload
      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'deliver-push'`.execute(app.ctx.db)
  ).rows
const forgetJobs = () => sql`delete from graphile_worker._private_jobs`.execute(app.ctx.db)

describe('a notification reaches the device [1-19]', () => {
  test('with the token that subscribed, wherever it was sent', async () => {
    const service = await startPushService(app.ctx.secrets.vapid.publicKey)
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const withBodyToken = createClient({ fetch: app.fetch, token: null })
    const device = await subscribe(
      { post: (to, params) => withBodyToken.post(to, { ...(params as object), access_token: alice.token }) },
      service,
    )
    await mention(bob, alice)
    await app.settle()
    expect(device.messages).toMatchObject([{ access_token: alice.token }])
  })

  test.each([
    { standard: true, encoding: 'aes128gcm' },
    { standard: false, encoding: 'aesgcm' },
  ])('encrypted and signed: $encoding', async ({ standard, encoding }) => {
    await setSetting(app.ctx, 'site_contact_email', 'team@chat.example')
    const { service, alice, bob, device } = await listener({ standard })
    ;(await bob.patch('/api/v1/accounts/update_credentials', { display_name: 'Bob\u202e  B.' })).ok()
    await mention(bob, alice, 'how do you do?\n\nI am & <fine>')
    await app.settle()
    const [notification] = (await alice.get('/api/v1/notifications')).ok()
    expect(device.messages).toEqual([
      {
        access_token: alice.token,
        preferred_locale: 'en',
        notification_id: Number(notification.id),
        notification_type: 'mention',
        icon: notification.account.avatar_static,
        title: 'Bob B. mentioned you',
        body: `@${alice.username} how do you do? I am & <fine>`,
      },
    ])
    const [push] = service.received
    // The number is exact, for those who read it as one of 64 bits.
    expect(push?.text).toContain(`"notification_id":${notification.id},`)
    expect(String(device.messages[0].notification_id)).toBe(notification.id)
    expect(push).toMatchObject({
      method: 'POST',
      headers: {
        'content-encoding': encoding,
        'content-type': 'application/octet-stream',
        ttl: '172800',
        urgency: 'normal',
        topic: expect.stringMatching(/^[\w-]{32}$/),
      },
      claims: { aud: service.origin, sub: 'mailto:team@chat.example' },
    })
    expect(push?.body.includes('Bob')).toBe(false)
    const left = (push?.claims.exp ?? 0) - Date.now() / 1000
    expect(left > 0 && left <= 86_400).toBe(true)
    const app2 = createClient({ fetch: app.fetch, token: device.messages[0].access_token })
    expect((await app2.get(`/api/v1/notifications/${notification.id}`)).ok().type).toBe('mention')
  })

  test('in the language of who gets it', async () => {
    const { alice, bob, device } = await listener()
    await sql`update users set locale = 'de' where id = ${alice.userId}`.execute(app.ctx.db)
    await mention(bob, alice)
    await app.settle()
    await sql`update users set locale = 'nl' where id = ${alice.userId}`.execute(app.ctx.db)
    await bob.follow(alice)
    await app.settle()
    expect(device.messages).toMatchObject([
      { preferred_locale: 'de', title: `${bob.username} hat dich erwähnt` },
      { preferred_locale: 'nl', title: `${bob.username} follows you now` },
    ])
  })

  test('a content warning stands for the words, and long ones are cut', async () => {
    const { service, alice, bob, device } = await listener()
    await mention(bob, alice, 'secret', { spoiler_text: 'spoilers' })
    await mention(bob, alice, '👨‍👩‍👧‍👦'.repeat(300))
    await mention(bob, alice, `Z${'\u0301'.repeat(3000)}`)
    await app.settle()
    const bodies = device.messages.map((one) => one.body)
    expect(bodies).toContain('spoilers')
    expect(JSON.stringify(device.messages)).not.toContain('secret')
    expect(bodies.every((body) => Buffer.byteLength(body) <= 803)).toBe(true)
    expect(service.received.every(({ body }) => body.length <= 2600)).toBe(true)
  })

  test('with several devices each gets it once', async () => {
    const { service, alice, bob, device } = await listener()
    const phone = await subscribe(await app.withScopes(alice, ['push']), service)
    await mention(bob, alice)
    await app.settle()
    expect([typesOf(device), typesOf(phone)]).toEqual([['mention'], ['mention']])
    expect(device.messages[0].access_token).not.toBe(phone.messages[0].access_token)
  })
})

describe('what is pushed', () => {
  test('kinds that are on, and no others', async () => {
    const { service, alice, bob, device } = await listener({ data: { alerts: { follow: true } } })
    await mention(bob, alice)
    await bob.follow(alice)
    await app.settle()
    expect(typesOf(device)).toEqual(['follow'])
    ;(await alice.put(path, { data: { alerts: { mention: true } } })).ok()
    await mention(bob, alice)
    await app.settle()
    expect(typesOf(device)).toEqual(['follow', 'mention'])
    expect(service.received).toHaveLength(2)
  })

  test('each kind under its name', async () => {
    const { alice, bob, device } = await listener({}, { role: 'Owner' })
    const mine = await alice.say('mine')
    await bob.follow(alice)
    ;(await bob.post(`/api/v1/statuses/${mine.id}/favourite`)).ok()
    ;(await bob.post(`/api/v1/statuses/${mine.id}/reblog`)).ok()
    const quote = await bob.say('see this', { quoted_status_id: mine.id })
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, { notify: true })).ok()
    await app.settle()
    const poll = await bob.say('which?', { poll: { options: ['a', 'b'], expires_in: 300 } })
    ;(await alice.post(`/api/v1/polls/${poll.poll.id}/votes`, { choices: [0] })).ok()
    ;(await alice.post(`/api/v1/statuses/${quote.id}/reblog`)).ok()
    await app.settle()
    ;(await bob.put(`/api/v1/statuses/${quote.id}`, { status: 'see that' })).ok()
    ;(await alice.put(`/api/v1/statuses/${mine.id}`, { status: 'mine again' })).ok()
    ;(await alice.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    ;(await (await app.person('carol')).post(`/api/v1/accounts/${alice.accountId}/follow`)).ok()
    const spam = { account_id: bob.accountId, comment: 'spam!' }
    ;(await (await app.person('dave')).post('/api/v1/reports', spam)).ok()
    await app.settle()
    const bodies = Object.fromEntries(device.messages.map((one) => [one.notification_type, one.body]))
    expect(bodies).toMatchObject({
      follow: '',
      favourite: 'mine',
      reblog: 'mine',
      quote: 'see this',
      status: 'which?',
      update: 'see that',
      follow_request: '',
      'admin.report': 'spam!',
    })
    expect(device.messages.every(({ title }) => title !== '')).toBe(true)
  })

  test('the end of a poll, also of one’s own, whatever the policy names', async () => {
    const { alice, device } = await listener({ data: { policy: 'followed' } })
    await alice.say('tea?', { poll: { options: ['a', 'b'], expires_in: 300 } })
    app.clock.advance(400_000)
    await app.ctx.jobs.add('close-polls', {})
    await app.settle()
    expect(device.messages).toMatchObject([{ notification_type: 'poll', title: 'Your poll has ended' }])
  })

  test.each([
    { policy: 'all', from: ['stranger', 'followed', 'follower'] },
    { policy: 'followed', from: ['followed'] },
    { policy: 'follower', from: ['follower'] },
    { policy: 'none', from: [] },
  ])('the policy $policy: from $from [2.2-38] [6-5]', async ({ policy, from }) => {
    const { alice, device } = await listener({ data: { policy, alerts: { mention: true } } })
    const [stranger, followed, follower] = [
      await app.person('stranger'),
      await app.person('followed'),
      await app.person('follower'),
    ]
    await alice.follow(followed)
    await follower.follow(alice)
    for (const one of [stranger, followed, follower]) await mention(one, alice)
    await app.settle()
    const named = (name: string) => from.some((one) => name.startsWith(one))
    const names = [stranger, followed, follower].map(({ username }) => username).filter(named)
    expect(device.messages.map(({ title }) => title).toSorted()).toEqual(
      names.map((name) => `${name} mentioned you`).toSorted(),
    )
  })

  test('not what the notification policy sets aside', async () => {
    const { alice, bob, device } = await listener()
    ;(await alice.patch('/api/v2/notifications/policy', { for_not_following: 'filter' })).ok()
    await mention(bob, alice)
    await app.settle()
    expect((await alice.get('/api/v1/notifications', { include_filtered: true })).ok()).toHaveLength(1)
    expect(device.messages).toEqual([])
  })

  test('filters of words hide it, or stand before its words [ACC-13]', async () => {
    const { alice, bob, device } = await listener()
    const filter = (word: string, action: string) =>
      alice.post('/api/v2/filters', {
        title: `about ${word}`,
        context: ['notifications'],
        filter_action: action,
        keywords_attributes: [{ keyword: word, whole_word: true }],
      })
    ;(await filter('pears', 'hide')).ok()
    ;(await filter('plums', 'warn')).ok()
    await mention(bob, alice, 'pears')
    await mention(bob, alice, 'plums')
    await app.settle()
    expect(device.messages.map(({ body }) => body)).toEqual(['about plums'])
  })

  test('not what is more than two days old, nor what is gone', async () => {
    const { service, alice, bob, device } = await listener()
    service.answer = { status: 503 }
    await mention(bob, alice)
    const gone = await mention(bob, alice)
    await app.settle()
    ;(await bob.delete(`/api/v1/statuses/${gone.id}`)).ok()
    await app.settle()
    service.answer = { status: 201 }
    app.clock.advance(hours(49))
    await hurry()
    await app.settle()
    expect(device.messages).toEqual([])
    expect(await waiting()).toEqual([])
  })
})

describe('nothing once access has ended [ACC-6]', () => {
  const ends: Record<string, (alice: Person) => Promise<unknown>> = {
    'the token was revoked': () => app.ctx.transaction((tx) => revokeTokens(tx, sql`true`)),
    'the token has expired': (alice) =>
      sql`update oauth_tokens set expires_at = ${new Date(app.clock.now() - 1)} where user_id = ${alice.userId}`.execute(
        app.ctx.db,
      ),
    'the login was disabled': (alice) =>
      sql`update users set disabled = true where id = ${alice.userId}`.execute(app.ctx.db),
    'the account was suspended': (alice) =>
      sql`update accounts set suspended_at = now(), version = version + 1 where id = ${alice.accountId}`.execute(
        app.ctx.db,
      ),
    'staff disabled the login': (alice) =>
      takeAction(app.ctx, 'operator', alice.accountId, { type: 'disable' }),
    'staff suspended the account': (alice) =>
      takeAction(app.ctx, 'operator', alice.accountId, { type: 'suspend' }),
    'the subscription was ended': async (alice) => (await alice.delete(path)).ok(),
  }

  test.each(Object.entries(ends))('%s', async (_, end) => {
    const { service, alice, bob, device } = await listener()
    service.answer = { status: 503 }
    await mention(bob, alice, 'on its way')
    await app.settle()
    expect(service.received).toHaveLength(1)
    await end(alice)
    service.answer = { status: 201 }
    // What was on its way does not arrive, and nothing else sets out.
    await hurry()
    await app.settle()
    const { rows } = await sql<{ id: string }>`
      select id from notifications where account_id = ${alice.accountId}`.execute(app.ctx.db)
    await app.ctx.transaction((tx) =>
      tx.emit({
        type: 'notification.created',
        notificationId: asId<NotificationId>(rows[0]?.id ?? ''),
        accountId: alice.accountId,
        kind: 'mention',
      }),
    )
    await app.settle()
    expect(device.messages).toEqual([])
    expect(service.received).toHaveLength(1)
  })
})

describe('what the push service says', () => {
  const gone = async (alice: Person) => (await alice.get(path)).status === 404

  test.each([404, 410])('%i: the subscription ends', async (status) => {
    const { service, alice, bob } = await listener()
    service.answer = { status }
    await mention(bob, alice)
    await app.settle()
    expect(await gone(alice)).toBe(true)
    expect(await waiting()).toEqual([])
    // Its app goes on with another one by itself, until its owner ends that.
    const renew = () => {
      const { subscription } = service.device()
      return alice.post(path, { subscription: { ...subscription, standard: true, renewed: true } })
    }
    expect((await renew()).status).toBe(200)
    expect((await renew()).status).toBe(200)
    const [own] = await listPushSubscriptions(app.ctx, alice.accountId)
    await endOwnPushSubscription(app.ctx, alice, own!.id)
    expect([(await renew()).status, await gone(alice)]).toEqual([404, true])
  })

  test.each([{ status: 500 }, { status: 503 }, { status: 429 }, { status: 408 }, { status: 403 }])(
    '$status: later again, and later each time',
    async ({ status }) => {
      const { service, alice, bob, device } = await listener()
      const phone = await subscribe(
        await app.withScopes(alice, ['push']),
        await startPushService(app.ctx.secrets.vapid.publicKey),
      )
      service.answer = { status }
      await mention(bob, alice)
      await app.settle()
      const waits: number[] = []
      for (let failures = 1; failures <= 3; failures++) {
        const [job] = await waiting()
        expect(job?.payload.failures).toBe(failures)
        waits.push(job?.wait ?? 0)
        await hurry()
        await app.settle()
      }
      // Each four times as long as the one before, and up to half of that more.
      for (const [index, least] of [15, 60, 240].entries()) {
        // Some of it has passed by now.
        expect(waits[index]).toBeGreaterThan(least - 12)
        expect(waits[index]).toBeLessThan(1.51 * least)
      }
      service.answer = { status: 201 }
      await hurry()
      await app.settle()
      expect(typesOf(device)).toEqual(['mention'])
      // All attempts are one message, and other devices got theirs once.
      expect(new Set(service.received.map(({ headers }) => headers.topic)).size).toBe(1)
      expect(typesOf(phone)).toEqual(['mention'])
      expect(await waiting()).toEqual([])
      expect(await gone(alice)).toBe(false)
    },
  )

  test.each([
    { status: 403, ends: true },
    { status: 503, ends: false },
  ])('$status all the time: it is given up, and the subscription ends: $ends', async ({ status, ends }) => {
    const { service, alice, bob } = await listener()
    service.answer = { status }
    await mention(bob, alice)
    for (let round = 0; round < 10; round++) {
      await hurry()
      await app.settle()
    }
    expect(service.received).toHaveLength(7)
    expect(await waiting()).toEqual([])
    expect(await gone(alice)).toBe(ends)
  })

  test('413: that message is given up', async () => {
    const { service, alice, bob } = await listener()
    service.answer = { status: 413 }
    await mention(bob, alice)
    await app.settle()
    expect([await gone(alice), await waiting()]).toEqual([false, []])
  })

  test('when it wants to be asked again is kept to', async () => {
    const { service, alice, bob } = await listener()
    service.answer = { status: 429, headers: { 'retry-after': '3600' } }
    await mention(bob, alice)
    await app.settle()
    const [job] = await waiting()
    expect(job?.wait).toBeGreaterThan(3500)
    await forgetJobs()
    service.answer = { status: 429, headers: { 'retry-after': '999999' } }
    await mention(bob, alice)
    await app.settle()
    expect(await waiting()).toEqual([])
  })

  test('redirects are not followed', async () => {
    const { service, alice, bob } = await listener()
    const otherPlace = await startRemote('127.0.0.7')
    service.answer = { status: 307, headers: { location: otherPlace.url('/x') } }
    await mention(bob, alice)
    await app.settle()
    expect(otherPlace.connections).toBe(0)
    expect(await waiting()).toHaveLength(1)
    await forgetJobs()
  })

  test('a host that keeps us waiting is left alone for a while', async () => {
    const { service, alice, bob } = await listener()
    const { host } = new URL(service.origin)
    await app.ctx.kv.increment(`push-timeouts:${host}`, 3, 60)
    await mention(bob, alice)
    await app.settle()
    expect(service.received).toEqual([])
    expect((await waiting()).map(({ payload }) => payload.failures)).toEqual([0])
    await forgetJobs()
  })

  test('an account whose subscriptions keep us waiting is left alone for a while, on whatever host [ROB-10]', async () => {
    const { service, alice, bob, device } = await listener()
    const silent = await startRemote('127.0.0.8', () => {})
    // It is given up sooner than usually.
    const { http } = app.ctx
    const send = http.send.bind(http)
    const sending = vi.spyOn(http, 'send').mockImplementation((request) => {
      const isSilent = request.url.startsWith(silent.url(''))
      return send(isSilent ? { ...request, timeout: 300 } : request)
    })
    onTestFinished(() => sending.mockRestore())
    const phone = await app.withScopes(alice, ['push'])
    const subscription = { ...service.device().subscription, endpoint: silent.url('/push') }
    ;(await phone.post(path, { subscription, data: { alerts: all } })).ok()
    // It has happened three times, on other hosts.
    await app.ctx.kv.increment(`push-timeouts-of:${alice.accountId}`, 3, 60)
    await mention(bob, alice)
    await app.settle()
    expect(typesOf(device)).toEqual(['mention'])
    await mention(bob, alice)
    await app.settle()
    expect(typesOf(device)).toEqual(['mention'])
    expect((await waiting()).map(({ payload }) => payload.failures).toSorted()).toEqual([0, 0, 1])
    const other = await listener()
    await mention(bob, other.alice)
    await app.settle()
    expect(typesOf(other.device)).toEqual(['mention'])
    await forgetJobs()
  })

  test('an address inside is checked again when something is sent there [SSRF-15]', async () => {
    const { alice, bob } = await listener()
    const inside = await startRemote('::1')
    await sql`update web_push_subscriptions set endpoint = ${inside.url('/x')} where account_id = ${alice.accountId}`.execute(
      app.ctx.db,
    )
    await mention(bob, alice)
    await app.settle()
    expect(inside.connections).toBe(0)
    expect(await gone(alice)).toBe(true)
  })
})
