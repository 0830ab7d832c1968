// Who of staff did what: for those who may see it.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { trimAuditLog } from '#domain/server/audit/queries.ts'
import { recordActions } from '#domain/server/audit/record.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { createTasks } from '#worker/jobs/index.ts'
import { asId, type AccountId, type AnyId } from '#lib/id.ts'

const app = useApp()
const path = '/api/v1/admin/audit_log'
const day = 86_400_000

const staff = (role: 'Owner' | 'Admin' | 'Moderator' = 'Moderator') => app.person('staff', { role })

describe('the audit log', () => {
  test('says who did what to whom', async () => {
    const [moderator, bob] = [await staff(), await app.person('bob')]
    const report = (await moderator.post('/api/v1/reports', { account_id: bob.accountId })).ok()
    ;(await moderator.put(`/api/v1/admin/reports/${report.id}`, { category: 'spam' })).ok()
    const [row] = (await moderator.get(path, { limit: 1 })).ok()
    expect(row).toEqual({
      id: expect.stringMatching(/^\d+$/),
      actor: 'staff',
      account: expect.objectContaining({ id: moderator.accountId, acct: moderator.username }),
      action: 'update',
      target_type: 'report',
      target_id: report.id,
      target_label: `#${report.id}`,
      details: { category: 'spam', rule_ids: [] },
      created_at: expect.any(String),
    })
  })

  test('says so of the command line and of rules, which are nobody’s account', async () => {
    const moderator = await staff()
    await app.ctx.transaction(async (tx) => {
      await recordActions(tx, 'operator', [{ action: 'create', targetType: 'emoji', label: 'party' }])
      await recordActions(tx, 'server', [
        { action: 'silence', targetType: 'account', targetId: asId<AnyId>('12') },
      ])
    })
    expect((await moderator.get(path, { limit: 2 })).ok()).toMatchObject([
      { actor: 'server', account: null, action: 'silence', target_id: '12' },
      { actor: 'operator', account: null, action: 'create', target_id: null, target_label: 'party' },
    ])
  })

  test('is searched by who, what and to whom, in pages', async () => {
    const [moderator, other] = [await staff(), await staff()]
    const act = (who: { accountId: AccountId }, action: string, targetType: string, targetId: string) =>
      app.ctx.transaction((tx) =>
        recordActions(tx, who, [{ action, targetType, targetId: asId<AnyId>(targetId) }]),
      )
    await act(moderator, 'suspend', 'account', '501')
    await act(moderator, 'resolve', 'report', '501')
    await act(other, 'suspend', 'account', '502')
    const found = async (query: Record<string, unknown>) =>
      (await moderator.get(path, query)).ok().map((row: Json) => [row.action, row.target_id])
    expect(await found({ account_id: moderator.accountId })).toEqual([
      ['resolve', '501'],
      ['suspend', '501'],
    ])
    expect(await found({ account_id: moderator.accountId, action: 'suspend' })).toEqual([['suspend', '501']])
    expect(await found({ target_id: '501' })).toHaveLength(2)
    expect(await found({ target_type: 'account', target_id: '501' })).toEqual([['suspend', '501']])
    expect((await found({ target_type: 'account' })).slice(0, 2)).toEqual([
      ['suspend', '502'],
      ['suspend', '501'],
    ])
    expect(await found({ account_id: 'nobody' })).toEqual([])
    const page = await moderator.get(path, { account_id: moderator.accountId, limit: 1 })
    expect(page.ok()).toMatchObject([{ action: 'resolve' }])
    expect((await moderator.get(page.links['next'] as string)).ok()).toMatchObject([{ action: 'suspend' }])
  })

  test('costs the same number of statements whatever it has', async () => {
    const moderator = await staff()
    for (let i = 0; i < 6; i += 1) {
      const who = await staff()
      await app.ctx.transaction((tx) => recordActions(tx, who, [{ action: 'x', targetType: 'cost' }]))
    }
    const count = async (limit: number) => {
      const read = () => moderator.get(path, { target_type: 'cost', limit })
      await read()
      return (await app.countQueries(read)).length
    }
    expect(await count(6)).toBe(await count(3))
  })

  test('is for those who may see it alone [ACC-9]', async () => {
    const [moderator, user] = [await staff(), await app.person('user')]
    expect((await (await app.withScopes(moderator, ['admin:read'])).get(path)).status).toBe(200)
    expect((await (await app.withScopes(moderator, ['read', 'write'])).get(path)).status).toBe(403)
    expect((await user.get(path)).status).toBe(403)
    expect((await app.anonymous.get(path)).status).toBe(401)
  })
})

describe('what is old', () => {
  const countOf = async (type: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit_log where target_type = ${type}`.execute(app.ctx.db)
    return rows[0]?.n
  }
  const write = (targetType: string, count: number) =>
    app.ctx.transaction((tx) =>
      recordActions(
        tx,
        'server',
        Array.from({ length: count }, () => ({ action: 'x', targetType })),
      ),
    )

  test('stays unless the operator says otherwise, and then goes by and by', async () => {
    await write('old', 2500)
    app.clock.advance(31 * day)
    await write('new', 1)
    const trim = () => createTasks(app.ctx)['trim-audit-log']?.({}, {} as never)
    await trim()
    expect([await countOf('old'), await countOf('new')]).toEqual([2500, 1])
    await setSetting(app.ctx, 'audit_log_retention_period', 30)
    app.clock.advance(1001)
    await trim()
    expect([await countOf('old'), await countOf('new')]).toEqual([0, 1])
    expect(await trimAuditLog(app.ctx, 30)).toBe(0)
  })
})
