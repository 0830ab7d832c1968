import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { pages } from '#http/web/pages.ts'
import { useApp } from '#test/app/app.ts'
import { countRows } from '#test/app/database.ts'
import {
  callRoute,
  fillPath,
  nameOf,
  paramNames,
  routes,
  type ListedRoute,
} from '#test/client/every-route.ts'
import type { Person } from '#test/people/people.ts'
import { obtainToken, registerClient } from '#test/client/oauth.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import type { ApplicationId } from '#lib/id.ts'

const app = useApp()
const languages = ['en', 'de', 'fr', 'ja', 'ar']
let alice: Person
let eve: Person

beforeAll(async () => {
  ;[alice, eve] = [await app.person('alice'), await app.person('eve')]
})

/** Staff's own are refused before anything is looked for: acc-admin.test.ts. */
const ofStatuses = routes.filter((route) => route.path.includes('/statuses/:id') && route.permission === null)

/** All that a caller can tell answers apart by. */
async function seen(route: ListedRoute, id: string, options: { token: string | null; language: string }) {
  const answer = await callRoute(app.fetch, route, {
    token: options.token,
    path: { id, account_id: id },
    headers: { 'accept-language': options.language },
  })
  const headers = Object.fromEntries(answer.headers)
  delete headers['x-request-id']
  return { status: answer.status, body: answer.body, headers }
}

