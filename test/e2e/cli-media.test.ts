// `bin/stonechat media` beside a running server.
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { remoteAccount } from '#test/people/remote-account.ts'
import { useCli } from '#test/processes/cli.ts'
import { uploadForm } from '#test/client/upload.ts'

const cli = useCli()

const day = 86_400_000

const media = (...words: string[]) => cli.run('media', ...words)

/** A copy of a remote file of 5,000 bytes that somebody looked at so many days ago. */
async function copyOf(days: number): Promise<void> {
  await cli.inDatabase(async ({ ctx }) => {
    const { accountId } = await remoteAccount(ctx)
    const [id, used] = [ctx.newId(), new Date(Date.now() - days * day)]
    await sql`
      insert into media_attachments (id, account_id, type, state, remote_url, original_key, original_bytes, cached_at,
        used_at)
      values (${id}, ${accountId}, 'image', 'complete', 'https://away.example/x.png', ${`cache/${id}/x.png`}, 5000,
        ${used}, ${used})`.execute(ctx.db)
  })
}

test('usage and remove', async () => {
  const [alice] = await cli.server.people('alice')
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const answer = await alice!.post('/api/v2/media', uploadForm(png))
  expect(answer.status).toBe(200)
  for (const days of [1, 10, 20]) await copyOf(days)
  const usage = async () => JSON.parse(await media('usage', '--json'))
  expect(await usage()).toEqual({
    attachments: { local: { files: 1, bytes: expect.any(Number) }, cached: { files: 3, bytes: 15_000 } },
    previews: { local: { files: 1, bytes: expect.any(Number) }, cached: { files: 0, bytes: 0 } },
    cards: { files: 0, bytes: 0 },
  })
  expect(await media('usage')).toMatch(/^Copies from other servers\t3\t15\.0 kB$/m)
  expect(await media('remove', '--dry-run')).toBe('Would be removed: 2 files, 10.0 kB')
  expect(await media('remove', '--days', '15', '--json')).toBe('{"files":1,"bytes":5000,"dryRun":false}')
  expect(await media('remove')).toBe('Removed: 1 file, 5.0 kB')
  expect((await usage()).attachments.cached).toEqual({ files: 1, bytes: 5_000 })
  expect(await cli.fails('media', 'remove', '--days', 'x')).toContain('--days is "x", not a number')
})
