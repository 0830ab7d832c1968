import { mkdtemp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '#ports/storage.ts'
import { describeStorage } from '#test/storage-contract.ts'
import { createDiskStorage } from './storage.ts'

let root: string
let directory: string
let storage: Storage
const png = { contentType: 'image/png' }

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'stonechat-disk-'))
  directory = path.join(root, 'media')
  storage = createDiskStorage({ directory })
})
afterAll(() => rm(root, { recursive: true }))

// The folder of the store is beside the files that no key may reach.
describeStorage(() => ({ storage, folder: root }))

describe('on disk', () => {
  test('what fails half-way leaves nothing behind', async () => {
    await mkdir(path.join(root, 'no-file'))
    await expect(storage.put('no.png', { path: path.join(root, 'no-file') }, png)).rejects.toThrow()
    expect(await storage.open('no.png')).toBeNull()
    expect(await readdir(path.join(directory, '.unfinished'))).toEqual([])
  })

  test('a folder elsewhere may hold the media', async () => {
    const link = path.join(root, 'link')
    await symlink(directory, link)
    await storage.put('l.png', { body: Buffer.from('linked') }, png)
    const file = await createDiskStorage({ directory: link }).open('l.png')
    expect(await text(file!.stream)).toBe('linked')
  })
})
