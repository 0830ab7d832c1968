import { describe, expect, test } from 'vitest'
import { conventionProblems } from './conventions.ts'
import { createOperationFinder } from './operations.ts'
import { loadReference } from './schemas.ts'
import { createResponseValidator } from './validate.ts'

const json = (body: unknown, status = 200) => ({
  status,
  contentType: 'application/json; charset=utf-8',
  body,
})
const get = (url: string) => ({ method: 'GET', url })

const relationship = {
  id: '109',
  following: true,
  showing_reblogs: true,
  notifying: false,
  languages: null,
  followed_by: false,
  blocking: false,
  muting: false,
  muting_notifications: false,
  muting_expires_at: null,
  requested: false,
  requested_by: false,
  domain_blocking: false,
  endorsed: false,
  note: '',
}

const picture = 'http://localhost:3000/avatars/missing.png'

const account = {
  id: '109',
  username: 'ann',
  acct: 'ann',
  display_name: 'Ann',
  locked: false,
  bot: false,
  discoverable: null,
  indexable: false,
  group: false,
  created_at: '2026-11-21T00:00:00.000Z',
  note: '<p>hello</p>',
  url: 'http://localhost:3000/@ann',
  uri: 'http://localhost:3000/users/ann',
  avatar: picture,
  avatar_static: picture,
  avatar_description: '',
  header: picture,
  header_static: picture,
  header_description: '',
  followers_count: 0,
  following_count: 0,
  statuses_count: 1,
  last_status_at: '2026-11-21',
  hide_collections: null,
  show_media: true,
  show_media_replies: true,
  show_featured: true,
  feature_approval: { automatic: [], manual: [], current_user: 'denied' },
  emojis: [],
  roles: [],
  fields: [{ name: 'a', value: 'b', verified_at: null }],
}

const status = {
  id: '110',
  created_at: '2026-11-21T10:00:00.123Z',
  in_reply_to_id: null,
  in_reply_to_account_id: null,
  sensitive: false,
  spoiler_text: '',
  visibility: 'public',
  language: 'en',
  uri: 'http://localhost:3000/users/ann/statuses/110',
  url: 'http://localhost:3000/@ann/110',
  replies_count: 0,
  reblogs_count: 0,
  favourites_count: 0,
  quotes_count: 0,
  edited_at: null,
  content: '<p>hi</p>',
  reblog: null,
  application: null,
  account,
  media_attachments: [],
  mentions: [],
  tags: [],
  tagged_collections: [],
  emojis: [],
  quote: null,
  quote_approval: { automatic: ['public'], manual: [], current_user: 'automatic' },
  card: null,
  poll: null,
}

const without = (value: object, key: string) =>
  Object.fromEntries(Object.entries(value).filter(([k]) => k !== key))

describe('the operation of a request', () => {
  const find = createOperationFinder(loadReference({ compatBlockedBy: false }))

  test.each([
    ['GET', '/api/v1/accounts/lookup?acct=a', 'GET /api/v1/accounts/lookup'],
    ['GET', '/api/v1/accounts/109', 'GET /api/v1/accounts/{id}'],
    ['GET', 'http://127.0.0.5:3000/api/v1/statuses/1/context', 'GET /api/v1/statuses/{id}/context'],
    ['HEAD', '/api/v1/statuses/1', 'GET /api/v1/statuses/{id}'],
    ['PUT', '/api/v2/notifications/policy', 'PATCH /api/v2/notifications/policy'],
    ['PUT', '/api/v1/statuses/1', 'PUT /api/v1/statuses/{id}'],
  ])('%s %s', (method, url, name) => {
    expect(find(method, url)?.name).toBe(name)
  })

  test('is undefined where the reference has none', () => {
    expect(find('GET', '/api/v1/nothing/here')).toBeUndefined()
    expect(find('DELETE', '/api/v1/accounts/lookup')).toBeUndefined()
  })
})

describe('whole answers', () => {
  const { check } = createResponseValidator()

  test('a full status passes, with keys of our own, in lists and in boosts', () => {
    expect(check(get('/api/v1/statuses/110'), json({ ...status, ours: 1 }))).toEqual([])
    expect(check(get('/api/v1/timelines/home'), json([status, { ...status, reblog: status }]))).toEqual([])
  })

  test.each(['card', 'edited_at', 'language', 'visibility', 'account'])(
    'a status without %s does not',
    (key) => {
      const problems = check(get('/api/v1/statuses/110'), json(without(status, key)))
      expect(problems).toContain(`GET /api/v1/statuses/{id} 200: must have required property '${key}'`)
    },
  )

  test('nor one whose account lacks a key', () => {
    const body = [{ ...status, account: without(account, 'last_status_at') }]
    expect(check(get('/api/v1/timelines/home'), json(body))).toEqual([
      "GET /api/v1/timelines/home 200: /0/account must have required property 'last_status_at'",
    ])
  })

  test('wrong types, values and formats are told', () => {
    const body = { ...status, replies_count: '0', visibility: 'secret', url: 'not a url' }
    const text = check(get('/api/v1/statuses/110'), json(body)).join('\n')
    expect(text).toContain('/replies_count must be integer')
    expect(text).toContain('/visibility must be equal to one of the allowed values: ["public"')
    expect(text).toContain('/url must match format "uri"')
  })

  test('a deleted status has its text in place of the content', () => {
    const deleted = { ...without(status, 'content'), text: 'hi' }
    expect(check({ method: 'DELETE', url: '/api/v1/statuses/110' }, json(deleted))).toEqual([])
    expect(check(get('/api/v1/statuses/110'), json(without(status, 'content')))).not.toEqual([])
  })

  test('a quote has either the status or its identifier', () => {
    const url = get('/api/v1/statuses/110')
    expect(check(url, json({ ...status, quote: { state: 'accepted', quoted_status: status } }))).toEqual([])
    expect(check(url, json({ ...status, quote: { state: 'accepted', quoted_status_id: '1' } }))).toEqual([])
    expect(check(url, json({ ...status, quote: { state: 'accepted' } }))).not.toEqual([])
  })

  test('an extended description may never have been updated', () => {
    const url = get('/api/v1/instance/extended_description')
    expect(check(url, json({ content: '', updated_at: null }))).toEqual([])
  })
})

