import { open as openFile, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Storage, StorageRange } from '#ports/storage.ts'
import { heldBy } from '#test/held/held.ts'
import type { LargeFile, Place } from '#test/held/large-file.ts'

export interface StorageUnderTest {
  storage: Storage
  /** A folder of the test's own, outside the store. */
  folder: string
  /** Where another process finds the same store. */
  place: Place
}

type Part = 'ranges' | 'large files'

/** What every Storage must do. `without` names what a store does not do as S3 says, or what another one shows as well. */
export function describeStorage(parts: () => StorageUnderTest, without: readonly Part[] = []): void {
  describe('files', () => {
    describeFiles(parts)
  })
  describe.skipIf(without.includes('ranges'))('ranges', () => {
    describeRanges(parts)
  })
  describe('keys', () => {
    describeKeys(parts)
  })
  if (!without.includes('large files')) describeLargeFiles(parts)
  describe('listings', () => {
    describeListings(parts)
  })
}

const png = { contentType: 'image/png' }

async function read(storage: Storage, key: string, range?: StorageRange): Promise<string | null> {
  const file = await storage.open(key, range)
  return file && text(file.stream)
}

function describeFiles(parts: () => StorageUnderTest): void {
  test('a buffer comes back with its type, size and time', async () => {
    const { storage } = parts()
    const before = Date.now()
    await storage.put('a/b/one.png', { body: Buffer.from('0123456789') }, png)
    const file = await storage.open('a/b/one.png')
    expect(file).toMatchObject({ size: 10, contentType: 'image/png' })
    expect(Math.abs(file!.modified!.getTime() - before)).toBeLessThan(60_000)
    expect(await text(file!.stream)).toBe('0123456789')
    expect(await storage.size('a/b/one.png')).toBe(10)
  })

  test('a file is copied and stays where it was', async () => {
    const { storage, folder } = parts()
    const source = path.join(folder, 'source')
    const bytes = Buffer.alloc(3 * 1024 * 1024, 'xyz')
    await writeFile(source, bytes)
    await storage.put('video.mp4', { path: source }, { contentType: 'video/mp4' })
    const file = await storage.open('video.mp4')
    expect(file!.contentType).toBe('video/mp4')
    expect((await buffer(file!.stream)).equals(bytes)).toBe(true)
    expect((await readFile(source)).length).toBe(bytes.length)
  })

  test('a file is replaced by another', async () => {
    const { storage } = parts()
    await storage.put('r.png', { body: Buffer.from('old') }, png)
    const old = await storage.open('r.png')
    await storage.put('r.png', { body: Buffer.from('new and longer') }, png)
    expect(await text(old!.stream)).toBe('old')
    expect(await read(storage, 'r.png')).toBe('new and longer')
  })

  test('deleted twice, then gone', async () => {
    const { storage } = parts()
    await storage.put('d.png', { body: Buffer.from('x') }, png)
    await storage.delete('d.png')
    await storage.delete('d.png')
    expect(await storage.open('d.png')).toBeNull()
    expect(await storage.size('d.png')).toBeNull()
    expect(await storage.open('d.png', { start: 0 })).toBeNull()
    expect(await storage.open('d.png/e.png')).toBeNull()
  })

  test('an empty file', async () => {
    const { storage } = parts()
    await storage.put('empty.csv', { body: Buffer.alloc(0) }, { contentType: 'text/csv' })
    expect(await read(storage, 'empty.csv')).toBe('')
    expect(await storage.size('empty.csv')).toBe(0)
  })

  test('a file that is missing is not stored', async () => {
    const { storage, folder } = parts()
    await expect(storage.put('gone.png', { path: path.join(folder, 'missing') }, png)).rejects.toThrow(
      'ENOENT',
    )
    expect(await storage.open('gone.png')).toBeNull()
  })

  test('a folder with the name of a file is no file', async () => {
    const { storage } = parts()
    await storage.put('folder.png/a.png', { body: Buffer.from('x') }, png)
    expect(await storage.open('folder.png')).toBeNull()
    expect(await storage.size('folder.png')).toBeNull()
  })
}

