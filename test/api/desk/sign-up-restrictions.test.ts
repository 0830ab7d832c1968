// The pages of the desk about who may come in: they do what the API does.
import { beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { atDesk, told, type Desk } from '#test/people/desk.ts'

const app = useApp()
let desk: Desk

beforeAll(async () => {
  desk = await atDesk(app)
})

const listed = async (path: string) => (await desk.person.get(path)).ok()

describe('addresses', () => {
  test('are blocked, changed and freed', async () => {
    await desk.done('/admin/ip_blocks/new', { ip: '192.0.2.0/24', comment: 'flood' }, '/admin/ip_blocks')
    const [block] = await listed('/api/v1/admin/ip_blocks')
    expect(block).toMatchObject({
      ip: '192.0.2.0/24',
      severity: 'sign_up_requires_approval',
      comment: 'flood',
    })
    expect(Date.parse(block.expires_at)).toBeGreaterThan(app.clock.now())
    const path = `/admin/ip_blocks/${block.id}`
    const seen = await desk.done(path, { severity: 'no_access', expires_in: '' })
    expect(seen.text).toContain('192.0.2.0/24')
    expect((await listed('/api/v1/admin/ip_blocks'))[0]).toMatchObject({
      severity: 'no_access',
      expires_at: null,
    })
    await desk.done(`${path}/remove`, {})
    expect(await listed('/api/v1/admin/ip_blocks')).toEqual([])
    expect(await desk.logged('ip_block')).toEqual(
      ['destroy', 'update', 'create'].map((action) => `${action} 192.0.2.0/24`),
    )
  })

  test('that are none are refused with words at the field, and what was typed stays', async () => {
    const seen = await desk.fill(
      '/admin/ip_blocks/new',
      { ip: 'nonsense', comment: 'why' },
      '/admin/ip_blocks',
    )
    expect([seen.status, told(seen)]).toEqual([422, 'is invalid'])
    expect(seen.text).toMatch(/aria-invalid="true"/)
    expect(seen.text).toContain('value="nonsense"')
    expect(seen.text).toContain('value="why"')
  })
})

test('names are blocked, changed and freed; what can be no name is refused at the field', async () => {
  const path = '/admin/username_blocks'
  await desk.done(`${path}/new`, { username: 'moderator', comparison: 'contains' }, path)
  const [block] = await listed('/api/v1/admin/username_blocks')
  expect(block).toMatchObject({ username: 'moderator', comparison: 'contains', allow_with_approval: false })
  await desk.done(`${path}/${block.id}`, { allow_with_approval: '1' })
  expect((await listed('/api/v1/admin/username_blocks'))[0]).toMatchObject({ allow_with_approval: true })
  expect(told(await desk.fill(`${path}/new`, { username: 'no name' }, path))).not.toBe('')
  expect(told(await desk.fill(`${path}/new`, { username: 'moderator' }, path))).toBe('has already been taken')
  const asked = await desk.fill(path, { 'ids[0]': block.id, action: 'remove' }, `${path}/many`)
  expect(asked.text).toContain('moderator')
  expect(await listed('/api/v1/admin/username_blocks')).toHaveLength(1)
  const done = await desk.send(`${path}/many`, { 'ids[0]': block.id, action: 'remove', sure: '1' })
  expect([done.status, await listed('/api/v1/admin/username_blocks')]).toEqual([303, []])
  expect(await desk.logged('username_block')).toEqual([
    'destroy moderator',
    'update moderator',
    'create moderator',
  ])
})

test('domains of e-mail are blocked with others beside them, and freed together', async () => {
  const path = '/admin/email_domain_blocks'
  const fields = { domain: 'trash.example', other_domains: 'one.example\ntwo.example' }
  const seen = await desk.done(`${path}/new`, fields, path)
  for (const domain of ['trash.example', 'one.example', 'two.example']) expect(seen.text).toContain(domain)
  expect(told(await desk.fill(`${path}/new`, fields, path))).toBe('has already been taken')
  const blocks = (await listed('/api/v1/admin/email_domain_blocks')) as { id: string; domain: string }[]
  const id = blocks.find(({ domain }) => domain === 'trash.example')!.id
  await desk.send(`${path}/many`, { 'ids[0]': id, action: 'remove', sure: '1' })
  expect(await listed('/api/v1/admin/email_domain_blocks')).toEqual([])
  expect((await desk.logged('email_domain_block')).at(-1)).toBe('create trash.example')
})

test('single addresses are blocked by hash, found however they are written, and freed', async () => {
  const path = '/admin/canonical_email_blocks'
  await desk.done(path, { canonical_email_hash: 'Spam.Mer+x@example.com' })
  const found = await desk.fill(path, { email: 'spammer@EXAMPLE.com' }, `${path}/test`)
  expect(found.text).toContain('spammer@EXAMPLE.com is blocked.')
  expect((await desk.fill(path, { email: 'other@example.com' }, `${path}/test`)).text).toContain(
    'is not blocked.',
  )
  expect(told(await desk.fill(path, { canonical_email_hash: 'spammer@example.com' }))).toBe(
    'has already been taken',
  )
  const [block] = await listed('/api/v1/admin/canonical_email_blocks')
  await desk.send(`${path}/many`, { 'ids[0]': block.id, action: 'remove', sure: '1' })
  expect(await listed('/api/v1/admin/canonical_email_blocks')).toEqual([])
  expect(await desk.logged('canonical_email_block')).toHaveLength(2)
})

test('invites are made, ended one by one and all at once', async () => {
  const path = '/admin/invites'
  const made = await desk.done(`${path}/new`, { max_uses: '5', comment: 'for the choir' }, path)
  const [invite] = await listed('/api/v1/admin/invites')
  expect(invite).toMatchObject({ max_uses: 5, comment: 'for the choir' })
  expect(made.text).toContain(`/invite/${invite.code}`)
  expect(told(await desk.fill(`${path}/new`, { max_uses: '-4' }, path))).not.toBe('')
  await desk.send(`${path}/many`, { 'ids[0]': invite.id, action: 'deactivate', sure: '1' })
  expect(await listed('/api/v1/admin/invites?usable=true')).toEqual([])
  await desk.done(`${path}/new`, {}, path)
  expect((await desk.done(`${path}/deactivate_all`, {})).text).toContain('One invite was ended.')
  expect(await listed('/api/v1/admin/invites?usable=true')).toEqual([])
  expect((await desk.logged('invite'))[0]).toBe('deactivate_all')
})
