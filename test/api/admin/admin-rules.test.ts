import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { loadRules } from '#domain/server/instance/rules.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { findIntruders } from '#test/client/staff-only.ts'
import { asId, type RuleId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/rules'

const staff = () => app.person('staff', { role: 'Admin' })
const shown = async (): Promise<Json[]> => (await app.anonymous.get('/api/v1/instance/rules')).ok()

describe('rules', () => {
  test('are made in order, changed, and gone but for old reports', async () => {
    const admin = await staff()
    const first = (await admin.post(path, { text: 'Be kind', hint: 'To all' })).ok()
    const second = (await admin.post(path, { text: 'No spam' })).ok()
    expect(second).toMatchObject({
      text: 'No spam',
      hint: '',
      priority: first.priority + 1,
      translations: {},
    })
    expect((await shown()).map((rule) => rule.text)).toEqual(['Be kind', 'No spam'])
    const translations = { de: { text: 'Kein Spam', hint: '' }, fr: { text: '' } }
    const changed = (await admin.put(`${path}/${second.id}`, { priority: 0, translations })).ok()
    expect(changed.translations).toEqual({ de: { text: 'Kein Spam', hint: '' } })
    ;(await admin.put(`${path}/${first.id}`, { priority: 5 })).ok()
    expect((await shown()).map((rule) => rule.text)).toEqual(['No spam', 'Be kind'])
    expect((await shown())[0]?.translations).toEqual({ de: { text: 'Kein Spam', hint: '' } })
    expect((await admin.get(path)).ok()).toHaveLength(2)
    expect((await admin.delete(`${path}/${second.id}`)).ok()).toEqual({})
    expect((await shown()).map((rule) => rule.text)).toEqual(['Be kind'])
    for (const answer of [
      await admin.get(`${path}/${second.id}`),
      await admin.put(`${path}/${second.id}`, { text: 'x' }),
      await admin.delete(`${path}/${second.id}`),
    ])
      expect(answer.status).toBe(404)
    expect(await loadRules(app.ctx, [asId<RuleId>(second.id), asId<RuleId>(first.id)])).toMatchObject([
      { text: 'No spam', deleted_at: expect.any(Date) },
      { text: 'Be kind', deleted_at: null },
    ])
    const { rows } = await sql<{ action: string }>`
      select action from audit_log where target_type = 'rule' and target_id = ${second.id} order by id`.execute(
      app.ctx.db,
    )
    expect(rows.map((row) => row.action)).toEqual(['create', 'update', 'destroy'])
  })

  test('take translations from forms', async () => {
    const form = new URLSearchParams({ text: 'Be kind', 'translations[de][text]': 'Sei nett' })
    const made = (await (await staff()).post(path, form)).ok()
    expect(made.translations).toEqual({ de: { text: 'Sei nett', hint: '' } })
  })

  test.each([
    [{}, "Text can't be blank"],
    [{ text: ' ' }, "Text can't be blank"],
    [{ text: 'x'.repeat(301) }, 'Text is too long'],
    [{ text: 'x', hint: 'x'.repeat(1001) }, 'Hint is too long'],
    [{ text: 'x', priority: 10_000_000 }, 'Priority is invalid'],
    [{ text: 'x', translations: { klingon: { text: 'y' } } }, 'Translations has no language "klingon"'],
  ])('cannot be %j', async (params, problem) => {
    const answer = await (await staff()).post(path, params)
    expect([answer.status, answer.body.error]).toEqual([422, `Validation failed: ${problem}`])
  })

  test('are for those who may manage them [ACC-9]', async () => {
    const calls = [
      ['get', path],
      ['get', `${path}/1`],
      ['post', path],
      ['put', `${path}/1`],
      ['delete', `${path}/1`],
    ] as const
    expect(await findIntruders(app, calls, 'from rules')).toEqual([])
  })
})
