// The staff's desk as browsers without scripts use it. That each act is in the audit log is checked of every answer:
// test/support/app/audited.ts.
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { permissions } from '#domain/identity/accounts/permissions.ts'
import { useApp } from '#test/app/app.ts'
import type { Browser, Seen } from '#test/client/browser.ts'
import type { Person } from '#test/people/people.ts'
import { turnOnApp } from '#test/people/two-factor.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { layDesk, type LaidDesk } from '#test/web/desk.ts'
import type { RoleId } from '#lib/id.ts'

const app = useApp()
let owner: Person
let browser: Browser
let target: Person
let reporter: Person
let statusId: string
let desk: LaidDesk

beforeAll(async () => {
  owner = await personWithPassword(app, 'owner', { role: 'Owner' })
  ;[target, reporter] = [await personWithPassword(app, 'target'), await app.person('reporter')]
  statusId = (await target.say('what was reported')).id
  desk = await layDesk(app, { staff: owner, target, reporter, posts: [statusId] })
  browser = await signedIn(app, owner)
})

/** Sends a form of a page, which has to lead on, and returns the page that it led to. */
async function act(page: Seen, action: string, fields: Record<string, string> = {}): Promise<Seen> {
  const sent = await browser.submit(page.form(action), fields)
  expect([action, sent.status, sent.text.slice(0, 2000)]).toEqual([action, 303, ''])
  return browser.get(sent.location ?? '')
}

/** What a page says that was done. */
const said = ({ text }: Seen) => /<div class="flash" role="status">\s*<p>([^<]*)/.exec(text)?.[1]

async function logged(action: string, targetType: string): Promise<string[]> {
  const { rows } = await sql<{ target_label: string }>`
    select target_label from audit_log
    where action = ${action} and target_type = ${targetType} and account_id = ${owner.accountId}
    order by id desc`.execute(app.ctx.db)
  return rows.map((row) => row.target_label)
}

async function report(): Promise<string> {
  const about = { account_id: target.accountId, status_ids: [statusId], comment: 'look', category: 'other' }
  return (await reporter.post('/api/v1/reports', about)).ok().id
}

test('the desk begins with what is the viewer’s, and is linked for staff alone', async () => {
  expect((await browser.get('/admin')).location).toBe('/admin/dashboard')
  const moderator = await personWithPassword(app, 'moderator', { role: 'Moderator' })
  expect((await (await signedIn(app, moderator)).get('/admin')).location).toBe('/admin/dashboard')
  expect((await browser.get('/settings/sessions')).text).toContain('href="/admin"')
  expect((await (await signedIn(app, target)).get('/settings/sessions')).text).not.toContain('href="/admin"')
})

