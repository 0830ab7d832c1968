import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { countLifetime } from '#domain/server/instance/document.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { startApp, useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { days, minutes } from '#test/app/clock.ts'

const protocols = 'activitypub buddycloud dfrn diaspora libertree ostatus pumpio tent xmpp zot'
const inbound = 'atom1.0 gnusocial imap pnut pop3 pumpio rss2.0 twitter'
const outbound =
  'atom1.0 blogger buddycloud diaspora dreamwidth drupal facebook friendica gnusocial google insanejournal libertree ' +
  'linkedin livejournal mediagoblin myspace pinterest pnut posterous pumpio redmatrix rss2.0 smtp tent tumblr twitter ' +
  'wordpress xmpp'
const words = (list: string) => ({ type: 'string', enum: list.split(' ') })
const closed = (properties: object, required: string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})
const count = { type: 'integer', minimum: 0 }

/** The table of the specification, section 2.1, as a JSON schema. */
const schema = closed(
  {
    version: { const: '2.0' },
    software: closed({ name: { type: 'string', pattern: '^[a-z0-9-]+$' }, version: { type: 'string' } }, [
      'name',
      'version',
    ]),
    protocols: { type: 'array', minItems: 1, items: words(protocols) },
    services: closed(
      {
        inbound: { type: 'array', items: words(inbound) },
        outbound: { type: 'array', items: words(outbound) },
      },
      ['inbound', 'outbound'],
    ),
    openRegistrations: { type: 'boolean' },
    usage: closed(
      {
        users: closed({ total: count, activeHalfyear: count, activeMonth: count }, []),
        localPosts: count,
        localComments: count,
      },
      ['users'],
    ),
    metadata: { type: 'object' },
  },
  ['version', 'software', 'protocols', 'services', 'openRegistrations', 'usage', 'metadata'],
)
const validate = new Ajv2020({ allErrors: true }).compile(schema)

const app = useApp()

