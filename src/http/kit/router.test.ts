import { TrieRouter } from 'hono/router/trie-router'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRouter } from './router.ts'

const routes = [
  ['ALL', '*'],
  ['GET', '/a'],
  ['GET', '/a/b'],
  ['POST', '/a/b'],
  ['GET', '/a/:id'],
  ['GET', '/:name{@[^/]+}'],
  ['GET', '/a/*'],
] as const
const path = fc
  .array(fc.constantFrom('a', 'b', 'c', '@d', ''), { maxLength: 3 })
  .map((parts) => `/${parts.join('/')}`)

test('the router finds what that of Hono finds, the first time and every other', () => {
  const [kept, plain] = [createRouter<number>(), new TrieRouter<number>()]
  const add = (method: string, to: string, handler: number) => {
    for (const router of [kept, plain]) router.add(method, to, handler)
  }
  const look = () =>
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'DELETE'), path, (method, asked) => {
        expect(kept.match(method, asked)).toEqual(plain.match(method, asked))
      }),
    )
  routes.forEach(([method, to], handler) => add(method, to, handler))
  look()
  add('GET', '/a/b', routes.length)
  look()
})
