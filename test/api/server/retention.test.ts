// What other servers posted goes after a while when nobody here touched it; and what staff see of upkeep.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { forgetAddresses } from '#domain/identity/oauth/addresses.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { countUnused, remoteStatuses } from '#domain/maintenance/retention/remote-statuses.ts'
import { runBatches } from '#domain/maintenance/retention/run-batches.ts'
import { continueMaintenance, runMaintenance } from '#domain/maintenance/retention/run-maintenance.ts'
import { loadRuns } from '#domain/maintenance/retention/runs.ts'
import { rebuildHome } from '#domain/reading/timelines/home-feed.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, minutes } from '#test/app/clock.ts'
import { oldStatus, type OldStatus } from '#test/people/old-statuses.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { asId, type AccountId } from '#lib/id.ts'

const app = useApp()
let alice: Person
let away: string

beforeEach(async () => {
  await sql`delete from statuses`.execute(app.ctx.db)
  await sql`delete from upkeep_runs`.execute(app.ctx.db)
  await setSetting(app.ctx, 'content_cache_retention_period', 30)
  alice = await app.person('alice')
  away = (await remoteAccount(app.ctx)).accountId
})

const old = (more?: OldStatus) => oldStatus(app.ctx, asId<AccountId>(away), more)
const run = () => runMaintenance(app.ctx, 'remote-statuses', { share: 1 })

