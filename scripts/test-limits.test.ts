// No test is decided by an absolute time: limits of waiting come from test/support/run/patience.ts, and what must not take
// long is told by what it costs beside other work (test/support/run/growth.ts).
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isNode, visitNodes, type SyntaxNode } from './syntax.ts'

const root = path.resolve(import.meta.dirname, '..')
const functions = /^(test|it|describe|beforeAll|beforeEach|afterAll|afterEach)\b/
const waits = /(\.poll|\.waitFor|\.waitUntil)$/

const isNumber = (node: unknown): boolean => isNode(node) && typeof node.value === 'number'

/** Whether an argument is `{ timeout: 1_000 }`. */
const hasLimit = (node: unknown): boolean =>
  isNode(node) &&
  Array.isArray(node.properties) &&
  node.properties.some(
    (property) =>
      isNode(property) && isNode(property.key) && property.key.name === 'timeout' && isNumber(property.value),
  )

function isLimited(call: SyntaxNode, source: string): boolean {
  const text = (node: unknown) => (isNode(node) ? source.slice(Number(node.start), Number(node.end)) : '')
  const args = Array.isArray(call.arguments) ? call.arguments : []
  const callee = text(call.callee).replaceAll(/\s/g, '')
  if (functions.test(callee))
    return args.some((arg) => hasLimit(arg)) || (args.length > 1 && isNumber(args.at(-1)))
  if (waits.test(callee)) return args.some((arg) => hasLimit(arg))
  if (callee === 'AbortSignal.timeout') return isNumber(args[0])
  return /(performance|Date)\.now\(\)-\w+\)\.toBeLessThan(OrEqual)?$/.test(callee)
}

/** The lines of `source` that have a limit of their own. */
function limitsIn(source: string): number[] {
  const lines: number[] = []
  visitNodes(source, (node) => {
    if (node.type !== 'CallExpression' || !isLimited(node, source)) return
    lines.push(source.slice(0, Number(node.start)).split('\n').length)
  })
  return lines
}

test('a limit in milliseconds is found in each of its forms, and what follows the machine is not one', () => {
  const limited = [
    `test('a', () => {}, 60_000)`,
    `test('a', { timeout: 60_000 }, () => {})`,
    `test.each([1])('a', () => {}, 5_000)`,
    `describe.skipIf(true)('a', { timeout: 1 }, () => {})`,
    `beforeAll(async () => {}, 60_000)`,
    `expect.poll(read, { timeout: 10_000, interval: 5 }).toBe(1)`,
    `await vi.waitFor(() => {}, { timeout: 10_000 })`,
    `fetch(url, { signal: AbortSignal.timeout(10_000) })`,
    `expect(performance.now() - began).toBeLessThan(1_000)`,
    `expect(Date.now() - began).toBeLessThanOrEqual(atMost(1_000))`,
  ]
  for (const line of limited) expect([line, limitsIn(line)]).toEqual([line, [1]])
  const free = [
    `test('a', () => {})`,
    `expect.poll(read, { interval: 5 }).toBe(1)`,
    `expect(costsAtMost(work, 4, usual)).toBe(true)`,
    `client.send({ timeout: 200 })`,
    `fetch(url, { signal: AbortSignal.timeout(patience) })`,
  ]
  for (const line of free) expect([line, limitsIn(line)]).toEqual([line, []])
})

test('no test has a limit in milliseconds of its own', () => {
  const files = globSync(['src/**/*.test.ts', 'scripts/*.test.ts', 'test/**/*.ts'], { cwd: root })
  const found = files.flatMap((file) =>
    limitsIn(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(found).toEqual([])
})
