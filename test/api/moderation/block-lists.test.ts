import { beforeEach, describe, expect, test } from 'vitest'
import { refreshDueLists } from '#domain/trust/block-lists/refresh.ts'
import { deleteHostBlock, updateHostBlock } from '#domain/trust/moderation/hosts/host-blocks.ts'
import type { Ctx } from '#ports/ctx.ts'
import { drainOutbox } from '#worker/outbox.ts'
import { useApp } from '#test/app/app.ts'
import type { Client, Json } from '#test/client/client.ts'
import { days } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { startRemote } from '#test/servers/remote-server.ts'
import { asId, type DomainBlockId } from '#lib/id.ts'

const publisher = '127.0.0.5'
const app = useApp({ env: { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: `${publisher}/32` } })
const lists = '/api/v1/admin/block_lists'

let admin: Person
beforeEach(async () => {
  admin = await app.person('admin', { role: 'Admin' })
  await app.ctx.db.deleteFrom('domain_blocks').execute()
  await app.ctx.db.deleteFrom('block_list_subscriptions').execute()
  await app.ctx.db.deleteFrom('block_list_exclusions').execute()
})

async function blocks(): Promise<string[]> {
  const rows: Json[] = (await admin.get('/api/v1/admin/domain_blocks')).ok()
  return rows.map(({ domain, severity }) => `${domain} ${severity}`).toSorted()
}

/** A list that others publish, until the test ends. */
async function publish(first: string) {
  const state = { text: first, status: 200, type: 'text/csv', etag: '' }
  const server = await startRemote(publisher, (request, response) => {
    const same = state.etag !== '' && request.headers['if-none-match'] === state.etag
    response
      .writeHead(same ? 304 : state.status, {
        'content-type': state.type,
        ...(state.etag && { etag: state.etag }),
      })
      .end(same ? '' : state.text)
  })
  return { state, server, url: server.url('/list.csv') }
}

async function subscribe(client: Client, url: string, options: Record<string, unknown> = {}): Promise<Json> {
  const made = (await client.post(`${lists}/subscriptions`, { url, applied: true, ...options })).ok()
  await app.settle()
  return (await client.get(`${lists}/subscriptions/${made.id}`)).ok()
}

const tomorrow = async () => {
  app.clock.advance(days(1))
  await refreshDueLists(app.ctx)
  await app.settle()
}

