import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import {
  callRoute,
  nameOf,
  paramNames,
  routes,
  type ListedRoute,
  type RouteCall,
} from '#test/client/every-route.ts'
import { isNight } from '#test/run/night.ts'

// Every parameter of every operation, in every form that no honest app sends.
const app = useApp()

const pngImage = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

const queries: Record<string, (name: string) => string> = {
  'an object': (name) => `${name}[a][b]=1`,
  'a list of objects': (name) => `${name}[][a]=1&${name}[][a]=2`,
  'a list of lists': (name) => `${name}[][]=1`,
  'a zero byte': (name) => `${name}=a%00b`,
  'broken UTF-8': (name) => `${name}=%FF%FE`,
  'a number beyond 64 bits': (name) => `${name}=99999999999999999999999`,
  'the last 64-bit number': (name) => `${name}=9223372036854775807`,
  'a negative number': (name) => `${name}=-1`,
  'quotes and backslashes': (name) => `${name}='\\"%25_$1--`,
  'names of the language': (name) =>
    `__proto__[x]=1&constructor=1&${name}[__proto__]=1&${name}[constructor]=1`,
}

const bodies: Record<string, unknown> = {
  'an object': { a: { b: 1 } },
  'a list of lists': [[[]], [{}], null],
  'a zero byte': 'a\u0000b',
  'a list with a zero byte': ['a\u0000b'],
  'objects with zero bytes': [{ name: 'a\u0000', value: 'b\u0000', timeline: '\u0000' }],
  'half a character': 'a\ud800b',
  'half a character in an object': { name: '\udc00', value: '\ud800', last_read_id: '\ud800' },
  'a number beyond all': 1e308,
  'a fraction': 0.5,
  'the other boolean': false,
}

/**
 * By day each operation gets every tenth form of a query and of a path and every fifth of a whole body, and each
 * parameter every twentieth form, the next one others; at night all of them.
 */
const shares = isNight ? { operation: 1, body: 1, parameter: 1 } : { operation: 10, body: 5, parameter: 20 }
const shareOf = <T>(all: readonly T[], turn: number, share: number) =>
  all.filter((_, index) => (index + turn) % share === 0)

/** In the place of a name or id. */
const oddValues = [
  '%00',
  '1%00',
  '%FF',
  '%ED%A0%80',
  '99999999999999999999999',
  '-1',
  '1.5',
  '%2e%2e%2f',
  "'",
]
const pathNames = ['id', 'name', 'key', 'hashtag', 'account_id', 'date']

interface Pair {
  eve: Person
  other: Person
}

/** Who asks, and who is asked about, as long as no operation has taken them away. Staff get past the refusal. */
const pairs: Partial<Record<'staff' | 'people', Pair>> = {}

async function pairFor(route: ListedRoute): Promise<Pair> {
  const kind = route.permission === null ? 'people' : 'staff'
  const known = pairs[kind]
  if (known && (await isWell(known))) return known
  const eve = await app.person('eve', kind === 'staff' ? { role: 'Owner' } : {})
  return (pairs[kind] = { eve, other: await app.person('other') })
}

async function isWell({ eve, other }: Pair): Promise<boolean> {
  const [mine, theirs] = [
    await eve.get('/api/v1/accounts/relationships', { id: [other.accountId] }),
    await other.get('/api/v1/accounts/verify_credentials'),
  ]
  return mine.status === 200 && theirs.status === 200 && mine.ok()[0]?.blocking === false
}

/** The path names what is there, so that the handler looks at the rest too. */
async function problems(route: ListedRoute, calls: Record<string, RouteCall>): Promise<unknown[]> {
  const found: unknown[] = []
  const { eve, other } = await pairFor(route)
  const id = route.path.includes('/statuses/') ? (await eve.say('hello')).id : other.accountId
  for (const [how, call] of Object.entries(calls)) {
    const path = { id, account_id: id, name: 'tag', hashtag: 'tag' }
    const answer = await callRoute(app.fetch, route, { token: eve.token, path, ...call })
    if (answer.status >= 500) found.push([nameOf(route), how, answer.status])
  }
  return found
}