function describeRanges(parts: () => StorageUnderTest): void {
  beforeAll(() => parts().storage.put('range.png', { body: Buffer.from('0123456789') }, png))

  test('both ends count, and a range past the end is cut', async () => {
    const { storage } = parts()
    expect(await read(storage, 'range.png', { start: 2, end: 4 })).toBe('234')
    expect(await read(storage, 'range.png', { start: 7 })).toBe('789')
    expect(await read(storage, 'range.png', { start: 0, end: 0 })).toBe('0')
    expect(await read(storage, 'range.png', { start: 0 })).toBe('0123456789')
    expect(await read(storage, 'range.png', { start: 8, end: 100 })).toBe('89')
    const last = await storage.open('range.png', { start: 9 })
    expect([last!.size, await text(last!.stream)]).toEqual([10, '9'])
  })

  test('an empty file has none', async () => {
    const { storage } = parts()
    await storage.put('empty.csv', { body: Buffer.alloc(0) }, { contentType: 'text/csv' })
    await expect(storage.open('empty.csv', { start: 0 })).rejects.toThrow(RangeError)
  })

  test.each([{ start: 10 }, { start: 10, end: 20 }, { start: -1 }, { start: 5, end: 4 }])(
    '%j is refused',
    async (range) => {
      await expect(parts().storage.open('range.png', range)).rejects.toThrow(RangeError)
    },
  )
}

const badKeys = [
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
  'a.png?acl',
  'a%2fb.png',
  'no-extension',
  'page.html',
  'picture.svg',
  'object.json',
  'ä.png',
  `${'a'.repeat(500)}.png`,
]

function describeKeys(parts: () => StorageUnderTest): void {
  test.each(badKeys)('%j is never written, read or deleted', async (key) => {
    const { storage, folder } = parts()
    await writeFile(path.join(folder, 'up.png'), 'outside')
    await expect(storage.put(key, { body: Buffer.from('x') }, png)).rejects.toThrow(TypeError)
    expect(await storage.open(key)).toBeNull()
    await storage.delete(key)
    expect(await readFile(path.join(folder, 'up.png'), 'utf8')).toBe('outside')
  })

  test('the extension has to agree with the type', async () => {
    const put = parts().storage.put('a.png', { body: Buffer.from('x') }, { contentType: 'text/html' })
    await expect(put).rejects.toThrow(TypeError)
  })

  test('all letters that keys may have', async () => {
    const { storage } = parts()
    const key = 'Az09_-/-a..b/_x.y/A-z_0.PNG'
    await storage.put(key, { body: Buffer.from('letters') }, png)
    expect(await read(storage, key)).toBe('letters')
  })
}

const large = 32 * 2 ** 20

function describeLargeFiles(parts: () => StorageUnderTest): void {
  test('large files go in and out in pieces, without room in memory for a whole one, and wait for a slow reader, who may stop early', async () => {
    const { storage, folder, place } = parts()
    // A file of holes: it has the length, and takes no room.
    const source = path.join(folder, 'large')
    const file = await openFile(source, 'w')
    await file.truncate(large)
    await file.write('end', large - 3)
    await file.close()
    const { bytes, result } = await heldBy<LargeFile>('large-file', { place, source })
    await rm(source)
    expect(result).toMatchObject({ bytes: large, end: 'end' })
    expect(result.firstPiece).toBeLessThanOrEqual(2 ** 20)
    expect(bytes).toBeLessThan(large / 4)
    expect(await storage.size('large.mp4')).toBe(large)
    expect(await read(storage, 'large.mp4', { start: large - 3 })).toBe('end')
  })
}

async function keysIn(storage: Storage, prefix?: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list(prefix)) keys.push(key)
  return keys.toSorted()
}

function describeListings(parts: () => StorageUnderTest): void {
  test('all files below a prefix are listed, with size and time', async () => {
    const { storage } = parts()
    const before = Date.now()
    for (const key of ['list/1/a.png', 'list/2/a.png', 'list/20/a.png', 'lists.png'])
      await storage.put(key, { body: Buffer.from('01234') }, png)
    expect(await keysIn(storage, 'list/')).toEqual(['list/1/a.png', 'list/2/a.png', 'list/20/a.png'])
    expect(await keysIn(storage, 'list/2')).toEqual(['list/2/a.png', 'list/20/a.png'])
    expect(await keysIn(storage, 'list/2/')).toEqual(['list/2/a.png'])
    expect(await keysIn(storage, 'list/none')).toEqual([])
    expect(await keysIn(storage)).toEqual(expect.arrayContaining(['list/1/a.png', 'lists.png']))
    for await (const file of storage.list('list/1/')) {
      expect(file).toMatchObject({ key: 'list/1/a.png', size: 5 })
      expect(Math.abs(file.modified.getTime() - before)).toBeLessThan(60_000)
    }
  })
}
