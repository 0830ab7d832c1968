// `bin/stonechat accounts import-archive` beside a running server.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { archivedBoost, archivedPost, makeTarGz, outboxOf } from '#test/files/archives.ts'
import { useCli } from '#test/processes/cli.ts'

const cli = useCli()

test('accounts import-archive', async () => {
  const [alice] = await cli.server.people('alice')
  const file = path.join(cli.server.dataDir, 'archive.tar.gz')
  const posts = [
    archivedPost('1', '2020-01-01T10:00:00Z', '<p>one</p>'),
    archivedPost('2', 'never', '<p>two</p>'),
    archivedBoost('3', '2020-01-03T10:00:00Z', 'https://far.example/1'),
  ]
  await writeFile(file, await makeTarGz({ 'outbox.json': outboxOf(posts) }))
  const run = () => cli.server.command('accounts', 'import-archive', 'alice', file)
  expect(await run()).toMatchObject({
    code: 0,
    stdout: 'Imported 1, skipped 1, failed to import 1\n',
    stderr: '2: https://old.example/users/ann/statuses/2: The post has no date\n',
  })
  const { id } = (await alice!.get('/api/v1/accounts/verify_credentials')).ok()
  const statuses = (await alice!.get(`/api/v1/accounts/${id}/statuses`)).ok()
  expect(statuses).toMatchObject([{ content: '<p>one</p>', created_at: '2020-01-01T10:00:00.000Z' }])
  // Again: it is there.
  expect((await run()).stdout).toBe('Imported 0, skipped 2, failed to import 1\n')
  await writeFile(file, 'no archive')
  expect(await run()).toMatchObject({ code: 1, stderr: 'This is no .zip or .tar.gz archive\n' })
  const missing = await cli.server.command('accounts', 'import-archive', 'alice', '/nowhere.zip')
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('/nowhere.zip')])
  const nobody = await cli.server.command('accounts', 'import-archive', 'nobody', file)
  expect([nobody.code, nobody.stderr]).toEqual([1, 'There is no local account nobody\n'])
})
