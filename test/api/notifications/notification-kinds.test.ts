// Kinds of notifications that staff cause or are told of, words for apps that know none of these, and how long all are kept.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertUser } from '#domain/identity/accounts/registration/insert-user.ts'
import { approveUser } from '#domain/identity/accounts/registration/approve.ts'
import { afterConfirmation } from '#domain/identity/accounts/registration/confirm.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import {
  notifyOfReport,
  notifyOfSeverance,
  notifyOfWarning,
} from '#domain/reading/notifications/notify-of-moderation.ts'
import { trimNotifications } from '#domain/reading/notifications/trim.ts'
import { insertSeveranceEvent, recordLosses } from '#domain/social/relationships/severances.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, hours } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type AccountId, type AccountWarningId, type ReportId, type UserId } from '#lib/id.ts'

const app = useApp()

async function listOf(person: Person, query: Record<string, unknown> = {}): Promise<Json[]> {
  await app.settle()
  return (await person.get('/api/v1/notifications', { limit: 80, ...query })).ok()
}

async function groupsOf(person: Person, query: Record<string, unknown> = {}): Promise<Json[]> {
  await app.settle()
  return (await person.get('/api/v2/notifications', { limit: 80, ...query })).ok().notification_groups
}

/** What a person is told of one kind, in both versions, which have to say the same of `key`. */
async function told(person: Person, type: string, key: string): Promise<Json[]> {
  const [list, groups] = [await listOf(person, { types: [type] }), await groupsOf(person, { types: [type] })]
  expect(groups.map((group) => group[key])).toEqual(list.map((one) => one[key]))
  expect(groups.map((group) => group.most_recent_notification_id)).toEqual(list.map((one) => one.id))
  return list
}

async function follow(from: string, to: string): Promise<void> {
  await sql`insert into follows (id, account_id, target_account_id) values (${app.ctx.newId()}, ${from}, ${to})`.execute(
    app.ctx.db,
  )
}

async function warn(person: Person, values: Record<string, unknown> = {}): Promise<string> {
  const id = app.ctx.newId<AccountWarningId>()
  const warning = { id, target_account_id: person.accountId, action: 'silence', text: 'Be kind', ...values }
  await app.ctx.db.insertInto('account_warnings').values(warning).execute()
  await notifyOfWarning(app.ctx, id)
  return id
}

async function report(from: Person, about: Person, values: Record<string, unknown> = {}): Promise<string> {
  const id = app.ctx.newId<ReportId>()
  const row = { id, account_id: from.accountId, target_account_id: about.accountId, ...values }
  await app.ctx.db.insertInto('reports').values(row).execute()
  await notifyOfReport(app.ctx, id)
  return id
}

describe('severed_relationships', () => {
  test('a block of a domain tells how many follows it ended, once', async () => {
    const person = await app.person()
    const remotes = await Promise.all([1, 2, 3].map(() => remoteAccount(app.ctx, 'lost.example')))
    for (const { accountId } of remotes) await follow(accountId, person.accountId)
    await follow(person.accountId, remotes[0]?.accountId as string)
    ;(await person.post('/api/v1/domain_blocks', { domain: 'lost.example' })).ok()
    const [one, ...more] = await told(person, 'severed_relationships', 'event')
    expect(more).toEqual([])
    expect(one.account.id).toBe(person.accountId)
    expect(one.event).toEqual({
      id: expect.stringMatching(/^\d+$/),
      type: 'user_domain_block',
      purged: false,
      target_name: 'lost.example',
      followers_count: 3,
      following_count: 1,
      created_at: expect.any(String),
    })
  })

  test('one that ends nothing says nothing, and a second block counts anew', async () => {
    const person = await app.person()
    const block = async () => (await person.post('/api/v1/domain_blocks', { domain: 'twice.example' })).ok()
    const unblock = async () =>
      (await person.delete('/api/v1/domain_blocks', { domain: 'twice.example' })).ok()
    await block()
    expect(await listOf(person)).toEqual([])
    const { accountId } = await remoteAccount(app.ctx, 'twice.example')
    for (let round = 1; round <= 2; round++) {
      await unblock()
      await follow(accountId, person.accountId)
      await block()
      const found = await told(person, 'severed_relationships', 'event')
      expect(found.map((one) => one.event.followers_count)).toEqual(Array(round).fill(1))
    }
  })

  test('more than one transaction parts from are told as one', async () => {
    const person = await app.person()
    await sql`
      with crowd as (
        insert into accounts (id, username, domain)
        select 9000 + i, 'many' || i, 'many.example' from generate_series(1, 250) i returning id)
      insert into follows (id, account_id, target_account_id) select id, id, ${person.accountId} from crowd`.execute(
      app.ctx.db,
    )
    ;(await person.post('/api/v1/domain_blocks', { domain: 'many.example' })).ok()
    const found = await told(person, 'severed_relationships', 'event')
    expect(found.map((one) => one.event.followers_count)).toEqual([250])
  })

  test('staff can record what a block of a server or a suspension cost many', async () => {
    const [ann, bea, cas] = await Promise.all(['ann', 'bea', 'cas'].map((name) => app.person(name)))
    const options = { show_reblogs: true, notify: false, languages: null }
    const loss = async (who: Person | undefined, direction: 'follower' | 'following') => {
      const { accountId: otherId } = await remoteAccount(app.ctx, 'bad.example')
      return { accountId: who?.accountId as AccountId, otherId, direction, ...options }
    }
    const losses = [await loss(ann, 'follower'), await loss(ann, 'follower'), await loss(bea, 'following')]
    const eventId = await app.ctx.transaction(async (tx) => {
      const id = await insertSeveranceEvent(tx, { type: 'domain_block', targetName: 'bad.example' })
      await recordLosses(tx, id, losses)
      return id
    })
    await app.settle()
    await notifyOfSeverance(app.ctx, eventId)
    const facts = async (person: Person | undefined) =>
      (await told(person as Person, 'severed_relationships', 'event')).map(({ event }) => [
        event.type,
        event.target_name,
        event.followers_count,
        event.following_count,
      ])
    expect(await facts(ann)).toEqual([['domain_block', 'bad.example', 2, 0]])
    expect(await facts(bea)).toEqual([['domain_block', 'bad.example', 0, 1]])
    expect(await facts(cas)).toEqual([])
  })
})

