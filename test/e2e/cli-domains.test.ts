// `bin/stonechat domains` and `accounts delete`.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
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

describe('a list in a file', () => {
  const write = async (text: string) => {
    const file = path.join(cli.server.dataDir, 'list.csv')
    await writeFile(file, text)
    return file
  }
  const format =
    'allowed is CSV as Mastodon exports it, with #domain,#severity in its first line, or a domain a line'

  test('of which nothing can be read is refused', async () => {
    for (const more of [[], ['--dry-run'], ['--allows'], ['--json']]) {
      const torn = await write('no domain,suspend\nco.uk,suspend\n')
      expect(await fails('block-lists', 'import', torn, ...more)).toBe(
        `${torn}: none of the 2 entries can be read (not a domain: "no domain"); ${format}`,
      )
    }
    for (const text of ['', '[1,', '#domain,#severity\n']) {
      const empty = await write(text)
      expect(await fails('block-lists', 'import', empty)).toBe(
        `${empty}: there is no list of servers in it; ${format}`,
      )
    }
  })

  test('says what it would do, and does that', async () => {
    await run('domains', 'block', 'known.example', '--severity', 'silence')
    await run('domains', 'block', 'same.example')
    const file = await write('fresh.example,silence\nknown.example\nsub.same.example\nno domain\n')
    const told = { code: 0, stderr: 'line 4: not a domain: no domain\n' }
    expect(await cli.command('block-lists', 'import', file, '--dry-run')).toEqual({
      ...told,
      stdout: [
        'fresh.example\tsilence\t-\t0 follows, 0 followers\tcreated',
        'known.example\tsuspend\tsilence\t0 follows, 0 followers\tupdated',
        'sub.same.example\tsuspend\tsuspend\t0 follows, 0 followers\tunchanged',
        'Would be blocked: 1, changed: 1, unchanged: 1, skipped: 1\n',
      ].join('\n'),
    })
    expect(await run('domains', 'list')).toBe('same.example\tsuspend\t-\nknown.example\tsilence\t-')
    expect(await cli.command('block-lists', 'import', file)).toEqual({
      ...told,
      stdout: 'created: 1\nupdated: 1\nunchanged: 1\nskippedCount: 1\n',
    })
    expect(await run('domains', 'list')).toContain('known.example\tsuspend\t-')
    expect(await cli.command('block-lists', 'import', file, '--allows', '--dry-run')).toEqual({
      ...told,
      stdout: 'fresh.example\nknown.example\nsub.same.example\nWould be allowed: 3\n',
    })
    expect(await run('domains', 'list', '--allowed')).toBe('')
    expect(await cli.command('block-lists', 'import', file, '--allows')).toEqual({
      ...told,
      stdout: 'Allowed: 3\n',
    })
  })

  test('servers that no list may block are printed as JSON too', async () => {
    await run('block-lists', 'exclude', 'friends.example', '--comment', 'ours')
    expect(await run('block-lists', 'exclude')).toBe('friends.example\tours')
    expect(JSON.parse(await run('block-lists', 'exclude', '--json'))).toMatchObject([
      { domain: 'friends.example', comment: 'ours' },
    ])
  })
})
