import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Storage } from '#ports/storage.ts'
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

const read = async (key: string, range?: { start: number; end?: number }) => {
  const file = await storage.open(key, range)
  return file && text(file.stream)
}

describe('files', () => {
  test('a buffer comes back with its type, size and time', async () => {
    const before = Date.now()
    await storage.put('a/b/one.png', { body: Buffer.from('0123456789') }, png)
    const file = await storage.open('a/b/one.png')
    expect(file).toMatchObject({ size: 10, contentType: 'image/png' })
    expect(Math.abs(file!.modified!.getTime() - before)).toBeLessThan(60_000)
    expect(await text(file!.stream)).toBe('0123456789')
  })

  test('a file is copied and stays where it was', async () => {
    const source = path.join(root, 'source')
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'xyz')
    await writeFile(source, bytes)
    await storage.put('video.mp4', { path: source }, { contentType: 'video/mp4' })
    const file = await storage.open('video.mp4')
    expect((await buffer(file!.stream)).equals(bytes)).toBe(true)
    expect((await readFile(source)).length).toBe(bytes.length)
  })

  test('a replaced file is whole for those who read the old one', async () => {
    await storage.put('r.png', { body: Buffer.from('old') }, png)
    const old = await storage.open('r.png')
    await storage.put('r.png', { body: Buffer.from('new and longer') }, png)
    expect(await text(old!.stream)).toBe('old')
    expect(await read('r.png')).toBe('new and longer')
  })

  test('deleted twice, then gone', async () => {
    await storage.put('d.png', { body: Buffer.from('x') }, png)
    await storage.delete('d.png')
    await storage.delete('d.png')
    expect(await storage.open('d.png')).toBeNull()
    expect(await storage.open('d.png/e.png')).toBeNull()
    expect(storage.url('d.png')).toBeNull()
  })

  test('an empty file', async () => {
    await storage.put('empty.csv', { body: Buffer.alloc(0) }, { contentType: 'text/csv' })
    expect(await read('empty.csv')).toBe('')
    await expect(storage.open('empty.csv', { start: 0 })).rejects.toThrow(RangeError)
  })
})

describe('ranges', () => {
  beforeAll(() => storage.put('range.png', { body: Buffer.from('0123456789') }, png))

  test('both ends count, and a range past the end is cut', async () => {
    expect(await read('range.png', { start: 2, end: 4 })).toBe('234')
    expect(await read('range.png', { start: 7 })).toBe('789')
    expect(await read('range.png', { start: 0, end: 0 })).toBe('0')
    expect(await read('range.png', { start: 8, end: 100 })).toBe('89')
    expect((await storage.open('range.png', { start: 9 }))!.size).toBe(10)
  })

  test.each([{ start: 10 }, { start: -1 }, { start: 5, end: 4 }])('%j is refused', async (range) => {
    await expect(storage.open('range.png', range)).rejects.toThrow(RangeError)
  })

  test('a reader may stop early', async () => {
    const file = await storage.open('video.mp4')
    const reader = file!.stream.getReader()
    expect((await reader.read()).value!.length).toBeLessThanOrEqual(64 * 1024)
    await reader.cancel()
  })
})

describe('keys', () => {
  const bad = [
    '',
    '/etc/passwd.png',
    '../up.png',
    'a/../../up.png',
    'a//b.png',
    './a.png',
    'a/.hidden.png',
    'a\\b.png',
    'C:\\a.png',
    'a\0.png',
    'a.png/',
    'no-extension',
    'page.html',
    'picture.svg',
    'object.json',
    'ä.png',
    `${'a'.repeat(500)}.png`,
  ]

  test.each(bad)('%j is never written, read or deleted', async (key) => {
    await writeFile(path.join(root, 'up.png'), 'outside')
    await expect(storage.put(key, { body: Buffer.from('x') }, png)).rejects.toThrow(TypeError)
    expect(await storage.open(key)).toBeNull()
    await storage.delete(key)
    expect(await readFile(path.join(root, 'up.png'), 'utf8')).toBe('outside')
  })

  test('the extension has to agree with the type', async () => {
    await expect(
      storage.put('a.png', { body: Buffer.from('x') }, { contentType: 'text/html' }),
    ).rejects.toThrow(TypeError)
  })

  test('what fails half-way leaves nothing behind', async () => {
    await expect(storage.put('gone.png', { path: path.join(root, 'missing') }, png)).rejects.toThrow('ENOENT')
    expect(await storage.open('gone.png')).toBeNull()
    expect(await readdir(path.join(directory, '.unfinished'))).toEqual([])
  })

  test('a folder with the name of a file is no file', async () => {
    await storage.put('folder.png/a.png', { body: Buffer.from('x') }, png)
    expect(await storage.open('folder.png')).toBeNull()
  })

  test('a folder elsewhere may hold the media', async () => {
    const link = path.join(root, 'link')
    await symlink(directory, link)
    await storage.put('l.png', { body: Buffer.from('linked') }, png)
    const file = await createDiskStorage({ directory: link }).open('l.png')
    expect(await text(file!.stream)).toBe('linked')
  })
})
