// Accounts that are deleted, here or elsewhere, and servers of which nothing is to be left.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteLocalAccount, deleteRemoteAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { belongings, purgeAccount } from '#domain/maintenance/deletion/purge-account.ts'
import { purgeHost } from '#domain/maintenance/deletion/purge-host.ts'
import type { Json } from '#test/client/client.ts'
import { useNetwork, type NetworkServer } from '#test/servers/network.ts'
import type { PeerActor } from '#test/peer/actor.ts'
import { asId, type AccountId } from '#lib/id.ts'

const network = useNetwork()

type Person = Awaited<ReturnType<NetworkServer['person']>>

async function rowsOf(app: NetworkServer, text: string): Promise<Json[]> {
  return (await sql.raw<Json>(text).execute(app.ctx.db)).rows
}
const countOf = async (app: NetworkServer, text: string) => (await rowsOf(app, text)).length
const account = async (viewer: Person, id: string): Promise<Json> =>
  (await viewer.get(`/api/v1/accounts/${id}`)).ok()

async function befriend(app: NetworkServer, alice: Person, bob: PeerActor): Promise<string> {
  const { id } = await app.find(alice, bob.handle)
  ;(await alice.post(`/api/v1/accounts/${id}/follow`)).ok()
  await app.settle()
  await bob.acceptFollow()
  expect((await bob.send(bob.build.follow(app.uriOf(alice)))).status).toBe(202)
  await app.settle()
  return id as string
}

