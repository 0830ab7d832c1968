// What somebody did to posts is kept in memory while they look at one page after the other, and never older than what
// was committed, in any process.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '#app/context.ts'
import { loadEncounters } from '#domain/content/statuses/load-viewer-state.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { getNotification } from '#domain/reading/notifications/queries.ts'
import { startTwoProcesses, type TwoProcesses } from '#test/app/two-processes.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { until } from '#test/run/patience.ts'
import { loadStatusViews } from '#views/content/statuses.ts'
import { findNotificationView } from '#views/reading/notifications.ts'
import { drainOutbox } from '#worker/outbox.ts'
import { asId, type AccountId, type NotificationId, type StatusId } from '#lib/id.ts'

let two: TwoProcesses
let author: Person
let reader: Person
let open: StatusId
let closed: StatusId
let own: StatusId
let remote: StatusId
beforeAll(async () => {
  two = await startTwoProcesses()
  ;[author, reader] = [await two.person('author'), await two.person('reader')]
  const say = async (person: Person, text: string, visibility = 'public') =>
    asId<StatusId>((await person.say(text, { visibility })).id)
  open = await say(author, 'For everybody')
  closed = await say(author, 'For followers', 'private')
  own = await say(reader, 'My own')
  remote = await say(author, 'As if from elsewhere')
  const { accountId } = await remoteAccount(two.here.ctx, 'elsewhere.example')
  await sql`update statuses set account_id = ${accountId}, local = false where id = ${remote}`.execute(
    two.here.ctx.db,
  )
})
afterAll(() => two?.close())

async function lookOnce({ ctx }: App, viewerId: AccountId, ids = [open, closed, own, remote]) {
  const { states, meets } = await loadEncounters(ctx, viewerId, ids)
  return ids.map((id) => {
    const state = states.get(id)
    return state && { ...state, meets: meets(state.author) }
  })
}

/** So often that what the reader did is kept. */
async function look(app: App, { accountId } = reader) {
  await lookOnce(app, accountId)
  await lookOnce(app, accountId)
  return lookOnce(app, accountId)
}

const on =
  (deed: string, id = () => open) =>
  () =>
    reader.post(`/api/v1/statuses/${id()}/${deed}`)
const to = (deed: string) => () => reader.post(`/api/v1/accounts/${author.accountId}/${deed}`)
const domain = { domain: 'elsewhere.example' }

/** In this order; each changes what the reader sees. */
const deeds: Record<string, () => Promise<{ ok(): unknown }>> = {
  'a favourite': on('favourite'),
  'one that is taken back': on('unfavourite'),
  'a bookmark': on('bookmark'),
  'a bookmark that goes': on('unbookmark'),
  'a boost': on('reblog'),
  'a boost that is undone': on('unreblog'),
  'a muted conversation': on('mute'),
  'one that is not muted any more': on('unmute'),
  'a pin': on('pin', () => own),
  'a pin that goes': on('unpin', () => own),
  'somebody whom they follow': to('follow'),
  'somebody whom they follow no longer': to('unfollow'),
  'somebody whom they mute': to('mute'),
  'the end of a mute': to('unmute'),
  'somebody whom they block': to('block'),
  'the end of a block': to('unblock'),
  'a block by an author': () => author.post(`/api/v1/accounts/${reader.accountId}/block`),
  'an author who blocks them no longer': () => author.post(`/api/v1/accounts/${reader.accountId}/unblock`),
  'a server that they hide': () => reader.post('/api/v1/domain_blocks', domain),
  'a server that they hide no longer': () => reader.delete('/api/v1/domain_blocks', domain),
  'an edit that names them': () =>
    author.put(`/api/v1/statuses/${closed}`, { status: `For followers and @${reader.username}` }),
}

