// `bin/stonechat retention`.
import { expect, test } from 'vitest'
import { setSetting } from '#domain/server/instance/settings.ts'
import { useCli } from '#test/processes/cli.ts'
import { oldStatus } from '#test/people/old-statuses.ts'
import { remoteAccount } from '#test/people/remote-account.ts'

const cli = useCli({ beside: 'outside' })
const retention = (...words: string[]) => cli.run('retention', ...words)

interface Work {
  name: string
  state: string
  progress: number | null
  removed: number
  finished_at: string | null
}

const workOf = async (name: string) =>
  (await cli.json<Work[]>('retention', 'list', '--json')).find((work) => work.name === name)

test('list, run, pause and resume', async () => {
  expect(await cli.fails('retention', 'run', 'remote-statuses')).toContain(
    'content_cache_retention_period is not set',
  )
  await cli.inDatabase(async ({ ctx }) => {
    await setSetting(ctx, 'content_cache_retention_period', 30)
    const { accountId } = await remoteAccount(ctx)
    for (let i = 0; i < 5; i++) await oldStatus(ctx, accountId)
    await oldStatus(ctx, accountId, { age: 1 })
  })
  expect(await workOf('remote-statuses')).toMatchObject({ state: 'idle', finished_at: null })
  expect(await retention('run', 'remote-statuses', '--dry-run')).toBe('Would be removed: 5')
  expect(await retention('pause', 'remote-statuses')).toBe('OK')
  expect(await cli.fails('retention', 'run', 'remote-statuses')).toContain('remote-statuses is paused')
  expect(await retention('list')).toMatch(
    /^remote-statuses\tpaused\tOther servers' old posts [^\t]+\t-\t-\t-\t-$/m,
  )
  expect(await retention('resume', 'remote-statuses')).toBe('OK')
  const ran = await cli.json('retention', 'run', 'remote-statuses', '--full-speed', '--json')
  expect(ran).toEqual({ name: 'remote-statuses', removed: 5, dryRun: false })
  expect(await workOf('remote-statuses')).toMatchObject({ state: 'idle', progress: 1, removed: 5 })
  expect(await retention('run', 'notifications')).toBe('Removed: 0')
  expect(await retention('list')).toMatch(/^notifications\tidle\tOld notifications\t0\t20\S+Z\t20\S+Z\t-$/m)
  expect(await cli.fails('retention', 'run', 'notifications', '--dry-run')).toContain('remote-statuses alone')
  for (const word of ['run', 'pause', 'resume']) await cli.fails('retention', word, 'nothing')
})
