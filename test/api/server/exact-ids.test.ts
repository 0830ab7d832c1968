import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { idToNumber } from '#lib/ids.ts'
import { parseExactly } from '#test/client/parse-exactly.ts'

/** `Number(row.id)`, `parseInt(statusId)`, `+account.id`: an id of 57 bits is another one after it. */
const idAsNumber =
  /\b(?:Number|parseInt|parseFloat)\(\s*(?:BigInt\()?\s*[\w.?!]*(?:\bid|Id|_id)\b[\s),]|[=(,:]\s*\+\s?[\w.]*(?:\.id|Id|_id)\b/
/** The one way, and a count that is taken after the time was shifted out. */
const allowed = ['lib/ids.ts']

test('no id is made a number but by the one way that refuses what is not exact', async () => {
  const root = path.resolve('src')
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !allowed.includes(file),
  )
  const found: string[] = []
  for (const file of files) {
    const lines = (await readFile(path.join(root, file), 'utf8')).split('\n')
    found.push(...lines.filter((line) => idAsNumber.test(line)).map((line) => `${file}: ${line.trim()}`))
  }
  expect(found.filter((line) => !/\b(pid|uid|gid)\b/.test(line))).toEqual([])
  expect(idAsNumber.test('a.toSorted((x, y) => Number(x.id) - Number(y.id))')).toBe(true)
})

test('an id is a number only when it is exact, and tests read JSON as a browser does', () => {
  expect(idToNumber('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
  expect(() => idToNumber('116650444300123443')).toThrow(RangeError)
  expect(parseExactly('{"id":"116650444300123443","count":9007199254740991,"ratio":1.5}').count).toBe(
    Number.MAX_SAFE_INTEGER,
  )
  expect(() => parseExactly('{"notification_id":116650444300123443}')).toThrow('notification_id')
})
