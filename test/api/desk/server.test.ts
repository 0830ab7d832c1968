// The pages of the desk about this server itself: they do what the API does.
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import { atDesk, told, type Desk } from '#test/people/desk.ts'

const app = useApp()
let desk: Desk

beforeAll(async () => {
  desk = await atDesk(app)
})

const listed = async (path: string) => (await desk.person.get(`/api/v1/admin/${path}`)).ok()
const actionsOn = async (type: string) => (await desk.logged(type)).map((line) => line.split(' ')[0])
const picture = async () =>
  new File(
    [
      await sharp({ create: { width: 64, height: 64, channels: 3, background: '#a40' } })
        .png()
        .toBuffer(),
    ],
    'picture.png',
    { type: 'image/png' },
  )

test('rules are written in several languages, put in order and taken away', async () => {
  const path = '/admin/rules'
  const fields = { text: 'Be kind', hint: 'Always', language_0: 'de', text_0: 'Sei nett' }
  await desk.done(`${path}/new`, fields, path)
  await desk.done(`${path}/new`, { text: 'No spam' }, path)
  const [first, second] = await listed('rules')
  expect(first).toMatchObject({ text: 'Be kind', translations: { de: { text: 'Sei nett' } } })
  await desk.send(`${path}/${second.id}/move`, { direction: 'up' })
  expect((await listed('rules')).map((rule: { text: string }) => rule.text)).toEqual(['No spam', 'Be kind'])
  await desk.done(`${path}/${first.id}`, { text: 'Be very kind' })
  expect((await listed('rules'))[1]).toMatchObject({ text: 'Be very kind', translations: { de: {} } })
  expect(told(await desk.fill(`${path}/new`, { text: ' ' }, path))).toBe("can't be blank")
  await desk.done(`${path}/${first.id}/remove`, {})
  expect(await listed('rules')).toHaveLength(1)
  expect((await actionsOn('rule')).toSorted()).toEqual(['create', 'create', 'destroy', 'update', 'update'])
})

test('announcements are drafted, published and taken back, one by one and many at once', async () => {
  const path = '/admin/announcements'
  const fields = { text: 'We **move**', starts_at: '2031-01-01T10:00', ends_at: '2031-01-02T10:00' }
  await desk.done(`${path}/new`, fields, path)
  const [made] = await listed('announcements')
  expect(made).toMatchObject({ text: 'We **move**', published: true, starts_at: '2031-01-01T10:00:00.000Z' })
  await desk.send(`${path}/many`, { 'ids[0]': made.id, action: 'unpublish', sure: '1' })
  expect((await listed('announcements'))[0]).toMatchObject({ published: false })
  await desk.done(`${path}/${made.id}`, { text: 'We stay', ends_at: '' })
  expect((await listed('announcements'))[0]).toMatchObject({ text: 'We stay', ends_at: null })
  expect(told(await desk.fill(`${path}/new`, { ...fields, ends_at: '2030-01-01T10:00' }, path))).toBe(
    'must not be before its start',
  )
  await desk.done(`${path}/${made.id}/remove`, {})
  expect(await listed('announcements')).toEqual([])
  expect(await actionsOn('announcement')).toEqual(['destroy', 'update', 'update', 'create'])
})

test('terms are drafted, published after a page that says what that means, and then stay', async () => {
  const path = '/admin/terms'
  await desk.done(`${path}/new`, { text: '# Terms\n\nBe kind.', effective_date: '2040-01-01' }, path)
  const [draft] = await listed('terms_of_service')
  const one = `${path}/${draft.id}`
  expect((await desk.see(one)).text).toContain('Be kind.')
  await desk.done(one, { changelog: 'Kinder', effective_date: '2041-02-03' })
  expect((await desk.see(`${one}/publish`)).text).toContain('2041-02-03')
  await desk.done(`${one}/publish`, {})
  expect((await listed('terms_of_service'))[0]).toMatchObject({
    effective_date: '2041-02-03',
    published: true,
  })
  expect((await desk.see(one)).text).not.toContain('<textarea')
  expect((await desk.send(`${one}/remove`)).status).toBe(422)
  expect(told(await desk.fill(`${path}/new`, { text: '' }, path))).toBe("can't be blank")
  expect(await actionsOn('terms_of_service')).toEqual(['publish', 'update', 'create'])
})

