import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { printList, type Cell } from './table.ts'

function printed(isTTY: boolean, rows: readonly (readonly Cell[])[]): string {
  let text = ''
  printList(['id', 'name'], rows, { isTTY, write: (more) => (text += more) })
  return text
}

test('a script gets lines with tabs in between, and nothing of an empty list', () => {
  const rows = [
    ['1', 'a\nb'],
    [20, null],
  ]
  expect(printed(false, rows)).toBe('1\ta b\n20\t-\n')
  expect(printed(false, [])).toBe('')
})

test('a person gets columns below a header, and is told that there is none', () => {
  const rows = [
    ['1', 'ada'],
    ['1000', 'bob'],
  ]
  expect(printed(true, rows)).toBe('ID    NAME\n1     ada\n1000  bob\n')
  expect(printed(true, [])).toBe('none\n')
})

const root = path.resolve(import.meta.dirname, '..')
const commands = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.test)\.ts$/.test(name),
)
const isOf = (name: string, pattern: RegExp) => pattern.test(readFileSync(path.join(root, name), 'utf8'))

test('all commands list and tell of their progress by what is here for that', () => {
  expect(commands.filter((name) => isOf(name, /join\('\\t'\)/))).toEqual(['kit/table.ts'])
  expect(commands.filter((name) => isOf(name, /`\\r/))).toEqual(['kit/progress.ts'])
})