describe('relationships', () => {
  const url = get('/api/v1/accounts/relationships?id[]=109')

  test('must not tell blocked_by', () => {
    const { check } = createResponseValidator()
    expect(check(url, json([relationship]))).toEqual([])
    expect(check(url, json([{ ...relationship, blocked_by: false }]))).toEqual([
      'GET /api/v1/accounts/relationships 200: /0 has a key that must not be there',
    ])
  })

  test('tell a constant false when told to be compatible', () => {
    const { check } = createResponseValidator({ compatBlockedBy: true })
    expect(check(url, json([{ ...relationship, blocked_by: false }]))).toEqual([])
    expect(check(url, json([{ ...relationship, blocked_by: true }]))).not.toEqual([])
    expect(check(url, json([relationship]))).not.toEqual([])
  })
})

describe('status numbers', () => {
  const { check } = createResponseValidator()

  test('errors have a text, whatever their number', () => {
    for (const number of [400, 401, 403, 404, 410, 422, 429, 503]) {
      expect(check(get('/api/v1/accounts/109'), json({ error: 'x' }, number))).toEqual([])
      expect(check(get('/api/v1/accounts/109'), json({}, number))).toHaveLength(1)
    }
  })

  test('details of an error list code and description per field', () => {
    const url = { method: 'POST', url: '/api/v1/accounts' }
    const details = { client_id: [{ error: 'ERR_BLANK', description: "can't be blank" }] }
    expect(check(url, json({ error: 'x', details }, 422))).toEqual([])
    expect(check(url, json({ error: 'x', details: { client_id: ['blank'] } }, 422))).not.toEqual([])
  })

  test('201, 204 and 500 are nowhere documented', () => {
    for (const number of [201, 204, 500]) {
      expect(check(get('/api/v1/accounts/109'), json(account, number))).toHaveLength(1)
    }
  })

  test('202 and 206 stand for 200, and 206 may have a body of its own', () => {
    expect(check(get('/api/v1/accounts/109'), json(account, 202))).toEqual([])
    expect(check(get('/api/v1/accounts/109'), json({}, 206))).not.toEqual([])
    expect(check(get('/api/v1/media/1'), json({}, 206))).toEqual([])
  })

  test('a documented answer is JSON', () => {
    const response = { status: 200, contentType: 'text/html', body: '<p>' }
    expect(check(get('/api/v1/accounts/109'), response)).toHaveLength(1)
  })
})

describe('conventions', () => {
  test('identifiers are strings of integers', () => {
    expect(
      conventionProblems({ id: '1', in_reply_to_id: null, status_ids: ['1'], client_id: 'abc' }),
    ).toEqual([])
    expect(conventionProblems({ a: [{ id: 1 }, { b: { status_id: 'x' } }], account_ids: ['1', 2] })).toEqual([
      '/a/0/id is an identifier and must be a string',
      '/a/1/b/status_id is an identifier and must hold a 64-bit integer',
      '/account_ids is an identifier and must be a string',
    ])
  })

  test('times have milliseconds and end in Z', () => {
    expect(conventionProblems({ created_at: '2026-01-01T00:00:00.000Z', edited_at: null })).toEqual([])
    for (const value of ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000+00:00', '2026-01-01', 5]) {
      expect(conventionProblems({ updated_at: value })).toHaveLength(1)
    }
  })

  test('last_status_at is a day, a token has seconds', () => {
    expect(conventionProblems({ last_status_at: '2026-01-01' })).toEqual([])
    expect(conventionProblems({ last_status_at: '2026-01-01T00:00:00.000Z' })).toHaveLength(1)
    expect(conventionProblems({ access_token: 'x', created_at: 1_700_000_000 })).toEqual([])
  })

  test('hold for operations of our own too, but only under /api/', () => {
    const { check } = createResponseValidator()
    expect(check({ method: 'POST', url: '/api/v1/admin/announcements' }, json({ id: 7 }))).toEqual([
      'POST /api/v1/admin/announcements 200: /id is an identifier and must be a string',
    ])
    expect(check(get('/users/ann'), json({ id: 'http://localhost:3000/users/ann' }))).toEqual([])
  })
})

test('seen counts what was checked, by operation', () => {
  const { check, seen } = createResponseValidator()
  check(get('/api/v1/accounts/1'), json(account))
  check(get('/api/v1/accounts/2'), json({ error: 'x' }, 404))
  check(get('/api/v1/accounts/lookup'), json(account))
  expect(seen()).toEqual([
    { operation: 'GET /api/v1/accounts/lookup', count: 1 },
    { operation: 'GET /api/v1/accounts/{id}', count: 2 },
  ])
})

test('every schema of the reference compiles', () => {
  const { paths } = loadReference({ compatBlockedBy: false })
  const { check } = createResponseValidator()
  let operations = 0
  for (const [path, verbs] of Object.entries(paths)) {
    for (const method of Object.keys(verbs)) {
      operations += 1
      expect(() => check({ method, url: path.replaceAll(/\{\w+\}/g, '1') }, json(null))).not.toThrow()
    }
  }
  // Those of the document, and two that it forgets.
  expect(operations).toBe(210 + 2)
})
