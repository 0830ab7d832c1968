// Every address answers with and without a slash at its end, and rules about addresses hold for each spelling.
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#http/activitypub/endpoints.ts'
import { pages } from '#http/web/pages.ts'
import { stylesheetUrl } from '#http/web/kit/assets.ts'
import { useApp } from '#test/app/app.ts'
import { fillPath, nameOf, routes } from '#test/client/every-route.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp({ env: { PROMETHEUS_ENABLED: 'true' } })
const limited = useApp({ env: { RATE_LIMITS: 'on' } })

let owner: Person
let statusId: string
beforeAll(async () => {
  owner = await app.person('owner', { role: 'Owner' })
  statusId = (await owner.say('hello')).id
})

const spellings: [name: string, spell: (path: string) => string][] = [
  ['a slash at its end', (path) => `${path}/`],
  ['several slashes at its end', (path) => `${path}///`],
  ['empty segments', (path) => path.replaceAll('/', '//')],
  ['dot segments', (path) => `/x/..${path}/.`],
]

interface Asked {
  name: string
  method: string
  path: string
  headers?: Record<string, string>
}

/** What an answer is known by. Pages hold tokens that differ each time. */
async function ask({ method, path, headers }: Asked): Promise<unknown> {
  const response = await app.fetch(app.baseUrl + path, {
    method,
    redirect: 'manual',
    ...(headers && { headers }),
  })
  const type = response.headers.get('content-type')
  const text = await response.text()
  // Times differ from answer to answer, and so do the ids that are made of them.
  const body = type?.includes('json')
    ? text.replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"|(?<="(?:since|until)_id":)"\d+"/g, '""')
    : text.length > 0
  const location = response.headers.get('location')
  const open = response.headers.get('access-control-allow-origin')
  return { status: response.status, type, body, location, open, link: response.headers.get('link') }
}

async function differing(all: readonly Asked[]): Promise<unknown[]> {
  const wrong: unknown[] = []
  for (const asked of all) {
    const expected = await ask(asked)
    for (const [name, spell] of spellings) {
      const got = await ask({ ...asked, path: spell(asked.path) })
      if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push([asked.name, name, got, expected])
    }
  }
  return wrong
}

describe('every spelling of a path gives one answer', () => {
  test('of all operations, to strangers', async () => {
    const all = routes.map((one) => ({ name: nameOf(one), method: one.method, path: fillPath(one) }))
    expect(await differing(all)).toEqual([])
  })

  test('of all that can be read, to somebody who may', async () => {
    const headers = { authorization: `Bearer ${owner.token}` }
    const reads = routes.filter(({ method }) => method === 'GET')
    const ids = { id: statusId, hashtag: 'tag', name: 'tag' }
    const all = reads.map((one) => ({ name: nameOf(one), method: 'GET', path: fillPath(one, ids), headers }))
    expect(await differing(all)).toEqual([])
  })

  test('of documents and inboxes of other servers', async () => {
    const values: Record<string, string> = {
      username: owner.username,
      handle: `@${owner.username}`,
      id: statusId,
    }
    const fill = (path: string) =>
      path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => values[name] ?? 'x')
    const headers = { accept: 'application/activity+json' }
    const all = endpoints.map(({ method, path }) => ({ name: path, method, path: fill(path), headers }))
    expect(await differing(all)).toEqual([])
    expect(await ask({ name: '', method: 'GET', path: `/users/${owner.username}/`, headers })).toMatchObject({
      status: 200,
    })
  })

  test('of pages, files and probes', async () => {
    const values: Record<string, string> = {
      username: owner.username,
      handle: `@${owner.username}`,
      id: statusId,
    }
    const fill = (path: string) =>
      path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => values[name] ?? 'x')
    const shown = pages.filter(({ method }) => method === 'GET').map(({ path }) => fill(path))
    const others = [
      '/health',
      '/metrics',
      '/api/openapi.json',
      stylesheetUrl,
      '/avatars/original/missing.png',
    ]
    const all = [...shown, ...others].map((path) => ({ name: path, method: 'GET', path }))
    expect(await differing(all.filter(({ path }) => path !== '/'))).toEqual([])
  })

  test('of HEAD and OPTIONS, with what browsers need to see', async () => {
    const paths = ['/api/v1/instance', '/oauth/token', '/.well-known/nodeinfo', '/nodeinfo/2.0']
    const all = paths.flatMap((path) => ['HEAD', 'OPTIONS'].map((method) => ({ name: path, method, path })))
    expect(await differing(all)).toEqual([])
    const answer = await app.fetch('/oauth/token/', { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })
})

describe('with a slash at its end', () => {
  test('a body is taken as without', async () => {
    const posted = await owner.post('/api/v1/statuses/', { status: 'by an app that adds slashes' })
    expect(posted.ok().content).toContain('adds slashes')
    const application = await app.anonymous.post('/api/v1/apps/', {
      client_name: 'x',
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    })
    const token = await app.anonymous.post('/oauth/token/', {
      grant_type: 'client_credentials',
      client_id: application.ok().client_id,
      client_secret: application.ok().client_secret,
    })
    expect(token.ok().token_type).toBe('Bearer')
  })

  test('links between pages of a list lead to the path without', async () => {
    const { links } = await owner.get(`/api/v1/accounts/${owner.accountId}/statuses//`, { limit: 1 })
    expect(links['next']).toMatch(new RegExp(`^/api/v1/accounts/${owner.accountId}/statuses\\?`))
  })

  test('an idempotency key counts for both spellings', async () => {
    const headers = { 'idempotency-key': 'once' }
    const one = await owner.post('/api/v1/statuses', { status: 'only once' }, headers)
    const other = await owner.post('/api/v1/statuses/', { status: 'only once' }, headers)
    expect(other.ok().id).toBe(one.ok().id)
  })

  test('a page names its address without', async () => {
    const page = await (await app.fetch(`/@${owner.username}/`)).text()
    expect(page).toContain(`<link rel="canonical" href="${app.baseUrl}/@${owner.username}"`)
    const tags = await (await app.fetch(`${app.baseUrl}//tags//hello?max_id=1`)).text()
    expect(tags).not.toContain('href="//')
  })
})

describe('rules hold for every spelling', () => {
  test('uploads are counted together', async () => {
    const person = await limited.person('person')
    const left: number[] = []
    for (const path of ['/api/v2/media', '/api/v2/media/', '//api//v2/media', '/api/%76%32/media/']) {
      const { headers } = await person.post(limited.baseUrl + path, {})
      left.push(Number(headers.get('x-ratelimit-remaining')))
    }
    expect(left).toEqual([29, 28, 27, 26])
  })

  test('what is hidden stays hidden', async () => {
    for (const path of [
      '/media//backups/1.zip',
      '/media/%2Fbackups/1.zip',
      '/media/x/%2e%2e/backups/1.zip',
      '/media/backups%2F1.zip/',
    ]) {
      expect([path, (await app.fetch(app.baseUrl + path)).status]).toEqual([path, 404])
    }
  })

  test('an encoded slash is no slash', async () => {
    for (const path of [
      '/api/v1/instance%2F',
      '/api/v1%2Finstance',
      '/api/v1%2finstance',
      '/api/v1/instance%5C',
    ])
      expect([path, (await app.fetch(app.baseUrl + path)).status]).toEqual([path, 404])
  })
})