describe('moderation_warning', () => {
  test('tells what was decided and why, not by whom', async () => {
    const [person, staff] = [await app.person(), await app.person('staff', { role: 'Moderator' })]
    const { id: statusId } = await person.say('hm')
    const id = await warn(person, { account_id: staff.accountId, status_ids: [statusId] })
    await notifyOfWarning(app.ctx, asId<AccountWarningId>(id))
    const [one, ...more] = await told(person, 'moderation_warning', 'moderation_warning')
    expect(more).toEqual([])
    expect(one.account.id).toBe(person.accountId)
    expect(one.moderation_warning).toMatchObject({
      id,
      action: 'silence',
      text: 'Be kind',
      status_ids: [statusId],
      appeal: null,
      target_account: { id: person.accountId },
    })
    expect(JSON.stringify(one)).not.toContain(staff.accountId)
  })
})

describe('admin.sign_up', () => {
  const signUps = (person: Person) => listOf(person, { types: ['admin.sign_up'] })

  test('staff who manage users are told, as a group, of those who are confirmed and let in', async () => {
    const staff = await app.person('staff', { role: 'Moderator' })
    const ordinary = await app.person()
    const newcomers: { userId: UserId; accountId: AccountId }[] = []
    for (const approved of [true, true, false]) {
      const username = `new${newcomers.length}x${staff.username}`
      newcomers.push(
        await app.ctx.transaction((tx) =>
          insertUser(tx, {
            username,
            email: `${username}@mail.example`,
            passwordHash: '!',
            locale: 'en',
            confirmed: false,
            approved,
            roleId: null,
          }),
        ),
      )
    }
    expect(await signUps(staff)).toEqual([])
    for (const { userId } of newcomers) {
      await sql`update users set confirmed_at = ${new Date(app.clock.now())} where id = ${userId}`.execute(
        app.ctx.db,
      )
      await app.ctx.transaction((tx) => afterConfirmation(tx, userId, true))
      await app.settle()
    }
    const ids = newcomers.map((one) => one.accountId)
    expect((await signUps(staff)).map((one) => one.account.id)).toEqual([ids[1], ids[0]])
    await approveUser(app.ctx, 'operator', asId<UserId>(newcomers[2]?.userId as string))
    const [group, ...more] = await groupsOf(staff, { types: ['admin.sign_up'] })
    expect(more).toEqual([])
    expect(group).toMatchObject({
      group_key: expect.stringMatching(/^admin\.sign_up-\d+$/),
      notifications_count: 3,
      sample_account_ids: ids.toReversed(),
    })
    const alone = (await staff.get(`/api/v2/notifications/${group.group_key}`)).ok()
    expect(alone.notification_groups[0].notifications_count).toBe(3)
    expect(await signUps(ordinary)).toEqual([])
  })
})

