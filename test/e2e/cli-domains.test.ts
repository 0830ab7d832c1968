// `bin/stonechat domains` and `accounts delete`.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { remoteAccount } from '#test/people/remote-account.ts'
import { useCli } from '#test/processes/cli.ts'

const cli = useCli({ beside: 'outside' })
const { run, fails, inDatabase } = cli

test('blocks are made, changed, listed and lifted', async () => {
  expect(await run('domains', 'block', 'Bad.example', '--reject-media', '--private-comment', 'why')).toBe(
    'OK',
  )
  expect(await run('domains', 'list')).toBe('bad.example\tsuspend\treject_media')
  expect(await run('domains', 'block', 'bad.example', '--severity', 'silence')).toBe('OK')
  expect(JSON.parse(await run('domains', 'list', '--json'))).toMatchObject([
    { domain: 'bad.example', severity: 'silence', reject_media: true, private_comment: 'why' },
  ])
  expect(await fails('domains', 'block', 'sub.bad.example', '--severity', 'noop')).toContain('bad.example')
  expect(await fails('domains', 'block', 'bad.example', '--severity', 'banish')).toContain('silence')
  expect(await fails('domains', 'block', 'a b')).toContain('not a valid domain')
  expect(await run('domains', 'unblock', 'bad.example')).toBe('OK')
  expect(await fails('domains', 'unblock', 'bad.example')).toContain('There is no block')
  expect(await run('domains', 'list')).toBe('')
})

test('permissions are given and taken back', async () => {
  expect(await run('domains', 'allow', 'friend.example')).toBe('OK')
  expect(await run('domains', 'allow', 'friend.example')).toBe('OK')
  expect(await run('domains', 'list', '--allowed')).toBe('friend.example')
  expect(await run('domains', 'disallow', 'friend.example')).toBe('OK')
  expect(await fails('domains', 'disallow', 'friend.example')).toContain('not allowed')
})

test('servers are purged', async () => {
  await inDatabase(async ({ ctx }) => {
    for (const domain of ['gone.example', 'sub.gone.example', 'stays.example'])
      await remoteAccount(ctx, domain)
  })
  expect(await run('domains', 'purge', 'gone.example', '--dry-run')).toBe(
    'gone.example\tWould remove 2 accounts, 0 custom emoji',
  )
  expect(await run('domains', 'purge', 'gone.example')).toBe(
    'gone.example\tRemoved 2 accounts, 0 custom emoji',
  )
  const left = await inDatabase(
    async ({ ctx }) =>
      (await sql<{ domain: string }>`select domain from accounts where domain is not null`.execute(ctx.db))
        .rows,
  )
  expect(left).toEqual([{ domain: 'stays.example' }])
})

test('accounts are deleted by name and by address', async () => {
  await run('accounts', 'create', 'ann', '--email', 'ann@mail.example', '--confirmed')
  await run('accounts', 'create', 'ben', '--email', 'ben@mail.example')
  expect(await run('accounts', 'delete', 'ann', '--dry-run')).toBe('Would delete ann')
  expect(await run('accounts', 'delete', '@Ann')).toBe('OK')
  expect(await run('accounts', 'delete', '--email', 'BEN@mail.example')).toBe('OK')
  expect(await fails('accounts', 'delete', 'ann')).toContain('There is no local account')
  expect(await fails('accounts', 'delete', '--email', 'ben@mail.example')).toContain('Nobody')
  expect(await fails('accounts', 'delete')).toContain('Either NAME or --email')
  expect(await fails('accounts', 'create', 'ann', '--email', 'new@mail.example')).toContain('reserved')
})
