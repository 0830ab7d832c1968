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
  ['GET', '/a/:id/b'],
  ['GET', '/a/:id{[0-9]+}/b'],
  ['GET', '/:name{@[^/]+}'],
  ['GET', '/:name{@[^/]+\\.rss}'],
  ['POST', '/:name{@[^/]+}/:id{[0-9]+}'],
  ['GET', '/:name{@[^/]+}/:id/c'],
  ['GET', '/:first/:second/:third'],
  ['GET', '/a/*'],
  ['ALL', '/*/c'],
  ['GET', '/m/:key{.+}'],
  ['GET', '/b/m*'],
  ['POST', '/b/:id?'],
] as const
const segment = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'm', '@d', '@d.rss', '1', '23', 'x', '', ':', ':1', '*', '%2F', 'mm'),
  fc.string({ maxLength: 3 }).map((text) => text.replaceAll('/', '')),
)
const path = fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`)

test('the router finds what that of Hono finds, the first time and every other', () => {
  const add = (routers: { add: TrieRouter<number>['add'] }[], from: number, to: number) =>
    routes.slice(from, to).forEach(([method, route], index) => {
      for (const router of routers) router.add(method, route, from + index)
    })
  const kinds = fc.constantFrom('GET', 'POST', 'DELETE')
  for (const [from, to] of [
    [0, routes.length],
    [0, 14],
    [3, 12],
  ] as const) {
    const [kept, plain] = [createRouter<number>(), new TrieRouter<number>()]
    const look = () =>
      fc.assert(
        fc.property(kinds, path, (method, asked) => {
          const found = plain.match(method, asked)
          for (let n = 0; n < 2; n++) expect(kept.match(method, asked)).toEqual(found)
        }),
        { numRuns: 2_000 },
      )
    add([kept, plain], from, to - 1)
    look()
    add([kept, plain], to - 1, to)
    look()
  }
})
