// What staff do about relays, and about whom the server recommends. What relays are told: test/federation/delivery/relays.test.ts.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { answerRelay, getRelay } from '#domain/federation/relays/relays.ts'
import { refreshPopular } from '#domain/reading/suggestions/popular.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { asId, type RelayId } from '#lib/id.ts'

const app = useApp()
const relays = '/api/v1/admin/relays'
const recommendations = '/api/v1/admin/follow_recommendations'

const staff = () => app.person('staff', { role: 'Admin' })

async function actionsOn(id: string, type: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where target_type = ${type} and target_id = ${id} order by id`.execute(
    app.ctx.db,
  )
  return rows.map((row) => row.action)
}

describe('relays', () => {
  test('are asked, left, asked again and forgotten', async () => {
    const admin = await staff()
    const made = (await admin.post(relays, { inbox_url: 'https://relay.example/inbox' })).ok()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      inbox_url: 'https://relay.example/inbox',
      actor_uri: null,
      state: 'pending',
    })
    const one = `${relays}/${made.id}`
    expect((await admin.get(relays)).ok()).toEqual([made])
    const relayId = asId<RelayId>(made.id)
    const answer = { relayId, followUri: (await getRelay(app.ctx, relayId)).follow_uri }
    expect(await answerRelay(app.ctx, { ...answer, state: 'accepted' })).toBe(true)
    expect((await admin.post(`${one}/disable`)).ok().state).toBe('idle')
    // Its answer comes late.
    expect(await answerRelay(app.ctx, { ...answer, state: 'accepted' })).toBe(false)
    expect((await admin.get(one)).ok().state).toBe('idle')
    expect((await admin.post(`${one}/enable`)).ok().state).toBe('pending')
    expect((await admin.delete(one)).ok()).toEqual({})
    expect((await admin.get(one)).status).toBe(404)
    expect((await admin.post(`${one}/enable`)).status).toBe(404)
    expect(await actionsOn(made.id, 'relay')).toEqual(['create', 'disable', 'enable', 'destroy'])
  })

  test('are no addresses inside, nor this server [SSRF-15]', async () => {
    const admin = await staff()
    for (const inbox_url of ['https://10.0.0.1/inbox', 'https://chat.example/inbox', 'nonsense'])
      expect((await admin.post(relays, { inbox_url })).status).toBe(422)
    expect((await admin.post(relays, {})).status).toBe(400)
  })

  test('are for those who may manage federation [ACC-9]', async () => {
    const calls = [
      ['get', relays],
      ['get', `${relays}/1`],
      ['post', relays],
      ['post', `${relays}/1/enable`],
      ['post', `${relays}/1/disable`],
      ['delete', `${relays}/1`],
    ] as const
    expect(await findIntruders(app, calls, 'from relays')).toEqual([])
  })
})

describe('recommendations', () => {
  const suggestedTo = async (person: Person) =>
    (await person.get('/api/v2/suggestions')).ok().map((one: Json) => one.account.id)

  test('leave out whom staff took out', async () => {
    const [star, fan, newcomer] = [await app.person('star'), await app.person('fan'), await app.person('new')]
    ;(await star.patch('/api/v1/accounts/update_credentials', { discoverable: true })).ok()
    await fan.follow(star)
    await app.settle()
    await refreshPopular(app.ctx)
    expect(await suggestedTo(newcomer)).toContain(star.accountId)
    const admin = await staff()
    const listed = async (status?: string): Promise<Json[]> =>
      (await admin.get(recommendations, { status })).ok()
    expect(await listed()).toMatchObject([
      { account: { id: star.accountId }, active_followers: 1, suppressed: false },
    ])
    const one = `${recommendations}/${star.accountId}`
    ;(await admin.post(`${one}/suppress`)).ok()
    ;(await admin.post(`${one}/suppress`)).ok()
    expect(await suggestedTo(newcomer)).not.toContain(star.accountId)
    expect(await listed()).toEqual([])
    expect(await listed('suppressed')).toMatchObject([{ account: { id: star.accountId }, suppressed: true }])
    ;(await admin.post(`${one}/unsuppress`)).ok()
    expect(await suggestedTo(newcomer)).toContain(star.accountId)
    expect((await admin.post(`${recommendations}/987654/suppress`)).status).toBe(404)
    expect(await actionsOn(star.accountId, 'follow_recommendation')).toEqual([
      'suppress',
      'suppress',
      'unsuppress',
    ])
  })

  test('are for those who may manage taxonomies [ACC-9]', async () => {
    const calls = [
      ['get', recommendations],
      ['post', `${recommendations}/1/suppress`],
      ['post', `${recommendations}/1/unsuppress`],
    ] as const
    const found = await findIntruders(app, calls, 'suppressed_recommendations')
    // Moderators may.
    expect(found.filter((one) => !one.startsWith('moderator'))).toEqual([])
  })
})
