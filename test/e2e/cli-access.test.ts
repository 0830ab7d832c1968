// `bin/stonechat ip-blocks`, `email-domain-blocks`, `canonical-email-blocks`, `username-blocks` and `tokens revoke`.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCanonicalEmailBlock } from '#domain/identity/sign-up-restrictions/canonical-email-blocks.ts'
import { useCli } from '#test/processes/cli.ts'

const cli = useCli()
const { run, fails, inDatabase } = cli

test('addresses are blocked, listed, exported and let in again', async () => {
  expect(await run('ip-blocks', 'add', '203.0.113.7/24', '2001:db8::/32', '--comment', 'why')).toBe(
    '203.0.113.7/24\tOK\n2001:db8::/32\tOK',
  )
  expect(await run('ip-blocks', 'add', '203.0.113.0/24')).toContain('is blocked already')
  expect(await run('ip-blocks', 'add', '198.51.100.1', '--severity', 'sign_up_block')).toContain('OK')
  expect(await run('ip-blocks', 'export')).toBe('2001:db8::/32\n203.0.113.0/24')
  expect(await run('ip-blocks', 'export', '--format', 'nginx')).toBe(
    'deny 2001:db8::/32;\ndeny 203.0.113.0/24;',
  )
  const forced = ['--severity', 'sign_up_block', '--duration', '3600', '--force']
  expect(await run('ip-blocks', 'add', '2001:db8::/32', ...forced)).toContain('OK')
  expect(JSON.parse(await run('ip-blocks', 'export', '--json'))).toEqual(['203.0.113.0/24'])
  expect(JSON.parse(await run('ip-blocks', 'list', '--json'))).toMatchObject([
    { ip: '198.51.100.1/32', severity: 'sign_up_block', expires_at: null },
    { ip: '2001:db8::/32', severity: 'sign_up_block', expires_at: expect.any(String) },
    { ip: '203.0.113.0/24', severity: 'no_access', comment: 'why' },
  ])
  const headers = { 'x-forwarded-for': '203.0.113.200' }
  await expect.poll(async () => (await fetch(`${cli.server.url}/health`, { headers })).status).toBe(403)
  expect(await run('ip-blocks', 'remove', '203.0.113.200')).toBe('203.0.113.200\tis not blocked')
  expect(await run('ip-blocks', 'remove', '203.0.113.200', '--force', '--dry-run')).toContain('Would be')
  expect(await run('ip-blocks', 'remove', '203.0.113.200', '--force')).toBe('203.0.113.0/24\tOK')
  await expect.poll(async () => (await fetch(`${cli.server.url}/health`, { headers })).status).toBe(200)
  expect(await fails('ip-blocks', 'add', '0.0.0.0/0')).toContain('this server')
  expect(await fails('ip-blocks', 'add', 'nowhere')).toContain('no address')
  expect(await fails('ip-blocks', 'add', '192.0.2.1', '--severity', 'banish')).toContain('no_access')
  const { rows } = await inDatabase(({ database }) =>
    sql<{ actor: string; action: string }>`
      select actor, action from audit_log where target_type = 'ip_block' order by id desc limit 1`.execute(
      database.db,
    ),
  )
  expect(rows).toEqual([{ actor: 'operator', action: 'destroy' }])
})

test('e-mail domains are blocked, listed and let in again', async () => {
  expect(await run('email-domain-blocks', 'add', 'bad.example', 'Worse.example')).toBe(
    'bad.example\tOK\nWorse.example\tOK',
  )
  expect(await run('email-domain-blocks', 'add', 'BAD.example')).toContain('is blocked already')
  expect(await run('email-domain-blocks', 'add', 'odd.example', '--allow-with-approval')).toContain('OK')
  expect(await run('email-domain-blocks', 'list')).toBe(
    'odd.example\twith approval\nworse.example\tblocked\nbad.example\tblocked',
  )
  expect(await run('email-domain-blocks', 'remove', 'bad.example', '--dry-run')).toContain('Would be')
  expect(await run('email-domain-blocks', 'remove', 'bad.example', 'none.example')).toBe(
    'bad.example\tOK\nnone.example\tis not blocked',
  )
  expect(JSON.parse(await run('email-domain-blocks', 'list', '--json'))).toMatchObject([
    { domain: 'odd.example', allow_with_approval: true },
    { domain: 'worse.example' },
  ])
  expect(await fails('email-domain-blocks', 'add', 'a b')).toContain('not a valid domain')
})

test('addresses that are known by their hash are found and let in again', async () => {
  await inDatabase(({ ctx }) =>
    createCanonicalEmailBlock(ctx, 'operator', { email: 'some.one@mail.example' }),
  )
  expect(await run('canonical-email-blocks', 'find', 'someone+x@MAIL.example')).toContain('is blocked')
  expect(await run('canonical-email-blocks', 'find', 'other@mail.example')).toContain('is not blocked')
  expect(await run('canonical-email-blocks', 'remove', 'someone@mail.example', '--dry-run')).toContain(
    'Would',
  )
  expect(await run('canonical-email-blocks', 'remove', 'someone@mail.example')).toBe('OK')
  expect(await run('canonical-email-blocks', 'remove', 'someone@mail.example')).toContain('is not blocked')
})

test('user names are kept back and given free', async () => {
  expect(await run('username-blocks', 'add', 'casino', '--contains')).toBe('casino\tOK')
  expect(await run('username-blocks', 'add', 'C4sin0')).toContain('is blocked already')
  expect(await run('username-blocks', 'list')).toBe('casino\tcontains\tblocked')
  expect(await run('username-blocks', 'remove', 'cas1no', 'poker')).toBe('cas1no\tOK\npoker\tis not blocked')
  expect(JSON.parse(await run('username-blocks', 'list', '--json'))).toEqual([])
})

test('people are signed out everywhere, one by one and all at once, and keep their passwords', async () => {
  const tokenOf = async (name: string) => {
    await run('accounts', 'create', name, '--email', `${name}@mail.example`, '--confirmed')
    return run('tokens', 'create', name)
  }
  const [hacked, other] = [await tokenOf('hacked'), await tokenOf('other')]
  const status = async (token: string) =>
    (
      await fetch(`${cli.server.url}/api/v1/accounts/verify_credentials`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  const hashes = () =>
    inDatabase(({ database }) =>
      sql`select username, password_hash from users u join accounts a on a.id = u.account_id order by 1`.execute(
        database.db,
      ),
    )
  const { rows: before } = await hashes()
  expect([await status(hacked), await status(other)]).toEqual([200, 200])
  expect(await fails('tokens', 'revoke', 'hacked', 'nobody')).toContain('There is no local account nobody')
  expect(await status(hacked)).toBe(200)
  expect(await run('tokens', 'revoke', 'hacked')).toBe('Signed out: 1')
  await expect.poll(() => status(hacked)).toBe(401)
  expect(await status(other)).toBe(200)
  expect(await fails('tokens', 'revoke')).toContain('Give names, or --all')
  expect(await fails('tokens', 'revoke', 'other', '--all')).toContain('Give names, or --all')
  expect(await run('tokens', 'revoke', '--all')).toMatch(/^Signed out: \d+$/)
  await expect.poll(() => status(other)).toBe(401)
  expect((await hashes()).rows).toEqual(before)
  const { rows } = await inDatabase(({ database }) =>
    sql`select target_label as label from audit_log where action = 'end_access' and target_label in ('hacked', 'other')
      order by id`.execute(database.db),
  )
  expect(rows).toEqual(expect.arrayContaining([{ label: 'hacked' }, { label: 'other' }]))
})