async function existing(): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from statuses where deleted_at is null order by id`.execute(app.ctx.db)
  return rows.map((row) => row.id)
}

/** Runs it; answers which of these are still there. */
async function left(ids: readonly string[]): Promise<string[]> {
  expect(await run()).toBe('finished')
  const there = new Set(await existing())
  return ids.filter((id) => there.has(id))
}

const touches: Record<string, (id: string) => Promise<unknown>> = {
  favourite: async (id) => (await alice.post(`/api/v1/statuses/${id}/favourite`)).ok(),
  bookmark: async (id) => (await alice.post(`/api/v1/statuses/${id}/bookmark`)).ok(),
  boost: async (id) => (await alice.post(`/api/v1/statuses/${id}/reblog`)).ok(),
  reply: (id) => alice.say('indeed', { in_reply_to_id: id }),
  'reply that waits for its time': (id) =>
    alice.say('later', {
      in_reply_to_id: id,
      scheduled_at: new Date(app.clock.now() + days(1)).toISOString(),
    }),
  'reply that is being written': async (id) => {
    ;(await alice.post('/api/v1/drafts', { in_reply_to_id: id, posts: [{ status: 'well' }] })).ok()
  },
  'quote that is being written': async (id) => {
    ;(await alice.post('/api/v1/drafts', { posts: [{ quoted_status_id: id }] })).ok()
  },
  quote: (id) =>
    sql`insert into quotes (status_id, account_id, quoted_status_id, state)
      select s.id, s.account_id, ${id}, 'pending' from statuses s where s.local and s.account_id = ${alice.accountId}`.execute(
      app.ctx.db,
    ),
  reaction: async (id) => {
    await setSetting(app.ctx, 'emoji_reactions', true)
    ;(await alice.put(`/api/v1/pleroma/statuses/${id}/reactions/👍`)).ok()
  },
  report: async (id) => (await alice.post('/api/v1/reports', { account_id: away, status_ids: [id] })).ok(),
  'decision of staff': (id) =>
    sql`insert into account_warnings (id, target_account_id, action, status_ids)
      values (${app.ctx.newId()}, ${away}, 'none', array[${id}]::bigint[])`.execute(app.ctx.db),
  filter: async (id) => {
    const filter = (await alice.post('/api/v2/filters', { title: 'x', context: ['home'] })).ok()
    ;(await alice.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: id })).ok()
  },
  mention: (id) =>
    sql`insert into mentions (status_id, account_id, silent) values (${id}, ${alice.accountId}, true)`.execute(
      app.ctx.db,
    ),
  notification: (id) =>
    sql`insert into notifications (account_id, from_account_id, type, status_id, group_key)
      values (${alice.accountId}, ${away}, 'status', ${id}, 'x')`.execute(app.ctx.db),
  pin: (id) =>
    sql`insert into status_pins (id, account_id, status_id) values (${app.ctx.newId()}, ${away}, ${id})`.execute(
      app.ctx.db,
    ),
  vote: async (id) => {
    await sql`
      with poll as (
        insert into polls (id, status_id, account_id, options, tallies)
        values (${id}, ${id}, ${away}, array['a', 'b'], array[0, 0]))
      update statuses set poll_id = id where id = ${id}`.execute(app.ctx.db)
    ;(await alice.post(`/api/v1/polls/${id}/votes`, { choices: [0] })).ok()
  },
}

describe('old statuses of other servers', () => {
  test('go when nobody here touched them, and may come again', async () => {
    const mine = await alice.say('mine')
    await app.settle()
    const [one, two] = [await old(), await old({ age: 31 })]
    const young = await old({ age: 29 })
    const fetchedLately = await old({ age: 100, fetched: 1 })
    expect(await left([one, two, young, fetchedLately, mine.id])).toEqual([young, fetchedLately, mine.id])
    expect((await alice.get(`/api/v1/statuses/${one}`)).status).toBe(404)
    const { rows } = await sql`
      select 1 from tombstones union all select 1 from outbox union all
      select 1 from conversations where id in (${one}, ${two})`.execute(app.ctx.db)
    expect(rows).toEqual([])
    await sql`insert into statuses (id, account_id, visibility, local, uri)
      values (${one}, ${away}, 'public', false, ${`https://away.example/statuses/${one}`})`.execute(
      app.ctx.db,
    )
    expect((await alice.get(`/api/v1/statuses/${one}`)).ok().id).toBe(one)
  })

  test.each(Object.keys(touches))('stay with a %s of somebody here', async (name) => {
    await alice.say('something to quote with')
    const [touched, other] = [await old(), await old()]
    await touches[name]?.(touched)
    await app.settle()
    expect(await left([touched, other])).toEqual([touched])
  })

  test('do not stay for what other servers did', async () => {
    const stranger = (await remoteAccount(app.ctx, 'other.example')).accountId
    const status = await old()
    await sql`
      with fav as (insert into favourites (id, account_id, status_id) values (${app.ctx.newId()}, ${stranger}, ${status})),
      name as (insert into mentions (status_id, account_id) values (${status}, ${stranger}))
      insert into status_reactions (id, status_id, account_id, name)
      values (${app.ctx.newId()}, ${status}, ${stranger}, '👍')`.execute(app.ctx.db)
    const boost = await old({ reblogOf: status })
    expect(await left([status, boost])).toEqual([])
  })

  test('stay with all above them in the thread, while other branches go and are counted no more', async () => {
    const root = await old()
    const branch = await old({ inReplyTo: root })
    const leaf = await old({ inReplyTo: branch })
    const other = await old({ inReplyTo: root })
    const below = await old({ inReplyTo: other })
    const quoted = await old()
    await sql`
      insert into quotes (status_id, account_id, quoted_status_id, state) values (${branch}, ${away}, ${quoted}, 'accepted')`.execute(
      app.ctx.db,
    )
    await touches['favourite']?.(leaf)
    const all = [root, branch, leaf, other, below, quoted]
    expect(await left(all)).toEqual([root, branch, leaf, quoted])
    const ancestors = (await alice.get(`/api/v1/statuses/${leaf}/context`)).ok().ancestors
    expect(ancestors.map((status: Json) => status.id)).toEqual([root, branch])
    expect((await alice.get(`/api/v1/statuses/${root}`)).ok().replies_count).toBe(1)
  })

  test('stay while something younger answers, boosts or quotes them', async () => {
    const ids = [await old(), await old(), await old(), await old()]
    const [answered, boosted, quoted] = ids as [string, string, string, string]
    await old({ age: 2, inReplyTo: answered })
    await old({ age: 2, reblogOf: boosted })
    await old({ age: 2, quotes: quoted })
    expect(await left(ids)).toEqual([answered, boosted, quoted])
  })

  test("stay when they answer, boost or quote somebody's post of this server", async () => {
    const { id } = await alice.say('mine')
    const ids = [await old({ inReplyTo: id }), await old({ reblogOf: id }), await old({ quotes: id })]
    expect(await left(ids)).toEqual(ids)
    expect((await alice.get(`/api/v1/statuses/${id}/reblogged_by`)).ok()).toHaveLength(1)
  })

  test('leave nothing behind: files, trends, search, entries of feeds', async () => {
    const status = await old()
    await sql`
      with file as (
        insert into media_attachments (id, account_id, status_id, remote_url, original_key, cached_at)
        values (${app.ctx.newId()}, ${away}, ${status}, 'https://away.example/x', 'cache/x', now())),
      found as (
        insert into status_search (status_id, account_id, version, format, document) values (${status}, ${away}, 0, 1, '')),
      trend as (
        insert into status_trends (status_id, account_id, score, updated_at)
        values (${status}, ${away}, 1, now())),
      listed as (insert into list_entries (list_id, status_id) values (1, ${status}))
      insert into home_entries (account_id, status_id) values (${alice.accountId}, ${status})`.execute(
      app.ctx.db,
    )
    expect(await left([status])).toEqual([])
    const { rows } = await sql<{ kept: string }>`
      select 'media' as kept from media_attachments where remote_url = 'https://away.example/x'
      union all select 'search' from status_search where status_id = ${status}
      union all select 'trend' from status_trends where status_id = ${status}
      union all select 'home' from home_entries where status_id = ${status}
      union all select 'list' from list_entries where status_id = ${status}`.execute(app.ctx.db)
    expect(rows).toEqual([])
    const { rows: files } = await sql`select key from abandoned_files where key = 'cache/x'`.execute(
      app.ctx.db,
    )
    expect(files).toHaveLength(1)
  })

  test('are shown no more in home feeds, which go on', async () => {
    await sql`
      insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${alice.accountId}, ${away})`.execute(app.ctx.db)
    const [gone, young] = [await old(), await old({ age: 3 })]
    await rebuildHome(app.ctx, alice.accountId, { anew: true })
    const home = async () => (await alice.get('/api/v1/timelines/home')).ok().map((one: Json) => one.id)
    expect(await home()).toEqual([young, gone])
    await run()
    expect(await home()).toEqual([young])
  })

  test('stay when nobody says otherwise', async () => {
    await setSetting(app.ctx, 'content_cache_retention_period', null)
    const status = await old()
    expect(await run()).toBe('unavailable')
    expect(await existing()).toEqual([status])
    expect(await countUnused(app.ctx, () => {})).toBeNull()
  })

  test('are counted before they go, whole threads of them', async () => {
    const root = await old()
    for (let i = 0; i < 700; i++) await old({ inReplyTo: root })
    await old({ reblogOf: root })
    await touches['favourite']?.(await old())
    expect(await countUnused(app.ctx, () => {})).toBe(702)
    expect(await existing()).toHaveLength(703)
    await run()
    expect(await existing()).toHaveLength(1)
  })

  test('are locked while somebody touches them, and stay', async () => {
    const [status, other] = [await old(), await old()]
    const begun = Promise.withResolvers<void>()
    const done = Promise.withResolvers<void>()
    const touching = app.ctx.transaction(async (tx) => {
      await sql`insert into bookmarks (id, account_id, status_id)
        values (${tx.newId()}, ${alice.accountId}, ${status})`.execute(tx.db)
      begun.resolve()
      await done.promise
    })
    await begun.promise
    expect(await left([status, other])).toEqual([status])
    done.resolve()
    await touching
    expect((await alice.get('/api/v1/bookmarks')).ok()).toHaveLength(1)
    expect(await left([status])).toEqual([status])
  })
})

describe('a run', () => {
  /** A work of its own that removes nothing, and says what it was asked. */
  function counting(total: number) {
    const seen: number[] = []
    const work = {
      ...remoteStatuses,
      begin: async () => ({ cursor: { at: '0' }, expected: total }),
      async step(_: unknown, cursor: Readonly<Record<string, string>>) {
        const at = Number(cursor['at'])
        seen.push(at)
        await new Promise((resolve) => setTimeout(resolve, 2))
        return { cursor: { at: String(at + 1) }, examined: 1, removed: 1, done: at + 1 === total }
      },
    }
    return { seen, work }
  }
  const whole = { begin: true, share: 1 }
  const range = (count: number) => Array.from({ length: count }, (_, i) => i)

  test('of two workers at once does each batch once', async () => {
    const { seen, work } = counting(20)
    const ends = await Promise.all(range(3).map(() => runBatches(app.ctx, work, whole)))
    expect(ends.toSorted()).toEqual(['finished', 'unavailable', 'unavailable'])
    expect(seen).toEqual(range(20))
  })

  test('goes on where it was left, when its worker has been silent for a minute', async () => {
    const { seen, work } = counting(10)
    const never = new Promise<never>(() => {})
    const transaction = (async (fn: never) => (seen.length === 4 ? never : app.ctx.transaction(fn))) as never
    void runBatches({ ...app.ctx, transaction }, work, whole)
    // Committed: while the fourth batch is under way nobody else gets the run, and it may last into what the clock says then.
    const committed = async () => (await loadRuns(app.ctx)).get('remote-statuses')?.examined
    await expect.poll(committed).toBe(4)
    expect(await runBatches(app.ctx, work, whole)).toBe('unavailable')
    app.clock.advance(minutes(1) + 1)
    expect(await runBatches(app.ctx, work, { begin: false, share: 1 })).toBe('finished')
    expect(seen).toEqual(range(10))
    const row = (await loadRuns(app.ctx)).get('remote-statuses')
    expect(row).toMatchObject({ state: 'idle', examined: 10, removed: 10, expected: 10, leased: false })
  })

  test('stops when it is paused, and goes on when it may again', async () => {
    const { seen, work } = counting(10)
    const staff = await app.person('staff', { role: 'Owner' })
    let pausing: Promise<Json> | undefined
    const onProgress = () => {
      if (seen.length === 3)
        pausing = staff.post('/api/v1/admin/upkeep/remote-statuses/pause').then((a) => a.ok())
    }
    expect(await runBatches(app.ctx, work, { begin: true, share: 0.1, onProgress })).toBe('unavailable')
    expect(await pausing).toMatchObject({ name: 'remote-statuses', state: 'paused' })
    const done = seen.length
    expect(done).toBeLessThan(10)
    expect(await runBatches(app.ctx, work, whole)).toBe('unavailable')
    await continueMaintenance(app.ctx, { begin: true })
    expect(seen).toHaveLength(done)
    const resumed = (await staff.post('/api/v1/admin/upkeep/remote-statuses/resume')).ok()
    expect(resumed).toMatchObject({ state: 'waiting', progress: done / 10 })
    expect(await runBatches(app.ctx, work, { begin: false, share: 1 })).toBe('finished')
    expect(seen).toEqual(range(10))
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_type = 'upkeep' and account_id = ${staff.accountId} order by id`.execute(
      app.ctx.db,
    )
    expect(rows.map((row) => row.action)).toEqual(['pause', 'resume'])
  })

  test('lets go when its time is over, and when the worker stops', async () => {
    const { seen, work } = counting(1000)
    expect(await runBatches(app.ctx, work, { ...whole, forMs: 30 })).toBe('left')
    const first = seen.length
    const stop = new AbortController()
    const running = runBatches(app.ctx, work, { begin: false, share: 0.01, signal: stop.signal })
    await expect.poll(() => seen.length).toBe(first + 1)
    stop.abort()
    expect(await running).toBe('left')
    expect(seen).toEqual(range(first + 1))
  })

  test('that fails says why, and is tried again', async () => {
    const { work } = counting(2)
    const broken = { ...work, step: () => Promise.reject(new Error('broken')) }
    await expect(runBatches(app.ctx, broken, whole)).rejects.toThrow('broken')
    const row = (await loadRuns(app.ctx)).get('remote-statuses')
    expect(row).toMatchObject({ state: 'running', leased: false, error: 'broken' })
    expect(await runBatches(app.ctx, work, whole)).toBe('finished')
    expect((await loadRuns(app.ctx)).get('remote-statuses')?.error).toBeNull()
  })
})