describe('a report', () => {
  test('is shown with its post, what was decided before, and notes', async () => {
    const { text } = await browser.get(`/admin/reports/${desk.reportId}`)
    for (const part of [
      'what was reported',
      'Lorem ipsum',
      `@${reporter.username}`,
      'Mark all media as sensitive',
    ])
      expect(text).toContain(part)
  })

  test('is taken, handed back, settled and opened again, each with the way back', async () => {
    const id = await report()
    const path = `/admin/reports/${id}`
    const taken = await act(await browser.get(path), `${path}/assign`)
    expect(said(taken)).toBe(`Report #${id} is yours.`)
    await act(taken, `${path}/unassign`)
    const settled = await act(await browser.get(path), `${path}/resolve`)
    expect(said(settled)).toBe(`Report #${id} is settled.`)
    expect((await browser.get('/admin/reports')).text).not.toContain(`${path}"`)
    const opened = await act(settled, `${path}/reopen`)
    expect(said(opened)).toBe(`Report #${id} waits again.`)
    expect(said(await browser.get(path))).toBeUndefined()
    expect((await logged('resolve', 'report'))[0]).toBe(`#${id}`)
    expect((await logged('reopen', 'report'))[0]).toBe(`#${id}`)
  })

  test('tells a page that is open elsewhere who decided meanwhile', async () => {
    const id = await report()
    const path = `/admin/reports/${id}`
    const mark = /data-mark="([^"]*)"/.exec((await browser.get(path)).text)?.[1]
    const state = async () => JSON.parse((await browser.get(`${path}/state`)).text)
    expect((await state()).mark).toBe(mark)
    app.clock.advance(1000)
    const colleague = await app.person('colleague', { role: 'Moderator' })
    ;(await colleague.post(`/api/v1/admin/reports/${id}/assign_to_self`)).ok()
    expect(await state()).toEqual({
      mark: expect.not.stringMatching(mark ?? ''),
      text: `${colleague.username} looks into this report now.`,
    })
  })

  test('is decided with what the person will read, which is shown before', async () => {
    const id = await report()
    const path = `/admin/reports/${id}/decide`
    const page = await browser.get(`${path}?type=mark_statuses_as_sensitive`)
    const words = { text: 'Cover it, please', 'ids[]': statusId, send_email_notification: '1' }
    const shown = await browser.submit(page.form(path), { ...words, step: 'preview' })
    expect([shown.status, shown.text.match(/Cover it, please/g)?.length]).toEqual([200, 2])
    const done = await act(shown, path, { ...words, step: 'decide' })
    expect(said(done)).toBe('Done: Mark posts as sensitive.')
    expect((await logged('mark_statuses_as_sensitive', 'account'))[0]).toBe(target.username)
    await app.settle()
    expect(app.mails.findLast(({ to }) => to === target.email)?.text).toContain('Cover it, please')
  })

  test('is found by its category, its server and who looks into it', async () => {
    const id = await report()
    const lists = async (query: string) =>
      (await browser.get(`/admin/reports?${query}`)).text.includes(`/admin/reports/${id}"`)
    const found = [
      'category=other',
      'origin=local',
      'assigned=nobody',
      `target_account_id=${target.accountId}`,
    ]
    const missed = [
      'category=spam',
      'origin=remote',
      'assigned=me',
      'by_target_domain=nowhere.example',
      'resolved=1',
    ]
    for (const query of found) expect([query, await lists(query)]).toEqual([query, true])
    for (const query of missed) expect([query, await lists(query)]).toEqual([query, false])
  })

  test('and others are settled together', async () => {
    const ids = [await report(), await report()]
    const page = await browser.get('/admin/reports')
    const token = page.form('/admin/reports/bulk').fields['authenticity_token'] ?? ''
    const done = await browser.post('/admin/reports/bulk', {
      authenticity_token: token,
      action: 'resolve',
      ...Object.fromEntries(ids.map((id, index) => [`ids[${index}]`, id])),
    })
    expect(said(await browser.get(done.location ?? ''))).toBe('2 reports are settled.')
    const none = await browser.post('/admin/reports/bulk', { authenticity_token: token, action: 'resolve' })
    expect([none.status, none.text]).toEqual([422, expect.stringContaining('Nothing was ticked')])
  })
})

