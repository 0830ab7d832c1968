import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type TestApp } from '#test/app/app.ts'
import { runProcessSync } from '#test/processes/processes.ts'

const room = { error: 'The server has no room for this just now, please try again later' }
const megabyte = 2 ** 20

let folder: string
let app: TestApp
/** Why a small disk cannot be had here: only root may mount, and not everywhere. */
let impossible: string | null = null

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stonechat-small-'))
  const mounted = runProcessSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], {
    encoding: 'utf8',
  })
  if (mounted.status === 0) app = await startApp({ env: { DATA_DIR: folder } })
  else impossible = mounted.stderr?.trim() || 'there is no mount command'
})
afterAll(async () => {
  await app?.close().catch(() => {})
  if (impossible === null) runProcessSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
})

/** Noise: it stays as large as it is. */
async function noise(side: number): Promise<Blob> {
  const raw = { width: side, height: side, channels: 3 as const }
  const png = await sharp(randomBytes(side * side * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
  return new Blob([new Uint8Array(png)], { type: 'image/png' })
}

function avatarForm(picture: Blob): FormData {
  const form = new FormData()
  form.append('avatar', picture, 'noise.png')
  return form
}

async function files(): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('secrets'))
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
}

describe('a full disk [ROB-4]', () => {
  test('an upload that does not fit is refused, leaves nothing, and the rest goes on', async ({ skip }) => {
    if (impossible !== null) return skip(impossible)
    const alice = await app.person('alice')
    const before = (await alice.get('/api/v1/accounts/verify_credentials')).ok().avatar
    const answer = await alice.patch('/api/v1/accounts/update_credentials', avatarForm(await noise(1000)))
    expect([answer.status, answer.body]).toEqual([503, room])
    expect(await files()).toEqual([])
    expect((await alice.get('/api/v1/accounts/verify_credentials')).ok().avatar).toBe(before)
    await alice.say('text still fits')
    const told = app.logLines.filter((line) => line.message === 'the disk is full')
    expect(told.map((line) => [line.level, String(line.fields['cause'])])).toEqual([
      ['error', expect.stringContaining('ENOSPC')],
    ])
  })

  test('a picture that arrives whole and then cannot be stored is refused too, until there is room again', async ({
    skip,
  }) => {
    if (impossible !== null) return skip(impossible)
    const alice = await app.person('alice')
    const picture = await noise(400)
    const ballast = path.join(folder, 'ballast')
    // Room for the upload, but not for the picture that is made from it.
    await writeFile(ballast, Buffer.alloc(2 * megabyte - picture.size - 100_000))
    const answer = await alice.patch('/api/v1/accounts/update_credentials', avatarForm(picture))
    expect([answer.status, answer.body]).toEqual([503, room])
    expect(await files()).toEqual(['ballast'])
    await rm(ballast)
    const { avatar } = (await alice.patch('/api/v1/accounts/update_credentials', avatarForm(picture))).ok()
    const shown = await app.fetch(new URL(avatar).pathname)
    expect([shown.status, (await shown.bytes()).length > 1000]).toEqual([200, true])
    expect(await files()).toHaveLength(1)
  })
})
