import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const v2 = '/api/v2/notifications/policy'
const v1 = '/api/v1/notifications/policy'
const none = { pending_requests_count: 0, pending_notifications_count: 0 }
const standard = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
}

async function pair(policy: Record<string, string> = {}): Promise<[Person, Person]> {
  const [reader, sender] = [await app.person('reader'), await app.person('sender')]
  ;(await reader.patch(v2, policy)).ok()
  return [reader, sender]
}

const policyOf = async (person: Person) => (await person.get(v2)).ok()

/** The notifications of a person: what is set aside has `!` before its kind. */
async function told(person: Person): Promise<string[]> {
  await app.settle()
  const found: Json[] = (await person.get('/api/v1/notifications', { include_filtered: true })).ok()
  return found.map((one) => (one.filtered ? `!${one.type}` : one.type))
}

describe('the policy', () => {
  test('has defaults, and changes by what is given, with PATCH or PUT', async () => {
    const person = await app.person()
    expect(await policyOf(person)).toEqual({ ...standard, summary: none })
    const changed = (await person.patch(v2, { for_new_accounts: 'drop' })).ok()
    expect(changed).toEqual({ ...standard, for_new_accounts: 'drop', summary: none })
    const again = (await person.put(v2, { for_not_following: 'filter', for_bots: 'drop' })).ok()
    const expected = {
      ...standard,
      for_new_accounts: 'drop',
      for_not_following: 'filter',
      for_bots: 'drop',
    }
    expect(again).toEqual({ ...expected, summary: none })
    expect((await person.patch(v2, {})).ok()).toEqual(again)
    expect(await policyOf(person)).toEqual(again)
    expect(await policyOf(await app.person())).toEqual({ ...standard, summary: none })
  })

  test('takes no other values, and then changes nothing', async () => {
    const person = await app.person()
    const bad = await person.patch(v2, { for_new_accounts: 'drop', for_not_followers: 'perhaps' })
    expect([bad.status, bad.body.error]).toEqual([422, expect.stringContaining('Validation failed')])
    expect(await policyOf(person)).toEqual({ ...standard, summary: none })
  })

  test('version 1 says whether anything is kept away, and sets or ends filtering', async () => {
    const person = await app.person()
    const off = { filter_not_following: false, filter_not_followers: false, filter_new_accounts: false }
    expect((await person.get(v1)).ok()).toEqual({
      ...off,
      filter_private_mentions: true,
      filter_bots: false,
      summary: none,
    })
    ;(await person.patch(v2, { for_not_followers: 'drop' })).ok()
    const changed = (
      await person.put(v1, { filter_not_following: 'true', filter_private_mentions: 0, filter_bots: '1' })
    ).ok()
    expect(changed).toEqual({
      filter_not_following: true,
      filter_not_followers: true,
      filter_new_accounts: false,
      filter_private_mentions: false,
      filter_bots: true,
      summary: none,
    })
    ;(await person.patch(v1, { filter_not_followers: false })).ok()
    expect(await policyOf(person)).toMatchObject({
      for_not_following: 'filter',
      for_not_followers: 'accept',
      for_private_mentions: 'accept',
      for_limited_accounts: 'filter',
      for_bots: 'filter',
    })
  })

  test('counts what waits, up to a hundred', async () => {
    const [reader, sender] = await pair({ for_not_following: 'filter' })
    for (const person of [sender, await app.person()]) await person.say(`@${reader.username} hi`)
    await sender.say(`@${reader.username} again`)
    await app.settle()
    const summary = async () => (await policyOf(reader)).summary
    expect(await summary()).toEqual({ pending_requests_count: 2, pending_notifications_count: 3 })
    await sql`insert into notifications (account_id, from_account_id, type, group_key, filtered)
      select ${reader.accountId}, ${sender.accountId}, 'other' || i, 'ungrouped-' || i, true
      from generate_series(1, 150) i`.execute(app.ctx.db)
    expect(await summary()).toEqual({ pending_requests_count: 2, pending_notifications_count: 100 })
    expect((await reader.get(v1)).ok().summary.pending_notifications_count).toBe(100)
  })

  test('wants a token with the right scope', async () => {
    const person = await app.person()
    const reads = await app.withScopes(person, ['read:notifications'])
    for (const path of [v1, v2]) {
      expect((await app.anonymous.get(path)).status).toBe(401)
      expect((await app.anonymous.patch(path, {})).status).toBe(401)
      expect((await reads.get(path)).status).toBe(200)
      expect((await reads.patch(path, {})).status).toBe(403)
      expect((await (await app.withScopes(person, ['write'])).get(path)).status).toBe(403)
    }
  })
})