test('roles are made of permissions, and not of more than their maker has', async () => {
  const path = '/admin/roles'
  const fields = { name: 'Gardener', position: '5', 'permissions[0]': 'manage_rules', highlighted: '1' }
  await desk.done(`${path}/new`, fields, path)
  const role = (await listed('roles')).find(({ name }: { name: string }) => name === 'Gardener')
  expect(role).toMatchObject({ position: 5, highlighted: true, permissions: String(0x1000) })
  await desk.done(`${path}/${role.id}`, { position: '7', has_color: '1', color: '#112233' })
  const after = (await listed('roles')).find(({ name }: { name: string }) => name === 'Gardener')
  expect(after).toMatchObject({ position: 7, color: '#112233', permissions: String(0x1000) })
  expect(told(await desk.fill(`${path}/new`, { ...fields, position: '2000' }, path))).not.toBe('')
  expect(told(await desk.fill(`${path}/new`, { ...fields, name: '' }, path))).toBe("can't be blank")
  expect((await desk.see(`${path}/-99`)).text).toContain('name="permissions[]"')
  await desk.done(`${path}/${role.id}/remove`, {})
  expect((await desk.logged('user_role')).map((line) => line.split(' ')[0])).toEqual([
    'destroy',
    'update',
    'create',
  ])
})

test('webhooks are made, tried, turned off, given another secret and removed', async () => {
  const path = '/admin/webhooks'
  await desk.done(`${path}/new`, { url: 'https://hooks.example/in', 'events[0]': 'report.created' }, path)
  const [hook] = await listed('webhooks')
  expect(hook).toMatchObject({ url: 'https://hooks.example/in', events: ['report.created'] })
  const one = `${path}/${hook.id}`
  const secretOf = (text: string) => /<p><code>([^<]+)<\/code><\/p>/.exec(text)?.[1]
  const before = secretOf((await desk.see(one)).text)
  const tested = await desk.done(one, {}, `${one}/test`)
  expect(tested.text).toContain('The test did not arrive')
  expect(tested.text).toMatch(/<code>test<\/code>/)
  const rotated = await desk.done(one, {}, `${one}/rotate_secret`)
  expect([typeof before, secretOf(rotated.text) === before]).toEqual(['string', false])
  await desk.done(one, {}, `${one}/disable`)
  expect((await listed('webhooks'))[0]).toMatchObject({ enabled: false })
  await desk.done(one, {}, `${one}/enable`)
  expect(told(await desk.fill(`${path}/new`, { url: 'https://hooks.example/two' }, path))).toBe(
    "can't be blank",
  )
  await desk.done(`${one}/remove`, {})
  expect(await listed('webhooks')).toEqual([])
  expect(await actionsOn('webhook')).toEqual([
    'destroy',
    'enable',
    'disable',
    'rotate_secret',
    'test',
    'create',
  ])
})

describe('emoji', () => {
  const path = '/admin/custom_emojis'

  test('are uploaded, put into categories many at once, hidden and removed', async () => {
    const seen = await desk.see(`${path}/new`)
    const form = { name: 'image', content: await picture() }
    const fields = { shortcode: 'rubecula', visible_in_picker: '1' }
    expect((await desk.browser.upload(seen.form(path), fields, form)).status).toBe(303)
    const [emoji] = await listed('custom_emojis?origin=local')
    expect(emoji).toMatchObject({ shortcode: 'rubecula', visible_in_picker: true, category: null })
    const many = { 'ids[0]': emoji.id, action: 'categorise' }
    const asked = await desk.fill(path, many, `${path}/many`)
    expect(asked.text).toContain('name="category"')
    await desk.send(`${path}/many`, { ...many, category: 'Aves', sure: '1' })
    await desk.done(`${path}/${emoji.id}`, { disabled: '1' })
    expect((await listed('custom_emojis?origin=local'))[0]).toMatchObject({
      category: 'Aves',
      disabled: true,
    })
    const again = await desk.browser.upload((await desk.see(`${path}/new`)).form(path), fields, form)
    expect(told(again)).toBe('has already been taken')
    expect(told(await desk.fill(`${path}/new`, { shortcode: 'other' }, path))).toBe("can't be blank")
    await desk.done(`${path}/${emoji.id}/remove`, {})
    expect(await listed('custom_emojis?origin=local')).toEqual([])
    expect(await actionsOn('custom_emoji')).toEqual(['destroy', 'disable', 'update', 'update', 'create'])
  })

  test('of other servers are disabled, and copied where their picture is here', async () => {
    const id = app.ctx.newId()
    await sql`insert into custom_emojis (id, shortcode, domain) values (${id}, 'wave', 'far.example')`.execute(
      app.ctx.db,
    )
    expect((await desk.see(`${path}?origin=remote`)).text).toContain(':wave:@far.example')
    await desk.send(`${path}/remote/many`, { 'ids[0]': id, action: 'disable', sure: '1' })
    expect((await listed('custom_emojis?origin=remote'))[0]).toMatchObject({ disabled: true })
    expect((await desk.send(`${path}/${id}/copy`)).status).toBe(422)
  })
})