describe('an account of another server', () => {
  test('goes with all that it had, with the counters of others, and never comes back', async () => {
    const app = await network.server()
    const peer = await network.peer()
    const [alice, carol] = [await app.person('alice'), await app.person('carol')]
    const bob = await peer.actor('bob')
    const bobId = await befriend(app, alice, bob)
    const own = await alice.say('like me')
    const note = bob.note(`hi @${alice.username}`, bob.audience('public', [app.uriOf(alice)]))
    await bob.send(bob.build.create(note))
    await bob.send(bob.build.like(own.uri))
    await bob.send(bob.build.announce(own.uri))
    const reply = bob.note('answer', { inReplyTo: own.uri })
    await bob.send(bob.build.create(reply))
    await app.settle()
    const seen = await app.find(alice, note.id)
    ;(await alice.post(`/api/v1/statuses/${seen.id}/bookmark`)).ok()
    ;(await carol.post(`/api/v1/statuses/${seen.id}/reblog`)).ok()
    await carol.say(`@${bob.handle} hello`)
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${own.id}`)).ok()).toMatchObject({
      favourites_count: 1,
      reblogs_count: 1,
      replies_count: 1,
    })
    expect((await bob.send(bob.build.delete(bob.uri))).status).toBe(202)
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${own.id}`)).ok()).toMatchObject({
      favourites_count: 0,
      reblogs_count: 0,
      replies_count: 0,
    })
    expect(await account(alice, alice.accountId)).toMatchObject({ followers_count: 0, following_count: 0 })
    expect((await alice.get(`/api/v1/accounts/${bobId}`)).status).toBe(404)
    expect((await alice.get(`/api/v1/statuses/${seen.id}`)).status).toBe(404)
    expect((await alice.get('/api/v1/notifications')).ok()).toEqual([])
    expect((await alice.get('/api/v1/timelines/home')).ok().map((one: Json) => one.id)).toEqual([own.id])
    expect((await alice.get('/api/v1/bookmarks')).ok()).toEqual([])
    expect(
      await rowsOf(app, `select text, content from statuses where account_id = ${bobId} and content <> ''`),
    ).toEqual([])
    for (const [table, columns] of belongings)
      for (const column of columns)
        expect([
          table,
          column,
          await countOf(app, `select 1 from ${table} where ${column} = ${bobId}`),
        ]).toEqual([table, column, 0])
    for (const table of ['favourites', 'mentions', 'follows', 'status_reactions'])
      expect([table, await countOf(app, `select 1 from ${table} where account_id = ${bobId}`)]).toEqual([
        table,
        0,
      ])

    const [row] = await rowsOf(
      app,
      `select username, uri, deleted_at, display_name, note, fields from accounts where id = ${bobId}`,
    )
    expect(row).toMatchObject({
      username: 'bob',
      uri: bob.uri,
      deleted_at: expect.any(Date),
      note: '',
      fields: [],
    })
    expect((await bob.send(bob.build.create(bob.note('back')))).status).toBeGreaterThanOrEqual(400)
    expect(await app.find(alice, bob.handle)).toBeNull()
    expect(await app.find(alice, reply.id)).toBeNull()
  })

  test('can be purged again and again, and one that is not deleted is left alone', async () => {
    const app = await network.server()
    const peer = await network.peer()
    const alice = await app.person('alice')
    const bob = await peer.actor('bob')
    const bobId = await befriend(app, alice, bob)
    await purgeAccount(app.ctx, asId<AccountId>(bobId))
    expect(await account(alice, bobId)).toMatchObject({ followers_count: expect.any(Number) })
    expect(await countOf(app, `select 1 from follows where target_account_id = ${bobId}`)).toBe(1)
    await deleteRemoteAccount(app.ctx, asId<AccountId>(bobId))
    await deleteRemoteAccount(app.ctx, asId<AccountId>(bobId))
    await app.settle()
    await purgeAccount(app.ctx, asId<AccountId>(bobId))
    await deleteRemoteAccount(app.ctx, alice.accountId)
    expect(await account(alice, alice.accountId)).toMatchObject({ followers_count: 0, following_count: 0 })
  })

  test('keeps what an open report names, for staff', async () => {
    const app = await network.server()
    const peer = await network.peer()
    const alice = await app.person('alice')
    const bob = await peer.actor('bob')
    const bobId = await befriend(app, alice, bob)
    const [bad, other] = [bob.note('bad words'), bob.note('other words')]
    for (const note of [bad, other]) await bob.send(bob.build.create(note))
    await app.settle()
    const { id } = await app.find(alice, bad.id)
    ;(await alice.post('/api/v1/reports', { account_id: bobId, status_ids: [id] })).ok()
    await bob.send(bob.build.delete(bob.uri))
    await app.settle()
    const kept = await rowsOf(
      app,
      `select content from statuses where account_id = ${bobId} and content <> ''`,
    )
    expect(kept).toEqual([{ content: '<p>bad words</p>' }])
    expect((await alice.get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })
})

describe('an account of this server', () => {
  test('goes: everybody is told, its user is out, its name stays taken', async () => {
    const app = await network.server()
    const peer = await network.peer()
    const [alice, carol] = [await app.person('alice'), await app.person('carol')]
    const bob = await peer.actor('bob')
    await befriend(app, alice, bob)
    await carol.follow(alice)
    const status = await alice.say('my words', { spoiler_text: 'cw' })
    await carol.post(`/api/v1/statuses/${status.id}/reblog`)
    await app.settle()
    peer.inbox.clear()
    await deleteLocalAccount(app.ctx, alice.accountId)
    expect((await alice.get('/api/v1/accounts/verify_credentials')).status).toBe(401)
    expect((await carol.get(`/api/v1/statuses/${status.id}`)).status).toBe(404)
    await app.settle()
    const [post] = await peer.received(
      (one) => one.json?.type === 'Delete' && one.json.object === app.uriOf(alice),
    )
    expect(post).toMatchObject({ signer: app.uriOf(alice), problem: null })
    expect((await bob.get(app.uriOf(alice))).status).toBe(410)
    expect((await app.fetch(`/.well-known/webfinger?resource=acct:${app.handleOf(alice)}`)).status).toBe(410)
    expect((await carol.get(`/api/v1/accounts/${alice.accountId}`)).status).toBe(404)
    expect(await account(carol, carol.accountId)).toMatchObject({ following_count: 0, statuses_count: 0 })
    expect((await carol.get('/api/v1/timelines/home')).ok()).toEqual([])
    const left = `account_id = ${alice.accountId} and (text <> '' or content <> '' or spoiler_text <> '')`
    expect(await countOf(app, `select 1 from statuses where ${left}`)).toBe(0)
    expect(await countOf(app, `select 1 from users where id = ${alice.userId}`)).toBe(0)
    const again = app.person('x', { username: alice.username })
    await expect(again).rejects.toThrow()
    await expect(deleteLocalAccount(app.ctx, alice.accountId)).rejects.toMatchObject({ code: 'not_found' })
    await bob.send(bob.build.follow(app.uriOf(alice)))
    await app.settle()
    expect(await countOf(app, `select 1 from follows where target_account_id = ${alice.accountId}`)).toBe(0)
  })
})