describe('what people did to posts', () => {
  test.each(Object.keys(deeds))('is seen everywhere at once: %s', async (name) => {
    const before = await look(two.here)
    expect(await look(two.there)).toEqual(before)
    ;(await (deeds[name] as () => Promise<{ ok(): unknown }>)()).ok()
    const after = await look(two.here)
    expect(after).not.toEqual(before)
    expect(await look(two.there)).toEqual(after)
  })

  test('is not asked for while nothing changes, nor read whole for one look', async () => {
    const once = await two.person('once')
    two.queries.length = 0
    await lookOnce(two.here, once.accountId)
    expect(two.queries.filter((text) => text.includes('avoids_anybody'))).toEqual([])
    await look(two.here)
    two.queries.length = 0
    await lookOnce(two.here, reader.accountId)
    expect(two.queries).toEqual([])
  })

  test('is asked for where it is older than what is kept', async () => {
    ;(await reader.post(`/api/v1/statuses/${open}/favourite`)).ok()
    await sql`
      with posts as (
        insert into statuses (id, account_id, visibility)
        select ${open}::bigint + i, ${author.accountId}, 'public' from generate_series(1000, 1150) i returning id)
      insert into favourites (id, account_id, status_id) select id, ${reader.accountId}, id from posts`.execute(
      two.here.ctx.db,
    )
    const [state] = await look(two.here)
    expect(state?.marks.favourited).toBe(true)
    two.queries.length = 0
    await lookOnce(two.here, reader.accountId, [open])
    expect(two.queries).toHaveLength(1)
    const [newest] = await lookOnce(two.here, reader.accountId, [
      asId<StatusId>(String(BigInt(open) + 1_150n)),
    ])
    expect(newest?.marks.favourited).toBe(true)
  })

  test('changes soon with what another program does', async () => {
    const isFavourite = async () => (await look(two.there))[3]?.marks.favourited
    expect(await isFavourite()).toBe(false)
    const psql = new pg.Client({ connectionString: two.databaseUrl })
    await psql.connect()
    await psql
      .query('insert into favourites (id, account_id, status_id) values (1, $1, $2)', [
        reader.accountId,
        remote,
      ])
      .finally(() => psql.end())
    await until(
      async () => (await isFavourite()) === true,
      () => 'it has heard',
    )
    expect(await isFavourite()).toBe(true)
  })

  test('shuts out soon whom somebody blocks, also where the bus is cut [ACC-10]', async () => {
    const [hidden, shown] = [await two.person('hidden'), await two.person('shown')]
    const { id } = await shown.say('Not for everybody')
    const sees = async () => {
      for (let i = 0; i < 2; i++) await lookOnce(two.there, hidden.accountId, [asId<StatusId>(id)])
      const [found] = await lookOnce(two.there, hidden.accountId, [asId<StatusId>(id)])
      return found !== undefined
    }
    expect(await sees()).toBe(true)
    two.cut(true)
    ;(await shown.post(`/api/v1/accounts/${hidden.accountId}/block`)).ok()
    two.cut(false)
    await until(
      async () => !(await sees()),
      () => 'it has heard',
    )
    expect(await sees()).toBe(false)
  })

  test('is not taken for all when somebody is pushed what names them, though nobody told of that', async () => {
    const named = await two.person('named')
    await look(two.there, named)
    two.cut(true)
    await author.say(`Only for @${named.username}`, { visibility: 'direct' })
    await drainOutbox(two.here.ctx)
    two.cut(false)
    const { ctx } = two.there
    const { rows } = await sql<{ id: NotificationId }>`
      select id from notifications where account_id = ${named.accountId}`.execute(ctx.db)
    const viewer = (await findViewer(ctx, named.accountId))!
    const told = await findNotificationView(ctx, viewer, await getNotification(ctx, viewer, rows[0]!.id))
    expect(told?.status?.content).toContain('Only for')
  })

  test('is not read whole for one post that quotes another', async () => {
    const { id } = await reader.say('Look at that', { quoted_status_id: own })
    const curious = (await findViewer(two.here.ctx, (await two.person('curious')).accountId))!
    two.queries.length = 0
    const views = await loadStatusViews(two.here.ctx, curious, [asId<StatusId>(id)])
    expect([...views.values()][0]?.quote).toMatchObject({ state: 'accepted', quoted_status: { id: own } })
    expect(two.queries.filter((text) => text.includes('avoids_anybody'))).toEqual([])
  })

  test('is told to all who listen of people of this server alone', async () => {
    const psql = new pg.Client({ connectionString: two.databaseUrl })
    await psql.connect()
    const heard: string[] = []
    psql.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await psql.query('listen stonechat_changes')
    const { accountId: stranger } = await remoteAccount(two.here.ctx, 'elsewhere.example')
    for (const follower of [stranger, reader.accountId]) {
      await sql`
        insert into follows (id, account_id, target_account_id)
        values (${follower}, ${follower}, ${author.accountId})`.execute(two.here.ctx.db)
      await sql`delete from follows where account_id = ${follower}`.execute(two.here.ctx.db)
    }
    await until(
      async () => heard.includes(`deeds ${reader.accountId}`),
      () => 'it has heard',
    ).finally(() => psql.end())
    expect(heard).not.toContain(`deeds ${stranger}`)
  })

  test('is in time where nothing is told', async () => {
    const late = await two.person('late')
    const isBookmarked = async (app: App) => (await look(app, late))[0]?.marks.bookmarked
    expect(await isBookmarked(two.there)).toBe(false)
    two.cut(true)
    ;(await late.post(`/api/v1/statuses/${open}/bookmark`)).ok()
    two.cut(false)
    expect([await isBookmarked(two.here), await isBookmarked(two.there)]).toEqual([true, false])
    two.clock.advance(5_000)
    expect(await isBookmarked(two.there)).toBe(true)
  })
})