describe('staff', () => {
  const path = '/api/v1/admin/upkeep'

  test('see all kinds of maintenance, when each last ran and what it removed', async () => {
    const staff = await app.person('staff', { role: 'Owner' })
    await old()
    await run()
    await app.ctx.jobs.add('trim-notifications', {})
    await app.settle()
    const all: Json[] = (await staff.get(path)).ok()
    const named = (name: string) => all.find((work) => work.name === name)
    expect(named('remote-statuses')).toMatchObject({
      description: "Other servers' old posts that nobody here touched",
      state: 'idle',
      progress: 1,
      removed: 1,
      error: null,
      finished_at: expect.any(String),
    })
    expect(named('notifications')).toMatchObject({ state: 'idle', finished_at: expect.any(String) })
    expect(named('cards')).toMatchObject({
      state: 'idle',
      progress: null,
      started_at: null,
      finished_at: null,
    })
  })

  test('pause what the server does at its times', async () => {
    const staff = await app.person('staff', { role: 'Admin' })
    ;(await staff.post(`${path}/addresses/pause`)).ok()
    expect(await runMaintenance(app.ctx, 'addresses')).toBe('unavailable')
    expect((await staff.post(`${path}/addresses/resume`)).ok().state).toBe('idle')
    expect(await runMaintenance(app.ctx, 'addresses')).toBe('finished')
    expect((await staff.post(`${path}/nothing/pause`)).status).toBe(404)
  })

  test('alone may do this [ACC-9]', async () => {
    const calls = [
      ['get', path],
      ['post', `${path}/addresses/pause`],
      ['post', `${path}/addresses/resume`],
    ] as const
    expect(await findIntruders(app, calls, 'upkeep_runs')).toEqual([])
  })
})