describe('an account', () => {
  test.each(['silence', 'disable', 'suspend'] as const)(
    'is under %s and then no more, by one button',
    async (type) => {
      const person = await app.person('limited')
      const path = `/admin/accounts/${person.accountId}`
      const page = await browser.get(`${path}/decide?type=${type}`)
      const done = await act(page, `${path}/decide`, { text: 'why', expires_in: '', step: 'decide' })
      expect(said(done)).toMatch(/^Done: /)
      await act(done, `${path}/lift`)
      const rows = [...(await logged(type, 'account')), ...(await logged(type, 'user'))]
      expect(rows).toContain(person.username)
    },
  )

  test('of another server leads to that, which has notes of its own', async () => {
    const { domain } = await remoteAccount(app.ctx, 'noted.example')
    const path = `/admin/instances/${domain}`
    const noted = await act(await browser.get(path), `${path}/notes`, { text: 'Slow on Mondays' })
    expect(noted.text).toContain('Slow on Mondays')
    const remove = noted.forms.find(({ action }) => action.startsWith(`${path}/notes/`))
    expect((await act(noted, remove?.action ?? '')).text).not.toContain('Slow on Mondays')
    expect(await logged('create', 'host_note')).toEqual([domain])
  })

  test('has notes, a role, and loses its second factor', async () => {
    const person = await personWithPassword(app, 'staffer')
    const path = `/admin/accounts/${person.accountId}`
    await turnOnApp(app, await signedIn(app, person))
    const noted = await act(await browser.get(path), `${path}/notes`, { text: 'Trustworthy' })
    expect(noted.text).toContain('Trustworthy')
    const remove = noted.forms.find(({ action }) => action.startsWith('/admin/moderation_notes/'))
    expect((await act(noted, remove?.action ?? '')).text).not.toContain('Trustworthy')
    await act(await browser.get(path), `${path}/role`, { role_id: '1' })
    expect((await browser.get(path)).text).toContain('<span class="badge plain">Moderator</span>')
    expect((await logged('change_role', 'user'))[0]).toBe(person.username)
    const asked = await browser.get(`${path}/disable_2fa`)
    expect(asked.text).toContain('Make sure that it is really them')
    await act(asked, `${path}/disable_2fa`)
    expect((await logged('disable_2fa', 'user'))[0]).toBe(person.username)
  })

  test('becomes a memorial and a usual one, and is deleted when it is suspended', async () => {
    const person = await app.person('late')
    const path = `/admin/accounts/${person.accountId}`
    await act(await browser.get(`${path}/memorialize`), `${path}/memorialize`)
    await act(await browser.get(`${path}/unmemorialize`), `${path}/unmemorialize`)
    expect((await browser.submit((await browser.get(`${path}/delete`)).form(`${path}/delete`))).status).toBe(
      403,
    )
    await act(await browser.get(`${path}/decide?type=suspend`), `${path}/decide`, { step: 'decide' })
    await act(await browser.get(`${path}/delete`), `${path}/delete`)
    expect((await browser.get(path)).status).toBe(404)
    expect((await logged('destroy', 'account'))[0]).toBe(person.username)
  })

  test('that waits is let in or turned away, one or many, after what will happen was shown', async () => {
    const waiting = [
      await app.person('waits', { approved: false }),
      await app.person('waits', { approved: false }),
      await app.person('waits', { approved: false }),
    ] as const
    const path = `/admin/accounts/${waiting[0].accountId}`
    await act(await browser.get(path), `${path}/approve`)
    expect((await logged('approve', 'user'))[0]).toBe(waiting[0].username)
    const list = await browser.get('/admin/accounts?status=pending')
    const token = list.form('/admin/accounts/bulk').fields['authenticity_token'] ?? ''
    const asked = await browser.post('/admin/accounts/bulk', {
      authenticity_token: token,
      action: 'reject',
      'ids[0]': waiting[1].accountId,
      'ids[1]': waiting[0].accountId,
      'ids[2]': owner.accountId,
    })
    expect(asked.text).toContain('It is done to 1 of 3.')
    expect(asked.text).toContain('You may not decide about them')
    expect(said(await act(asked, '/admin/accounts/bulk/do'))).toBe('1 sign-up was turned away.')
    expect(await logged('reject', 'user')).toEqual([waiting[1].username])
    expect((await browser.get(`/admin/accounts/${waiting[2].accountId}`)).status).toBe(200)
  })

  test('is decided about by who may not look into it, who is led on to what is theirs', async () => {
    const [decider, person] = [await personWithPassword(app, 'decider'), await app.person('concerned')]
    const role = {
      id: app.ctx.newId<RoleId>(),
      name: 'Decider',
      permissions: String(permissions.manage_reports),
    }
    await app.ctx.db
      .insertInto('roles')
      .values({ ...role, position: 5 })
      .execute()
    await app.ctx.db.updateTable('users').set({ role_id: role.id }).where('id', '=', decider.userId).execute()
    const theirs = await signedIn(app, decider)
    const path = `/admin/accounts/${person.accountId}`
    expect((await theirs.get(path)).status).toBe(403)
    const page = await theirs.get(`${path}/decide?type=silence`)
    expect(page.text).not.toContain(person.email)
    const sent = await theirs.submit(page.form(`${path}/decide`), { step: 'decide', expires_in: '' })
    const led = await theirs.get(sent.location ?? '')
    expect(said(await theirs.get(led.location ?? ''))).toBe('Done: Limit.')
  })

  test('is found by each filter of the API', async () => {
    const person = await app.person('findme')
    const lists = async (query: string) =>
      (await browser.get(`/admin/accounts?${query}`)).text.includes(`/admin/accounts/${person.accountId}"`)
    const found = [
      'origin=local',
      `username=${person.username}`,
      `email=${person.email}`,
      'status=active',
      '',
    ]
    const missed = [
      'origin=remote',
      'username=nobody',
      'status=suspended',
      'permissions=staff',
      'ip=192.0.2.9',
      'role_ids=3',
    ]
    for (const query of found) expect([query, await lists(query)]).toEqual([query, true])
    for (const query of missed) expect([query, await lists(query)]).toEqual([query, false])
  })
})