describe('settings', () => {
  const path = '/admin/settings'

  test('change part by part, and only what was changed is in the log', async () => {
    await desk.done(`${path}/registrations`, { registrations_mode: 'approved', min_age: '16' })
    await desk.done(`${path}/posts`, { emoji_reactions: '1' })
    expect((await listed('settings')).settings).toMatchObject({
      registrations_mode: 'approved',
      min_age: 16,
      emoji_reactions: true,
    })
    expect((await desk.logged('setting')).toSorted()).toEqual([
      'update emoji_reactions',
      'update min_age',
      'update registrations_mode',
    ])
    const seen = await desk.fill(`${path}/about`, { site_contact_email: 'nonsense' })
    expect([seen.status, told(seen) === '']).toEqual([422, false])
    expect((await desk.browser.get(`${path}/nothing`)).status).toBe(404)
  })

  test('have pictures of the server', async () => {
    const seen = await desk.see(`${path}/branding`)
    const form = seen.form(`${path}/uploads/thumbnail`)
    const sent = await desk.browser.upload(form, {}, { name: 'file_thumbnail', content: await picture() })
    expect(sent.status).toBe(303)
    expect((await listed('site_uploads')).thumbnail).not.toBeNull()
    expect(told(await desk.fill(`${path}/branding`, {}, `${path}/uploads/favicon`))).toBe("can't be blank")
    await desk.done(`${path}/branding`, {}, `${path}/uploads/thumbnail/remove`)
    expect((await listed('site_uploads')).thumbnail).toBeNull()
    expect(await actionsOn('site_upload')).toEqual(['destroy', 'update'])
  })
})

describe('spam rules', () => {
  const path = '/admin/spam_rules'

  test('are tried on real posts, kept, changed and removed', async () => {
    const wren = await app.person('wren')
    await wren.say('Buy cheap pills now')
    await wren.say('A quiet day')
    await app.settle()
    const fields = { name: 'Pills', keywords: 'cheap pills', action: 'hold' }
    await desk.see(`${path}/new`)
    const tried = await desk.send(`${path}/try`, { ...fields, hours: '24' })
    expect([tried.status, tried.text.includes('1 of 2 posts.')]).toEqual([200, true])
    expect([tried.text.includes('Buy cheap pills now'), tried.text.includes('A quiet day')]).toEqual([
      true,
      false,
    ])
    expect(await listed('spam_rules')).toEqual([])
    await desk.done(`${path}/new`, fields, path)
    const [rule] = await listed('spam_rules')
    expect(rule).toMatchObject({ action: 'hold', enabled: true, conditions: { keywords: ['cheap pills'] } })
    await desk.done(`${path}/${rule.id}`, { enabled: '', links_at_least: '2' })
    expect((await listed('spam_rules'))[0]).toMatchObject({
      conditions: { keywords: ['cheap pills'], links_at_least: 2 },
    })
    expect(told(await desk.fill(`${path}/new`, { name: 'Empty' }, path))).not.toBe('')
    await desk.done(`${path}/${rule.id}/undo`, {})
    await desk.done(`${path}/${rule.id}/remove`, {})
    expect(await actionsOn('spam_rule')).toEqual(['destroy', 'undo', 'update', 'create'])
  })
})

describe('operation', () => {
  test('shows what was given up, and has it run again or forgets it', async () => {
    await sql`
      insert into outbox (event, attempts, error, failed_at)
      values ('{"type": "nothing.known"}', 9, 'it broke', now()), ('{"type": "nothing.known"}', 9, 'it broke', now())`.execute(
      app.ctx.db,
    )
    const { rows } = await sql<{ id: string }>`
      select id from outbox where failed_at is not null order by id`.execute(app.ctx.db)
    expect((await desk.see('/admin/jobs')).text).toContain('it broke')
    const [first, second] = rows.map(({ id }) => `event-${id}`)
    const asked = await desk.fill('/admin/jobs', { 'ids[0]': first!, action: 'discard' }, '/admin/jobs/many')
    expect(asked.text).toContain(first)
    await desk.send('/admin/jobs/many', { 'ids[0]': first!, 'ids[1]': second!, action: 'discard', sure: '1' })
    expect((await desk.see('/admin/jobs')).text).not.toContain('it broke')
    expect((await desk.logged('job')).toSorted()).toEqual([`discard ${first}`, `discard ${second}`])
  })

  test('says what would go by other periods before they are saved, and stops the work', async () => {
    const path = '/admin/retention'
    await setSetting(app.ctx, 'audit_log_retention_period', null)
    const looked = await desk.fill(path, { audit_log_retention_period: '30' }, `${path}/preview`)
    expect([looked.status, looked.text.includes('Rows of the audit log')]).toEqual([200, true])
    expect((await listed('settings')).settings.audit_log_retention_period).toBeNull()
    const wrong = await desk.fill(path, { media_cache_budget_gb: '-3' }, `${path}/preview`)
    expect([wrong.status, told(wrong) === '']).toEqual([422, false])
    await desk.send(path, { ...looked.form(path).fields, audit_log_retention_period: '30' })
    expect((await listed('settings')).settings.audit_log_retention_period).toBe(30)
    await desk.done(path, {}, `${path}/media-cache/pause`)
    await desk.done(path, {}, `${path}/media-cache/resume`)
    expect(await desk.logged('upkeep')).toEqual(['resume media-cache', 'pause media-cache'])
  })
})
