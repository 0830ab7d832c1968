import { mkdtemp, open, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { describeSystemError } from './system-errors.ts'

const told = async (work: Promise<unknown>) =>
  describeSystemError(
    await work.then(
      () => new Error('it worked'),
      (error: Error) => error,
    ),
  )

test('what the system refuses is told with the file and what to do', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-errors-'))
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  expect(await told(readFile(`${file}.none`))).toBe(`There is no ${file}.none: see that the name is right`)
  expect(await told(readFile(path.join(file, 'below')))).toContain(`${file}/below is no folder`)
  expect(await told(writeFile(folder, ''))).toBe(`${folder} is a folder: give the name of a file`)
  expect(await told(readFile(folder))).toContain('give the name of a file')
  expect(await told(writeFile(file, '', { flag: 'wx' }))).toBe(`${file} is there already: give another name`)
})

test('a current folder that is gone is told', () => {
  const gone = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'uv_cwd' })
  expect(describeSystemError(gone)).toBe('The folder this was started in is gone: change into another one')
})

test.skipIf(process.platform !== 'linux')('a full disk is told', async () => {
  const full = await open('/dev/full', 'w')
  const line = await told(full.writeFile('x'.repeat(10)))
  await full.close()
  expect(line).toBe('The disk is full: make room, or give another place')
})

test('a service that is away is told by its address, whichever of two was tried', () => {
  const refused = (address: string) =>
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect', address, port: 5432 })
  const expected = /^127\.0\.0\.1:5432 cannot be reached: nothing listens there\. See/
  expect(describeSystemError(refused('127.0.0.1'))).toMatch(expected)
  expect(describeSystemError(new AggregateError([refused('127.0.0.1'), refused('::1')]))).toMatch(expected)
})

test('other errors are not its business', () => {
  expect(describeSystemError(new Error('no'))).toBeNull()
})
