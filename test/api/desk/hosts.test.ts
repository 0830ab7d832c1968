// The pages of the desk about other servers: they do what the API does.
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertOutgoing } from '#domain/federation/queue/delivery-queue.ts'
import { useApp } from '#test/app/app.ts'
import { atDesk, told, type Desk } from '#test/people/desk.ts'

const app = useApp()
let desk: Desk

beforeAll(async () => {
  desk = await atDesk(app)
})

const listed = async (path: string) => (await desk.person.get(path)).ok()

let count = 0
/** An activity for a host. Returns how many deliveries there are now. */
const send = (host: string) =>
  insertOutgoing(
    app.ctx,
    {
      senderId: desk.person.accountId,
      digest: Buffer.from(`digest ${++count}`),
      body: JSON.stringify({ type: 'Create' }),
      synchronise: false,
      severing: false,
    },
    [{ host, inboxUrl: `https://${host}/inbox` }],
  )

async function waitingFor(host: string) {
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from deliveries where host = ${host}`.execute(app.ctx.db)
  return rows
}

describe('a server', () => {
  const path = '/admin/instances/gone.example'

  beforeEach(async () => {
    await sql`delete from deliveries`.execute(app.ctx.db)
    await sql`delete from hosts`.execute(app.ctx.db)
    await sql`insert into hosts (host, software) values ('well.example', 'mastodon')`.execute(app.ctx.db)
    await send('gone.example')
    const later = new Date(app.clock.now() + 3_600_000)
    await sql`
      update hosts set failures = 12, failed_days = 2, last_error = 'status 503', last_error_at = ${later},
        closed_until = ${later}, deliver_at = ${later} where host = 'gone.example'`.execute(app.ctx.db)
    await sql`update deliveries set attempts = 3, error = 'timeout', due_at = ${later}`.execute(app.ctx.db)
  })

  test('is found by name, by how it answers and by its limits', async () => {
    const all = (await desk.see('/admin/instances')).text
    expect([all.includes('gone.example'), all.includes('well.example')]).toEqual([true, true])
    for (const query of ['?q=GONE', '?health=failing', '?order=failed&health=failing']) {
      const { text } = await desk.see(`/admin/instances${query}`)
      expect([query, text.includes('>gone.example<'), text.includes('>well.example<')]).toEqual([
        query,
        true,
        false,
      ])
    }
    expect((await desk.see('/admin/instances?limit=suspend')).text).toContain('No such servers are known.')
  })

  test('shows what waits and why it failed, and is tried at once when staff say so', async () => {
    const { text } = await desk.see(path)
    for (const word of ['status 503', 'timeout', 'https://gone.example/inbox', `@${desk.person.username}`])
      expect(text).toContain(word)
    await desk.done(path, {}, `${path}/retry_deliveries`)
    const [waiting] = await waitingFor('gone.example')
    expect(waiting!.due_at.getTime()).toBeLessThanOrEqual(app.clock.now())
    const { rows } = await sql<{ deliver_at: Date; closed_until: Date | null }>`
      select deliver_at, closed_until from hosts where host = 'gone.example'`.execute(app.ctx.db)
    expect(rows[0]).toEqual({ deliver_at: waiting!.due_at, closed_until: null })
    expect((await desk.logged('instance'))[0]).toBe('retry_deliveries gone.example')
  })

  test('is sent nothing once staff stop it, until they start it again', async () => {
    const asked = await desk.see(`${path}/stop_deliveries`)
    expect(asked.text).toContain('One delivery that waits is dropped.')
    await desk.done(`${path}/stop_deliveries`, {})
    expect(await waitingFor('gone.example')).toEqual([])
    expect(await send('gone.example')).toBe(0)
    expect((await desk.see('/admin/instances?health=stopped')).text).toContain('>gone.example<')
    await desk.done(path, {}, `${path}/restart_deliveries`)
    expect(await send('gone.example')).toBe(1)
    expect(await desk.logged('instance')).toEqual(
      expect.arrayContaining(['restart_deliveries gone.example', 'stop_deliveries gone.example']),
    )
  })

  test('is purged in the background, after a page that says what goes', async () => {
    await sql`insert into custom_emojis (id, shortcode, domain) values (${app.ctx.newId()}, 'wave', 'gone.example')`.execute(
      app.ctx.db,
    )
    expect((await desk.see(`${path}/purge`)).text).toContain('One emoji goes.')
    await desk.done(`${path}/purge`, {})
    await app.settle()
    const { rows } = await sql`select 1 from custom_emojis where domain = 'gone.example'`.execute(app.ctx.db)
    expect([rows, await waitingFor('gone.example')]).toEqual([[], []])
    expect((await desk.logged('instance'))[0]).toBe('purge gone.example')
  })

  test('that nobody knows has no page, and neither has this one', async () => {
    for (const domain of ['nowhere.example', app.ctx.config.localDomain, '%20'])
      expect((await desk.browser.get(`/admin/instances/${domain}`)).status).toBe(404)
  })
})

describe('domain blocks', () => {
  const path = '/admin/domain_blocks'

  test('say what they would do before they are made; they are changed and lifted', async () => {
    const fields = { domain: 'Bad.example', severity: 'suspend', private_comment: 'spam' }
    const asked = await desk.fill(`${path}/new`, fields, path)
    expect(asked.text).toContain('Nothing goes to it or comes from it.')
    expect(await listed('/api/v1/admin/domain_blocks')).toEqual([])
    await desk.send(path, { ...asked.form(path).fields })
    const [block] = await listed('/api/v1/admin/domain_blocks')
    expect(block).toMatchObject({ domain: 'bad.example', severity: 'suspend', private_comment: 'spam' })
    const covered = await desk.fill(`${path}/new`, { domain: 'sub.bad.example' }, path)
    expect(told(await desk.send(path, covered.form(path).fields))).toContain('bad.example')
    expect(told(await desk.fill(`${path}/new`, { domain: 'no domain' }, path))).not.toBe('')
    await desk.done(`${path}/${block.id}`, { severity: 'silence', reject_media: '1' })
    expect((await listed('/api/v1/admin/domain_blocks'))[0]).toMatchObject({
      severity: 'silence',
      reject_media: true,
      private_comment: 'spam',
    })
    await desk.done(`${path}/${block.id}/remove`, {})
    expect(await listed('/api/v1/admin/domain_blocks')).toEqual([])
    expect(await desk.logged('domain_block')).toEqual(
      ['destroy', 'update', 'create'].map((action) => `${action} bad.example`),
    )
  })

  test('come as a list that is looked at first, go as one, and are changed many at once', async () => {
    const text = '#domain,#severity\none.example,suspend\ntwo.example,silence\n***.example,suspend\n'
    const asked = await desk.fill(`${path}/import`, { text }, `${path}/import/preview`)
    expect([asked.status, asked.text.includes('2 servers, 1 left out.')]).toEqual([200, true])
    expect(await listed('/api/v1/admin/domain_blocks')).toEqual([])
    const { fields } = asked.form(`${path}/import`)
    await desk.send(`${path}/import`, { text: fields['text'] ?? '' })
    const blocks = (await listed('/api/v1/admin/domain_blocks')) as { id: string; domain: string }[]
    expect(blocks.map(({ domain }) => domain).toSorted()).toEqual(['one.example', 'two.example'])
    expect((await desk.browser.get(`${path}/export`)).text).toContain('one.example,suspend')
    const ids = Object.fromEntries(blocks.map(({ id }, index) => [`ids[${index}]`, id]))
    const many = await desk.fill(path, { ...ids, action: 'silence' }, `${path}/many`)
    expect([many.text.includes('one.example'), many.text.includes('two.example')]).toEqual([true, true])
    await desk.send(`${path}/many`, { ...ids, action: 'silence', sure: '1' })
    expect(await listed('/api/v1/admin/domain_blocks')).toMatchObject([
      { severity: 'silence' },
      { severity: 'silence' },
    ])
    await desk.send(`${path}/many`, { ...ids, action: 'remove', sure: '1' })
    expect(await listed('/api/v1/admin/domain_blocks')).toEqual([])
    expect(told(await desk.fill(`${path}/import`, { text: ' ' }, `${path}/import/preview`))).toBe(
      "can't be blank",
    )
  })

  test('have permissions beside them, for limited federation', async () => {
    await desk.done('/admin/domain_allows/new', { domain: 'friend.example' }, '/admin/domain_allows')
    const asked = await desk.fill('/admin/domain_allows/import', { text: 'other.example' })
    expect(asked.text).toContain('other.example')
    await desk.send('/admin/domain_allows/import', asked.form('/admin/domain_allows/import').fields)
    const allows = (await listed('/api/v1/admin/domain_allows')) as { id: string; domain: string }[]
    expect(allows.map(({ domain }) => domain)).toEqual(['other.example', 'friend.example'])
    expect((await desk.browser.get('/admin/domain_allows/export')).text).toContain('friend.example')
    const ids = Object.fromEntries(allows.map(({ id }, index) => [`ids[${index}]`, id]))
    await desk.send('/admin/domain_allows/many', { ...ids, action: 'remove', sure: '1' })
    expect(await listed('/api/v1/admin/domain_allows')).toEqual([])
  })
})

describe('block lists', () => {
  const path = '/admin/block_lists'

  test('are subscribed to, compared, changed and ended', async () => {
    const fields = { url: 'https://lists.example/blocks.csv', title: 'Their list' }
    await desk.done(`${path}/new`, fields, path)
    const [list] = await listed('/api/v1/admin/block_lists/subscriptions')
    expect(list).toMatchObject({ ...fields, applied: false })
    await sql`
      insert into block_list_entries (subscription_id, domain, severity)
      values (${list.id}, 'listed.example', 'suspend')`.execute(app.ctx.db)
    expect((await desk.see(`${path}/${list.id}`)).text).toContain('listed.example')
    const { id } = (
      await desk.person.post('/api/v1/admin/domain_blocks', {
        domain: 'listed.example',
        severity: 'suspend',
      })
    ).ok()
    expect((await desk.see(`${path}/${list.id}`)).text).not.toContain('listed.example')
    expect((await desk.see(`${path}/${list.id}?show=all`)).text).toContain('listed.example')
    await desk.done(`${path}/${list.id}`, { title: 'Renamed' })
    expect(told(await desk.fill(`${path}/new`, { url: 'nonsense' }, path))).not.toBe('')
    const refreshed = await desk.done(`${path}/${list.id}`, {}, `${path}/${list.id}/refresh`)
    expect(refreshed.text).toContain('The list could not be fetched')
    await desk.done(`${path}/${list.id}/remove`, { keep: '1' })
    expect(await listed('/api/v1/admin/block_lists/subscriptions')).toEqual([])
    await desk.person.delete(`/api/v1/admin/domain_blocks/${id}`)
    const actions = (await desk.logged('block_list_subscription')).map((line) => line.split(' ')[0])
    expect(actions).toEqual(['destroy', 'refresh', 'update', 'create'])
  })

  test('leave out whom staff exclude', async () => {
    await desk.done(`${path}/exclusions`, { domain: 'friend.example', comment: 'ours' })
    expect(await listed('/api/v1/admin/block_lists/exclusions')).toMatchObject([{ domain: 'friend.example' }])
    expect(told(await desk.fill(`${path}/exclusions`, { domain: 'no domain' }))).not.toBe('')
    await desk.done(`${path}/exclusions`, {}, `${path}/exclusions/friend.example/remove`)
    expect(await listed('/api/v1/admin/block_lists/exclusions')).toEqual([])
    expect(await desk.logged('block_list_exclusion')).toEqual([
      'destroy friend.example',
      'create friend.example',
    ])
  })
})

test('relays are asked, left, asked again and removed', async () => {
  const path = '/admin/relays'
  await desk.done(`${path}/new`, { relay_inbox: 'https://relay.example/inbox' }, path)
  const [relay] = await listed('/api/v1/admin/relays')
  await desk.done(path, {}, `${path}/${relay.id}/disable`)
  expect((await listed('/api/v1/admin/relays'))[0]).toMatchObject({ state: 'idle' })
  await desk.done(path, {}, `${path}/${relay.id}/enable`)
  expect((await listed('/api/v1/admin/relays'))[0]).toMatchObject({ state: 'pending' })
  expect(told(await desk.fill(`${path}/new`, { relay_inbox: 'nonsense' }, path))).not.toBe('')
  await desk.done(`${path}/${relay.id}/remove`, {})
  expect(await listed('/api/v1/admin/relays')).toEqual([])
  const actions = (await desk.logged('relay')).map((line) => line.split(' ')[0])
  expect(actions).toEqual(['destroy', 'enable', 'disable', 'create'])
})