async function read(path = '/nodeinfo/2.0'): Promise<Json> {
  const answer = await app.fetch(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  return answer.json()
}

describe('the document [1-17] [4-63]', () => {
  let document: Json
  beforeAll(async () => {
    document = await read()
  })

  test('is found through discovery', async () => {
    const { links } = await read('/.well-known/nodeinfo')
    expect(links).toContainEqual({
      rel: 'http://nodeinfo.diaspora.software/ns/schema/2.0',
      href: 'https://chat.example/nodeinfo/2.0',
    })
    for (const link of links) expect((await app.fetch(new URL(link.href).pathname)).status).toBe(200)
  })

  test('keeps to the schema, without further properties [2.1-1] [2.1-2] [2.1-3] [2.1-5] [2.1-10] [2.1-15]', () => {
    validate(document)
    expect(validate.errors).toBeNull()
  })

  test('the schema is strict: another property, a missing one or a bad name fails', () => {
    expect(validate({ ...document, more: 1 })).toBe(false)
    expect(validate({ ...document, software: { name: 'Stone Chat', version: '1' } })).toBe(false)
    expect(validate({ ...document, usage: {} })).toBe(false)
    expect(validate({ ...document, usage: { users: { total: -1 } } })).toBe(false)
  })

  test('version, software and protocols [2.1-4] [2.1-6] [2.1-7] [2.1-8] [2.1-9] [9-3]', () => {
    expect(document.version).toBe('2.0')
    expect(document.software.name).toBe('stonechat')
    expect(document.software.version).toMatch(/^\d+\.\d+\.\d+/)
    expect(document.protocols).toEqual(['activitypub'])
  })

  test('services are lists from the fixed values [2.1-11] [2.1-12]', () => {
    expect(document.services).toEqual({ inbound: [], outbound: [] })
  })

  test('metadata is an object [2.1-24]', () => {
    expect(document.metadata).toMatchObject({ nodeName: 'Stonechat' })
  })

  test('2.1 differs by its version', async () => {
    const newer = await read('/nodeinfo/2.1')
    expect(newer).toMatchObject({ version: '2.1', protocols: ['activitypub'], usage: { users: {} } })
  })
})

describe('openRegistrations is a boolean [2.1-13]', () => {
  test('true when anyone may sign up, false otherwise [2.1-14]', async () => {
    const expected = { open: true, approved: false, none: false } as const
    for (const mode of ['none', 'approved', 'open'] as const) {
      await setSetting(app.ctx, 'registrations_mode', mode)
      expect((await read()).openRegistrations).toBe(expected[mode])
    }
  })

  test('false on a server of one person', async () => {
    const single = await startApp({ env: { SINGLE_USER_MODE: 'true' } })
    try {
      expect(await (await single.fetch('/nodeinfo/2.0')).json()).toMatchObject({ openRegistrations: false })
    } finally {
      await single.close()
    }
  })
})

describe('usage', () => {
  test('counts are integers of at least 0 [2.1-16] [2.1-17] [2.1-20] [2.1-22] [8-6]', async () => {
    const { usage } = await read()
    expect(Object.keys(usage.users).toSorted()).toEqual(['activeHalfyear', 'activeMonth', 'total'])
    for (const value of [...Object.values(usage.users), usage.localPosts, usage.localComments]) {
      expect(value).toSatisfy((number) => Number.isInteger(number) && number >= 0)
    }
  })

  test('the counts of a small server are some seconds old, also where answers are kept on their way', async () => {
    app.clock.advance(minutes(6))
    const before = (await read()).usage
    const instance = async () => (await app.anonymous.get('/api/v1/instance')).ok().stats
    const { user_count: users } = await instance()
    await (await app.person('fresh')).say('a post')
    expect((await read()).usage).toEqual(before)
    app.clock.advance(6_000)
    const after = (await read()).usage
    expect([after.users.total, after.localPosts]).toEqual([before.users.total + 1, before.localPosts + 1])
    expect((await instance()).user_count).toBe(users + 1)
    for (const path of ['/nodeinfo/2.0', '/api/v1/instance', '/api/v2/instance'])
      expect((await app.fetch(path)).headers.get('cache-control')).toBe(
        'public, max-age=5, stale-if-error=86400',
      )
    expect(countLifetime(100, minutes(5))).toBe(5_000)
    expect(countLifetime(100_000, minutes(5))).toBe(20_000)
    expect(countLifetime(1e9, minutes(5))).toBe(minutes(5))
  })

  test("localPosts are the posts of this server's users, localComments their replies [2.1-21] [2.1-23]", async () => {
    app.clock.advance(minutes(61))
    const before = (await read()).usage
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    const post = await alice.say('a post')
    await bob.say('a reply', { in_reply_to_id: post.id })
    ;(await bob.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    app.clock.advance(minutes(61))
    const after = (await read()).usage
    expect(after.localPosts).toBe(before.localPosts + 2)
    expect(after.localComments).toBe(before.localComments + 1)
    await alice.delete(`/api/v1/statuses/${post.id}`)
    app.clock.advance(minutes(61))
    expect((await read()).usage.localPosts).toBe(before.localPosts + 1)
  })

  test('active users are those who were here within 30 and 180 days [2.1-18] [2.1-19]', async () => {
    app.clock.advance(days(200))
    const quiet = (await read()).usage.users
    expect(quiet).toMatchObject({ activeMonth: 0, activeHalfyear: 0 })
    const alice = await app.person('alice')
    await app.person('early', { confirmed: false })
    ;(await alice.get('/api/v1/accounts/verify_credentials')).ok()
    app.clock.advance(minutes(6))
    expect((await read()).usage.users).toEqual({ total: quiet.total + 1, activeMonth: 1, activeHalfyear: 1 })
    app.clock.advance(days(29.9))
    expect((await read()).usage.users).toMatchObject({ activeMonth: 1, activeHalfyear: 1 })
    app.clock.advance(days(1))
    expect((await read()).usage.users).toMatchObject({ activeMonth: 0, activeHalfyear: 1 })
    app.clock.advance(days(150))
    expect((await read()).usage.users).toMatchObject({ activeMonth: 0, activeHalfyear: 0 })
  })
})

test('it is open in limited federation', async () => {
  const limited = await startApp({ env: { LIMITED_FEDERATION_MODE: 'true' } })
  try {
    expect((await limited.fetch('/nodeinfo/2.0')).status).toBe(200)
    expect((await limited.fetch('/.well-known/nodeinfo')).status).toBe(200)
  } finally {
    await limited.close()
  }
})
