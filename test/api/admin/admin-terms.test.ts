import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mailTerms } from '#domain/identity/accounts/mail-terms.ts'
import { useApp } from '#test/app/app.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { asId, type TermsOfServiceId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/terms_of_service'
const day = 86_400_000

const staff = () => app.person('staff', { role: 'Admin' })
const dayIn = (days: number) => new Date(app.clock.now() + days * day).toISOString().slice(0, 10)
const current = () => app.anonymous.get('/api/v1/instance/terms_of_service')

describe('terms of service', () => {
  test('are drafted, published, and succeed each other', async () => {
    const admin = await staff()
    const draft = (await admin.post(path, { text: 'First terms' })).ok()
    expect(draft).toMatchObject({
      effective_date: dayIn(0),
      published: false,
      published_at: null,
      changelog: '',
    })
    expect((await current()).status).toBe(404)
    expect((await admin.put(`${path}/${draft.id}`, { text: 'The first terms' })).ok().text).toBe(
      'The first terms',
    )
    expect((await admin.post(`${path}/${draft.id}/publish`)).ok()).toMatchObject({ published: true })
    expect((await current()).ok()).toMatchObject({
      effective_date: dayIn(0),
      effective: true,
      succeeded_by: null,
    })
    const next = (await admin.post(path, { text: 'Second', effective_date: dayIn(10) })).ok()
    ;(await admin.post(`${path}/${next.id}/publish`)).ok()
    expect((await current()).ok()).toMatchObject({ succeeded_by: dayIn(10) })
    expect((await app.anonymous.get(`/api/v1/instance/terms_of_service/${dayIn(10)}`)).ok()).toMatchObject({
      effective: false,
      content: '<p>Second</p>',
    })
    expect((await admin.get(path)).ok()).toMatchObject([{ id: next.id }, { id: draft.id }])
    // What is published stays as it is.
    for (const answer of [
      await admin.put(`${path}/${next.id}`, { text: 'Other' }),
      await admin.delete(`${path}/${next.id}`),
      await admin.post(`${path}/${next.id}/publish`),
    ])
      expect(answer.status).toBe(422)
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_type = 'terms_of_service' and target_id = ${draft.id}
      order by id`.execute(app.ctx.db)
    expect(rows.map((row) => row.action)).toEqual(['create', 'update', 'publish'])
  })

  test('hold from no day that has passed, and from none twice', async () => {
    const admin = await staff()
    const publish = async (effective_date: string) => {
      const { id } = (await admin.post(path, { text: 'x', effective_date })).ok()
      const answer = await admin.post(`${path}/${id}/publish`)
      ;(await admin.delete(`${path}/${id}`)).ok()
      return answer.body.error
    }
    expect(await publish(dayIn(-1))).toBe('Validation failed: Effective date is in the past')
    expect(await publish(dayIn(10))).toBe('Validation failed: Effective date is that of another version')
    for (const effective_date of ['tomorrow', '2026-02-30', '2026-1-1'])
      expect((await admin.post(path, { text: 'x', effective_date })).status).toBe(422)
    expect((await admin.post(path, { text: ' ' })).status).toBe(422)
  })

  test('hold from when they are published where no day was chosen', async () => {
    const admin = await staff()
    const { id } = (await admin.post(path, { text: 'x' })).ok()
    app.clock.advance(day)
    expect((await admin.post(`${path}/${id}/publish`)).ok()).toMatchObject({ effective_date: dayIn(0) })
    expect((await current()).ok()).toMatchObject({ effective_date: dayIn(0), effective: true })
  })

  test('are for those who may manage settings [ACC-9]', async () => {
    const calls = [
      ['get', path],
      ['get', `${path}/1`],
      ['post', path],
      ['put', `${path}/1`],
      ['post', `${path}/1/publish`],
      ['post', `${path}/1/notify`],
      ['delete', `${path}/1`],
    ] as const
    expect(await findIntruders(app, calls, 'terms_of_service')).toEqual([])
  })
})

describe('people', () => {
  test('are told by mail, each once, in their language', async () => {
    const admin = await staff()
    const [alice, bertha] = [await app.person('alice'), await app.person('bertha')]
    const shut = await app.person('shut')
    await app.ctx.db.updateTable('users').set({ locale: 'de' }).where('id', '=', bertha.userId).execute()
    await app.ctx.db.updateTable('users').set({ disabled: true }).where('id', '=', shut.userId).execute()
    const wanted = { text: 'x', effective_date: dayIn(30), changelog: 'No more <b>parrots</b>' }
    const { id } = (await admin.post(path, wanted)).ok()
    expect((await admin.post(`${path}/${id}/notify`)).status).toBe(422)
    app.mails.length = 0
    ;(await admin.post(`${path}/${id}/publish`, { notify: true })).ok()
    const late = await app.person('late')
    await app.ctx.db
      .updateTable('users')
      .set({ created_at: new Date(app.clock.now() + day) })
      .where('id', '=', late.userId)
      .execute()
    await app.settle()
    const to = (email: string) => app.mails.filter((mail) => mail.to === email)
    expect(to(alice.email)).toHaveLength(1)
    const [mail] = to(alice.email)
    expect(mail?.subject).toBe('The terms of service of chat.example change')
    expect(mail?.text).toContain('> No more <b>parrots</b>')
    expect(mail?.text).toContain(`https://chat.example/terms-of-service/${dayIn(30)}`)
    expect(mail?.html).toContain('&lt;b&gt;parrots')
    expect(to(bertha.email)[0]?.subject).toBe('Die Nutzungsbedingungen von chat.example ändern sich')
    expect([...to(shut.email), ...to(late.email)]).toEqual([])
    // The job runs again, and staff ask again.
    const count = app.mails.length
    await mailTerms(app.ctx, asId<TermsOfServiceId>(id))
    await app.settle()
    expect((await admin.post(`${path}/${id}/notify`)).status).toBe(422)
    expect(app.mails).toHaveLength(count)
    expect((await admin.get(`${path}/${id}`)).ok().notified_at).not.toBeNull()
  })

  test('are told later where that was not wanted at first, and work broken off goes on', async () => {
    const admin = await staff()
    const { id } = (await admin.post(path, { text: 'y', effective_date: dayIn(60) })).ok()
    ;(await admin.post(`${path}/${id}/publish`)).ok()
    app.mails.length = 0
    await app.settle()
    expect(app.mails).toEqual([])
    // Those up to here were mailed before the process ended.
    await sql`update terms_of_service set notified_up_to = ${admin.userId} where id = ${id}`.execute(
      app.ctx.db,
    )
    const heir = await app.person('heir')
    await sql`update users set created_at = ${new Date(app.clock.now() - day)} where id = ${heir.userId}`.execute(
      app.ctx.db,
    )
    ;(await admin.post(`${path}/${id}/notify`)).ok()
    await app.settle()
    expect(app.mails.map((mail) => mail.to)).toEqual([heir.email])
  })
})
