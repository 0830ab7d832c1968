import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { variableNames } from '#config/env.ts'

const documentation = readFileSync(
  path.resolve(import.meta.dirname, '../../docs/operators/configuration.md'),
  'utf8',
)

test('every variable has a row in docs/operators/configuration.md, and every row a variable', () => {
  const rows = documentation.split('\n').filter((line) => line.startsWith('| `'))
  const documented = rows.flatMap((row) => row.split('|')[1]!.match(/[A-Z][A-Z0-9_]+/g) ?? [])
  expect(documented.toSorted()).toEqual(variableNames.toSorted())
})