describe('what one cannot see is as if it did not exist', () => {
  test.each(['private', 'direct'])(
    'every operation on a %s status, in five languages, with no effect [ACC-1] [ACC-2] [ACC-8]',
    async (visibility) => {
      const hidden = await alice.say('hidden', { visibility })
      await app.settle()
      const before = await countRows(app.ctx)
      for (const route of ofStatuses) {
        for (const token of [eve.token, null]) {
          for (const language of languages) {
            const options = { token, language }
            const [found, missing] = [await seen(route, hidden.id, options), await seen(route, '1', options)]
            expect([nameOf(route), token, found]).toEqual([nameOf(route), token, missing])
            expect([401, 404]).toContain(found.status)
          }
        }
      }
      await app.settle()
      expect(await countRows(app.ctx)).toEqual(before)
    },
  )

  test('a reply or boost by another name of the id does not work either [ACC-2] [ACC-8]', async () => {
    const hidden = await alice.say('hidden', { visibility: 'private' })
    const before = await countRows(app.ctx)
    const reply = await eve.post('/api/v1/statuses', { status: 'x', in_reply_to_id: hidden.id })
    const missing = await eve.post('/api/v1/statuses', { status: 'x', in_reply_to_id: '1' })
    expect([reply.status, reply.body]).toEqual([missing.status, missing.body])
    expect((await eve.post(`/api/v1/statuses/0${hidden.id}/reblog`)).status).toBe(404)
    expect(await countRows(app.ctx)).toEqual(before)
  })

  test('a boost of a status that became hidden shows nothing [ACC-1]', async () => {
    const [author, booster, reader] = [
      await app.person('author'),
      await app.person('b'),
      await app.person('r'),
    ]
    await reader.follow(booster)
    const post = await author.say('soon hidden')
    const boost = (await booster.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    ;(await author.post(`/api/v1/accounts/${reader.accountId}/block`)).ok()
    await app.settle()
    expect((await reader.get(`/api/v1/statuses/${boost.id}`)).status).toBe(404)
    for (const path of [`/api/v1/accounts/${booster.accountId}/statuses`, '/api/v1/timelines/home']) {
      expect(JSON.stringify((await reader.get(path)).ok())).not.toContain('soon hidden')
    }
  })
})

test('feeds, pages and public lists have what is for everybody only [ACC-3] [ACC-4]', async () => {
  const [author, friend] = [await app.person('author'), await app.person('friend')]
  await friend.follow(author)
  const visibilities = ['public', 'unlisted', 'private', 'direct']
  for (const visibility of visibilities) {
    await author.say(`told-${visibility} #secrecy @${friend.username}`, { visibility })
  }
  await app.settle()
  const read = async (path: string, token: string | null = null) => {
    const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` }
    const text = await (await app.fetch(path, { headers })).text()
    return visibilities.filter((one) => text.includes(`told-${one}`))
  }
  const name = author.username
  expect(await read(`/@${name}.rss`)).toEqual(['public'])
  expect(await read(`/@${name}`)).toEqual(['public', 'unlisted'])
  expect(await read(`/api/v1/accounts/${author.accountId}/statuses`)).toEqual(['public', 'unlisted'])
  for (const path of ['/tags/secrecy.rss', '/tags/secrecy']) expect(await read(path)).toEqual(['public'])
  for (const token of [null, eve.token, friend.token]) {
    expect(await read('/api/v1/timelines/tag/secrecy', token)).toEqual(['public'])
    expect(await read('/api/v1/timelines/public', token)).toEqual(['public'])
  }
})

describe('what belongs to somebody else [ACC-7]', () => {
  test('their statuses are not deleted, pinned or muted away', async () => {
    const post = await alice.say('mine')
    await app.settle()
    const before = await countRows(app.ctx)
    expect((await eve.delete(`/api/v1/statuses/${post.id}`)).status).toBe(404)
    expect((await eve.post(`/api/v1/statuses/${post.id}/pin`)).status).toBe(422)
    await app.settle()
    expect(await countRows(app.ctx)).toEqual(before)
    expect((await alice.get(`/api/v1/statuses/${post.id}`)).status).toBe(200)
  })

  test('a request to follow them is nobody else’s to answer', async () => {
    const [locked, fan] = [await app.person('locked'), await app.person('fan')]
    await sql`update accounts set locked = true where id = ${locked.accountId}`.execute(app.ctx.db)
    await fan.follow(locked)
    await app.settle()
    const before = await countRows(app.ctx)
    for (const verb of ['authorize', 'reject']) {
      for (const id of [fan.accountId, locked.accountId, '1']) {
        expect((await eve.post(`/api/v1/follow_requests/${id}/${verb}`)).status).toBe(404)
      }
      expect((await fan.post(`/api/v1/follow_requests/${fan.accountId}/${verb}`)).status).toBe(404)
    }
    await app.settle()
    expect(await countRows(app.ctx)).toEqual(before)
  })

  test('notifications of others are neither shown, dismissed nor cleared', async () => {
    const reader = await app.person('reader')
    await eve.follow(reader)
    await app.settle()
    const [one] = (await reader.get('/api/v1/notifications')).ok()
    const before = await countRows(app.ctx)
    const missing = await eve.get('/api/v1/notifications/1')
    for (const answer of [
      await eve.get(`/api/v1/notifications/${one.id}`),
      await eve.post(`/api/v1/notifications/${one.id}/dismiss`),
    ])
      expect([answer.status, answer.body]).toEqual([404, missing.body])
    ;(await eve.post('/api/v1/notifications/clear')).ok()
    expect(await countRows(app.ctx)).toEqual(before)
    expect((await reader.get('/api/v1/notifications')).ok()).toHaveLength(1)
  })

  test('an application that they allowed is not taken from them', async () => {
    const [owner, thief] = [await personWithPassword(app, 'owner'), await personWithPassword(app, 'thief')]
    const client = await registerClient(app)
    const browser = await signedIn(app, owner)
    const { access_token: token } = await obtainToken(app, browser, client)
    const [{ id }] = (await app.ctx.db
      .selectFrom('applications')
      .select('id')
      .where('client_id', '=', client.id)
      .execute()) as [{ id: ApplicationId }]
    const other = await signedIn(app, thief)
    const [form] = (await other.get('/oauth/authorized_applications')).forms
    await other.post(`/oauth/authorized_applications/${id}`, { ...form!.fields, _method: 'delete' })
    const answer = await app.fetch('/api/v1/accounts/verify_credentials', {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.status).toBe(200)
  })
})

describe('addresses of people [ACC-9]', () => {
  const secrets = (person: Person) => [
    person.email,
    `unconfirmed-${person.email}`,
    '203.0.113.77',
    'Reason77',
  ]

  test('are in no answer and on no page, to strangers and to others', async () => {
    const target = await app.person('target')
    await sql`update users set sign_up_ip = '203.0.113.77', sign_up_reason = 'Reason77',
      unconfirmed_email = ${`unconfirmed-${target.email}`} where id = ${target.userId}`.execute(app.ctx.db)
    const post = await target.say('hello #tag')
    await target.follow(eve)
    await app.settle()
    const leaks: string[] = []
    const look = (name: string, text: string) => {
      for (const secret of secrets(target)) if (text.includes(secret)) leaks.push(`${name}: ${secret}`)
      if (text.includes('@mail.example')) leaks.push(name)
    }
    for (const route of routes.filter(
      ({ method, path }) => method !== 'DELETE' && path !== '/api/v1/accounts',
    )) {
      const id = route.path.includes('/statuses/') ? post.id : target.accountId
      for (const token of [null, eve.token]) {
        const { body } = await callRoute(app.fetch, route, {
          token,
          path: { id, account_id: id, hashtag: 'tag', name: 'tag' },
          query: `id[]=${id}&acct=${target.username}&q=${target.username}&resource=acct:${target.username}@chat.example`,
          ...(paramNames(route).includes('status') && { params: { status: `@${target.username} hi` } }),
        })
        look(nameOf(route), typeof body === 'string' ? body : JSON.stringify(body))
      }
    }
    for (const page of pages.filter(({ method }) => method === 'GET')) {
      const path = page.path
        .replace(/^\/:handle\{[^}]*rss\}/, `/@${target.username}.rss`)
        .replace(/^\/:handle\{[^}]*\}/, `/@${target.username}`)
        .replace(/:id\{[^}]*\}/, post.id)
        .replace(/:username/, target.username)
        .replace(/:tag\{[^}]*\}/, 'tag.rss')
        .replace(/:\w+/, 'tag')
      look(path, await (await app.fetch(path)).text())
    }
    expect(leaks).toEqual([])
  })
})

test('every route has a path that can be filled in', () => {
  for (const route of routes) expect(fillPath(route)).not.toMatch(/[:{]/)
})