test('addresses of people are forgotten after the days that the operator chose', async () => {
  const now = app.clock.now()
  const [early, late] = [new Date(now - days(8)), new Date(now - days(6))]
  for (const [id, at] of [
    ['1001', early],
    ['1002', late],
  ] as const) {
    await sql`
      with s as (insert into sessions (id, token_hash, user_id, ip, created_at, expires_at)
        values (${id}, ${Buffer.from(id)}, ${alice.userId}, '192.0.2.1', ${at}, ${new Date(now + days(9))}))
      insert into sign_ins (id, user_id, ip, created_at)
      values (${String((BigInt(at.getTime()) << 16n) | BigInt(id))}, ${alice.userId}, '192.0.2.1', ${at})`.execute(
      app.ctx.db,
    )
  }
  const bob = await app.person('bob')
  await sql`update users set sign_up_ip = '192.0.2.1', created_at = ${early} where id = ${alice.userId}`.execute(
    app.ctx.db,
  )
  await sql`update users set sign_up_ip = '192.0.2.1', created_at = ${late} where id = ${bob.userId}`.execute(
    app.ctx.db,
  )
  const known = async () =>
    (
      await sql<{ kind: string }>`
        select 'user ' || username as kind from users u join accounts a on a.id = u.account_id where sign_up_ip is not null
        union all select 'session ' || id from sessions where ip is not null
        union all select 'sign-in' from sign_ins where user_id = ${alice.userId} order by 1`.execute(
        app.ctx.db,
      )
    ).rows.map((row) => row.kind)
  await setSetting(app.ctx, 'ip_retention_period', null)
  expect(await forgetAddresses(app.ctx)).toBe(0)
  expect(await known()).toHaveLength(6)
  await setSetting(app.ctx, 'ip_retention_period', 7)
  expect(await forgetAddresses(app.ctx)).toBe(3)
  expect(await known()).toEqual(['session 1002', 'sign-in', `user ${bob.username}`])
})
