import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDataDir, makeFolder } from './make-folder.ts'

let place: string
beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'stonechat-folders-'))
})
afterAll(() => rm(place, { recursive: true }))

test('a folder is made with those it is in, also by several at once and when it is there', async () => {
  const folder = path.join(place, 'a', 'b', 'c')
  await Promise.all([1, 2, 3].map(() => makeFolder(folder, 0o700)))
  await makeFolder(folder)
  for (const each of [folder, path.dirname(folder)]) expect((await stat(each)).mode & 0o777).toBe(0o700)
  await makeFolder('/')
  const link = path.join(place, 'link')
  await symlink(folder, link)
  await makeDataDir(link)
})

test('what is in the way is told', async () => {
  const file = path.join(place, 'file')
  await writeFile(file, '')
  for (const name of [file, path.join(file, 'x', 'y')])
    await expect(makeDataDir(name)).rejects.toThrow(
      `DATA_DIR ${name} cannot be made: a file is in its way; set another DATA_DIR`,
    )
})

// Node's own goes on for ever there.
test.skipIf(process.platform !== 'linux')('where nothing can be made this is told at once', async () => {
  for (const name of ['/proc/stonechat', '/proc/stonechat/x/y'])
    await expect(makeDataDir(name)).rejects.toThrow(
      `DATA_DIR ${name} cannot be made: no folder can be made there; set another DATA_DIR`,
    )
})
