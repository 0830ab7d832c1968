import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')

test('every test that does more at night is in a file that the nightly run names', () => {
  const named = readFileSync(path.join(root, '.ci/nightly'), 'utf8')
    .split(/\s+/)
    .filter((word) => /^(src|test\/\S+)$/.test(word))
  const files = ['src', 'client/src', 'test', 'scripts', 'bench'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => path.posix.join(folder, file)),
  )
  const uses = /^import .* from '#test\/run\/night\.ts'$/m
  const longer = files.filter((file) => uses.test(readFileSync(path.join(root, file), 'utf8')))
  expect(longer.length).toBeGreaterThan(20)
  // As the arguments of `npm test`, which are beginnings of paths here.
  expect(longer.filter((file) => !named.some((name) => file.startsWith(name)))).toEqual([])
})