test('a server is purged with its accounts and emoji, and may come again', async () => {
  const app = await network.server()
  const peer = await network.peer('127.0.0.7')
  const alice = await app.person('alice')
  const bob = await peer.actor('bob')
  const bobId = await befriend(app, alice, bob)
  await bob.send(bob.build.create(bob.note('words')))
  await app.settle()
  await sql`insert into custom_emojis (id, shortcode, domain) values (${app.ctx.newId()}, 'x', ${peer.domain})`.execute(
    app.ctx.db,
  )
  const host = peer.domain.replace(/:\d+$/, '')
  expect(await purgeHost(app.ctx, host, { dryRun: true })).toEqual({ accounts: 1, emojis: 1 })
  expect(await purgeHost(app.ctx, host)).toEqual({ accounts: 1, emojis: 1 })
  await app.settle()
  expect(await purgeHost(app.ctx, host)).toEqual({ accounts: 0, emojis: 0 })
  expect(await countOf(app, `select 1 from accounts where id = ${bobId}`)).toBe(0)
  expect(await countOf(app, `select 1 from statuses where account_id = ${bobId}`)).toBe(0)
  expect(await account(alice, alice.accountId)).toMatchObject({ followers_count: 0, following_count: 0 })
  expect((await alice.get('/api/v1/timelines/home')).ok()).toEqual([])
  expect((await app.find(alice, bob.handle)).id).not.toBe(bobId)
})

/** What is dealt with by itself, or is to stay. */
const besides = new Set([
  'account_stats.account_id',
  'account_warnings.account_id',
  'account_warnings.target_account_id',
  'accounts.moved_to_account_id',
  'account_migrations.target_account_id',
  // Staff answer for what they did.
  'appeals.decided_by_account_id',
  'audit_log.account_id',
  'host_notes.account_id',
  'moderation_notes.account_id',
  // Whoever was shut out does not come back by another address.
  'canonical_email_blocks.reference_account_id',
  'favourites.account_id',
  'follow_requests.account_id',
  'follow_requests.target_account_id',
  'follows.account_id',
  'follows.target_account_id',
  'incoming_activities.recipient_id',
  'mentions.account_id',
  // Other servers are yet to be told.
  'outgoing_activities.account_id',
  'preview_cards.author_account_id',
  'quotes.account_id',
  'quotes.quoted_account_id',
  // Staff keep them.
  'reports.account_id',
  'reports.action_taken_by_account_id',
  'reports.assigned_account_id',
  'reports.target_account_id',
  'signing_keys.account_id',
  'status_reactions.account_id',
  'statuses.account_id',
  'statuses.in_reply_to_account_id',
  'users.account_id',
])

test('every table that names an account is thought of', async () => {
  const app = await network.server()
  const named = await rowsOf(
    app,
    `select c.conrelid::regclass::text || '.' || a.attname as name from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
     where c.contype = 'f' and c.confrelid = 'accounts'::regclass order by 1`,
  )
  const purged = new Set(
    belongings.flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
  )
  expect(named.map(({ name }) => name).filter((name) => !purged.has(name) && !besides.has(name))).toEqual([])
})
