import { expect, test } from 'vitest'
import { compare, renderRoutes, tableProblems } from './routes.ts'

const reference = {
  paths: {
    '/api/v1/statuses': { post: {}, get: {} },
    '/api/v1/statuses/{status_id}': { get: {} },
    '/api/v1/polls/{id}': { get: {} },
    '/oauth/token': { post: {} },
  },
}

const routes = [
  { method: 'POST', path: '/oauth/token', file: 'src/http/oauth/token.ts' },
  { method: 'GET', path: '/api/v1/statuses/:id', file: 'src/http/api/v1/statuses/show.ts' },
  { method: 'POST', path: '/api/v1/statuses', file: 'src/http/api/v1/statuses/create.ts' },
  { method: 'GET', path: '/api/v1/admin/tags/:id{[0-9]+}', file: 'src/http/api/v1/admin/tags.ts' },
  { method: 'GET', path: '/api/v2/search', file: 'src/http/api/v2/search.ts' },
]

test('operations are compared whatever their parameters are called', () => {
  expect(compare(routes, reference)).toEqual({
    total: 5,
    present: 3,
    missing: [
      { method: 'GET', path: '/api/v1/statuses' },
      { method: 'GET', path: '/api/v1/polls/{id}' },
    ],
  })
})

test('the page has a sorted table per area, a count, and what is missing', () => {
  const page = renderRoutes(routes, reference)
  expect(page.match(/^## .*$/gm)).toEqual([
    '## admin/tags',
    '## oauth',
    '## search',
    '## statuses',
    '## Missing from the reference API',
  ])
  expect(page).toContain('5 routes. 3 of the 5 operations of the reference API.')
  expect(page).toContain(
    [
      '| POST `/api/v1/statuses` | [src/http/api/v1/statuses/create.ts](../src/http/api/v1/statuses/create.ts) |',
      '| GET `/api/v1/statuses/:id` | [src/http/api/v1/statuses/show.ts](../src/http/api/v1/statuses/show.ts) |',
    ].join('\n'),
  )
  expect(page).toContain('- GET `/api/v1/polls/{id}`\n- GET `/api/v1/statuses`\n')
  expect(renderRoutes(routes.toReversed(), reference)).toBe(page)
})

test('an operation stands once, in a file that exists', () => {
  expect(tableProblems(routes, () => true)).toEqual([])
  const double = [...routes, { method: 'GET', path: '/api/v1/statuses/:other', file: 'src/x.ts' }]
  expect(tableProblems(double, (file) => file !== 'src/x.ts')).toEqual([
    'GET /api/v1/statuses/{} is declared in src/http/api/v1/statuses/show.ts and src/x.ts',
    'GET /api/v1/statuses/:other: there is no src/x.ts',
  ])
})