describe('its rules', () => {
  test('somebody counts as a follower after three days', async () => {
    const [reader, sender] = await pair({ for_not_followers: 'filter' })
    await sender.follow(reader)
    await app.settle()
    app.clock.advance(days(3) - 60_000)
    await sender.say(`@${reader.username} one`)
    expect(await told(reader)).toEqual(['!mention', '!follow'])
    app.clock.advance(120_000)
    await sender.say(`@${reader.username} two`)
    expect(await told(reader)).toEqual(['mention', '!mention', '!follow'])
  })

  test('an account is new for thirty days', async () => {
    const [reader, sender] = await pair({ for_new_accounts: 'filter' })
    app.clock.advance(days(29))
    await sender.say(`@${reader.username} one`)
    await app.settle()
    app.clock.advance(days(2))
    await sender.say(`@${reader.username} two`)
    expect(await told(reader)).toEqual(['mention', '!mention'])
  })

  test('the strictest rule counts', async () => {
    const [reader, sender] = await pair({ for_not_following: 'filter', for_new_accounts: 'drop' })
    await sender.say(`@${reader.username} hi`)
    await sender.follow(reader)
    expect(await told(reader)).toEqual([])
  })

  test('a direct message is heard when it answers one of the reader, however far above', async () => {
    const [reader, sender] = await pair()
    const third = await app.person('third')
    const direct = { visibility: 'direct' }
    let last = await reader.say(`@${sender.username} @${third.username} psst`, direct)
    for (let i = 0; i < 3; i++) {
      last = await third.say(`@${sender.username} between`, { ...direct, in_reply_to_id: last.id })
    }
    await app.settle()
    await sender.say(`@${reader.username} answer`, { ...direct, in_reply_to_id: last.id })
    expect(await told(reader)).toEqual(['mention'])
    await sender.say(`@${reader.username} out of the blue`, direct)
    expect(await told(reader)).toEqual(['!mention', 'mention'])
  })

  test('an answer to what the reader wrote to others, or not directly, is set aside', async () => {
    const [reader, sender] = await pair()
    const open = await reader.say(`@${sender.username} in the open`)
    const other = await app.person('other')
    const apart = await reader.say(`@${other.username} psst`, { visibility: 'direct' })
    await sql`insert into mentions (status_id, account_id, silent)
      values (${apart.id}, ${sender.accountId}, true)`.execute(app.ctx.db)
    for (const { id } of [open, apart]) {
      await sender.say(`@${reader.username} hi`, { visibility: 'direct', in_reply_to_id: id })
    }
    expect(await told(reader)).toEqual(['!mention', '!mention'])
  })

  test('a thread is looked through for a hundred levels', async () => {
    const [reader, sender] = await pair()
    const direct = { visibility: 'direct' }
    const chain = async (length: number) => {
      const first = await reader.say(`@${sender.username} start`, direct)
      await sql`
        insert into statuses (id, account_id, in_reply_to_id, in_reply_to_account_id, reply, visibility, conversation_id)
        select ${first.id}::bigint + i, s.account_id, ${first.id}::bigint + i - 1, s.account_id, true, 'direct',
          s.conversation_id
        from statuses s cross join generate_series(1, ${length}::int) i where s.id = ${first.id}`.execute(
        app.ctx.db,
      )
      await sql`
        update statuses set account_id = ${sender.accountId}
        where id > ${first.id} and id <= ${first.id}::bigint + ${length}::int`.execute(app.ctx.db)
      const parent = String(BigInt(first.id) + BigInt(length))
      await sender.say(`@${reader.username} end`, { ...direct, in_reply_to_id: parent })
    }
    await chain(99)
    expect(await told(reader)).toEqual(['mention'])
    await chain(100)
    expect(await told(reader)).toEqual(['!mention', 'mention'])
  })

  test('staff with a higher role are heard whatever it says', async () => {
    const [reader] = await pair({ for_not_following: 'drop', for_new_accounts: 'drop' })
    const staff = await app.person('staff', { role: 'Moderator' })
    await staff.say(`@${reader.username} about your report`, { visibility: 'direct' })
    expect(await told(reader)).toEqual(['mention'])
    await staff.follow(reader)
    expect(await told(reader)).toEqual(['mention'])
  })

  test('what is there stays when it changes', async () => {
    const [reader, sender] = await pair({ for_not_following: 'filter' })
    await sender.say(`@${reader.username} one`)
    expect(await told(reader)).toEqual(['!mention'])
    ;(await reader.patch(v2, { for_not_following: 'accept' })).ok()
    await sender.say(`@${reader.username} two`)
    expect(await told(reader)).toEqual(['mention', '!mention'])
  })
})
