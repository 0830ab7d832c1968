import { randomUUID } from 'node:crypto'
import { mkdtemp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '#ports/storage.ts'
import { describeStorage } from '#test/contracts/storage-contract.ts'
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
describeStorage(() => ({ storage, folder: root, place: { directory } }))

describe('on disk', () => {
  test('what fails half-way leaves nothing behind', async () => {
    await mkdir(path.join(root, 'no-file'), { recursive: true })
    await expect(storage.put('no.png', { path: path.join(root, 'no-file') }, png)).rejects.toThrow()
    expect(await storage.open('no.png')).toBeNull()
    expect(await readdir(path.join(directory, '.unfinished'))).toEqual([])
  })

  test('of what is deleted no empty folder stays, and none goes from under what is stored', async () => {
    const write = (name: string) => storage.put(name, { body: Buffer.from('x') }, png)
    await write('pictures/1/a.png')
    await write('pictures/1/b.png')
    await storage.delete('pictures/1/a.png')
    expect(await readdir(path.join(directory, 'pictures/1'))).toEqual(['b.png'])
    await storage.delete('pictures/1/b.png')
    expect(await readdir(path.join(directory, 'pictures'))).toEqual([])
    await write('top.png')
    await storage.delete('top.png')
    expect(await readdir(directory)).toContain('pictures')
    const names = Array.from({ length: 200 }, (_, i) => `shared/folder/${i}.png`)
    await Promise.all(names.map((name) => write(name).then(() => storage.delete(name))))
    expect(await readdir(path.join(directory, 'shared'))).toEqual([])
  })

  test('a folder elsewhere may hold the media', async () => {
    const link = path.join(root, randomUUID())
    await symlink(directory, link)
    await storage.put('l.png', { body: Buffer.from('linked') }, png)
    const file = await createDiskStorage({ directory: link }).open('l.png')
    expect(await text(file!.stream)).toBe('linked')
  })
})
