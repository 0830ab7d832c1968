// Files that somebody made to do harm, or that came from nowhere known, are refused before anything is touched.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createWriteStream } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { expect, onTestFinished, test } from 'vitest'
import { createArchiveWriter, type ArchiveWriter } from '#app/backup/archive-writer.ts'
import { verifyBackup } from '#app/backup/verify-backup.ts'

const id = randomUUID()
const head = JSON.stringify({
  format: 1,
  id,
  software: '1.0.0',
  schema: 1,
  localDomain: 'chat.example',
  baseUrl: 'https://chat.example',
  createdAt: new Date(0).toISOString(),
  media: 'all',
  tables: [],
})
const keys = JSON.stringify({ secretKeyBase: 'x', vapid: { publicKey: '', privateKey: '' } })

async function fileFor(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-hostile-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return path.join(folder, 'hostile.tar')
}

/** A backup whose sums are all right, whatever else is in it. */
async function check(fill: (archive: ArchiveWriter) => Promise<void>, files = 0): Promise<unknown> {
  const file = await fileFor()
  const archive = createArchiveWriter(createWriteStream(file))
  await fill(archive)
  await archive.finish({ id, rows: {}, media: { files, bytes: files, missing: 0 } })
  return verifyBackup(file, () => ({ advance: () => {}, done: () => {} }))
}

const begin = async (archive: ArchiveWriter) => {
  await archive.add('stonechat-backup.json', head)
  await archive.add('secrets.json', keys)
}

test('one as it should be is taken', async () => {
  const verified = await check(async (archive) => {
    await begin(archive)
    await archive.add('sequences.json', '{}')
    await archive.add('media/a/b.png', 'x')
  }, 1)
  expect(verified).toBeDefined()
})

test.each([
  '../outside.png',
  'a/../../outside.png',
  '/etc/outside.png',
  'a\\..\\outside.png',
  '.unfinished/a.png',
  'page.html',
  'no-type',
  `${'long/'.repeat(101)}a.png`,
])('a file named %s is refused', async (key) => {
  const checked = check(async (archive) => {
    await begin(archive)
    await archive.add('sequences.json', '{}')
    await archive.add(`media/${key}`, 'x')
  }, 1)
  await expect(checked).rejects.toThrow(/is damaged: .* is an impossible name$/)
})

test.each([
  [
    'files before rows are there',
    ['media/a.png', 'sequences.json'],
    /sequences\.json is not in its place|media\/a\.png is not/,
  ],
  ['sequences twice', ['sequences.json', 'sequences.json'], /is not in its place/],
  ['keys twice', ['secrets.json', 'sequences.json'], /is not in its place/],
  ['a second head', ['stonechat-backup.json', 'sequences.json'], /is not in its place/],
  ['rows after the end of rows', ['sequences.json', 'tables/a/000001.zst'], /is not in its place/],
  ['nothing after the keys', [], /parts of it are missing/],
  ['something unknown', ['sequences.json', 'run-me.sh'], /nothing is known of "run-me\.sh"/],
])('one with %s is refused', async (_, order, problem) => {
  const checked = check(async (archive) => {
    await begin(archive)
    for (const name of order)
      await archive.add(name, name === 'secrets.json' ? keys : name === 'stonechat-backup.json' ? head : '{}')
  })
  await expect(checked).rejects.toThrow(problem)
})

test.each(['symlink', 'link', 'directory', 'character-device'] as const)('a %s is refused', async (type) => {
  const archive = pack()
  archive.entry({ name: 'stonechat-backup.json' }, head)
  archive.entry({ name: 'media/a.png', type, ...(type.endsWith('link') && { linkname: '/etc/passwd' }) })
  archive.finalize()
  const file = await fileFor()
  await writeFile(file, await buffer(archive as unknown as AsyncIterable<Uint8Array>))
  await expect(verifyBackup(file, () => ({ advance: () => {}, done: () => {} }))).rejects.toThrow(
    /is damaged: media\/a\.png is no file$/,
  )
})
