// What is said of files that cannot be had, by each command that takes one.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { useCli } from '#test/processes/cli.ts'

const cli = useCli({ beside: 'outside' })
const place = (name: string) => path.join(cli.server.dataDir, name)

beforeAll(async () => {
  await mkdir(place('folder'))
  await writeFile(place('file'), 'text')
  await cli.run('accounts', 'create', 'ada', '--email', 'ada@mail.example', '--confirmed')
})

const readers: [string, string[]][] = [
  ['restore', ['restore']],
  ['restore --verify', ['restore', '--verify']],
  ['terms create', ['terms', 'create']],
  ['emoji import', ['emoji', 'import']],
  ['block-lists import', ['block-lists', 'import']],
  ['accounts import-archive', ['accounts', 'import-archive', 'ada']],
]

describe('a file to be read', () => {
  test.each(readers)('%s', async (_, words) => {
    const missing = await cli.fails(...words, place('none'))
    expect(missing).toBe(`There is no ${place('none')}: see that the name is right`)
    const folder = await cli.fails(...words, place('folder'))
    expect(folder).toContain('give the name of a file')
    for (const line of [missing, folder]) expect(line).not.toMatch(/\bE[A-Z]{4,}\b|\n/)
  })
})

const writers: [string, string[]][] = [
  ['backup', ['backup']],
  ['emoji export', ['emoji', 'export']],
]

describe('a place to be written', () => {
  test.each(writers)('%s', async (_, words) => {
    for (const target of ['file/below']) {
      const line = await cli.fails(...words, place(target))
      expect(line).toContain(place(target.split('/')[0] as string))
      expect(line).not.toMatch(/\bE[A-Z]{4,}\b|\n/)
    }
  })
})