describe('a file', () => {
  const text =
    'domain,severity,public_comment\na.example,silence,loud\nb.example,suspend,\nbroken row,suspend,\n'

  test('is previewed, with what is known of its servers and what it would end', async () => {
    const bob = await remoteAccount(app.ctx, 'b.example')
    const alice = await app.person('alice')
    await app.ctx.db
      .insertInto('follows')
      .values({ id: app.ctx.newId(), account_id: alice.accountId, target_account_id: bob.accountId })
      .execute()
    const preview = (await admin.post(`${lists}/import/preview`, { text })).ok()
    expect(preview).toMatchObject({
      total: 2,
      skipped_count: 1,
      domains: [
        { domain: 'a.example', severity: 'silence', accounts_count: 0, current_severity: null },
        { domain: 'b.example', accounts_count: 1, follows_count: 1, followers_count: 0, excluded: false },
      ],
    })
    expect(await blocks()).toEqual([])
  })

  test('is imported; blocks there are become stricter, or with overwrite what it says', async () => {
    await admin.post('/api/v1/admin/domain_blocks', { domain: 'a.example', severity: 'suspend' })
    await admin.post('/api/v1/admin/domain_blocks', { domain: 'b.example', severity: 'silence' })
    const form = new FormData()
    form.append('data', new File([text], 'blocks.csv', { type: 'text/csv' }))
    expect((await admin.post(`${lists}/import`, form)).ok()).toMatchObject({
      created: 0,
      updated: 2,
      skipped_count: 1,
    })
    expect(await blocks()).toEqual(['a.example suspend', 'b.example suspend'])
    expect((await admin.post(`${lists}/import`, { text })).ok()).toMatchObject({ updated: 0, unchanged: 2 })
    expect((await admin.post(`${lists}/import`, { text, overwrite: true })).ok()).toMatchObject({
      updated: 1,
    })
    expect(await blocks()).toEqual(['a.example silence', 'b.example suspend'])
  })

  test('that is exported is imported elsewhere as it was, without private words', async () => {
    await admin.post('/api/v1/admin/domain_blocks', {
      domain: 'c.example',
      severity: 'silence',
      reject_media: true,
      obfuscate: true,
      public_comment: 'ads, "many"',
      private_comment: 'secret',
    })
    const before = (await admin.get('/api/v1/admin/domain_blocks')).ok()
    const answer = await app.fetch(`${lists}/export`, { headers: { authorization: `Bearer ${admin.token}` } })
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const csv = await answer.text()
    expect(csv).not.toContain('secret')
    await app.ctx.db.deleteFrom('domain_blocks').execute()
    ;(await admin.post(`${lists}/import`, { text: csv })).ok()
    const [after] = (await admin.get('/api/v1/admin/domain_blocks')).ok()
    expect({ ...after, id: '', created_at: '' }).toEqual({
      ...before[0],
      id: '',
      created_at: '',
      private_comment: null,
    })
  })

  test('of this server, or that is none, blocks nothing', async () => {
    expect((await admin.post(`${lists}/import`, { text: 'chat.example\n' })).ok()).toMatchObject({
      created: 0,
      skipped_count: 1,
    })
    expect((await admin.post(`${lists}/import`, { text: '<html>' })).body).not.toMatchObject({ created: 1 })
    expect((await admin.post(`${lists}/import`, {})).status).toBe(422)
    expect(await blocks()).toEqual([])
  })

  test('of servers that are allowed', async () => {
    expect((await admin.post(`${lists}/allows/import`, { text: '#domain\nfriend.example\n' })).ok()).toEqual({
      allowed: 1,
    })
    const answer = await app.fetch(`${lists}/allows/export`, {
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(await answer.text()).toBe('#domain\nfriend.example\n')
  })
})

describe('a subscription', () => {
  test('is fetched at once, and only shown until it is applied', async () => {
    const { url } = await publish('a.example\nb.example\n')
    const list = await subscribe(admin, url, { applied: false, title: 'Bad ones' })
    expect(list).toMatchObject({ title: 'Bad ones', entries_count: 2, error: null, applied: false })
    expect(list.fetched_at).not.toBeNull()
    expect(await blocks()).toEqual([])
    const entries = (
      await admin.get(`${lists}/subscriptions/${list.id}/entries`, { limit: 1, offset: 1 })
    ).ok()
    expect(entries).toMatchObject([{ domain: 'b.example', severity: 'suspend', current_severity: null }])
    ;(await admin.put(`${lists}/subscriptions/${list.id}`, { applied: true, most_severity: 'silence' })).ok()
    expect(await blocks()).toEqual(['a.example silence', 'b.example silence'])
  })

  test('follows its list from day to day: added, changed, lifted', async () => {
    const { url, state } = await publish(
      'domain,severity\na.example,silence\nb.example,silence\nc.example,silence\n',
    )
    await subscribe(admin, url)
    state.text = 'domain,severity\na.example,silence\nb.example,suspend\nd.example,silence\n'
    await tomorrow()
    expect(await blocks()).toEqual(['a.example silence', 'b.example suspend', 'd.example silence'])
  })

  test('keeps what was retracted when staff want that', async () => {
    const { url, state } = await publish('a.example\nb.example\n')
    await subscribe(admin, url, { retract: false })
    state.text = 'a.example\n'
    await tomorrow()
    expect(await blocks()).toEqual(['a.example suspend', 'b.example suspend'])
  })

  test('never touches what staff decided, before or after', async () => {
    await admin.post('/api/v1/admin/domain_blocks', { domain: 'a.example', severity: 'silence' })
    const { url, state } = await publish('a.example\nb.example\n')
    await subscribe(admin, url)
    expect(await blocks()).toEqual(['a.example silence', 'b.example suspend'])
    const [b] = (await admin.get('/api/v1/admin/domain_blocks')).ok()
    ;(await admin.put(`/api/v1/admin/domain_blocks/${b.id}`, { severity: 'noop' })).ok()
    state.text = 'a.example\n'
    await tomorrow()
    expect(await blocks()).toEqual(['a.example silence', 'b.example noop'])
  })

  test('leaves alone which servers staff exclude, with those below them', async () => {
    const { url } = await publish('a.example\nb.a.example\nc.example\n')
    await subscribe(admin, url)
    ;(await admin.post(`${lists}/exclusions`, { domain: 'A.example', comment: 'friends' })).ok()
    expect(await blocks()).toEqual(['c.example suspend'])
    expect((await admin.get(`${lists}/exclusions`)).ok()).toMatchObject([
      { domain: 'a.example', comment: 'friends' },
    ])
    ;(await admin.delete(`${lists}/exclusions/a.example`)).ok()
    expect(await blocks()).toContain('a.example suspend')
    expect((await admin.delete(`${lists}/exclusions/a.example`)).status).toBe(404)
  })

  test('lets go of a server that is excluded, also where it keeps what was retracted', async () => {
    const { url } = await publish('a.example\nb.a.example\nc.example\n')
    await subscribe(admin, url, { retract: false })
    ;(await admin.post(`${lists}/exclusions`, { domain: 'a.example' })).ok()
    expect(await blocks()).toEqual(['c.example suspend'])
  })

  test('does not block those above an excluded server either, which would block it too', async () => {
    ;(await admin.post(`${lists}/exclusions`, { domain: 'good.a.example' })).ok()
    const { url } = await publish('a.example\ngood.a.example\nbad.a.example\n')
    const { id } = await subscribe(admin, url)
    expect(await blocks()).toEqual(['bad.a.example suspend'])
    const entries: Json[] = (await admin.get(`${lists}/subscriptions/${id}/entries`)).ok()
    expect(entries.map((entry) => [entry.domain, entry.excluded, entry.current_severity])).toEqual([
      ['a.example', true, null],
      ['bad.a.example', false, 'suspend'],
      ['good.a.example', true, null],
    ])
  })

  test('that goes over from a domain to one below it leaves that one blocked', async () => {
    const { url, state } = await publish('a.example\nb.a.example\n')
    await subscribe(admin, url)
    expect(await blocks()).toEqual(['a.example suspend'])
    state.text = 'b.a.example\n'
    await tomorrow()
    expect(await blocks()).toEqual(['b.a.example suspend'])
  })

  test('changes and lifts nothing that staff made theirs while it was at work', async () => {
    const { url } = await publish('a.example\n')
    await subscribe(admin, url)
    const [{ id }] = (await admin.get('/api/v1/admin/domain_blocks')).ok()
    ;(await admin.put(`/api/v1/admin/domain_blocks/${id}`, { severity: 'noop' })).ok()
    await expect(
      updateHostBlock(app.ctx, 'server', asId<DomainBlockId>(id), { severity: 'suspend' }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(deleteHostBlock(app.ctx, 'server', asId<DomainBlockId>(id))).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await blocks()).toEqual(['a.example noop'])
  })

  test('is not waited for by other events', async () => {
    const { url, server } = await publish('a.example\n')
    ;(await admin.post(`${lists}/subscriptions`, { url })).ok()
    while ((await drainOutbox(app.ctx)) > 0);
    expect(server.requests).toEqual([])
    await app.settle()
    expect(server.requests).toHaveLength(1)
  })

  /** The app, where fetching does something of its own first. */
  const fetching = (first: (url: string) => unknown): Ctx => ({
    ...app.ctx,
    http: {
      ...app.ctx.http,
      async send(request) {
        await first(request.url)
        return app.ctx.http.send(request)
      },
    },
  })

  test('that fails in an unknown way keeps no other from being fetched', async () => {
    const [first, second] = [await publish('a.example\n'), await publish('b.example\n')]
    await subscribe(admin, first.url)
    await subscribe(admin, second.url)
    second.state.text = 'b.example\nc.example\n'
    app.clock.advance(days(1))
    await refreshDueLists(
      fetching((url) => {
        if (url === first.url) throw new Error('out of order')
      }),
    )
    expect(await blocks()).toEqual(['a.example suspend', 'b.example suspend', 'c.example suspend'])
  })

  test('that got another address while it was fetched is that of the new one', async () => {
    const [first, second] = [await publish('a.example\n'), await publish('b.example\n')]
    const { id } = await subscribe(admin, first.url)
    app.clock.advance(days(1))
    first.state.text = 'c.example\n'
    await refreshDueLists(
      fetching(async (url) => {
        if (url !== first.url) return
        ;(await admin.put(`${lists}/subscriptions/${id}`, { url: second.url })).ok()
        await app.settle()
      }),
    )
    expect(await blocks()).toEqual(['b.example suspend'])
  })

  test.each([
    ['an error', { status: 500 }, /answered 500/],
    ['something else', { text: '<html></html>', type: 'text/html' }, /could not be fetched/],
    ['no domains', { text: '\n' }, /not a list/],
    ['a list that lost most of its domains', { text: 'a.example\n' }, /had 4/],
  ])('that answers %s leaves everything as it is, and says so', async (_, change, error) => {
    const { url, state } = await publish('a.example\nb.example\nc.example\nd.example\n')
    const { id } = await subscribe(admin, url)
    Object.assign(state, change)
    await tomorrow()
    expect(await blocks()).toHaveLength(4)
    expect((await admin.get(`${lists}/subscriptions/${id}`)).ok().error).toMatch(error)
  })

  test('is believed all the same when staff say so', async () => {
    const { url, state } = await publish('a.example\nb.example\nc.example\nd.example\n')
    const { id } = await subscribe(admin, url)
    state.text = 'a.example\n'
    const refreshed = (await admin.post(`${lists}/subscriptions/${id}/refresh`, { force: true })).ok()
    expect(refreshed).toMatchObject({ entries_count: 1, error: null })
    expect(await blocks()).toEqual(['a.example suspend'])
  })

  test('asks once a day, and only for what changed', async () => {
    const { url, state, server } = await publish('a.example\n')
    state.etag = '"one"'
    await subscribe(admin, url)
    await refreshDueLists(app.ctx)
    expect(server.requests).toHaveLength(1)
    await tomorrow()
    expect(server.requests[1]?.headers['if-none-match']).toBe('"one"')
    expect(await blocks()).toEqual(['a.example suspend'])
  })

  test('ends, with its blocks, but for those that another list wants, or staff keep', async () => {
    const [first, second] = [await publish('a.example\nb.example\n'), await publish('b.example\nc.example\n')]
    const one = await subscribe(admin, first.url)
    const two = await subscribe(admin, second.url)
    ;(await admin.delete(`${lists}/subscriptions/${one.id}`)).ok()
    expect(await blocks()).toEqual(['b.example suspend', 'c.example suspend'])
    ;(await admin.delete(`${lists}/subscriptions/${two.id}`, { keep: true })).ok()
    expect(await blocks()).toEqual(['b.example suspend', 'c.example suspend'])
    expect((await admin.get(`${lists}/subscriptions`)).ok()).toEqual([])
  })

  test('wants an address that others may have, once', async () => {
    const { url } = await publish('a.example\n')
    await subscribe(admin, url)
    expect((await admin.post(`${lists}/subscriptions`, { url })).status).toBe(422)
    expect((await admin.post(`${lists}/subscriptions`, { url: 'ftp://a.example' })).status).toBe(422)
    const hidden = await admin.post(`${lists}/subscriptions`, { url: 'http://127.0.0.9/list.csv' })
    expect([hidden.status, hidden.body.error]).toEqual([
      422,
      'Validation failed: Url is not one to send to (private-address)',
    ])
  })
})

test('staff alone, and in the log', async () => {
  const user = await app.person('user')
  for (const path of [`${lists}/export`, `${lists}/subscriptions`, `${lists}/exclusions`])
    expect((await user.get(path)).status).toBe(403)
  await admin.post(`${lists}/exclusions`, { domain: 'logged.example' })
  const rows = await app.ctx.db
    .selectFrom('audit_log')
    .select(['action', 'account_id'])
    .where('target_label', '=', 'logged.example')
    .execute()
  expect(rows).toEqual([{ action: 'create', account_id: admin.accountId }])
})