describe('what waits besides', () => {
  test('appeals are accepted, which takes the decision back', async () => {
    const page = await browser.get('/admin/appeals')
    const form = page.forms.find(({ action }) => /^\/admin\/appeals\/\d+\/approve$/.test(action))
    expect(said(await act(page, form?.action ?? ''))).toBe('The decision was taken back.')
    expect((await logged('approve', 'appeal'))[0]).toBe(target.username)
    expect((await logged('unsensitive', 'account'))[0]).toBe(target.username)
  })

  test('held posts are refused after one was asked again', async () => {
    const page = await browser.get('/admin/held_posts')
    const form = page.form('/admin/held_posts/decide')
    const asked = await browser.submit(form, { action: 'reject' })
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('This cannot be undone')])
    expect(said(await act(asked, '/admin/held_posts/do'))).toBe('1 post was refused.')
    expect((await logged('reject', 'held_post'))[0]).toBe(target.username)
  })

  test('popular accounts are recommended no more, and again', async () => {
    await sql`
      insert into popular_accounts (account_id, followers, fans, updated_at)
      values (${reporter.accountId}, 7, 3, now())`.execute(app.ctx.db)
    const path = '/admin/follow_recommendations'
    const tick = async (page: Seen, action: string) => {
      const asked = await browser.submit(page.form(`${path}/many`), { action, 'ids[]': reporter.accountId })
      expect(asked.text).toContain(`@${reporter.username}`)
      return act(asked, `${path}/many`)
    }
    await tick(await browser.get(path), 'suppress')
    expect((await logged('suppress', 'follow_recommendation'))[0]).toBe(reporter.username)
    expect((await browser.get(path)).text).toContain('Nobody is popular enough')
    await tick(await browser.get(`${path}?status=suppressed`), 'unsuppress')
    expect((await browser.get(path)).text).toContain(`@${reporter.username}`)
  })

  test('hashtags may trend, and are spelled otherwise', async () => {
    const page = await browser.get('/admin/trends')
    const done = await act(page, '/admin/trends/decide', { action: 'approve', 'ids[]': desk.tagId })
    expect(said(done)).toBe('1 of them may trend.')
    expect((await logged('approve', 'tag'))[0]).toBe('#Aves')
    const path = `/admin/trends/tags/${desk.tagId}`
    const wrong = await browser.submit((await browser.get(path)).form(path), { display_name: 'other' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('role="alert"')])
    await act(await browser.get(path), path, { display_name: 'AVES' })
    expect((await logged('update', 'tag'))[0]).toBe('#AVES')
  })
})

test('the dashboard shows what was found out about the machine, to who may look into it', async () => {
  const path = '/admin/dashboard/doctor'
  const findings = [
    { part: 'disk', state: 'problem', text: 'the disk is full', advice: 'buy a larger one' },
  ] as const
  app.ctx.doctor.check = async () => findings
  const before = await browser.get('/admin/dashboard')
  expect(before.text).toContain('Nobody has looked lately')
  const looked = await browser.submit(before.form(path))
  for (const { text } of [looked, await browser.get('/admin/dashboard')])
    for (const part of ['the disk is full', 'buy a larger one', 'Does not work']) expect(text).toContain(part)
  const moderator = await signedIn(app, await personWithPassword(app, 'moderator', { role: 'Moderator' }))
  expect((await moderator.get('/admin/dashboard')).text).not.toContain('the disk is full')
})

test('prepared texts are written, changed and deleted, and what is wrong with one is said beside it', async () => {
  const path = '/admin/warning_presets'
  const empty = await browser.submit((await browser.get(path)).form(path), { text: ' ' })
  expect([empty.status, empty.text]).toEqual([422, expect.stringContaining('role="alert"')])
  const added = await act(await browser.get(path), path, { title: 'Links', text: 'No links, please' })
  const address = new RegExp(`${path}/\\d+(?=" dir="auto">Links)`).exec(added.text)?.[0] ?? ''
  await act(await browser.get(address), address, { title: 'Fewer links', text: 'Fewer links, please' })
  const decide = await browser.get(`/admin/accounts/${target.accountId}/decide?type=none`)
  expect(decide.text).toContain('Fewer links, please')
  await act(await browser.get(`${address}/delete`), `${address}/delete`)
  for (const action of ['create', 'update', 'destroy'])
    expect((await logged(action, 'warning_preset')).some((label) => label.endsWith('inks'))).toBe(true)
})

test('the audit log is filtered, and saved as a table that is no formula anywhere', async () => {
  await sql`
    insert into audit_log (id, account_id, actor, action, target_type, target_label, details, created_at)
    values (${app.ctx.newId()}, ${owner.accountId}, 'staff', 'create', 'custom_emoji', '=1+1', '{}', now())`.execute(
    app.ctx.db,
  )
  const query = `by=${owner.username}&action=create&target_type=custom_emoji`
  const { text } = await browser.get(`/admin/audit_log?${query}`)
  expect(text).toContain('=1+1')
  expect(text).not.toContain('<code>approve</code>')
  const file = await browser.get(`/admin/audit_log/export?${query}`)
  expect(file.headers.get('content-disposition')).toContain('audit_log.csv')
  const lines = file.text.trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toBe('time,actor,action,target_type,target_id,target,details')
  expect(lines[1]).toContain(",'@")
  expect(lines[1]).toContain(",'=1+1,")
  expect((await browser.get('/admin/audit_log?by=nobody_here')).text).toContain('Nothing like that was done')
})
