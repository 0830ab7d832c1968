// `bin/stonechat media` beside a running server.
import { mkdir, readFile, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { remoteAccount } from '#test/people/remote-account.ts'
import { useCli } from '#test/processes/cli.ts'
import { openStores } from '#app/media/stores.ts'
import { recordingLog } from '#test/app/log.ts'
import { uploadForm } from '#test/client/upload.ts'
import { startS3rver } from '#test/servers/s3-server.ts'

/** Of the commands: the server goes on with what it began with. */
const env: Record<string, string> = {}
const cli = useCli({ env })

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

/** Somebody uploads a picture and its preview is made. */
async function upload(name: string): Promise<void> {
  const [person] = await cli.server.people(name)
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const answer = await person!.post('/api/v2/media', uploadForm(png))
  expect(answer.status).toBe(200)
}

test('usage and remove', async () => {
  await upload('alice')
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

async function filesOnDisk(): Promise<string[]> {
  const folder = path.join(cli.server.dataDir, 'media')
  const names = await readdir(folder, { recursive: true })
  const files: string[] = []
  for (const name of names) if ((await stat(path.join(folder, name))).isFile()) files.push(name)
  return files.toSorted()
}

test('media moves from the disk to a bucket and back, by commands that can be run again', async () => {
  await upload('bruno')
  const store = await startS3rver()
  onTestFinished(() => store.remove())
  const onDisk = (key: string) => path.join(cli.server.dataDir, 'media', key)
  expect(await cli.fails('media', 'migrate', 's3')).toContain('S3_BUCKET')
  Object.assign(env, store.env, { S3_ENABLED: 'false' })
  const keys = await filesOnDisk()
  const first = keys[0] as string
  const bytes = await readFile(onDisk(first))
  // Nothing names it, and nothing could be about to.
  await mkdir(onDisk('avatars/1'), { recursive: true })
  await writeFile(onDisk('avatars/1/stray.png'), 'stray')
  await utimes(onDisk('avatars/1/stray.png'), 0, 0)

  const count = `${keys.length} files`
  expect(await media('migrate', 's3', '--dry-run')).toMatch(
    new RegExp(`^Would be copied: ${count}, .*; left because nothing names them: 1$`),
  )
  expect(await media('migrate', 's3')).toMatch(
    new RegExp(`^Copied: ${count}, .*\\n.*S3_ENABLED=true, restart the server, and run this again`),
  )
  const inBucket = async () =>
    Buffer.from(await (await store.request('GET', `/media/${first}`)).arrayBuffer())
  expect((await inBucket()).equals(bytes)).toBe(true)
  expect((await store.request('GET', '/media/avatars/1/stray.png')).status).toBe(404)

  // What is damaged in the bucket is seen, and copied again.
  await damage(first, Buffer.alloc(bytes.length, 'x'))
  expect(await media('migrate', 's3', '--by-size')).toContain(
    `Copied: 0 files, 0.0 kB; already there: ${keys.length}`,
  )
  expect(await media('migrate', 's3')).toContain('Copied: 1 file,')
  expect((await inBucket()).equals(bytes)).toBe(true)

  // Nothing leaves the old place while the server uses it, or while the new one lacks anything.
  expect(await cli.fails('media', 'migrate', 's3', '--confirm')).toContain(
    'still keeps its media in DATA_DIR/media',
  )
  env['S3_ENABLED'] = 'true'
  await damage(first, Buffer.from('x'))
  const refused = await cli.command('media', 'migrate', 's3', '--confirm')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    '1 file not in the bucket: run it without --confirm first, then again\n',
  ])
  expect(await filesOnDisk()).toEqual([first])
  await media('migrate', 's3')
  expect(await media('migrate', 's3', '--confirm')).toMatch(/^Removed from DATA_DIR\/media: 1 file,/)
  expect(await filesOnDisk()).toEqual([])

  expect(await cli.json('media', 'migrate', 'disk', '--json')).toMatchObject({ files: keys.length, there: 0 })
  env['S3_ENABLED'] = 'false'
  await media('migrate', 'disk', '--confirm')
  expect(await filesOnDisk()).toEqual(keys)
  expect((await readFile(onDisk(first))).equals(bytes)).toBe(true)
  expect((await store.request('GET', `/media/${first}`)).status).toBe(404)
})

/** Another file stands under its name in the bucket. */
async function damage(key: string, body: Buffer): Promise<void> {
  const { s3, close } = openStores({ ...env, DATA_DIR: cli.server.dataDir }, recordingLog())
  await s3.put(key, { body }, { contentType: 'image/png' })
  await close()
}