test('a file that the request only describes is not read [CNT-11]', async () => {
  const eve = await app.person('eve')
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-foreign-'))
  const foreign = path.join(folder, 'private.png')
  try {
    await writeFile(foreign, await pngImage())
    const file = { kind: 'file', path: foreign, size: 100, filename: 'a.png', contentType: 'image/png' }
    const form = new URLSearchParams(
      Object.entries(file).map(([key, value]): [string, string] => [`avatar[${key}]`, String(value)]),
    )
    for (const params of [{ avatar: file }, { header: file }, form]) {
      const { avatar, header } = (await eve.patch('/api/v1/accounts/update_credentials', params)).ok()
      expect([avatar, header].every((url) => url.endsWith('/original/missing.png'))).toBe(true)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('no operation fails on a query or path of a form that it does not know [CNT-21]', async () => {
  const found: unknown[] = []
  for (const [turn, route] of routes.entries()) {
    const names = paramNames(route)
    const calls: Record<string, RouteCall> = {
      'names of the language': { query: '__proto__[x]=1&constructor=1' },
    }
    for (const [how, spell] of shareOf(Object.entries(queries), turn, shares.operation))
      if (names.length > 0) calls[how] = { query: names.map(spell).join('&') }
    for (const odd of route.path.includes(':') ? shareOf(oddValues, turn, shares.operation) : []) {
      calls[`${odd} in the path`] = { path: Object.fromEntries(pathNames.map((name) => [name, odd])) }
    }
    found.push(...(await problems(route, calls)))
  }
  await app.settle()
  expect(found).toEqual([])
})

test('no operation fails on a body of a form that it does not know [CNT-21] [FED-31]', async () => {
  const found: unknown[] = []
  let turn = 0
  for (const [index, route] of routes.filter(({ method }) => method !== 'GET').entries()) {
    const names = paramNames(route)
    const whole = Object.entries({
      'deep nesting': nested,
      'deep nesting in a member': `{"${names[0] ?? 'a'}":${nested}}`,
      'no object': '[1]',
      null: 'null',
      'no JSON': '{"a":',
    })
    const calls: Record<string, RouteCall> = {}
    for (const [how, params] of shareOf(whole, index, shares.body)) calls[how] = { params }
    for (const name of names) {
      turn++
      for (const [how, value] of shareOf(Object.entries(bodies), turn, shares.parameter))
        calls[`${how} as ${name}`] = { params: { [name]: value } }
    }
    found.push(...(await problems(route, calls)))
  }
  await app.settle()
  expect(found).toEqual([])
})

describe('what a status builds on', () => {
  const lost = (verb: string) => `The post you are trying to ${verb} does not appear to exist.`
  const mediaLost = 'Media IDS not found or already attached to another post'

  test.each([
    ['in_reply_to_id', 'abc', 404, lost('reply to')],
    ['in_reply_to_id', '1e3', 404, lost('reply to')],
    ['quoted_status_id', 'abc', 404, lost('quote')],
    ['media_ids', ['abc'], 422, mediaLost],
  ])(
    '%s %j is nothing that is there, and nothing is published without it',
    async (name, value, status, error) => {
      const person = await app.person('person')
      const answer = await person.post('/api/v1/statuses', { status: 'x', [name]: value })
      expect([answer.status, answer.body.error]).toEqual([status, error])
      expect((await person.get(`/api/v1/accounts/${person.accountId}/statuses`)).ok()).toEqual([])
    },
  )

  test.each([null, '', 'null', 'undefined'])('%j is what was not given', async (nothing) => {
    const person = await app.person('person')
    const odd = { in_reply_to_id: nothing, quoted_status_id: nothing, media_ids: nothing }
    const made = await person.say('x', odd)
    expect([made.in_reply_to_id, made.quote, made.media_attachments]).toEqual([null, null, []])
    const edited = await person.put(`/api/v1/statuses/${made.id}`, { status: 'y', media_ids: [nothing] })
    expect(edited.ok().content).toBe('<p>y</p>')
  })
})
