import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { heldBy } from '#test/held/held.ts'
import { readArchive, type ArchiveLimits } from './read-archive.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'stonechat-archive-'))
})
afterAll(() => rm(folder, { recursive: true }))

const limits: ArchiveLimits = { entries: 10, fileBytes: 1000, totalBytes: 100_000 }
const mebibyte = 2 ** 20
const piece = Buffer.alloc(mebibyte)
let made = 0
const newPath = () => path.join(folder, `${++made}.tar.gz`)

async function archiveOf(entries: readonly { name: string; size: number; type?: 'directory' }[]) {
  const target = newPath()
  const archive = pack()
  for (const { name, size, type } of entries)
    archive.entry({ name, ...(type && { type }) }, Buffer.alloc(size, 'x'))
  archive.finalize()
  await pipeline(archive, createGzip(), createWriteStream(target))
  return target
}

async function read(target: string, max = limits) {
  const found: [string, number | null][] = []
  for await (const { name, body } of readArchive(target, max)) found.push([name, body?.length ?? null])
  return found
}

describe('an archive', () => {
  test('gives its plain files in order; of one that is too large the name', async () => {
    const target = await archiveOf([
      { name: 'a/', size: 0, type: 'directory' },
      { name: 'a/one', size: 1000 },
      { name: 'a/large', size: 1001 },
      { name: 'empty', size: 0 },
      { name: '../two', size: 3 },
    ])
    expect(await read(target)).toEqual([
      ['a/one', 1000],
      ['a/large', null],
      ['empty', 0],
      ['../two', 3],
    ])
  })

  test('may be left in the middle', async () => {
    const target = await archiveOf([1, 2, 3].map((i) => ({ name: `f${i}`, size: 10 })))
    for await (const { name } of readArchive(target, limits)) {
      expect(name).toBe('f1')
      break
    }
  })

  test('is cut off beyond its limits, whatever is in it [CNT-19]', async () => {
    const folders = Array.from({ length: 11 }, (_, i) => ({
      name: `d${i}/`,
      size: 0,
      type: 'directory' as const,
    }))
    await expect(read(await archiveOf(folders))).rejects.toMatchObject({ code: 'invalid' })
    const files = Array.from({ length: 9 }, (_, i) => ({ name: `f${i}`, size: 20_000 }))
    await expect(read(await archiveOf(files))).rejects.toMatchObject({ code: 'invalid' })
  })

  test('a bomb takes no memory, and is read no further than it may be [CNT-19]', async () => {
    const target = newPath()
    const archive = pack()
    const zeros = Array.from({ length: 60 }, () => piece)
    const written = pipeline(archive, createGzip({ level: 1 }), createWriteStream(target))
    await pipeline(Readable.from(zeros), archive.entry({ name: 'zeros', size: 60 * mebibyte }))
    archive.finalize()
    await written
    const reading = (totalBytes: number) =>
      heldBy('archive', { file: target, limits: { ...limits, totalBytes } })
    const beyond = await reading(40 * mebibyte)
    expect(beyond.result).toBe('invalid')
    expect(beyond.bytes).toBeLessThan(16 * mebibyte)
    const within = await reading(300 * mebibyte)
    expect(within.result).toEqual([['zeros', null]])
    expect(within.bytes).toBeLessThan(16 * mebibyte)
  })

  test('a long name is no way to fill the memory [CNT-19]', async () => {
    const target = newPath()
    const header = Buffer.alloc(512)
    header.write('././@LongLink')
    header.write('0000644\0', 100)
    header.write(`${(50 * mebibyte).toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write('L', 156)
    header.write(`ustar\0${'00'}`, 257)
    const sum = header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    await writeFile(target, gzipSync(Buffer.concat([header, Buffer.alloc(50 * mebibyte)])))
    const reading = read(target, { ...limits, totalBytes: 200 * mebibyte })
    await expect(reading).rejects.toMatchObject({ code: 'invalid' })
  })

  test('that is none is refused', async () => {
    for (const bytes of [Buffer.from('x'), Buffer.alloc(0), gzipSync('x'.repeat(2000))]) {
      const target = newPath()
      await writeFile(target, bytes)
      await expect(read(target)).rejects.toMatchObject({ code: 'invalid' })
    }
    await expect(read(newPath())).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
