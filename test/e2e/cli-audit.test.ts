// `bin/stonechat audit`.
import { expect, test } from 'vitest'
import { recordActions } from '#domain/server/audit/record.ts'
import { useCli } from '#test/processes/cli.ts'
import { asId, type AnyId } from '#lib/id.ts'

const cli = useCli({ beside: 'outside' })
const { run, fails } = cli

test('what was done is listed, newest first, by whom and what', async () => {
  await run('accounts', 'create', 'olga', '--email', 'olga@mail.example', '--role', 'owner')
  await run('accounts', 'modify', 'olga', '--email', 'olga@post.example', '--reset-password')
  await cli.inDatabase(async ({ ctx }) => {
    const { account_id: accountId } = await ctx.db
      .selectFrom('users')
      .select('account_id')
      .where('email', '=', 'olga@post.example')
      .executeTakeFirstOrThrow()
    await ctx.transaction(async (tx) => {
      const label = 'bad.example\u001b[2J\nsecond line'
      await recordActions(tx, { accountId }, [{ action: 'create', targetType: 'domain_block', label }])
      await recordActions(tx, 'server', [
        { action: 'silence', targetType: 'account', targetId: asId<AnyId>('7'), details: { rule: 'links' } },
      ])
    })
  })
  const lines = (await run('audit', 'list', '--limit', '2')).split('\n')
  expect(lines.map((line) => line.split('\t').slice(1))).toEqual([
    ['(server)', 'silence', 'account 7', '{"rule":"links"}'],
    ['@olga', 'create', expect.stringMatching(/^domain_block bad\.example\P{Cc}*$/u)],
  ])
  const own = JSON.parse(await run('audit', 'list', '--json', '--account', '@olga'))
  expect(own).toMatchObject([{ username: 'olga', actor: 'staff', action: 'create' }])
  expect(JSON.parse(await run('audit', 'list', '--json', '--action', 'silence'))).toMatchObject([
    { actor: 'server', username: null, details: { rule: 'links' } },
  ])
  const byOperator = JSON.parse(await run('audit', 'list', '--json', '--limit', '6')).slice(2)
  expect(byOperator).toMatchObject(
    ['reset_password', 'confirm', 'change_email', 'create'].map((action) => ({
      actor: 'operator',
      action,
      target_label: 'olga',
    })),
  )
  expect(JSON.stringify(byOperator)).not.toContain('.example')
  expect(await fails('audit', 'list', '--limit', '0')).toContain('--limit')
  expect(await fails('audit', 'list', '--account', 'nobody')).toContain('no local account')
})