describe('admin.report', () => {
  const reports = (person: Person) => told(person, 'admin.report', 'report')

  test('staff who manage reports are told what was reported', async () => {
    const staff = await app.person('staff', { role: 'Moderator' })
    const [from, about] = [await app.person('from'), await app.person('about')]
    const { id: statusId } = await about.say('hm')
    const id = await report(from, about, { comment: 'look', category: 'spam', status_ids: [statusId] })
    const [one, ...more] = await reports(staff)
    expect(more).toEqual([])
    expect(one.account.id).toBe(from.accountId)
    expect(one.report).toMatchObject({
      id,
      action_taken: false,
      action_taken_at: null,
      category: 'spam',
      comment: 'look',
      forwarded: false,
      status_ids: [statusId],
      rule_ids: [],
      collection_ids: [],
      target_account: { id: about.accountId },
    })
    for (const person of [from, about]) expect(await reports(person)).toEqual([])
  })

  test('a second about the same account is told once the first is settled', async () => {
    const staff = await app.person('staff', { role: 'Moderator' })
    const about = await app.person('about')
    const first = await report(await app.person('from'), about)
    await report(await app.person('from'), about)
    expect((await reports(staff)).map((one) => one.report.id)).toEqual([first])
    await sql`update reports set action_taken_at = now() where target_account_id = ${about.accountId}`.execute(
      app.ctx.db,
    )
    const third = await report(await app.person('from'), about)
    expect((await reports(staff)).map((one) => [one.report.id, one.report.action_taken])).toEqual([
      [third, false],
      [first, true],
    ])
  })

  test('who is staff no more does not see them any more [ACC-9]', async () => {
    const staff = await app.person('staff', { role: 'Moderator' })
    await report(await app.person('from'), await app.person('about'), { comment: 'in confidence' })
    const [one] = await listOf(staff, { types: ['admin.report'] })
    await sql`update users set role_id = null where id = ${staff.userId}`.execute(app.ctx.db)
    expect(await listOf(staff)).toEqual([])
    expect(await groupsOf(staff)).toEqual([])
    expect((await staff.get(`/api/v1/notifications/${one.id}`)).status).toBe(404)
    expect((await staff.get(`/api/v2/notifications/ungrouped-${one.id}`)).status).toBe(404)
    expect((await staff.get('/api/v1/notifications/unread_count')).ok()).toEqual({ count: 0 })
  })
})

describe('supported_types', () => {
  test('kinds the app does not name come with words, in every answer, where it names any', async () => {
    const [person, sender] = [await app.person(), await app.person('sender')]
    const post = await person.say('quote me')
    await sender.say('look', { quoted_status_id: post.id })
    await app.settle()
    await warn(person)
    ;(await sender.post(`/api/v1/statuses/${post.id}/favourite`)).ok()
    const titles = async (query: Record<string, unknown>) => {
      const list = (await listOf(person, query)).map((one) => one.fallback?.title ?? null)
      expect((await groupsOf(person, query)).map((one) => one.fallback?.title ?? null)).toEqual(list)
      return list
    }
    expect(await titles({})).toEqual([null, null, null])
    const warned = 'You have received a moderation warning'
    expect(await titles({ supported_types: ['favourite'] })).toEqual([
      null,
      warned,
      `${sender.username} quoted your post`,
    ])
    expect(await titles({ supported_types: ['quote'] })).toEqual([null, warned, null])
    const [, warning] = await listOf(person)
    const query = { supported_types: ['favourite'] }
    const one = (await person.get(`/api/v1/notifications/${warning.id}`, query)).ok()
    expect(one.fallback).toEqual({ title: warned, summary: expect.any(String), details: 'Be kind' })
    const group = (await person.get(`/api/v2/notifications/${warning.group_key}`, query)).ok()
    expect(group.notification_groups[0].fallback).toEqual(one.fallback)
  })
})

describe('old notifications', () => {
  async function fill(person: Person, count: number, filtered: boolean): Promise<void> {
    await sql`
      insert into notifications (account_id, from_account_id, type, group_key, filtered, created_at)
      select ${person.accountId}, ${person.accountId}, 'old' || i || ${String(filtered)}, 'ungrouped-' || i, ${filtered},
        ${new Date(app.clock.now())}
      from generate_series(1, ${count}::int) i`.execute(app.ctx.db)
  }
  const countOf = async (person: Person, filtered: boolean) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from notifications
      where account_id = ${person.accountId} and filtered = ${filtered}`.execute(app.ctx.db)
    return rows[0]?.count
  }

  test('go after half a year, but for the newest of each person; what was set aside goes wholly', async () => {
    const [much, little, fresh] = await Promise.all(
      ['much', 'little', 'fresh'].map((name) => app.person(name)),
    )
    const [busy, quiet, recent] = [much, little, fresh] as [Person, Person, Person]
    await fill(busy, 1500, false)
    await fill(busy, 30, true)
    await fill(quiet, 20, false)
    app.clock.advance(days(200))
    for (let i = 0; i < 3; i++) await quiet.say(`@${recent.username} ${i}`)
    await app.settle()
    await trimNotifications(app.ctx)
    expect([await countOf(busy, false), await countOf(busy, true)]).toEqual([400, 0])
    expect([await countOf(quiet, false), await countOf(recent, false)]).toEqual([20, 3])
  })

  test('stay as long as the operator says', async () => {
    const person = await app.person()
    await fill(person, 10, true)
    app.clock.advance(days(200))
    await setSetting(app.ctx, 'notification_retention_days', null)
    await trimNotifications(app.ctx)
    expect(await countOf(person, true)).toBe(10)
    await setSetting(app.ctx, 'notification_retention_days', 400)
    app.clock.advance(hours(1))
    await trimNotifications(app.ctx)
    expect(await countOf(person, true)).toBe(10)
    await setSetting(app.ctx, 'notification_retention_days', 199)
    app.clock.advance(hours(1))
    await trimNotifications(app.ctx)
    expect(await countOf(person, true)).toBe(0)
  })
})
